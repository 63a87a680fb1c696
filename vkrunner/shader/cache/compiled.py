"""Compiled HLSL in the cache. The key covers every file that the compiler may have read.

A changed header, a new header found before it, or another compiler gives another key.
"""

from __future__ import annotations

import json
from copy import copy

from translate.errors import CompileError
from translate.hlsl.compiling import Compilation, CompiledHlsl
from vkrunner.shader.cache.keys import digest, text_of, translator_digest
from vkrunner.shader.cache.store import Store, open_store

_refusals: dict[str, CompileError] = {}  # by key


def compile_cached(compilation: Compilation) -> tuple[CompiledHlsl, bool]:
    """The compiled shader, and whether the compiler ran (False: it was in the cache).

    Raises the errors of `Compilation.run`. A refusal is remembered in this process alone: tests
    use one shader often.
    """
    store = open_store()
    key = _key(store, compilation) if store is not None else None
    if store is None or key is None:
        return _compiled(compilation), True
    data = store.read(key)
    if data is not None:
        return _read(data), False
    if key in _refusals:
        raise copy(_refusals[key])
    try:
        made = _compiled(compilation)
    except CompileError as error:
        if error.refused and _key(store, compilation) == key:
            _refusals[key] = copy(error)  # without the traceback, which keeps objects alive
        raise
    if _key(store, compilation) == key:  # the compiler is the same
        store.write(key, _data(made))
    return made, True


def _compiled(compilation: Compilation) -> CompiledHlsl:
    from vkrunner.shader.telling import compile_telling  # reads containers, which takes longer

    return compile_telling(compilation)


def _key(store: Store, compilation: Compilation) -> str | None:
    """The key; None if the compiler's inputs or the translator's source cannot be found."""
    translator, inputs = translator_digest(store), compilation.inputs()
    if translator is None or inputs is None:
        return None
    return digest(b"hlsl", translator.encode(), text_of(inputs))


def _data(made: CompiledHlsl) -> bytes:
    head = json.dumps({"compiler": made.compiler, "warnings": made.warnings})
    return head.encode("ascii") + b"\n" + made.container


def _read(data: bytes) -> CompiledHlsl:
    head, _, container = data.partition(b"\n")
    row = json.loads(head)
    return CompiledHlsl(container, row["compiler"], tuple(row["warnings"]))
