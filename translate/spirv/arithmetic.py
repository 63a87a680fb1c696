"""Emit pure operations: one instruction, which the IR's row names, several, or a call.

The IR guarantees the preconditions of SPIR-V (shift counts below 32, divisors other than 0,
conversions in range). As in the IR, signedness belongs to the instruction: 32-bit integers are
`uint`, except where SPIRV-Tools' optimiser looks at the type instead (`_on_signed`).

A called function is written once, at its first use. Its body consists of other pure operations. All
drivers inline the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.errors import NOWHERE, row_of
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.types import F32, TEXELS, U32, Type
from translate.ir.values import Block, Value
from translate.spirv.bodies import (
    FLUSHES,
    SQUARES,
    cosine,
    fused_multiply_add,
    sine,
    unflushed,
    unflushed_square,
)
from translate.spirv.code import Code
from translate.spirv.grammar import Capability, Decoration, Op, Scope, Std450
from translate.spirv.sections import put
from translate.target_device import Flush

Emit = Callable[[Code, Value], int]
Body = Callable[..., Value]  # takes a builder and the parameters, returns the result


def instruction(op: ops.Op) -> Emit:
    """An emitter of the row's instruction, from the core or from GLSL.std.450.

    Raises LookupError if `spirv.grammar` lacks the instruction.
    """
    number = _number(op)
    if not _is_core(op):
        return _extended(number)
    return _contractible(number) if op.attribute is row.PRECISE else _core(number)


def _is_core(op: ops.Op) -> bool:
    return op.spirv.startswith("Op")


def _number(op: ops.Op) -> int:
    table, name = (Op, op.spirv[2:]) if _is_core(op) else (Std450, op.spirv)
    number: object = vars(table).get(name)
    if not isinstance(number, int):
        raise LookupError(f"{op} becomes {op.spirv}, which translate/spirv/grammar.py lacks")
    return number


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


def _on_signed(op: ops.Op) -> Emit:
    """An emitter of the row's instruction with `int` in place of `uint`, for `spirv-opt -O`.

    Its constant folding (`FoldIntToFloatOp`, `FoldMin`, `FoldMax`) treats `OpConvertSToF`, `SMin`
    and `SMax` as unsigned if the type of their operands is. SwiftShader uses this optimiser, too.
    """
    number, is_core = _number(op), _is_core(op)

    def emit(code: Code, value: Value) -> int:
        operands = [_as_signed(code, a) if a.type is U32 else code.use(a) for a in value.args]
        is_signed = value.type is U32
        type_ = code.sections.sint if is_signed else code.type(value.type)
        emitted = (code.instruct if is_core else code.extended)(number, type_, *operands)
        return code.instruct(Op.Bitcast, code.type(U32), emitted) if is_signed else emitted

    return emit


def _as_signed(code: Code, value: Value) -> int:
    sint = code.sections.sint
    if value.op is ops.CONST:
        return code.sections.constant(Op.Constant, sint, row.BITS.of(value))
    return code.instruct(Op.Bitcast, sint, code.use(value))


def _select(code: Code, value: Value) -> int:
    """Emit OpSelect; up to SPIR-V 1.3, vectors need a vector of conditions."""
    condition, *sides = map(code.use, value.args)
    if value.type in TEXELS.values():
        kind = code.sections.vector(code.sections.bool, 4)
        condition = code.instruct(Op.CompositeConstruct, kind, *[condition] * 4)
    return code.instruct(Op.Select, code.type(value.type), condition, *sides)


def _mask(code: Code, value: Value) -> int:
    ones, zero = code.sections.u32(0xFFFFFFFF), code.sections.u32(0)
    return code.instruct(Op.Select, code.type(U32), code.use(value.args[0]), ones, zero)


def _product_high(op: int) -> Emit:
    """An emitter of the high half of a product; `op` gives both halves."""

    def emit(code: Code, value: Value) -> int:
        uint = code.type(U32)
        pair = code.sections.type(Op.TypeStruct, uint, uint)
        product = code.instruct(op, pair, *map(code.use, value.args))
        return code.instruct(Op.CompositeExtract, uint, product, 1)

    return emit


def _half_to_f32(code: Code, value: Value) -> int:
    pair = code.sections.vector(code.type(F32), 2)
    halves = code.extended(Std450.UnpackHalf2x16, pair, code.use(value.args[0]))
    return code.instruct(Op.CompositeExtract, code.type(F32), halves, 0)


def _f32_to_half(code: Code, value: Value) -> int:
    pair = code.sections.vector(code.type(F32), 2)
    zero = code.sections.ir_constant(F32, 0)
    numbers = code.instruct(Op.CompositeConstruct, pair, code.use(value.args[0]), zero)
    return code.extended(Std450.PackHalf2x16, code.type(U32), numbers)


def _f32_to_half_rtz(code: Code, value: Value) -> int:
    """Use OpFConvert, which follows the rounding mode of halves, unlike PackHalf2x16."""
    half = code.sections.half
    number = code.instruct(Op.FConvert, half, code.use(value.args[0]))
    zero = code.sections.constant(Op.Constant, half, 0)
    pair = code.instruct(Op.CompositeConstruct, code.sections.vector(half, 2), number, zero)
    return code.instruct(Op.Bitcast, code.type(U32), pair)


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
    parts = [*map(code.use, value.args)]
    if value.type is not Type.TEXEL_I32:
        return code.instruct(Op.CompositeConstruct, code.type(value.type), *parts)
    unsigned = code.instruct(Op.CompositeConstruct, code.type(TEXELS["uint"]), *parts)
    return code.instruct(Op.Bitcast, code.type(value.type), unsigned)


def _agreed(code: Code, value: Value) -> int:
    """Broadcast the first active thread's value to its subgroup."""
    code.sections.capabilities.add(Capability.GroupNonUniformBallot)
    scope, number = code.sections.u32(Scope.Subgroup), code.use(value.args[0])
    return code.instruct(Op.GroupNonUniformBroadcastFirst, code.type(U32), scope, number)


