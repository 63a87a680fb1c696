"""Denormals are flushed where they can occur and make a difference, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.tables import Usage
from translate.ir.types import F32, U32, VOID, Type
from translate.ir.values import Block, Value
from translate.ir.verify import verify
from translate.passes.floats.flush import flush_denormals
from translate.target_device import Flush

from ...ir.building import Small, add_param, add_result, code, text


def loaded(small: Small) -> Value:
    """A float without known facts."""
    return small.b.bitcast(F32, small.load(small.t0, small.thread()))


def flushed(small: Small, *results: Value, flush: Flush = Flush.COMPARISON) -> str:
    for result in results:
        small.store(small.b.bitcast(U32, result))
    module = small.finish()
    flush_denormals(module, flush)
    verify(module)
    return code(module)


def flushes(found: str) -> int:
    """The number of flushes, with the sign of zeros or without."""
    return found.count("flush") + found.count(", 0.0f, %")


def test_arguments_and_results() -> None:
    small = Small()
    x = loaded(small)
    assert flushed(small, small.b.fadd(x, small.b.f32(0.0))) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = load_element %0 (t0.0)
        %2: f32 = bitcast %1
        %3: f32 = fabs %2
        %4: bool = flt %3, 1.1754943508222875e-38f
        %5: f32 = select %4, 0.0f, %2
        %6: f32 = fadd %5, 0.0f
        %7: f32 = flush %6
        %8: u32 = bitcast %7
        store_element 0, %8 (u0.0)
        return
    """)


def test_texels_may_be_denormals() -> None:
    small = Small()
    texel = small.b.compose(Type.TEXEL_F32, *[loaded(small)] * 4)
    assert flushes(flushed(small, small.b.sqrt(small.b.extract(F32, texel, 1)))) == 1


def test_conversions_between_floats_and_doubles() -> None:
    """FS allows both; if they flush, a shader has the same results everywhere."""
    small = Small()
    wide = small.b.f32_to_f64(loaded(small))
    assert flushed(small, small.b.f64_to_f32(wide)) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = load_element %0 (t0.0)
        %2: f32 = bitcast %1
        %3: f32 = flush %2
        %4: f64 = f32_to_f64 %3
        %5: f32 = f64_to_f32 %4
        %6: f32 = flush %5
        %7: u32 = bitcast %6
        store_element 0, %7 (u0.0)
        return
    """)


def test_device_that_flushes_results() -> None:
    small = Small()
    x = loaded(small)
    found = flushed(small, small.b.fmul(small.b.fadd(x, x), x), flush=Flush.MODE)
    assert found.count("flush") == 3  # each argument that is x


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
    assert flushes(flushed(small, result)) == count


def test_reciprocal_flushes_twice() -> None:
    small = Small()
    x = loaded(small)
    assert flushes(flushed(small, small.b.fdiv(small.b.f32(1.0), x))) == 2


def test_square_of_a_denormal_is_zero() -> None:
    small = Small()
    x = loaded(small)
    assert flushes(flushed(small, small.b.fmul(x, x))) == 1


def test_integers_by_origin() -> None:
    """Sums and products of integers and of eighths have no denormals."""
    small = Small()
    b = small.b
    number = b.u32_to_f(F32, small.thread())
    eighths = b.fmul(number, b.f32(0.125))
    assert "flush" not in flushed(small, b.fmul(b.fsub(eighths, b.floor(number)), eighths))


def test_halves_by_origin() -> None:
    """Halves, also denormal ones, are multiples of 2^-24; so a product is a multiple of 2^-48."""
    small = Small()
    b = small.b
    x, y = b.half_to_f32(small.thread()), b.half_to_f32(b.ushr(small.thread(), b.u32(16)))
    assert "flush" not in flushed(small, b.fadd(b.fmul(x, y), x))
    small = Small()
    b = small.b
    assert flushes(flushed(small, b.fdiv(b.half_to_f32(small.thread()), b.f32(3.0)))) == 1


def test_a_loop_that_halves_reaches_denormals() -> None:
    """for (v = 1; ; v = v * step) if (v < 0.1) break; stored."""
    for step, finds in ((2.0, False), (0.5, True)):
        small = Small()
        b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
        merged = add_param(body, F32)
        small.within(leave)
        small.end(ops.BREAK, merged)
        small.within(stay)
        small.end(ops.YIELD)
        small.within(body)
        small.construct(ops.IF, [b.flt(merged, b.f32(0.1))], (leave, stay))
        small.end(ops.CONTINUE, b.fmul(merged, b.f32(step)))
        small.within(outer)
        loop = small.construct(ops.LOOP, [b.f32(1.0)], (body,))
        result = add_result(loop, F32)
        assert ("flush" in flushed(small, result)) is finds


def test_steps_of_one_instruction_keep_their_range() -> None:
    """dp3: the last sum adds two products and a sum; all have the same place in the source."""
    small = Small()
    b = small.b
    x, y = b.sqrt(loaded(small)), b.rsqrt(loaded(small))
    where, b.where = b.where, type(b.where)(instruction=7)
    total = b.fadd(b.fadd(b.fmul(x, y), b.fmul(y, y)), b.fmul(x, x))
    b.where = where
    found = flushed(small, total)
    assert flushes(found) == 2 + 1  # the roots' arguments, the result


@pytest.mark.parametrize("as_number", [True, False])
def test_shared_memory_of_floats_is_flushed_when_written(as_number: bool) -> None:
    """If its bits are read too, each use has to flush."""
    small = Small()
    g0 = Resource("g0", MemoryKind.SHARED_RAW, 0, length=64)
    small.known(g0, Usage(read=True, written=True))
    small.module.resources.append(g0)
    b = small.b
    address = small.thread()
    data = small.load(small.t0, address)
    b.emit(ops.STORE, VOID, [address, data, b.u32(1)], Access(g0, 1))
    back = b.emit(ops.LOAD, U32, [address], Access(g0, 1))
    number = b.bitcast(F32, back)
    result = b.fmax(number, b.f32(0.0))
    found = flushed(small, result, *([] if as_number else [number]))
    stored = next(line for line in found.split("\n") if "store %" in line)
    if as_number:
        assert found.index("flush") < found.index("store %")
        assert stored.strip() == "store %0, %4, 0 (g0.0)"  # the constant is a denormal
    else:
        assert found.index("flush") > found.index("store %")
        assert stored.strip() == "store %0, %1, 1 (g0.0)"
    assert found.count("flush") == 1
