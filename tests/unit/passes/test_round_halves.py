"""What is done where the device does not round toward zero is right, and asks for nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from translate.ir import ops
from translate.ir.types import F32
from translate.passes.round_halves import round_halves

from ..ir.building import Small
from .evaluate import BY_OP, evaluate

MODES = frozenset({"rounding_mode_rtz_16", "denorm_preserve_16", "signed_zero_inf_nan_preserve_16"})
EXPONENTS = np.arange(512, dtype=np.uint32) << 23  # with the sign
FRACTIONS = np.array([0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x2000, 0x3FE000, 0x7FDFFF, 0x7FFFFF])
NUMBERS = (EXPONENTS[:, None] | FRACTIONS.astype(np.uint32)).reshape(-1)


def test_every_number_is_cut_by_conversions_of_normal_halves() -> None:
    small = Small()
    loaded = small.load(small.t0, small.thread())
    small.store(small.b.f32_to_half_rtz(small.b.bitcast(F32, loaded)))
    module = small.finish()
    round_halves(module, MODES - {"denorm_preserve_16"})
    values, lanes = module.walk(), {loaded: NUMBERS}
    converted = next(value.args[0] for value in values if value.op is ops.F32_TO_HALF)
    assert ops.F32_TO_HALF.precondition is not None
    assert np.all(ops.F32_TO_HALF.precondition.holds([evaluate(converted, lanes, {})]))
    stored = next(value.args[-1] for value in values if value.op is ops.STORE_ELEMENT)
    numbers = NUMBERS.view(np.float32)
    with np.errstate(all="ignore"):
        wanted, found = BY_OP[ops.F32_TO_HALF_RTZ](numbers), evaluate(stored, lanes, {})
    nan = np.isnan(numbers)
    assert np.array_equal(found[~nan], wanted[~nan])
    assert np.isnan(found[nan].astype(np.uint16).view(np.float16)).all()
    assert (found <= 0xFFFF).all()


@pytest.mark.parametrize("missing", [None, *sorted(MODES)])
def test_the_device_converts_under_all_three_modes(missing: str | None) -> None:
    small = Small()
    number = small.b.bitcast(F32, small.load(small.t0, small.thread()))
    small.store(small.b.f32_to_half_rtz(number))
    module = small.finish()
    round_halves(module, MODES - {missing})
    by_device = any(value.op is ops.F32_TO_HALF_RTZ for value in module.walk())
    assert by_device == (missing is None)
