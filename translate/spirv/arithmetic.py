"""Pure operations, one row each: which instruction an IR operation becomes.

The IR promises what SPIR-V needs (shift counts below 32, divisors not 0, conversions in range);
lowering and folding see to it. Signedness is the instruction's here as in the IR, so that all
32-bit integers are `uint`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir import ops, row
from translate.ir.types import TEXELS, U32, Type
from translate.ir.values import Value
from translate.spirv.code import Code
from translate.spirv.flush import flush_function
from translate.spirv.grammar import Decoration, Op, Std450

Emit = Callable[[Code, Value], int]

CORE: Mapping[ops.Op, int] = {
    ops.IADD: Op.IAdd,
    ops.ISUB: Op.ISub,
    ops.IMUL: Op.IMul,
    ops.UDIV: Op.UDiv,
    ops.UMOD: Op.UMod,
    ops.IAND: Op.BitwiseAnd,
    ops.IOR: Op.BitwiseOr,
    ops.IXOR: Op.BitwiseXor,
    ops.INOT: Op.Not,
    ops.ISHL: Op.ShiftLeftLogical,
    ops.USHR: Op.ShiftRightLogical,
    ops.SSHR: Op.ShiftRightArithmetic,
    ops.BIT_COUNT: Op.BitCount,
    ops.BIT_REVERSE: Op.BitReverse,
    ops.BITFIELD_INSERT: Op.BitFieldInsert,
    ops.BITFIELD_UEXTRACT: Op.BitFieldUExtract,
    ops.BITFIELD_SEXTRACT: Op.BitFieldSExtract,
    ops.IEQ: Op.IEqual,
    ops.INE: Op.INotEqual,
    ops.ULT: Op.ULessThan,
    ops.UGE: Op.UGreaterThanEqual,
    ops.SLT: Op.SLessThan,
    ops.SGE: Op.SGreaterThanEqual,
    ops.LAND: Op.LogicalAnd,
    ops.LOR: Op.LogicalOr,
    ops.LXOR: Op.LogicalNotEqual,
    ops.LNOT: Op.LogicalNot,
    ops.FADD: Op.FAdd,
    ops.FSUB: Op.FSub,
    ops.FMUL: Op.FMul,
    ops.FDIV: Op.FDiv,
    ops.FNEG: Op.FNegate,
    ops.FEQ: Op.FOrdEqual,
    ops.FNE: Op.FUnordNotEqual,
    ops.FLT: Op.FOrdLessThan,
    ops.FGE: Op.FOrdGreaterThanEqual,
    ops.BITCAST: Op.Bitcast,
    ops.F_TO_S32: Op.ConvertFToS,
    ops.F_TO_U32: Op.ConvertFToU,
    ops.S32_TO_F: Op.ConvertSToF,
    ops.U32_TO_F: Op.ConvertUToF,
    ops.F32_TO_F64: Op.FConvert,
    ops.F64_TO_F32: Op.FConvert,
}

EXTENDED: Mapping[ops.Op, int] = {
    ops.UMIN: Std450.UMin,
    ops.UMAX: Std450.UMax,
    ops.SMIN: Std450.SMin,
    ops.SMAX: Std450.SMax,
    ops.FIND_LSB: Std450.FindILsb,
    ops.FIND_UMSB: Std450.FindUMsb,
    ops.FIND_SMSB: Std450.FindSMsb,
    ops.FMIN: Std450.NMin,
    ops.FMAX: Std450.NMax,
    ops.FABS: Std450.FAbs,
    ops.FLOOR: Std450.Floor,
    ops.CEIL: Std450.Ceil,
    ops.TRUNC: Std450.Trunc,
    ops.ROUND_EVEN: Std450.RoundEven,
    ops.SQRT: Std450.Sqrt,
    ops.RSQRT: Std450.InverseSqrt,
    ops.EXP2: Std450.Exp2,
    ops.LOG2: Std450.Log2,
    ops.SIN: Std450.Sin,
    ops.COS: Std450.Cos,
}


def _core(op: int) -> Emit:
    def emit(code: Code, value: Value) -> int:
        return code.instruct(op, code.type(value.type), *map(code.use, value.args))

    return emit


def _contractible(op: int) -> Emit:
    def emit(code: Code, value: Value) -> int:
        number = code.instruct(op, code.type(value.type), *map(code.use, value.args))
        if row.PRECISE.of(value):
            code.sections.decorate(number, Decoration.NoContraction)
        return number

    return emit


def _extended(instruction: int) -> Emit:
    def emit(code: Code, value: Value) -> int:
        return code.extended(instruction, code.type(value.type), *map(code.use, value.args))

    return emit


def _select(code: Code, value: Value) -> int:
    """Vectors are chosen by a vector of truth values (up to SPIR-V 1.3)."""
    condition, *sides = code.uses(value.args)
    if value.type in TEXELS.values():
        kind = code.sections.vector(code.sections.bool, 4)
        condition = code.instruct(Op.CompositeConstruct, kind, *[condition] * 4)
    return code.instruct(Op.Select, code.type(value.type), condition, *sides)


def _mask(code: Code, value: Value) -> int:
    ones, zero = code.sections.u32(0xFFFFFFFF), code.sections.u32(0)
    return code.instruct(Op.Select, code.type(U32), code.use(value.args[0]), ones, zero)


def _product_high(op: int) -> Emit:
    """The second member of the pair of halves."""

    def emit(code: Code, value: Value) -> int:
        uint = code.type(U32)
        pair = code.sections.type(Op.TypeStruct, uint, uint)
        product = code.instruct(op, pair, *map(code.use, value.args))
        return code.instruct(Op.CompositeExtract, uint, product, 1)

    return emit


def _flush(code: Code, value: Value) -> int:
    """A call: shaders flush a lot, and every driver has the function back in place."""
    kind = code.type(value.type)
    return code.instruct(Op.FunctionCall, kind, flush_function(code), code.use(value.args[0]))


def _pack_f64(code: Code, value: Value) -> int:
    pair = code.sections.vector(code.type(U32), 2)
    halves = code.instruct(Op.CompositeConstruct, pair, *map(code.use, value.args))
    return code.instruct(Op.Bitcast, code.type(value.type), halves)


def _f64_half(position: int) -> Emit:
    def emit(code: Code, value: Value) -> int:
        pair = code.sections.vector(code.type(U32), 2)
        halves = code.instruct(Op.Bitcast, pair, code.use(value.args[0]))
        return code.instruct(Op.CompositeExtract, code.type(U32), halves, position)

    return emit


def _extract(code: Code, value: Value) -> int:
    texel = value.args[0]
    scalar = code.sections.texel_scalar(texel.type)
    number = code.instruct(Op.CompositeExtract, scalar, code.use(texel), row.COMPONENT.of(value))
    if texel.type is Type.TEXEL_I32:
        return code.instruct(Op.Bitcast, code.type(U32), number)
    return number


def _compose(code: Code, value: Value) -> int:
    parts = code.uses(value.args)
    if value.type is not Type.TEXEL_I32:
        return code.instruct(Op.CompositeConstruct, code.type(value.type), *parts)
    unsigned = code.instruct(Op.CompositeConstruct, code.type(TEXELS["uint"]), *parts)
    return code.instruct(Op.Bitcast, code.type(value.type), unsigned)


_CONTRACTIBLE = (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV)

EMITTERS: Mapping[ops.Op, Emit] = {
    **{op: (_contractible if op in _CONTRACTIBLE else _core)(n) for op, n in CORE.items()},
    **{op: _extended(number) for op, number in EXTENDED.items()},
    ops.SELECT: _select,
    ops.MASK: _mask,
    ops.FLUSH: _flush,
    ops.UMUL_HIGH: _product_high(Op.UMulExtended),
    ops.SMUL_HIGH: _product_high(Op.SMulExtended),
    ops.PACK_F64: _pack_f64,
    ops.F64_LOW: _f64_half(0),
    ops.F64_HIGH: _f64_half(1),
    ops.EXTRACT: _extract,
    ops.COMPOSE: _compose,
}
