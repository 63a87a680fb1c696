"""Helpers for tests of listings: committed files, lines of code, equality up to printed digits."""

import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from translate.errors import NOWHERE
from translate.isa.registers import Operand, RegisterFile
from translate.program import Statement

from ...slow import share

DATA = Path(__file__).parent / "data"
CONTAINERS = sorted(path.stem for path in DATA.glob("*.dxbc"))
ROOT = Path(__file__).parents[3]
REFUSED = ROOT / "tests/errors/data/tint.dxbc"
FOUND = sorted(path for folder in ("tests", "shaders") for path in (ROOT / folder).rglob("*.dxbc"))
READABLE = [path for path in FOUND if path != REFUSED]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix()


def parameters() -> list[Any]:
    """Of all containers: those here, which have every row, a quarter of the others, and the rest.

    The rest is slow or thorough.
    """
    held = [pytest.param(path, id=name_of(path)) for path in READABLE if path.parent == DATA]
    others = [path for path in READABLE if path.parent != DATA]
    return [*held, *share(others, name_of, 4, "every container of the repository")]


def held_listing(name: str) -> str:
    """A listing as Microsoft's disassembler wrote it."""
    return (DATA / f"{name}.asm").read_text(encoding="utf-8")


def held_container(name: str) -> bytes:
    return (DATA / f"{name}.dxbc").read_bytes()


def code_lines(listing: str) -> list[str]:
    """The lines from the profile on, without comments."""
    lines = listing.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("cs_"))
    return [line for line in lines[first:] if line and not line.startswith("//")]


def differences(actual: Sequence[Statement], expected: Sequence[Statement]) -> list[str]:
    """The differences of two programs beyond digits that `%f` does not print."""
    found = (
        [f"{len(actual)} statements, not {len(expected)}"] if len(actual) != len(expected) else []
    )
    for number, (left, right) in enumerate(zip(actual, expected, strict=False)):
        if _comparable(left) != _comparable(right):
            found.append(f"statement {number}: {left} is not {right}")
    return found


def _comparable(statement: Statement) -> tuple[object, ...]:
    return (
        replace(statement, operands=(), data=(), where=NOWHERE),
        tuple(map(_rounded_float, statement.data)),
        tuple(map(_rounded_operand, statement.operands)),
        statement.where.instruction,
        statement.where.mnemonic,
    )


def _rounded_operand(operand: Operand) -> tuple[Operand, tuple[str, ...]]:
    """The operand without its immediate values, and these as text."""
    values = operand.values
    if operand.file is RegisterFile.IMMEDIATE64:
        doubles = struct.unpack(f"<{len(values) // 2}d", struct.pack(f"<{len(values)}I", *values))
        return replace(operand, values=()), tuple(f"{value:.6f}" for value in doubles)
    return replace(operand, values=()), tuple(map(_rounded_float, values))


def _rounded_float(bits: int) -> str:
    """A dword as a listing prints it: zero, and numbers printed as 0.000000, are alike."""
    (value,) = struct.unpack("<f", struct.pack("<I", bits))
    # fxc prints a denormal or a NaN as an integer where it can, which keeps its bits.
    return f"{value:.6f}"
