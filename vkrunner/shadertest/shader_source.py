"""The shaders of tests: kinds of files; kernels of listings and HLSL with restricted includes.

Also the errors that refuse a shader or its dispatch.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from translate import CompileError, HlslOptions, TranslateError, compile_hlsl
from translate.hlsl.compilers import find_compiler
from translate.hlsl.includes import find_includes
from translate.hlsl.source import HlslSource, is_hlsl
from vkrunner import Device, Kernel, RunnerError
from vkrunner.shadertest.cases import ShaderSection
from vkrunner.shadertest.cursor import HOW_TO_ALLOW, ShaderTestError
from vkrunner.shadertest.encoding import check_regular
from vkrunner.shadertest.outcome import INPUT

_MAGIC = b"DXBC"
_PROFILE_LINE = re.compile(rb"^[ \t]*cs_\d_\d\b", re.MULTILINE)  # of a listing
T = TypeVar("T")
_WORDS = {"defines": "define"}  # fields of HlslOptions that a line names otherwise


def kind_of(data: bytes, file: str | None = None) -> str | None:
    """`container`, `listing` or `HLSL`; None for other files."""
    if data.startswith(_MAGIC):
        return "container"
    if is_hlsl(data, file):
        return "HLSL"
    return "listing" if _PROFILE_LINE.search(data) else None


def make_kernel(device: Device, section: ShaderSection) -> Kernel:
    """A kernel of the section's shader.

    Raises ShaderTestError for HLSL if no compiler is installed, or if it may include files outside
    of the test's folder and the allowed folders; and for a compiled file with options of HLSL.
    Otherwise raises the errors of `Device.kernel`, and OSError.
    """
    if section.container is not None:
        return device.kernel(section.container, **section.options)
    if section.path is not None:
        return _of_file(device, section, section.path)
    text = _text(section)
    if section.hlsl is None:
        if is_hlsl(text.encode("utf-8", "surrogatepass")):
            raise section.token.error("HLSL belongs in [compute shader]")
        return device.kernel(text, **section.options)
    return _compiled(device, section, text.encode("utf-8", "surrogatepass"), _test_file(section))


def compile_error(section: ShaderSection, profile: str) -> CompileError | None:
    """The compiler's error for HLSL that it refuses for a profile; None if it succeeds.

    Raises the errors of `make_kernel`, and CompileError if the compiler itself fails.
    """
    if section.path is not None:
        source = HlslSource(_read(section, section.path), str(section.path))
    else:
        data = _text(section).encode("utf-8", "surrogatepass")
        source = HlslSource(data, _test_file(section))
    chosen: dict[str, Any] = {**(section.hlsl or {}), "profile": profile}
    _check_compiler(section)
    _check_includes(section, source, chosen)
    try:
        compile_hlsl(source.data, HlslOptions(**chosen), file=source.file)
    except CompileError as error:
        if not error.refused:
            raise
        return error
    return None


def _text(section: ShaderSection) -> str:
    """The section's lines, after empty lines, so that they have the same numbers as in the file."""
    first = section.lines[0].number
    return "\n" * (first - 1) + "\n".join(line.text for line in section.lines) + "\n"


def _test_file(section: ShaderSection) -> str:
    """The path of the test's file, as the compiler gets it: #include searches its folder.

    It is the same path as in messages, if that is in this folder.
    """
    line = section.token.line
    named, own = Path(line.file), line.folders.own
    is_there = os.path.realpath(named.parent) == os.path.realpath(own)
    return str(named if is_there else own / named.name)


def _of_file(device: Device, section: ShaderSection, path: Path) -> Kernel:
    data = _read(section, path)
    if section.hlsl is None and not is_hlsl(data, str(path)):
        return device.kernel(data, file=str(path), **section.options)
    _check_uncompiled(section, data)
    return _compiled(device, section, data, str(path))


def _read(section: ShaderSection, path: Path) -> bytes:
    check_regular(path, section.token)
    return section.token.line.folders.read(path)


def _check_uncompiled(section: ShaderSection, data: bytes) -> None:
    """Raise ShaderTestError if a file that the section wants compiled is compiled already."""
    kind = kind_of(data)
    if kind in ("container", "listing"):
        # A [compute shader] has a profile in any case.
        options = [_WORDS.get(name, name) for name in section.hlsl or () if name != "profile"]
        remedy = f"remove {', '.join(options)}"
        if not options:
            remedy = "it belongs in [shader], without profile"
        raise section.token.error(f"{section.token.text} is a {kind}: {remedy}")


def _compiled(device: Device, section: ShaderSection, data: bytes, file: str) -> Kernel:
    chosen = {"profile": HlslOptions.profile, **(section.hlsl or {})}
    _check_compiler(section)
    _check_includes(section, HlslSource(data, file), chosen)
    return device.kernel(data, file=file, **chosen, **section.options)


def _check_compiler(section: ShaderSection) -> None:
    """Raise ShaderTestError if the compiler is missing; a test's `error` cannot expect this."""
    try:
        find_compiler()
    except CompileError as error:
        raise section.token.error(error.message) from None


def _check_includes(section: ShaderSection, source: HlslSource, chosen: Mapping[str, Any]) -> None:
    """Raise ShaderTestError if a compiler might read a file that the test may not read."""
    folders = section.token.line.folders
    allowed: dict[str, bool] = {}

    def may_read(path: str) -> bool:
        return allowed.setdefault(path, folders.have(Path(path)))

    includes = find_includes(source, HlslOptions(**chosen).folders, may_read)
    for path in includes.files:
        if allowed[path]:
            check_regular(Path(path), section.token)
        elif os.path.exists(path):
            raise section.token.error(
                f"#include may read {os.path.relpath(path, folders.own)}, which is not below the"
                f" test's folder; {HOW_TO_ALLOW}"
            )
    if includes.unknown:
        raise section.token.error(
            f"what this includes cannot be known beforehand, since {includes.unknown}: name the"
            " files in quotes, by relative paths below the test's folder"
        )


def or_refusal(act: Callable[[], T]) -> T | TranslateError | RunnerError:
    """The result, or the error if it refuses a shader or a dispatch; others are raised."""
    try:
        return act()
    except (TranslateError, RunnerError) as error:
        if not _is_refusal(error):
            raise
        return error


def _is_refusal(error: Exception) -> bool:
    """Whether the error says that a shader or dispatch was refused.

    False for faults of the test file, the device or the compiler itself.
    """
    if isinstance(error, (ShaderTestError, OSError, MemoryError)):
        return False
    if isinstance(error, CompileError):
        return error.refused
    return isinstance(error, TranslateError) or getattr(error, "exit_code", None) == INPUT
