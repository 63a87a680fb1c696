"""Edits of the operands in a listing's text, at the places where the parser found them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import translate
from translate.asm import parse_listing
from translate.dxbc import decode_container
from translate.isa.instruction import Role, Spec
from translate.isa.registers import Operand, Selection
from translate.program import Program, Statement

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/corpus/cs_5_0", "tests/corpus/cs_5_0_Od", "tests/corpus/cs_5_1", "shaders")
CONTAINERS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.dxbc"))]

# Only words are compared; the modules of the containers are validated elsewhere
_OPTIONS = translate.Options(validate=False)

# The new text of an operand, or None to keep the old one
Rewrite = Callable[[Statement, Spec, Operand, str], str | None]


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def exact_listing(path: Path) -> str:
    """The listing next to a container, in which no number is rounded."""
    return path.with_suffix(".asm").read_text(encoding="utf-8")


def code_of(listing: str) -> str:
    """The listing from its profile on."""
    lines = listing.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("cs_"))
    return "\n".join(lines[first:])


def rewrite(listing: str, change: Rewrite) -> str:
    """The listing with the operands of its instructions as `change` writes them."""
    program = parse_listing(listing, None)
    assert program.source_lines is not None
    lines = [*program.source_lines]
    for statement in program.statements:
        if statement.row.is_declaration or statement.where.line is None:
            continue
        pairs = zip(statement.row.operands, statement.operands, strict=True)
        for spec, operand in reversed([*pairs]):
            assert operand.text_span is not None
            start, length = operand.text_span[0] - 1, operand.text_span[1]
            line = lines[statement.where.line - 1]
            text = change(statement, spec, operand, line[start : start + length])
            if text is not None:
                lines[statement.where.line - 1] = line[:start] + text + line[start + length :]
    return "\n".join(lines)


def read_slots(statement: Statement, spec: Spec) -> tuple[int, ...] | None:
    """The components of a source that the instruction reads; None if they depend on a resource."""
    if spec.slots is not None:
        return tuple(range(spec.slots))
    if spec.role is Role.ADDRESS:
        return None
    pairs = zip(statement.row.operands, statement.operands, strict=True)
    targets = (o for s, o in pairs if s.role in (Role.DESTINATION, Role.TARGET))
    return tuple(sorted({c for o in targets for c in o.written()}))


def in_place(operand: Operand) -> set[int]:
    """The positions at which a swizzle has the component of the same name."""
    if operand.components != 4 or operand.selection is not Selection.SWIZZLE:
        return set()
    return {c for c in range(4) if operand.swizzle[c] == c}


def as_container(program: Program, path: Path) -> bool:
    """Whether a program translates to the same words as a container."""
    return bool(np.array_equal(_words(program), _container_words(path)))


@lru_cache(maxsize=8)  # tests of one container follow one another
def _container_words(path: Path) -> Any:
    return _words(decode_container(path.read_bytes()))


def _words(program: Program) -> Any:
    return translate.to_spirv(program, _OPTIONS).words
