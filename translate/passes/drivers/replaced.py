"""Operations that drivers get wrong or slow, replaced by others: minima, maxima, barriers."""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.types import F32, U32
from translate.ir.values import Module, Value
from translate.passes.floats.float_ranges import FloatRanges
from translate.passes.rewrite import Findings, rewrite

_MINIMA = (ops.SMIN, ops.UMIN)
_MAXIMA = (ops.SMAX, ops.UMAX)
_SIGNED = (ops.SMIN, ops.SMAX)
_ONE = 0x3F800000


def choose_by_comparison(module: Module) -> None:
    """Workaround for `constant_min_max`: comparisons and choices in place of minima and maxima.

    SwiftShader loses the minimum or maximum of two constant integers after a branch or a call, also
    where only the driver finds the constants. `limit_index`, by which guards are recognised, stays.

    Probe: none, since it is known by the driver's name.
    Documented in docs/drivers.md, "a minimum or maximum of two constants is lost after a branch".
    """
    rewrite(module, dict.fromkeys((*_MINIMA, *_MAXIMA), _chosen))


def _chosen(b: Builder, value: Value) -> Value:
    first, second = value.args
    compare = b.slt if value.op in _SIGNED else b.ult
    is_first_less = compare(first, second)
    if value.op in _MAXIMA:
        return b.select(is_first_less, second, first)
    return b.select(is_first_less, first, second)


def choose_float_limits(module: Module) -> None:
    """Workaround for `slow_min_max`: comparisons and choices in place of minima and maxima.

    Where a module keeps the signs of zeros, Honeykrisp orders zeros by a second minimum, of
    integers. A comparison and a choice are one instruction; a further one is for NaNs, unless an
    operand is known to be none. Saturations stay, since they are part of other instructions. A
    choice flushes nothing, but `flush_denormals` has left a denormal operand only beside a constant
    that wins over it.

    Probe: none, since it is known by the driver's name.
    Documented in docs/drivers.md, "minima and maxima take three instructions".
    """
    ranges, kept = FloatRanges(module), _saturations(module)

    def chosen(b: Builder, value: Value) -> Value | None:
        if value.type is not F32 or value in kept:
            return None
        replacement = _chosen_float(b, value, ranges)
        ranges.known[replacement] = ranges.range(value)
        return replacement

    rewrite(module, {ops.FMIN: chosen, ops.FMAX: chosen})


def _saturations(module: Module) -> set[Value]:
    """The two operations of each saturation."""
    found = set[Value]()
    for value in module.walk():
        if value.op is ops.FMIN:
            for inner, limit in (value.args, value.args[::-1]):
                if inner.op is ops.FMAX and _is(limit, _ONE) and any(_is(x, 0) for x in inner.args):
                    found |= {value, inner}
    return found


def _is(value: Value, bits: int) -> bool:
    return value.op is ops.CONST and row.BITS.of(value) == bits


def _chosen_float(b: Builder, value: Value, ranges: FloatRanges) -> Value:
    """The first operand if it is beyond the second or that is NaN, else the second."""
    first, second = value.args
    low, high = (first, second) if value.op is ops.FMIN else (second, first)
    if not ranges.range(second).nan:
        return b.select(b.flt(low, high), first, second)
    if not ranges.range(first).nan:
        return b.select(b.fge(low, high), second, first)
    beyond = b.select(b.flt(low, high), first, second)
    return b.select(b.fne(second, second), first, beyond)


def fence_by_atomics(module: Module) -> Findings:
    """Workaround for `memory_barriers`: atomics order memory in place of barriers.

    OpMemoryBarrier of lavapipe in Mesa 22.3 waits for threads. The driver compiles an atomic as
    sequentially consistent: neither the compiler nor the processor moves accesses across it. The
    atomics leave memory unchanged.

    Probe: vkrunner/probes/trials.py.
    Documented in docs/drivers.md, "memory barriers that only some threads reach".
    """
    if not any(map(_only_orders, module.walk())):
        return Findings()
    fence = Resource("fence", MemoryKind.SHARED_RAW, 0, length=4)

    def replaced(b: Builder, value: Value) -> Value | None:
        if not _only_orders(value):
            return None
        return b.emit(ops.ATOMIC_ELEMENT, U32, [b.u32(0), b.u32(0)], Access(fence, 1, 0, "ior"))

    rewrite(module, {ops.BARRIER: replaced})
    return Findings(resources=[*module.resources, fence])


def _only_orders(value: Value) -> bool:
    """Whether a value is a barrier that waits for no threads."""
    return value.op is ops.BARRIER and not row.BARRIER.of(value).threads
