"""Compiled HLSL in the cache, with warnings where the code surprisingly differs from the source.

The key covers every file that the compiler may have read. A changed header, a new header found
before it, or another compiler gives another key.
"""

from __future__ import annotations

import json
from copy import copy

import translate
from translate.dataclass import replace
from translate.errors import CompileError, TranslateError
from translate.hlsl.compiling import Compilation, CompiledHlsl
from vkrunner.shader.cache.entries import digest, text_of, translator_digest
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
        return compile_telling(compilation), True
    data = store.read(key)
    if data is not None:
        return _read(data), False
    if key in _refusals:
        raise copy(_refusals[key])
    try:
        made = compile_telling(compilation)
    except CompileError as error:
        if error.refused and _key(store, compilation) == key:
            _refusals[key] = copy(error)  # without the traceback, which keeps objects alive
        raise
    if _key(store, compilation) == key:  # the compiler is the same
        store.write(key, _data(made))
    return made, True


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


def compile_telling(compilation: Compilation) -> CompiledHlsl:
    """Compile; surprises become warnings. Raises the errors of `Compilation.run`.

    Only debug information shows them. If the container has none and a surprise is possible, the
    source is compiled once more, with it.
    """
    from translate.surprises import LONGEST, MARKS, may_surprise, surprises  # reads containers

    made = compilation.run()
    try:
        program = translate.load(made.container)
    except TranslateError:  # whoever reads it says why
        return made
    if not program.hlsl_files:
        again = compilation.with_debug_information()
        texts = compilation.texts(MARKS, LONGEST)
        if again is None or not may_surprise(texts, compilation.entry_name, program):
            return made
        try:
            program = translate.load(again.run().container)
        except CompileError:
            return made
    told = (compilation.warning(one.file, one.line, one.message) for one in surprises(program))
    return replace(made, warnings=(*made.warnings, *told))
