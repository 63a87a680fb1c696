"""Unsigned integers to floats in two exact parts, and conversions that stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import F32, F64, U32
from translate.ir.values import Value
from translate.ir.verify import verify
from translate.passes.round_conversions import round_conversions

from ..ir.building import Small
from .evaluate import evaluate

EDGES = (0, 1, 0xFFFF, 0x10000, 0x1000001, 0x1000003, 0x7FFFFFBF, 0x7FFFFFC0, 0xFFFFFF7F, 2**32 - 1)


def test_the_sum_is_the_nearest_float() -> None:
    random = np.random.default_rng(1).integers(0, 2**32, 10_000, np.uint32)
    numbers = np.concatenate([np.array(EDGES, np.uint32), random])
    small = Small()
    number = small.thread()
    found = small.b.u32_to_f(F32, number)
    small.store(small.b.bitcast(U32, found))
    module = small.finish()
    round_conversions(module)
    verify(module)
    (stored,) = (v.args[1] for v in module.walk() if v.op is ops.STORE_ELEMENT)
    lanes = evaluate(stored, {number: numbers}, {}).view(np.float32)
    np.testing.assert_array_equal(lanes, numbers.astype(np.float32))
    converted = [v.args[0] for v in module.walk() if v.op is ops.U32_TO_F]
    assert converted
    for part in converted:
        assert (evaluate(part, {number: numbers}, {}) < 2**24).all()


SMALL: dict[str, Callable[[Builder, Value], Value]] = {
    "masked": lambda b, x: b.iand(x, b.u32(0xFFFFFF)),
    "shifted": lambda b, x: b.ushr(x, b.u32(8)),
    "constant": lambda b, x: b.u32(0xFFFFFF),
}
LARGE: dict[str, Callable[[Builder, Value], Value]] = {
    "masked": lambda b, x: b.iand(x, b.u32(0x1FFFFFF)),
    "shifted": lambda b, x: b.ushr(x, b.u32(7)),
    "constant": lambda b, x: b.u32(0x1000001),
}


def conversions(make: Callable[[Builder, Value], Value], wide: bool = False) -> int:
    """The number of conversions after the pass; there was one before."""
    small = Small()
    small.b.u32_to_f(F64 if wide else F32, make(small.b, small.thread()))
    module = small.finish()
    round_conversions(module)
    return sum(value.op is ops.U32_TO_F for value in module.walk())


@pytest.mark.parametrize("how", SMALL)
def test_exact_conversions_stay(how: str) -> None:
    assert conversions(SMALL[how]) == 1
    assert conversions(LARGE[how]) == 2


def test_doubles_hold_every_integer() -> None:
    assert conversions(LARGE["constant"], wide=True) == 1
