"""load, to_spirv, disassemble, assemble: the four verbs, each a short chain of stages."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from translate.errors import DecodeError, TranslateError, Where
from translate.files import read_input
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

    Parameters
    ----------
    source : str, bytes or path
        A `str` with a newline in it is a text, any other a path. HLSL is known by its file's
        suffix, or by a function that has `numthreads`; it is compiled as by `compile_hlsl`.
    file : str, optional
        What errors call bytes or a text that were read from there.
    strict : bool, optional
        Make errors of the warnings below, and of `Program.warnings`.
    hlsl : HlslOptions, optional
        How to compile HLSL. With it the source is HLSL, whatever it looks like.

    Returns
    -------
    Program
        The shader. What the compiler of HLSL warned of is in its `warnings`.

    Raises
    ------
    DecodeError
        The bytes are no container or a damaged one, or, with `strict`, one with a wrong checksum.
    AssemblyError
        The listing breaks the grammar or, with `strict`, may not mean what was meant.
    CompileError
        The HLSL is refused by its compiler, or there is no compiler.
    UnsupportedError
        The shader is of another stage or model.
    OSError
        The path cannot be read, or it is no regular file of at most 64 MiB.

    Warns
    -----
    ListingWarning
        Something in a listing may not mean what was meant, as a rounded number.

    Examples
    --------
    >>> import translate
    >>> program = translate.load("shaders/saxpy.dxbc")
    >>> program.profile
    'cs_5_0'
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
        file, source = os.fspath(source), read_input(source)
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

    Parameters
    ----------
    program : Program
        A shader, as `load` reads it.
    header : bool, optional
        Put fxc's comments above (constant buffers, bindings, signatures, classes) and below, from
        which `assemble` makes the reflection again.

    Returns
    -------
    str
        The listing, which `assemble` and `load` read.

    Examples
    --------
    >>> import translate
    >>> print(translate.disassemble(translate.load("shaders/saxpy.dxbc")).splitlines()[0])
    cs_5_0
    """
    from translate.asm import About, print_listing

    if not header:
        return print_listing(program)
    from translate.dxbc import facts_of

    return print_listing(program, About(*facts_of(program)))


def assemble(text: str, *, file: str | None = None, strict: bool = False) -> bytes:
    """A complete DXBC container, checksum included, from a listing.

    Parameters
    ----------
    text : str
        The listing. With fxc's comments in it the container has reflection.
    file : str, optional
        The listing's name in errors.
    strict : bool, optional
        Make errors of the warnings below.

    Returns
    -------
    bytes
        The container.

    Raises
    ------
    AssemblyError
        The listing breaks the grammar or, with `strict`, may not mean what was meant.
    UnsupportedError
        The listing is of another stage or model.

    Warns
    -----
    ListingWarning
        Something in the listing may not mean what was meant, as a rounded number.

    Examples
    --------
    >>> import translate
    >>> listing = "cs_5_0\\ndcl_temps 1\\ndcl_thread_group 1, 1, 1\\nmov r0.x, l(0)\\nret\\n"
    >>> translate.assemble(listing)[:4]
    b'DXBC'
    """
    from translate.dxbc import encode_container

    program = _load_text(text, file)
    _heed(program, strict)
    return encode_container(program)


def to_spirv(program: Program, options: Options | None = None) -> SpirvModule:
    """Translate to SPIR-V.

    Parameters
    ----------
    program : Program
        A shader, as `load` reads it. It is not changed.
    options : Options, optional
        How to translate; `Options()` without.

    Returns
    -------
    SpirvModule
        The module's words and its interface. Equal programs and options give equal words.

    Raises
    ------
    UnsupportedError
        The shader uses something that is not translated, or becomes too large.
    TranslateError
        The shader breaks the rules of its model or, with `Options.strict`, its reader warned.
    VerifyError
        The result is wrong, which is a fault of this project.

    Examples
    --------
    >>> import translate
    >>> module = translate.to_spirv(translate.load("shaders/saxpy.dxbc"))
    >>> print(module.interface["u0"])
    u0 y structured buffer stride 4 float32 (set 0, binding 160, storage_buffer)
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
