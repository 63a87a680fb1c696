"""Reading the shader that a verb is about."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import translate
from vkrunner.shader import Shader

if TYPE_CHECKING:
    from translate import Program

STDIN = "-"


def load_program(source: str) -> Program:
    """The shader in a file, or on standard input for `-`; its warnings go to standard error."""
    return load_bytes(source)[0]


def open_shader(source: str) -> Shader:
    """The same as what a kernel is made from, read where it has to be."""
    return Shader(read_stdin() if source == STDIN else Path(source))


def warn(warnings: list[str]) -> None:
    """What a shader's reader tolerated, on standard error."""
    for warning in warnings:
        print(f"sm5vk: warning: {warning}", file=sys.stderr)


def load_bytes(source: str) -> tuple[Program, bytes]:
    """The same, and the bytes that it was read from."""
    if source == STDIN:
        data = read_stdin()
        program = translate.load(data)
    else:
        data = Path(source).read_bytes()
        program = translate.load(data, file=source)
    warn(program.warnings)
    return program, data


def read_stdin() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read()
