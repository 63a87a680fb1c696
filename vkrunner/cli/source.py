"""Reading the shader that a verb is about."""

from __future__ import annotations

import sys
from pathlib import Path

import translate
from translate import Program

STDIN = "-"


def load_program(source: str) -> Program:
    """The shader in a file, or on standard input for `-`; its warnings go to standard error."""
    return load_bytes(source)[0]


def load_bytes(source: str) -> tuple[Program, bytes]:
    """The same, and the bytes that it was read from."""
    if source == STDIN:
        data = read_stdin()
        program = translate.load(data)
    else:
        data = Path(source).read_bytes()
        program = translate.load(Path(source))  # once more, so that errors can name the file
    for warning in program.warnings:
        print(f"sm5vk: warning: {warning}", file=sys.stderr)
    return program, data


def read_stdin() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read()
