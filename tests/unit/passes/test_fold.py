"""Every folding rule, compared with the operation that it replaces, over edge values of leaves."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.ops import Generic, Op
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Block, Value
from translate.passes.fold import RULES

from .evaluate import Lanes, evaluate, same_bits

EDGES = (
    0, 1, 2, 3, 5, 31, 32, 255, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFF8, 0xFFFFFFFF,
    0x3F800000, 0x7F800000, 0x7FC00001, 0xFFA00000, 0x00000100,
)  # fmt: skip
CONSTANTS = (0, 1, 2, 3, 5, 31, 8, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFE, 0x10000)
SHIFTS = (0, 1, 3, 31)
ANY_TYPES = (U32, F32, BOOL)


def _leaves() -> dict[Value, Lanes]:
    """x, y: u32, f, g: f32, p, q: bool, w: f64 over the product of the edges."""
    pairs = np.array(list(itertools.product(EDGES, EDGES)), np.uint32)
    x, y = np.tile(pairs, (4, 1)).T.copy()
    truths = np.repeat(np.arange(4), len(pairs))
    wide = (x.astype(np.uint64) << np.uint64(32) | y).view(np.float64)
    lanes = (
        *((U32, x.astype(np.int64)), (U32, y.astype(np.int64))),
        *((F32, x[::-1].copy().view(np.float32)), (F32, y.view(np.float32))),
        *((BOOL, truths % 2 == 1), (BOOL, truths // 2 == 1), (F64, wide)),
    )
    return {Value(ops.PARAM, type_, [], None, NOWHERE): values for type_, values in lanes}


LEAVES = _leaves()
X, Y, F, G, P, Q, W = LEAVES


def _u32_arguments(b: Builder) -> Iterator[Value]:
    yield from (X, Y, b.mask(P), b.mask(Q), b.inot(X), b.inot(b.mask(P)))
    yield from (b.iadd(X, b.u32(c)) for c in (1, 0xFFFFFFFF, 0x80000000))
    yield from (b.ishl(X, b.u32(c)) for c in SHIFTS[1:])
    yield from (b.ushr(X, b.u32(3)), b.umin(X, b.u32(7)), b.umod(Y, b.u32(5)))
    yield from (b.iand(X, b.u32(31)), b.select(P, b.u32(3), b.iand(Y, b.u32(7))))
    yield from (b.bitcast(U32, F), b.f64_low(W))
    for test in (b.slt, b.uge):
        yield from (b.select(test(X, Y), b.u32(3), X), b.select(test(X, Y), X, b.u32(3)))
    yield from map(b.u32, CONSTANTS)


def _arguments(b: Builder, type_: Type) -> list[Value]:
    if type_ is U32:
        return [*_u32_arguments(b)]
    if type_ is F32:
        casts = [b.bitcast(F32, X), b.select(P, b.bitcast(F32, Y), b.f32(2.0))]
        return [F, G, b.fneg(F), *casts, *(b.constant(F32, c) for c in EDGES)]
    if type_ is F64:
        packed = [b.pack_f64(X, Y), b.pack_f64(b.f64_low(W), b.f64_high(W))]
        return [W, b.fneg(W), *packed, b.f64(-2.5), b.constant(F64, 0xFFF80000DEADBEEF)]
    assert type_ is BOOL
    tests = [b.ieq(X, Y), b.ine(X, Y), b.ult(X, Y), b.uge(X, Y), b.slt(X, Y), b.sge(X, Y)]
    floats = [b.feq(F, G), b.fne(F, G), b.flt(F, G), b.fge(F, G)]
    chosen = [b.slt(b.select(P, X, Y), b.u32(5)), b.flt(F, b.select(P, G, F))]
    return [P, Q, b.lnot(P), *tests, *floats, *chosen, b.bool(True), b.bool(False)]


def _signatures(op: Op) -> list[tuple[Type, ...]]:
    """The argument types that an operation takes."""
    if op is ops.SELECT:
        return [(BOOL, t, t) for t in ANY_TYPES]
    if op is ops.EXTRACT:
        return [(U32, U32, U32, U32)]
    choices = {Generic.FLOAT: (F32, F64), Generic.BITS32: (U32, F32)}
    generic = [p for p in op.params if not isinstance(p, Type)]
    if not generic:
        return [tuple(p for p in op.params if isinstance(p, Type))]
    return [(t,) * len(op.params) for t in choices[generic[0]]]  # type: ignore[index]


def _promised(op: Op, args: tuple[Value, ...]) -> bool:
    """Whether the arguments meet the IR's preconditions: counts below 32, divisors not 0."""
    if op.precondition is None:
        return True
    numbers = [evaluate(args[p], LEAVES, {}) for p in op.precondition.positions]
    with np.errstate(invalid="ignore"):
        return bool(np.all(op.precondition.holds(numbers)))


def _results(b: Builder, op: Op, args: tuple[Value, ...]) -> Iterator[Value]:
    """The operation on these arguments, with every result type that it can have."""
    if op is ops.EXTRACT:
        texel = b.compose(Type.TEXEL_U32, *args)
        yield from (b.extract(U32, texel, component) for component in range(4))
    elif op is ops.BITCAST:
        yield from (b.emit(op, type_, list(args)) for type_ in (U32, F32))
    else:
        type_ = op.result if isinstance(op.result, Type) else args[-1].type
        yield b.emit(op, type_, list(args))


