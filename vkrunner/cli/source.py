"""Reads the shader of a verb; the options for HLSL; a shader's properties as plain data."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import translate
from translate.errors import escaped
from translate.files import MOST_INPUT_BYTES, as_utf8, read_named
from vkrunner import FeatureError, FileError, LimitError
from vkrunner.cli.output import write_message
from vkrunner.cli.parser import check_outputs
from vkrunner.shader.shader import Shader

if TYPE_CHECKING:
    from translate import HlslOptions, Program

STDIN = "-"
SOURCE = "a DXBC container, a listing or HLSL, - for standard input"
_OPTIMIZATIONS = ("0", "1", "2", "3", "d")
_DIGEST = slice(4, 20)  # in a container's header; zeros if it is unsigned


def add_hlsl_options(parser: argparse.ArgumentParser) -> None:
    """Add the HLSL options to a verb that reads a shader."""
    add = parser.add_argument_group(
        "HLSL (by the compiler that SM5VK_FXC names, or fxc)"
    ).add_argument
    add("--entry", metavar="NAME", help="the function to compile (main)")
    add("--profile", metavar="PROFILE", help="cs_5_0 (default), cs_5_1, cs_4_1 or cs_4_0")
    add(
        "-D",
        "--define",
        dest="defines",
        metavar="NAME[=VALUE]",
        action="append",
        help="define a macro; repeatable",
    )
    add(
        "-I",
        "--include",
        metavar="DIR",
        action="append",
        help="a folder in which #include looks; repeatable",
    )
    add("-O", dest="optimization", choices=_OPTIMIZATIONS, help="as fxc's -O0 to -O3 and -Od")
    add(
        "--fxc-flags",
        metavar="FLAGS",
        action="append",
        help='further options of fxc: --fxc-flags="-Zi -Gis"; repeatable',
    )


def hlsl_options(arguments: argparse.Namespace) -> HlslOptions | None:
    """The given HLSL options; None if none was given. Raises TranslateError."""
    given: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in ("entry", "profile", "defines", "include")
        if getattr(arguments, name) is not None
    }
    level = () if arguments.optimization is None else (f"-O{arguments.optimization}",)
    if flags := [*level, *(arguments.fxc_flags or ())]:
        given["fxc_flags"] = " ".join(flags)
    return translate.HlslOptions(**given) if given else None


def hlsl_words(arguments: argparse.Namespace) -> list[str]:
    """The given HLSL options as words of a command line."""
    words: list[str] = []
    for option in ("entry", "profile"):
        if (value := getattr(arguments, option)) is not None:
            words.append(f"--{option}={value}")
    words += [f"--fxc-flags={value}" for value in arguments.fxc_flags or ()]
    if arguments.optimization is not None:
        words.append(f"-O{arguments.optimization}")
    for option, values in (("-D", arguments.defines), ("-I", arguments.include)):
        words += [word for value in values or () for word in (option, value)]
    return words


def open_shader(arguments: argparse.Namespace, source: str) -> Shader:
    """The shader in a file, or on standard input for `-`. It is read later."""
    hlsl = hlsl_options(arguments)
    return Shader(read_bytes(STDIN) if source == STDIN else Path(source), hlsl=hlsl)


def load_program(arguments: argparse.Namespace, source: str) -> Program:
    """Read the shader; messages of its compiler and of the reader go to standard error."""
    shader = open_shader(arguments, source)
    program = shader.read(strict=getattr(arguments, "strict", False))
    report(shader, arguments)
    return program


def read_bytes(source: str) -> bytes:
    """The bytes of a file or of standard input. Raises OSError if they are too many."""
    if source != STDIN:
        return read_named(source)
    data = sys.stdin.buffer.read(MOST_INPUT_BYTES + 1)
    if len(data) > MOST_INPUT_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), "standard input")
    return as_utf8(data)


def read_text(source: str, what: str) -> str:
    """The text of a file. Raises ArgumentError, which says that the file is not a `what`."""
    return decode(source, read_bytes(source), what)


def decode(source: str, data: bytes, what: str) -> str:
    """Bytes as text. Raises ArgumentError as `read_text` does."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"{escaped(source)} is not {what}: it is not text in UTF-8") from None


@contextmanager
def named_errors(source: str) -> Generator[None]:
    """Begin the errors of a device that a shader does not suit with the shader's file."""
    try:
        yield
    except (FeatureError, LimitError) as error:
        error.args = (f"{escaped(source)}: {error}",)
        raise


def report(shader: Shader, arguments: argparse.Namespace, *, in_a_build: bool = False) -> None:
    """Print to standard error the compiler that ran, its warnings, and those about the shader.

    In a build, where each shader has a line anyway, the compiler is left out. Raises UsageError for
    an output that would replace a file that the shader includes.
    """
    if shader.included[0]:
        check_outputs(arguments, shader.included[0])
    if shader.compiler is not None and shader.is_compiled_anew and not in_a_build:
        write_message(f"sm5vk: compiled by {shader.compiler}")
    for warning in shader.compiler_warnings:
        write_message(warning)  # its text begins with its place
    for warning in shader.warnings:
        write_message(f"sm5vk: warning: {shader.file or STDIN}: {warning}")


def shader_facts(program: Program, data: bytes) -> dict[str, Any]:
    """Profile, size, checksum, chunks and number of instructions."""
    names = Counter(s.row.name for s in program.statements if not s.row.is_declaration)
    return {
        "profile": program.profile,
        "bytes": len(data),
        "checksum": _checksum(program, data),
        "chunks": [
            {"name": c.fourcc.decode("latin-1"), "bytes": len(c.payload)} for c in program.chunks
        ],
        "declarations": len(program.statements) - names.total(),
        "instructions": names.total(),
        "mnemonics": dict(names.most_common()),
    }


def warning_lines(program: Program) -> list[str]:
    """The warnings about the shader's container or listing, with their places."""
    placed = (f"{w.where}: {w.message}" for w in program.listing_warnings)
    return [*program.warnings, *placed]


def _checksum(program: Program, data: bytes) -> str | None:
    """ "right", "wrong", or "none" for a container without one; None for a listing."""
    if not program.chunks:
        return None
    if not any(data[_DIGEST]):
        return "none"
    return "wrong" if any("checksum" in warning for warning in program.warnings) else "right"
