"""Flushes beside constants of every size, beyond the cases of tests/passes."""

import numpy as np
import pytest

from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value
from translate.ir.verify import verify
from translate.passes.floats.flush import flush_denormals
from translate.target_device import Flush

from ...ir.building import Small, code


def loaded(small: Small) -> Value:
    """A float without known facts."""
    return small.b.bitcast(F32, small.load(small.t0, small.thread()))


def flushes(small: Small, result: Value) -> int:
    """The number of flushes for a stored result, with the sign of zeros or without."""
    small.store(small.b.bitcast(U32, result))
    module = small.finish()
    flush_denormals(module, Flush.COMPARISON)
    verify(module)
    found = code(module)
    return found.count("flush") + found.count(", 0.0f, %")


# Operations with a constant, and the number of flushes of their argument and of their result
BESIDE_CONSTANTS = [
    (Builder.fmax, 2.0**-126, 0),
    (Builder.fmax, 2.0**-127, 1),
    (Builder.fmax, -1.0, 1),
    (Builder.fmax, np.inf, 0),
    (Builder.fmin, -(2.0**-126), 0),
    (Builder.fmin, 1.0, 1),
    (Builder.fmul, 2.0, 1),
    (Builder.fmul, 0.5, 1),
    (Builder.fmul, 1.0, 1),
    (Builder.fmul, np.inf, 1),
    (Builder.fadd, 1.0, 0),
    (Builder.fadd, -(2.0**-100), 0),
    (Builder.fadd, 2.0**-101, 2),
    (Builder.fadd, 0.0, 2),
    (Builder.fsub, 3.0, 0),
    (Builder.fdiv, 4.0, 1),
    (Builder.fdiv, 0.25, 1),
    (Builder.fdiv, 0.0, 2),
    (Builder.flt, 2.0**-126, 0),
    (Builder.feq, 0.0, 0),
    (Builder.fne, 0.0, 1),
    (Builder.fge, 2.0**-127, 1),
]


@pytest.mark.parametrize(("operation", "constant", "count"), BESIDE_CONSTANTS)
def test_beside_a_constant(operation: object, constant: float, count: int) -> None:
    small = Small()
    assert callable(operation)
    result = operation(small.b, loaded(small), small.b.f32(constant))
    if result.type is not F32:
        result = small.b.bitcast(F32, small.b.mask(result))
    assert flushes(small, result) == count


def test_halves_by_origin() -> None:
    """Halves, also denormal ones, are multiples of 2^-24; so a product is a multiple of 2^-48."""
    small = Small()
    b = small.b
    x, y = b.half_to_f32(small.thread()), b.half_to_f32(b.ushr(small.thread(), b.u32(16)))
    assert flushes(small, b.fadd(b.fmul(x, y), x)) == 0
    small = Small()
    b = small.b
    assert flushes(small, b.fdiv(b.half_to_f32(small.thread()), b.f32(3.0))) == 1