def _choices(b: Builder, op: Op, types: tuple[Type, ...]) -> Iterator[tuple[Value, ...]]:
    if op is ops.EXTRACT:
        yield tuple([*_u32_arguments(b)][:4])
        return
    choices = [_arguments(b, type_) for type_ in types]
    if op in (ops.BITFIELD_INSERT, ops.BITFIELD_UEXTRACT, ops.BITFIELD_SEXTRACT):
        shifted = [b.ushr(X, b.u32(count)) for count in (5, 16)]
        numbers = [X, *shifted, *(b.u32(c) for c in (0, 1, 0x80000001, 0xDEADBEEF))]
        counts = [*map(b.u32, (0, 1, 5, 16, 31, 32))]
        choices = [*(numbers for _ in types[2:]), counts, counts]
    yield from itertools.product(*choices)


@pytest.mark.parametrize("op", RULES, ids=str)
def test_rule_gives_the_result_of_the_operation(op: Op) -> None:
    """Constants of commuting operations come last, as the rules expect."""
    b, fired = Builder(Block()), 0
    for types in _signatures(op):
        for args in _choices(b, op, types):
            if op.commutes and args[0].op is ops.CONST and args[1].op is not ops.CONST:
                continue
            if not _promised(op, args):
                continue
            for value in _results(b, op, args):
                replacement = RULES[op](b, value)
                if replacement is None:
                    continue
                fired += 1
                assert replacement.type is value.type, (value, args, replacement)
                expected = evaluate(value, LEAVES, {})
                found = evaluate(replacement, LEAVES, {})
                assert same_bits(found, expected), (value, args, replacement, replacement.args)
    assert fired, f"no rule for {op} was ever used"


@pytest.mark.parametrize("op", [ops.IEQ, ops.INE, ops.ULT, ops.UGE, ops.SLT, ops.SGE], ids=str)
def test_a_negated_comparison_is_the_opposite_one(op: Op) -> None:
    b = Builder(Block())
    negated = b.emit(ops.LNOT, BOOL, [b.emit(op, BOOL, [X, Y])])
    replacement = RULES[ops.LNOT](b, negated)
    assert replacement is not None
    assert same_bits(evaluate(replacement, LEAVES, {}), evaluate(negated, LEAVES, {}))


_BOTH = [op for op in ops.PURE if len(op.params) == 2 and op.exact and op in RULES]


@pytest.mark.parametrize("op", _BOTH, ids=str)
def test_neutral_absorbing_and_equal_operands(op: Op) -> None:
    b, x, result = Builder(Block()), X if op.params[0] is U32 else P, op.result
    assert isinstance(result, Type)

    def folded(right: Value) -> Value | None:
        return RULES[op](b, b.emit(op, result, [x, right]))

    if op.neutral is not None:
        assert folded(b.constant(x.type, int(op.neutral))) is x
    if op.absorbing is not None:
        constant = b.constant(x.type, int(op.absorbing))
        assert folded(constant) is constant
    if op.of_equals is not None:
        assert folded(x) is b.constant(result, int(op.of_equals))
    if op.idempotent:
        assert folded(x) is x


@pytest.mark.parametrize(
    ("op", "numbers"),
    [
        (ops.UDIV, (7, 0)), (ops.UMOD, (7, 0)), (ops.UDIV, (0, 0)), (ops.ISHL, (1, 32)),
        (ops.USHR, (0xFFFFFFFF, 33)), (ops.SSHR, (0xFFFFFFFF, 0xFFFFFFFF)),
        (ops.BITFIELD_UEXTRACT, (5, 1, 32)), (ops.BITFIELD_INSERT, (5, 5, 33, 0)),
    ],
    ids=str,
)  # fmt: skip
def test_violated_preconditions_are_not_folded(op: Op, numbers: tuple[int, ...]) -> None:
    b = Builder(Block())
    assert RULES[op](b, b.emit(op, U32, [*map(b.u32, numbers)])) is None


@pytest.mark.parametrize("number", [2.0**31, -(2.0**31) - 1, float("nan"), float("inf")])
def test_numbers_that_no_integer_holds_are_not_converted(number: float) -> None:
    b = Builder(Block())
    assert RULES[ops.F_TO_S32](b, b.f_to_s32(b.f64(number))) is None
    assert RULES[ops.F_TO_U32](b, b.f_to_u32(b.f64(number - 2.0**33))) is None


def test_float_comparisons_have_no_opposite() -> None:
    """With a NaN neither a < b nor a >= b holds."""
    b = Builder(Block())
    for test in (b.flt(F, G), b.fge(F, G), b.feq(F, G), b.fne(F, G)):
        assert RULES[ops.LNOT](b, b.lnot(test)) is None


def test_no_rule_for_rounded_operations() -> None:
    rounded = {ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FMIN, ops.FMAX, ops.FLOOR}
    assert not rounded & set(RULES)
