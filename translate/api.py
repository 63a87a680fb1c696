"""The functions `load`, `to_spirv`, `disassemble` and `assemble`."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

from translate.dataclass import replace
from translate.errors import DecodeError, ListingWarning, OptionError, UnsupportedError, Where
from translate.files import as_utf8, read_named
from translate.gc_pause import gc_paused
from translate.options import Options
from translate.program import Program, placed_errors

if TYPE_CHECKING:
    from translate.hlsl.options import HlslOptions
    from translate.reflection import Reflection
    from translate.spirv.module import SpirvModule

_MAGIC = b"DXBC"


def load(
    source: str | bytes | os.PathLike[str],
    *,
    file: str | None = None,
    strict: bool = False,
    hlsl: HlslOptions | None = None,
) -> Program:
    """Read a shader from a file, or from bytes or text in memory.

    The input is a DXBC container, a listing (assembly as fxc prints it), or HLSL.

    Parameters
    ----------
    source : str, bytes or path
        A `str` that contains a newline is the text of a listing or of HLSL; any other `str` is a
        path. HLSL is recognised by the file's suffix or by a function with `numthreads`, and is
        compiled by `compile_hlsl`.
    file : str, optional
        The file name in error messages, if `source` is bytes or text.
    strict : bool, optional
        Turn warnings into errors: those below, and those in `Program.warnings`.
    hlsl : HlslOptions, optional
        Options for the HLSL compiler. If given, the source is always treated as HLSL.

    Returns
    -------
    Program
        The shader. Its `warnings` include those of the HLSL compiler.

    Raises
    ------
    DecodeError
        The bytes are not a DXBC container, or the container is damaged. With `strict` also: its
        checksum is wrong.
    AssemblyError
        The listing has a syntax error. With `strict` also: a ListingWarning was found.
    CompileError
        The HLSL compiler rejected the shader, or no compiler was found.
    UnsupportedError
        The shader is not a compute shader, or its shader model is not supported.
    OSError
        The file cannot be read, is not a regular file, or is larger than 64 MiB.

    Warns
    -----
    ListingWarning
        The listing may mean something else than its author intended; for example, a number was
        rounded when it was printed.

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


def load_quietly(data: bytes, *, strict: bool) -> Program:
    """Read bytes as `load` does, but leave the warnings, which are not issued, to the caller."""
    program = _read(data, None, None)
    if strict:
        _refuse_warnings(program)
    return program


def _heed(program: Program, strict: bool) -> None:
    """Issue the program's warnings at the line that called the public function.

    If `strict`, raise the first one as an error.
    """
    if strict:
        _refuse_warnings(program)
    for warning in program.listing_warnings:
        warnings.warn(warning, stacklevel=3)


def _refuse_warnings(program: Program) -> None:
    """Raise an error for the program's first warning, if it has any."""
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
        file, source = os.fspath(source), read_named(source)
    data = as_utf8(bytes(source))
    return _compiled(data, file, hlsl) or _load_bytes(data, file)


def _compiled(data: bytes, file: str | None, hlsl: HlslOptions | None) -> Program | None:
    """Compile the input if it is HLSL; None for any other input."""
    if hlsl is None:
        if data[:4] == _MAGIC:
            return None
        from translate.hlsl.source import is_hlsl

        if not is_hlsl(data, file):
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
        hint = "; `sm5vk extract` searches it for containers" if _MAGIC in data else ""
        raise DecodeError(
            "neither a DXBC container (it would begin with 'DXBC') nor a listing in UTF-8 or "
            f"UTF-16{hint}",
            Where(file),
        ) from error
    return _load_text(text, file)


def _load_text(text: str, file: str | None) -> Program:
    from translate.asm import parse_listing

    with gc_paused():
        return parse_listing(text, file)


def disassemble(
    program: Program,
    *,
    header: bool = False,
    numbers: bool = False,
    hexadecimal: bool = False,
    exact: bool = False,
) -> str:
    """Print a program as an assembly listing, in fxc's format.

    By default the text is fxc's own, which rounds floats to six digits after the point. With
    `exact` or `hexadecimal`, `assemble` and `load` read the same instructions from it; `+` before
    an operand then stands for a token without effect that fxc adds to a few.

    Parameters
    ----------
    program : Program
        A shader that `load` returned.
    header : bool, optional
        Add fxc's comments (constant buffers, bindings, signatures, classes). `assemble` restores
        the reflection from these.
    numbers : bool, optional
        Begin each instruction with its number, as fxc does with `/Ni`. Errors and reports use these
        numbers.
    hexadecimal : bool, optional
        Print the bits of immediate numbers, as fxc does with `/Lx`.
    exact : bool, optional
        Print floats with as many digits as their bits need, and denormals and NaNs, which are
        rather integers, in hexadecimal. Without effect if `hexadecimal` is set.

    Returns
    -------
    str
        The shader model, the declarations and the instructions, one on each line. `assemble` and
        `load` can read it.

    Examples
    --------
    >>> import translate
    >>> print(translate.disassemble(translate.load("shaders/saxpy.dxbc")).splitlines()[0])
    cs_5_0
    """
    from translate.asm import About, Literals, Style, print_listing

    literals = Literals.EXACT if exact else Literals.FXC
    style = Style(numbers, Literals.HEXADECIMAL if hexadecimal else literals)
    if not header:
        return print_listing(program, style=style)
    from translate.dxbc.contents import facts_of

    return print_listing(program, About(*facts_of(program)), style)


