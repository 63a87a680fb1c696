"""Conversions are right for all numbers, beyond the cases of tests/passes."""

import numpy as np
import pytest

from translate.ir import ops
from translate.ir.types import F32, U32
from translate.ir.verify import verify
from translate.passes.floats.conversions import convert_numbers

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


@pytest.mark.parametrize("by", ["modes", "trials"])
@pytest.mark.parametrize("upward", [False, True])
def test_either_half_next_to_a_number_is_corrected(upward: bool, by: str) -> None:
    small = Small()
    loaded = small.load(small.t0, small.thread())
    small.store(small.b.f32_to_half_rtz(small.b.bitcast(F32, loaded)))
    module = small.finish()
    if by == "modes":
        convert_numbers(module, MODES - {"rounding_mode_rtz_16"})
    else:
        convert_numbers(module, frozenset(), {"halves"})
    values, numbers = module.walk(), NUMBERS.view(np.float32)
    nan = np.isnan(numbers)
    cut = np.array([half_toward_zero(bits) for bits in np.where(nan, 0, NUMBERS).tolist()])
    below = cut.astype(np.uint16).view(np.float16).astype(np.float64)
    halves = np.where(nan, 0x7E00, cut + (upward & (below != np.where(nan, 0, numbers))))
    near = next(value for value in values if value.op is ops.F32_NEAR_HALF)
    stored = next(value.args[-1] for value in values if value.op is ops.STORE_ELEMENT)
    found = evaluate(stored, {loaded: NUMBERS.astype(np.int64), near: halves}, {})
    assert found[~nan].tolist() == cut[~nan].tolist()
    assert (found[nan] == 0x7E00).all()


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
    number = small.load(small.t0, small.thread())
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
