"""Reading the shader of a verb."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import translate
from vkrunner import ArgumentError
from vkrunner.cli.output import write_message
from vkrunner.shader import Shader

if TYPE_CHECKING:
    from translate import Program

STDIN = "-"


def add_strict(parser: argparse.ArgumentParser) -> argparse.Action:
    """The option `--strict`."""
    return parser.add_argument(
        "--strict",
        action="store_true",
        help="what is warned of in the shader is an error, such as numbers that fxc rounded",
    )


def load_program(source: str, *, strict: bool = False) -> Program:
    """The shader in a file, or on standard input for `-`; its warnings go to standard error."""
    return load_bytes(source, strict=strict)[0]


def load_bytes(source: str, *, strict: bool = False) -> tuple[Program, bytes]:
    """The same, and the bytes that it was read from."""
    data = read_bytes(source)
    program = translate.load(data, file=None if source == STDIN else source, strict=strict)
    warn(program.warnings)
    return program, data


def open_shader(source: str) -> Shader:
    """The same, not read where a cache has its translation."""
    return Shader(read_bytes(STDIN) if source == STDIN else Path(source))


def read_bytes(source: str) -> bytes:
    """A file, or all of standard input."""
    return sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()


def read_text(source: str, what: str) -> str:
    """The same as text. Raises ArgumentError, which says that it is not `what`."""
    try:
        return read_bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ArgumentError(f"{source} is not {what}: it is not text in UTF-8") from None


def warn(warnings: list[str]) -> None:
    """Print the warnings of a shader's reader on standard error."""
    for warning in warnings:
        write_message(f"sm5vk: warning: {warning}")