def _called(body: Body) -> Emit:
    """An emitter of calls of a function with this body."""

    def emit(code: Code, value: Value) -> int:
        functions, name = code.sections.shared_functions, value.op.name
        if name not in functions:
            functions[name] = _write(code, name, value, body)
        return code.instruct(
            Op.FunctionCall, code.type(value.type), functions[name], *map(code.use, value.args)
        )

    return emit


def _inlined(body: Body) -> Emit:
    """An emitter of a short body in place of a call."""

    def emit(code: Code, value: Value) -> int:
        return _write_body(code, body, value.args, [*map(code.use, value.args)])

    return emit


def _write(code: Code, name: str, call: Value, body: Body) -> int:
    """Write the function that `call` needs, and return its id."""
    sections, types = code.sections, [code.type(arg.type) for arg in call.args]
    result = code.type(call.type)
    kind = sections.type(Op.TypeFunction, result, *types)
    function, parameters = sections.id(), [sections.id() for _ in types]
    label, inner = sections.id(), Code(sections, code.tables, code.device)
    returned = _write_body(inner, body, call.args, parameters)
    words = sections.functions
    put(words, Op.Function, result, function, 0, kind)
    for number, type_ in zip(parameters, types, strict=True):
        put(words, Op.FunctionParameter, type_, number)
    put(words, Op.Label, label)
    words += code.helper(function, name)
    words += inner.body
    put(words, Op.ReturnValue, returned)
    put(words, Op.FunctionEnd)
    sections.name(function, name)
    return function


def _write_body(code: Code, body: Body, args: list[Value], parameters: list[int]) -> int:
    """Write the instructions of a body for the types of `args`; returns the id of its result."""
    block = Block()
    block.params = [Value(ops.PARAM, arg.type, [], None, NOWHERE) for arg in args]
    result = body(Builder(block), *block.params)
    code.ids.update(zip(block.params, parameters, strict=True))
    for value in block:
        emit = row_of(_INSTRUCTIONS, value.op, "_INSTRUCTIONS of translate/spirv/arithmetic.py")
        code.ids[value] = emit(code, value)
    return code.use(result)


def _flushed(bodies: Mapping[Flush, Body], plain: Body) -> Emit:
    """An emitter of calls of the variant that is shortest on the device (`TargetDevice.flush`).

    A product, where the device flushes results, is written in place: RADV compiles modules with
    calls longer. A specialization constant may select the operation without its flush, `plain`.
    """

    calls = {way: _called(body) for way, body in bodies.items()}
    calls[Flush.MODE] = _inlined(bodies[Flush.MODE])
    choices = {way: _called(_chosen("denormals", plain, body)) for way, body in bodies.items()}

    def emit(code: Code, value: Value) -> int:
        has_choice = code.device.specialized and code.flush is not Flush.MODE
        return (choices if has_choice else calls)[code.flush](code, value)

    return emit


def _angular(plain: Body, body: Body) -> Emit:
    """An emitter of calls of `body`, unless the device's own function, `plain`, is exact."""
    called, chosen = _called(body), _called(_chosen("exact_sines", plain, body))

    def emit(code: Code, value: Value) -> int:
        if code.device.keeps_sines:
            return _INSTRUCTIONS[value.op](code, value)
        return (chosen if code.device.specialized else called)(code, value)

    return emit


def _chosen(constant: str, plain: Body, body: Body) -> Body:
    """A body that is `plain` if the host has set a specialization constant, else `body`."""

    def chosen(b: Builder, x: Value) -> Value:
        given = body(b, x)
        return b.select(b.specialized(constant), plain(b, x), given)

    return chosen


def _specialized(code: Code, value: Value) -> int:
    return code.sections.specialized(row.SPECIALIZATION.of(value))


_INSTRUCTIONS: Mapping[ops.Op, Emit] = {
    **{op: instruction(op) for op in ops.PURE if op.spirv},
    **{op: _on_signed(op) for op in (ops.S32_TO_F, ops.F_TO_S32, ops.SMIN, ops.SMAX)},
    ops.SELECT: _select,
    ops.MASK: _mask,
    ops.UMUL_HIGH: _product_high(Op.UMulExtended),
    ops.SMUL_HIGH: _product_high(Op.SMulExtended),
    ops.HALF_TO_F32: _half_to_f32,
    **dict.fromkeys((ops.F32_TO_HALF, ops.F32_NEAR_HALF), _f32_to_half),
    ops.F32_TO_HALF_RTZ: _f32_to_half_rtz,
    ops.PACK_F64: _pack_f64,
    ops.F64_LOW: _f64_half(0),
    ops.F64_HIGH: _f64_half(1),
    ops.EXTRACT: _extract,
    ops.COMPOSE: _compose,
    ops.AGREED: _agreed,
    ops.SPECIALIZED: _specialized,
}
EMITTERS: Mapping[ops.Op, Emit] = {
    **_INSTRUCTIONS,
    ops.FLUSH: _flushed(FLUSHES, unflushed),
    ops.FLUSHED_SQUARE: _flushed(SQUARES, unflushed_square),
    ops.SIN: _angular(Builder.sin, sine),
    ops.COS: _angular(Builder.cos, cosine),
    ops.FMA: _called(fused_multiply_add),
}
