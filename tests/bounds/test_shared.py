"""Shared memory: every access at every cell, between two other memories of the same group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..rows.memory_cases import Shape, declaration, draining, filling, memory
from .accesses import Access, performed, program, returned, table_of, tabled
from .cells import cells

SHAPES: tuple[Shape, ...] = (None, (12, 5), (16, 4))
_NEIGHBOURS = ("g0", "g2")
_CANARIES = 8  # dwords of each
TABLE = [parameters for shape in SHAPES for parameters in tabled("g1", shape)]


def _canaries(register: str) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.arange(_CANARIES, dtype=np.uint32) * 0x01010101 + int(register[1:]) + 7


def _fill(register: str) -> list[str]:
    values = _canaries(register).tolist()
    return [f"store_raw {register}.x, l({4 * i}), l({value})" for i, value in enumerate(values)]


def _drain(register: str, target: str) -> list[str]:
    lines: list[str] = []
    for i in range(_CANARIES):
        lines += [f"ld_raw r7.x, l({4 * i}), {register}.xxxx"]
        lines += [f"store_raw {target}.x, l({4 * i}), r7.x"]
    return lines


@pytest.mark.parametrize(("register", "shape", "access"), TABLE)
def test_every_cell(device: Any, register: str, shape: Shape, access: Access) -> None:
    given, model = cells(shape, access.dwords), memory(shape)
    before = [*_fill("g0"), *filling(register, shape), *_fill("g2")]
    after = [*draining(register, shape), *_drain("g0", "u2"), *_drain("g2", "u3")]
    declared = [
        *(f"dcl_uav_raw {register}" for register in ("u0", "u2", "u3")),
        *(f"dcl_tgsm_raw {register}, {4 * _CANARIES}" for register in _NEIGHBOURS),
        declaration(register, shape),
    ]
    lines = access.lines(register, shape)
    kernel = device.kernel(program(lines, declared, len(given), before, after))
    addresses, values = table_of(given, model)
    left = {f"u{i}": np.zeros(_CANARIES, np.uint32) for i in (2, 3)}
    left["u0"] = np.zeros(len(model.dwords), np.uint32)
    results = np.full((len(given), 4), 0xEE, np.uint32)
    result = kernel.dispatch(1, t1=addresses, t2=values, u1=results, **left)
    returned(given, result.u1, performed(access, given, model, values))
    np.testing.assert_array_equal(result.u0, model.array(), register)
    np.testing.assert_array_equal(result.u2, _canaries("g0"), "g0")
    np.testing.assert_array_equal(result.u3, _canaries("g2"), "g2")
    kernel.close()
