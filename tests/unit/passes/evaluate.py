"""Results of pure operations on NumPy lanes, independent of the rows and the folding rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from translate.errors import row_of
from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Value

Lanes = np.ndarray[Any, Any]
_DTYPES = {U32: np.uint32, F32: np.float32, F64: np.float64, BOOL: np.bool_}


def _i(x: Lanes) -> Lanes:
    return x.view(np.int32)


def _high(x: Lanes, y: Lanes, wide: type) -> Lanes:
    return ((x.astype(wide) * y.astype(wide)) >> wide(32)).astype(np.uint32)


def _pack(low: Lanes, high: Lanes) -> Lanes:
    return np.stack([low, high], axis=-1).view(np.float64)[..., 0]


def _half(x: Lanes, which: int) -> Lanes:
    return np.ascontiguousarray(x).view(np.uint32).reshape(*x.shape, 2)[..., which]


def _digits(x: Lanes) -> Lanes:
    """The 32 bits along a new last axis, the highest first."""
    return np.unpackbits(x.astype(">u4").view(np.uint8).reshape(*x.shape, 4), axis=-1)


def _number(digits: Lanes) -> Lanes:
    return np.packbits(digits, axis=-1).view(">u4")[..., 0].astype(np.uint32)


def _first(digits: Lanes, numbers: Lanes) -> Lanes:
    """The number of the first set bit, ~0 for none."""
    found = numbers[np.argmax(digits, axis=-1)]
    return np.where(digits.any(axis=-1), found, -1).astype(np.uint32)


def _highest(x: Lanes) -> Lanes:
    return _first(_digits(x), np.arange(31, -1, -1))


def _insert(base: Lanes, insert: Lanes, offset: Lanes, count: Lanes) -> Lanes:
    """The bits, the lowest first."""
    place = np.arange(32) - offset[..., None].astype(np.int64)
    inside = (place >= 0) & (place < count[..., None])
    inserted = np.take_along_axis(_digits(insert)[..., ::-1], np.where(inside, place, 0), axis=-1)
    return _number(np.where(inside, inserted, _digits(base)[..., ::-1])[..., ::-1])


def _extract(x: Lanes, offset: Lanes, count: Lanes) -> Lanes:
    return _insert(np.zeros_like(x), (x >> np.minimum(offset, 31)).astype(np.uint32),
                   np.zeros_like(x), count)  # fmt: skip


def _extend(x: Lanes, offset: Lanes, count: Lanes) -> Lanes:
    field = _extract(x, offset, count)
    top = field.astype(np.int64) >= 2.0 ** (count.astype(np.int64) - 1)
    return np.where(top & (count > 0), field - 2.0**count, field).astype(np.int64).astype(np.uint32)


def _cut_to_half(x: Lanes) -> Lanes:
    """The last of the ascending halves that is not beyond the number; one pattern for all NaNs."""
    halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(x.dtype)
    below = np.searchsorted(halves, np.where(np.isfinite(x), np.abs(x), 0), side="right") - 1
    signed = np.where(np.isinf(x), 0x7C00, below) | np.signbit(x) << 15
    return np.where(np.isnan(x), 0x7E00, signed).astype(np.uint32)


BY_OP: Mapping[Op, Callable[..., Lanes]] = {
    ops.IADD: np.add,
    ops.U32_TO_F: lambda x: x.astype(np.float32),  # tests convert to F32 only
    ops.FADD: np.add,
    ops.FMUL: np.multiply,
    ops.ISUB: np.subtract,
    ops.IMUL: np.multiply,
    ops.UMUL_HIGH: lambda x, y: _high(x, y, np.uint64),
    ops.SMUL_HIGH: lambda x, y: _high(_i(x), _i(y), np.int64),
    ops.UDIV: np.floor_divide,
    ops.UMOD: np.remainder,
    ops.UMIN: np.minimum,
    ops.LIMIT_INDEX: np.minimum,
    ops.UMAX: np.maximum,
    ops.SMIN: lambda x, y: np.minimum(_i(x), _i(y)).view(np.uint32),
    ops.SMAX: lambda x, y: np.maximum(_i(x), _i(y)).view(np.uint32),
    ops.IAND: np.bitwise_and,
    ops.IOR: np.bitwise_or,
    ops.IXOR: np.bitwise_xor,
    ops.AGREED: np.positive,
    ops.INOT: np.invert,
    ops.ISHL: np.left_shift,
    ops.USHR: np.right_shift,
    ops.SSHR: lambda x, n: np.right_shift(_i(x), _i(n)).view(np.uint32),
    ops.BIT_COUNT: lambda x: _digits(x).sum(axis=-1).astype(np.uint32),
    ops.BIT_REVERSE: lambda x: _number(_digits(x)[..., ::-1]),
    ops.FIND_LSB: lambda x: _first(_digits(x)[..., ::-1], np.arange(32)),
    ops.FIND_UMSB: _highest,
    ops.FIND_SMSB: lambda x: _highest(np.where(_i(x) < 0, ~x, x)),
    ops.BITFIELD_INSERT: _insert,
    ops.BITFIELD_UEXTRACT: _extract,
    ops.BITFIELD_SEXTRACT: _extend,
    ops.IEQ: np.equal,
    ops.INE: np.not_equal,
    ops.ULT: np.less,
    ops.UGE: np.greater_equal,
    ops.SLT: lambda x, y: _i(x) < _i(y),
    ops.SGE: lambda x, y: _i(x) >= _i(y),
    ops.LAND: np.logical_and,
    ops.LOR: np.logical_or,
    ops.LXOR: np.logical_xor,
    ops.LNOT: np.logical_not,
    ops.MASK: lambda x: np.where(x, np.uint32(0xFFFFFFFF), np.uint32(0)),
    ops.SELECT: np.where,
    ops.FEQ: np.equal,
    ops.FNE: np.not_equal,
    ops.FLT: np.less,
    ops.FGE: np.greater_equal,
    ops.FNEG: np.negative,
    ops.FABS: np.fabs,
    ops.FMIN: np.fmin,
    ops.FMAX: np.fmax,
    ops.F_TO_S32: lambda x: np.trunc(x.astype(np.float64)).astype(np.int64).astype(np.uint32),
    ops.F_TO_U32: lambda x: np.trunc(x.astype(np.float64)).astype(np.int64).astype(np.uint32),
    ops.PACK_F64: _pack,
    ops.HALF_TO_F32: lambda x: x.astype(np.uint16).view(np.float16).astype(np.float32),
    ops.F32_TO_HALF: lambda x: x.astype(np.float16).view(np.uint16).astype(np.uint32),
    ops.F32_TO_HALF_RTZ: _cut_to_half,
    ops.F64_LOW: lambda x: _half(x, 0),
    ops.F64_HIGH: lambda x: _half(x, 1),
}


def constant(type_: Type, bits: int, lanes: int) -> Lanes:
    """A constant in every lane."""
    if type_ is BOOL:
        return np.full(lanes, bool(bits))
    words = np.full(lanes, bits, np.uint64 if type_ is F64 else np.uint32)
    return words.view(_DTYPES[type_])


def evaluate(value: Value, leaves: Mapping[Value, Lanes], memo: dict[Value, Lanes]) -> Lanes:
    """A value's lanes, computed from those of the leaves."""
    if value in leaves:
        return leaves[value]
    found = memo.get(value)
    if found is None:
        found = memo[value] = _computed(value, leaves, memo)
    return found


def _computed(value: Value, leaves: Mapping[Value, Lanes], memo: dict[Value, Lanes]) -> Lanes:
    if value.op is ops.CONST:
        return constant(value.type, value.data, len(next(iter(leaves.values()))))
    if value.op is ops.EXTRACT:
        composed = value.args[0]
        assert composed.op is ops.COMPOSE
        return evaluate(composed.args[value.data], leaves, memo)
    args = [evaluate(arg, leaves, memo) for arg in value.args]
    if value.op is ops.BITCAST:
        return args[0].view(_DTYPES[value.type])
    with np.errstate(all="ignore"):
        result = row_of(BY_OP, value.op, "BY_OP of tests/unit/passes/evaluate.py")(*args)
    assert result.dtype == _DTYPES[value.type], value
    return result


def same_bits(a: Lanes, b: Lanes) -> bool:
    """Equal to the last bit, the signs of zeros and the payloads of NaNs included."""
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()
