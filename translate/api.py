"""load, to_spirv, disassemble, assemble: the four verbs, each a short chain of stages."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from translate.errors import DecodeError, TranslateError, Where
from translate.gc_pause import gc_paused
from translate.options import Options
from translate.program import Program

if TYPE_CHECKING:
    from translate.hlsl.options import HlslOptions
    from translate.spirv.module import SpirvModule

_MAGIC = b"DXBC"


def load(
    source: str | bytes | os.PathLike[str],
    *,
    file: str | None = None,
    strict: bool = False,
    hlsl: HlslOptions | None = None,
) -> Program:
    """Read a shader: a path, the bytes of a container, a listing or HLSL, or such a text.

    A `str` with a newline in it is a text, any other a path. `file` is what errors call bytes or a
    text that were read from there. HLSL (by its suffix, or where a function has `numthreads`) is
    compiled as `compile_hlsl` does, with the options of `hlsl`; what the compiler warns of is in
    `Program.warnings`. Warns (ListingWarning) of what in a listing may not mean what was meant;
    `strict` makes an error of that, and of `Program.warnings`. Raises DecodeError, AssemblyError,
    CompileError or UnsupportedError; OSError when a path cannot be read.
    """
    program = _read(source, file, hlsl)
    _heed(program, strict)
    return program


def _heed(program: Program, strict: bool) -> None:
    """Warn of what the reader doubts, on behalf of the caller's caller."""
    if strict:
        _refuse_warnings(program)
    for warning in program.listing_warnings:
        warnings.warn(warning, stacklevel=3)


def _refuse_warnings(program: Program) -> None:
    """Raise for the first thing that the reader tolerated."""
    for warning in program.listing_warnings:
        raise warning.error()
    for message in program.warnings:
        raise DecodeError(message, Where(program.file))


def _read(
    source: str | bytes | os.PathLike[str], file: str | None, hlsl: HlslOptions | None
) -> Program:
    if isinstance(source, str) and "\n" in source:
        data = source.encode("utf-8", "surrogatepass")
        compiled = _compiled(data, file, hlsl)
        return compiled or _load_text(source, file)
    if isinstance(source, (str, os.PathLike)):
        file, source = os.fspath(source), Path(source).read_bytes()
    data = bytes(source)
    return _compiled(data, file, hlsl) or _load_bytes(data, file)


def _compiled(data: bytes, file: str | None, hlsl: HlslOptions | None) -> Program | None:
    """The program of HLSL; None for what is none."""
    from translate.hlsl.source import is_hlsl

    if hlsl is None and not is_hlsl(data, file):
        return None
    from translate.hlsl.compiling import compile_hlsl

    made = compile_hlsl(data, hlsl, file=file)
    program = _load_bytes(made.container, file)
    program.warnings[:0] = made.warnings
    return program


def _load_bytes(data: bytes, file: str | None) -> Program:
    if data[:4] == _MAGIC:
        from translate.dxbc import decode_container

        with gc_paused():
            return decode_container(data, file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DecodeError(
            "neither a DXBC container (it would begin with 'DXBC') nor a listing in UTF-8",
            Where(file),
        ) from error
    return _load_text(text, file)


def _load_text(text: str, file: str | None) -> Program:
    from translate.asm import parse_listing

    with gc_paused():
        return parse_listing(text, file)


def disassemble(program: Program, *, header: bool = False) -> str:
    """The program as fxc prints it: the model, declarations and instructions, one a line.

    With `header`, fxc's comments stand above (constant buffers, bindings, signatures, classes) and
    below, from which `assemble` makes the reflection again.
    """
    from translate.asm import About, print_listing

    if not header:
        return print_listing(program)
    from translate.dxbc import facts_of

    return print_listing(program, About(*facts_of(program)))


def assemble(text: str, *, file: str | None = None, strict: bool = False) -> bytes:
    """A complete DXBC container, checksum included, from a listing.

    `file` is the listing's name in errors. Warns as `load` does; `strict` makes an error of that.
    Raises AssemblyError or UnsupportedError.
    """
    from translate.dxbc import encode_container

    program = _load_text(text, file)
    _heed(program, strict)
    return encode_container(program)


def to_spirv(program: Program, options: Options | None = None) -> SpirvModule:
    """Translate to SPIR-V.

    Raises UnsupportedError for what is not translated, TranslateError for a shader that breaks
    the rules of its model; under `Options.strict` also for what its reader warned of.
    """
    from translate.pipeline import translate_program

    chosen = options or Options()
    if chosen.strict:
        _refuse_warnings(program)
    try:
        with gc_paused():
            return translate_program(program, chosen)
    except TranslateError as error:
        if error.source_line is None:
            error.source_line = program.source_line(error.where)
        raise


def attainable(options: Options, *, text: bool = False) -> Options:
    """The options with `validate` as this machine can have it, for a run over many shaders.

    Warns where "available" becomes False. Raises MissingToolsError where there are no SPIRV-Tools
    for `validate=True`, or for modules as text.
    """
    from translate.spirv.library import is_available, library
    from translate.spirv.tools import warn_of_absence

    if text:
        library("SPIR-V assembly")
    if options.validate is True:
        library("validation")
    if options.validate != "available" or is_available():
        return options
    warn_of_absence()
    return replace(options, validate=False)