def assemble(
    text: str,
    *,
    file: str | None = None,
    strict: bool = False,
    check: bool = True,
    into: bytes | None = None,
) -> bytes:
    """Assemble a listing into a complete DXBC container with a valid checksum.

    The program is checked as `to_spirv` checks it, and for undeclared inputs too: D3D refuses a
    container with an undeclared register or without an `endif`, and does not say why.

    Parameters
    ----------
    text : str
        The listing. If it has fxc's comments, the container gets reflection.
    file : str, optional
        The listing's file name in error messages.
    strict : bool, optional
        Turn the warnings below into errors, except that of debug information.
    check : bool, optional
        False assembles a program that breaks D3D's rules too, and does not compare it with `into`.
    into : bytes, optional
        The container that the listing was printed from. The result keeps its other chunks, such as
        the root signature (RTS0), which no listing has, and its names, unless the listing's header
        comment has others. If the code was changed, debug information such as SPDB is left out: it
        would name wrong lines of HLSL.

    Returns
    -------
    bytes
        The container.

    Raises
    ------
    AssemblyError
        The listing has a syntax error. With `strict` also: a ListingWarning was found.
    ProgramError
        The program breaks a rule of D3D, such as an `if_nz` without its `endif`.
    DecodeError
        `into` is no container, or damaged.
    OptionError
        `into` has another profile.
    UnsupportedError
        The shader is not a compute shader, or its shader model is not supported.

    Warns
    -----
    ListingWarning
        The listing may mean something else than its author intended; for example, a number was
        rounded when it was printed. Or it could not be checked to its end, as the program uses a
        feature that is not translated. Or an access is always past the end of a constant buffer or
        of a structure, or has one number as index and offset. Or `into` declares a resource in
        another form, or not at all, or its root signature lacks a register. Or debug information of
        `into` is left out.

    Examples
    --------
    >>> import translate
    >>> listing = "cs_5_0\\ndcl_temps 1\\ndcl_thread_group 1, 1, 1\\nmov r0.x, l(0)\\nret\\n"
    >>> translate.assemble(listing)[:4]
    b'DXBC'
    """
    from translate.dxbc import decode_container
    from translate.dxbc.contents import encode_container, lost_debug_information

    program = _load_text(text, file)
    original = None if into is None else decode_container(into)
    if original is not None and original.version != program.version:
        message = f"the listing is {program.profile}, its container {original.profile}"
        raise OptionError(message, Where(file))
    if check:
        _check(program, original)
    _heed(program, strict)
    if original is None:
        return encode_container(program)
    program = replace(program, chunks=original.chunks)
    if program.reflection == _shown_reflection(original):
        program = replace(program, reflection=original.reflection)
    container = encode_container(program)
    lost = lost_debug_information(program, container)
    if lost:
        message = (
            f"the debug information {', '.join(lost)} of the container is left out, as the code "
            "was changed"
        )
        warnings.warn(ListingWarning(message, Where(file)), stacklevel=2)
    return container


def _shown_reflection(program: Program) -> Reflection | None:
    """The reflection that a listing's header comment shows, which lacks some facts."""
    return _load_text(disassemble(replace(program, statements=[]), header=True), None).reflection


def _check(program: Program, container: Program | None) -> None:
    """Raise the error of a program that breaks D3D's rules.

    If only a part can be checked, if it has doubtful accesses, or if its container does not fit,
    add warnings to the program's.
    """
    from translate.asm.doubts import doubtful_accesses
    from translate.lower import check_program, misfits

    try:
        with placed_errors(program), gc_paused():
            check_program(program)
    except (UnsupportedError, OptionError) as error:
        message = f"the program is not checked from here on: {error.message}"
        warning = ListingWarning(message, error.where, error.source_line)
        program.listing_warnings.append(warning)
    program.listing_warnings += doubtful_accesses(program)
    if container is not None:
        program.listing_warnings += misfits(program, container)


def to_spirv(program: Program, options: Options | None = None) -> SpirvModule:
    """Translate a shader to SPIR-V.

    Parameters
    ----------
    program : Program
        A shader that `load` returned. It is not changed.
    options : Options, optional
        How to translate; `Options()` by default.

    Returns
    -------
    SpirvModule
        The module's words and its interface. The same program and options always give the same
        words.

    Raises
    ------
    UnsupportedError
        The shader uses a feature that is not translated, or the translation exceeds a size limit.
    TranslateError
        The shader breaks the rules of its shader model. With `Options.strict` also: `load` warned.
    VerifyError
        The result is invalid. This is a bug of sm5vk, not of the shader.

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
    with placed_errors(program), gc_paused():
        return translate_program(program, chosen)


def attainable(options: Options, *, text: bool = False) -> Options:
    """Turn validation off if it is optional and SPIRV-Tools are missing, with one warning.

    For translating many shaders: the check is made once, beforehand. Raises MissingToolsError if
    SPIRV-Tools are missing but required, by `validate=True` or for output as text (`text`).
    """
    from translate.spirv.module import is_available, library, warn_of_absence

    if text:
        library("SPIR-V assembly")
    if options.validate is True:
        library("validation")
    if options.validate != "available" or is_available():
        return options
    warn_of_absence()
    return replace(options, validate=False)
