"""Typed buffers: every load, store and atomic at every cell, wherever the view lies."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role

from ..rows.atomic_cases import ATOMICS, afterwards, instruction, takes_comparison
from ..rows.case import Array
from .accesses import MAPPED, MARK, given_elements, program, returned
from .cells import TYPED_COUNT, elements
from .places import Placed, Placement, each_placement

CELLS = elements(TYPED_COUNT)
FORMATS = {  # name -> component, dwords of a texel
    "r32_uint": ("uint", 1),
    "r32_sint": ("sint", 1),
    "r32_float": ("float", 1),
    "r32g32_sint": ("sint", 2),
    "r32g32_float": ("float", 2),
    "r32g32b32a32_uint": ("uint", 4),
    "r32g32b32a32_float": ("float", 4),
}
ONE = {"uint": 1, "sint": 1, "float": 0x3F800000}


# 32-bit components are not changed, whatever their bits (FS §3.2.3)
_PATTERNS = (0x3F800000, 0x80000000, 0x00000001, 0x7F800000, 0x7F800001, 0xFFC12345, 0xFFFFFFFF,
             0x7FFFFFFF, 5)  # fmt: skip


def texels(dwords: int) -> Array:
    """u32[TYPED_COUNT, dwords], none of them 0."""
    rng = np.random.default_rng(dwords)
    found = rng.integers(0x3F000000, 0x4F000000, (TYPED_COUNT, dwords), np.uint32)
    found.reshape(-1)[: len(_PATTERNS)] = _PATTERNS
    return found


def _takes_texel(row: Instruction) -> bool:
    """The address is as wide as the resource's dimension, without a sample: typed buffers work."""
    roles = [spec.role for spec in row.operands]
    wide = any(spec.role is Role.ADDRESS and spec.slots is None for spec in row.operands)
    sources = roles.count(Role.SOURCE) - (row.kind is Kind.STORE)
    return wide and sources == 0


LOADS = [row for row in ROWS if row.kind is Kind.LOAD and _takes_texel(row)]
STORES = [row for row in ROWS if row.kind is Kind.STORE and _takes_texel(row)]


def _each(
    device: Any, lines: list[str], register: str, format: str, values: Array
) -> Iterator[tuple[Placed, Any]]:
    """A dispatch of `lines` for each placement of a typed buffer."""
    component, dwords = FORMATS[format]
    kind = "uav_typed" if register.startswith("u") else "resource"
    declared = f"dcl_{kind}_buffer ({','.join([component] * 4)}) {register}"
    source = program(lines, [declared], len(CELLS))
    given = given_elements(CELLS, values)
    return each_placement(device, source, register, texels(dwords), given, format=format)


def _values() -> Array:
    """A texel to store for each cell, different from all that the buffer holds."""
    return np.resize(texels(4)[::-1], (len(CELLS), 4)) + np.uint32(1)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("row", LOADS, ids=lambda row: row.name)
def test_loads(device: Any, row: Instruction, format: str) -> None:
    component, dwords = FORMATS[format]
    register = "u0" if "_uav_" in row.name else "t0"
    status = "r4.x, " if row.feedback else ""
    suffix = "" if row.feedback else f"_indexable(buffer)({','.join([component] * 4)})"
    lines = [f"{row.name}{suffix} r3.xyzw, {status}r1.xyzw, {register}.wzyx"]
    lines += MAPPED if row.feedback else ()
    for placed, result in _each(device, lines, register, format, _values()):
        returned(CELLS, result.u1[:, ::-1], _loaded(placed.placement, component, dwords))
        placed.check(texels(dwords))


def _loaded(placement: Placement, component: str, dwords: int) -> list[list[int]]:
    """Outside: 0, and 1 in an alpha that the format lacks; all 0 for a null view."""
    if placement.shows_nothing:
        return [[0] * 4 for _ in CELLS]
    alpha = 0 if dwords == 4 else ONE[component]
    rows: list[list[int]] = []
    for cell in CELLS:
        (at,) = cell.address
        there = texels(dwords)[at].tolist() if at < TYPED_COUNT else [0] * dwords
        rows.append([*there, *[0, 0, alpha][dwords - 1 :]])
    return rows


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("row", STORES, ids=lambda row: row.name)
def test_stores(device: Any, row: Instruction, format: str) -> None:
    _, dwords = FORMATS[format]
    values, expected = _values(), texels(dwords)
    for cell, value in zip(CELLS, values, strict=True):
        if cell.address[0] < TYPED_COUNT:
            expected[cell.address[0]] = value[:dwords]
    line = f"{row.name} u0.xyzw, r1.xxxx, r2.xyzw"
    for placed, _ in _each(device, [line], "u0", format, values):
        placed.check(expected)


# A signed extreme of an unsigned view, or the other way round, is not defined (FS §22.17)
_OTHERS = {"r32_uint": ("imax", "imin"), "r32_sint": ("umax", "umin")}
TYPED_ATOMICS = [
    pytest.param(row, format, id=f"{row.name}-{format}")
    for format, others in _OTHERS.items()
    for row in ATOMICS
    if not row.name.endswith(others)
]


@pytest.mark.parametrize(("row", "format"), TYPED_ATOMICS)
def test_atomics(device: Any, row: Instruction, format: str) -> None:
    values = _values()
    for cell, value in zip(CELLS, values, strict=True):
        value[1] = texels(1)[cell.address[0] % TYPED_COUNT, 0]  # so that the comparison holds
    line = instruction(row, "u0", "r1.x")
    for placed, result in _each(device, [line], "u0", format, values):
        model = texels(1).reshape(-1)[: 0 if placed.placement.shows_nothing else None]
        expected = [
            _update(row, model, cell.address[0], value)
            for cell, value in zip(CELLS, values.tolist(), strict=True)
        ]
        returned(CELLS, result.u1, expected)
        placed.check(model)


def _update(row: Instruction, model: Array, at: int, value: list[int]) -> list[int]:
    """Perform the atomic on the model; returns what r3 holds afterwards."""
    old = int(model[at]) if at < len(model) else 0
    if at < len(model):
        operands = [value[1], value[0]] if takes_comparison(row) else [value[0]]
        model[at] = afterwards(row)(old, *operands)
    return [old, MARK, MARK, MARK] if row.destinations else [MARK] * 4
