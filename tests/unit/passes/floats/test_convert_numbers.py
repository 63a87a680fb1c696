"""Conversions are right on devices without modes for them, and stay where a device makes them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import F32, F64, U32
from translate.ir.values import Value
from translate.ir.verify import verify
from translate.passes.floats.convert_numbers import convert_numbers

from ...ir.building import Small
from ...isa.test_evaluate_convert import half_toward_zero
from ..evaluate import evaluate

MODES = frozenset({"rounding_mode_rtz_16", "denorm_preserve_16", "signed_zero_inf_nan_preserve_16"})
EXPONENTS = np.arange(512, dtype=np.uint32) << 23  # with the sign
FRACTIONS = np.array([0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x2000, 0x3FE000, 0x7FDFFF, 0x7FFFFF])
NUMBERS = (EXPONENTS[:, None] | FRACTIONS.astype(np.uint32)).reshape(-1)
EDGES = (0, 1, 0xFFFF, 0x10000, 0x1000001, 0x1000003, 0x7FFFFFBF, 0x7FFFFFC0, 0xFFFFFF7F, 2**32 - 1)


def test_every_number_is_cut_by_conversions_of_normal_halves() -> None:
    small = Small()
    loaded = small.load(small.t0, small.thread())
    small.store(small.b.f32_to_half_rtz(small.b.bitcast(F32, loaded)))
    module = small.finish()
    convert_numbers(module, MODES - {"denorm_preserve_16"})
    values, lanes = module.walk(), {loaded: NUMBERS.astype(np.int64)}
    converted = next(value.args[0] for value in values if value.op is ops.F32_TO_HALF)
    assert ops.F32_TO_HALF.precondition is not None
    assert np.all(ops.F32_TO_HALF.precondition.holds([evaluate(converted, lanes, {})]))
    stored = next(value.args[-1] for value in values if value.op is ops.STORE_ELEMENT)
    numbers = NUMBERS.view(np.float32)
    found, nan = evaluate(stored, lanes, {}), np.isnan(numbers)
    assert found[~nan].tolist() == [*map(half_toward_zero, NUMBERS[~nan].tolist())]
    assert np.isnan(found[nan].astype(np.uint16).view(np.float16)).all()
    assert (found <= 0xFFFF).all()


@pytest.mark.parametrize("missing", [None, *sorted(MODES)])
def test_the_device_converts_under_all_three_modes(missing: str | None) -> None:
    small = Small()
    number = small.b.bitcast(F32, small.load(small.t0, small.thread()))
    small.store(small.b.f32_to_half_rtz(number))
    module = small.finish()
    convert_numbers(module, MODES - {missing})
    by_device = any(value.op is ops.F32_TO_HALF_RTZ for value in module.walk())
    assert by_device == (missing is None)


def test_the_sum_is_the_nearest_float() -> None:
    random = np.random.default_rng(1).integers(0, 2**32, 10_000, np.uint32)
    numbers = np.concatenate([np.array(EDGES, np.uint32), random]).astype(np.int64)
    small = Small()
    number = small.thread()
    found = small.b.u32_to_f(F32, number)
    small.store(small.b.bitcast(U32, found))
    module = small.finish()
    convert_numbers(module, frozenset())
    verify(module)
    (stored,) = (v.args[1] for v in module.walk() if v.op is ops.STORE_ELEMENT)
    bits = evaluate(stored, {number: numbers}, {}).astype(np.uint32)
    np.testing.assert_array_equal(bits.view(np.float32), numbers.astype(np.float32))
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
    convert_numbers(module, frozenset())
    return sum(value.op is ops.U32_TO_F for value in module.walk())


@pytest.mark.parametrize("how", SMALL)
def test_exact_conversions_stay(how: str) -> None:
    assert conversions(SMALL[how]) == 1
    assert conversions(LARGE[how]) == 2


def test_doubles_hold_every_integer() -> None:
    assert conversions(LARGE["constant"], wide=True) == 1
