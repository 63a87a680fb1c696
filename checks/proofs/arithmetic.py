"""The meaning of arithmetic where D3D and devices differ: denormals, and conversions of numbers.

D3D takes denormals for zeros of their sign and gives none (FS §3.1.3), but for the steps of one
instruction, which may keep more range. A device may flush any operand and result or keep them.
Nothing is known of its choices but that both modules meet the same ones in the same steps.

Sines, cosines, logarithms and roots of numbers without denormals are taken to be no denormals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial

import z3

from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import F32, F64
from translate.ir.values import Module, Value

from .meaning import (
    NEAREST,
    TO_ZERO,
    Term,
    bits_of,
    flushed,
    half_of,
    magnitude_of,
    meaning,
    sign_of,
    word,
)
from .proving import Claim

Arithmetic = Callable[[Value, Sequence[Term]], Term | None]

_STEPS = (ops.FADD, ops.FSUB, ops.FMUL, ops.FLUSHED_SQUARE)
_SUMS = (ops.FADD, ops.FSUB)
_CLEAN_FUNCTIONS = (ops.RSQRT, ops.LOG2, ops.SIN, ops.COS)
FLOATS = {
    *(*_STEPS, ops.FDIV, ops.FMIN, ops.FMAX, ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN),
    *(ops.SQRT, ops.EXP2, *_CLEAN_FUNCTIONS, ops.FEQ, ops.FNE, ops.FLT, ops.FGE),
    *(ops.F_TO_S32, ops.F_TO_U32, ops.F32_TO_F64, ops.F64_TO_F32, ops.F32_TO_HALF_RTZ),
}
_LEAST_NORMAL_HALF = 0x400
_KEEPS_HALVES = {"denorm_preserve_16", "signed_zero_inf_nan_preserve_16"}


def steps_of(module: Module) -> frozenset[Value]:
    """Sums and products with one use, in a sum of the same instruction."""
    users: dict[Value, list[Value]] = {}
    for value in module.walk():
        for arg in value.args:
            users.setdefault(arg, []).append(value)
    return frozenset(
        value
        for value, (first, *others) in users.items()
        if value.op in _STEPS and not others and first.op in _SUMS and first.where == value.where
    )


_NEVER_DENORMAL = (z3.Z3_OP_FPA_ROUND_TO_INTEGRAL, z3.Z3_OP_FPA_SQRT)
_SIGN = word(0x80000000)


def flush(term: Term) -> Term:
    """`flushed`, in one form for equal numbers: choices, changes of sign and results that are no
    denormals (`lemmas`) need no flush of their own."""
    known: dict[int, Term] = {}

    def at(x: Term) -> Term:
        if x.get_id() not in known:
            known[x.get_id()] = found(x)
        return known[x.get_id()]

    def found(x: Term) -> Term:
        kind, parts = x.decl().kind(), x.children()
        if z3.is_bv_value(x):
            return z3.simplify(flushed(x))
        if _never_denormal(x) or _is_flush(x) or _is_square(x):
            return x
        if kind == z3.Z3_OP_ITE:
            one, other = at(parts[1]), at(parts[2])
            return one if one.eq(other) else z3.If(parts[0], one, other)
        if kind == z3.Z3_OP_BXOR and parts[1].eq(_SIGN):
            return at(parts[0]) ^ _SIGN
        if kind == z3.Z3_OP_BAND and parts[1].eq(word(0x7FFFFFFF)):
            return magnitude_of(at(parts[0]))
        return flushed(x)

    return at(term)


def _is_flush(x: Term) -> bool:
    """Whether a term is `flushed` of its last part."""
    return x.decl().kind() == z3.Z3_OP_ITE and flushed(x.children()[2]).eq(x)


def _square(x: Term) -> Term:
    return meaning(ops.FLUSHED_SQUARE, F32, [x])


def _is_square(x: Term) -> bool:
    if x.decl().kind() != z3.Z3_OP_ITE or x.children()[0].decl().kind() != z3.Z3_OP_ULT:
        return False
    size = x.children()[0].children()[0]
    return size.decl().kind() == z3.Z3_OP_BAND and _square(size.children()[0]).eq(x)


def _never_denormal(x: Term) -> bool:
    """Whether a term is a whole number, a root, or a number from an integer or a half."""
    if x.decl().kind() != z3.Z3_OP_FPA_TO_IEEE_BV:
        return False
    number = x.children()[0]
    if number.decl().kind() in _NEVER_DENORMAL:
        return True
    if number.decl().kind() not in (z3.Z3_OP_FPA_TO_FP, z3.Z3_OP_FPA_TO_FP_UNSIGNED):
        return False
    source = number.children()[-1]
    return z3.is_bv(source) or source.sort() == z3.Float16()


def lemmas() -> Iterator[Claim]:
    """Claims that `flush` takes for proved."""
    x, half = z3.BitVec("x", 32), z3.BitVec("x", 16)
    clean = (ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN, ops.SQRT, ops.S32_TO_F, ops.U32_TO_F)
    numbers = {
        **{op.name: meaning(op, F32, [x]) for op in clean},
        "half_to_f32": meaning(ops.HALF_TO_F32, F32, [z3.ZeroExt(16, half)]),
    }
    for name, number in numbers.items():
        yield Claim(f"no denormal from {name}", partial(_equal, number, flushed(number)))
    product = flushed(meaning(ops.FMUL, F32, [x, x]))
    yield Claim("flushed product of a number with itself", partial(_equal, product, _square(x)))
    yield Claim("square of a flushed number", partial(_flushed_square, x))
    for name, change in (("fneg", lambda a: a ^ _SIGN), ("fabs", magnitude_of)):
        claim = partial(_equal, flushed(change(x)), change(flushed(x)))
        yield Claim(f"{name} of a flushed number", claim)


def _flushed_square(x: Term) -> Iterator[Term]:
    """A number that is no denormal is its own flush; the square of any other is 0."""
    small = z3.ULT(magnitude_of(x), word(0x00800000))
    yield z3.Implies(small, z3.And(_square(x) == 0, _square(sign_of(x)) == 0))
    yield z3.If(small, flushed(x) == sign_of(x), flushed(x) == x)


def _equal(one: Term, other: Term) -> Iterator[Term]:
    yield one == other


@dataclass(slots=True)
class _Choices:
    """Flushes that are left open: an unknown condition for each place of each step."""

    steps: int = 0
    others: int = 0
    name: str = ""

    def begin(self, value: Value) -> None:
        if value.op in _STEPS:
            self.steps += 1
            self.name = f"flush.{self.steps}"
        else:
            self.others += 1
            self.name = f"flush.other.{self.others}"

    def flushed(self, term: Term, place: object = "") -> Term:
        found = flush(term)
        return term if found.eq(term) else z3.If(z3.Bool(f"{self.name}.{place}"), found, term)


@dataclass(slots=True)
class InD3D:
    """`Arithmetic` that flushes, but for the steps of one instruction."""

    module: Module
    open: frozenset[Value] = field(init=False)
    choices: _Choices = field(default_factory=_Choices)

    def __post_init__(self) -> None:
        self.open = steps_of(self.module)

    def __call__(self, value: Value, operands: Sequence[Term]) -> Term | None:
        if value.op not in FLOATS:
            return None
        self.choices.begin(value)
        is_square = value.op is ops.FMUL and value.args[0] is value.args[1]
        if is_square and value.type is F32 and not {value, *value.args} & self.open:
            return _square(flush(operands[0]))
        given = [*operands]
        for place, (arg, term) in enumerate(zip(value.args, operands, strict=True)):
            if arg.type is F32:
                is_open = arg in self.open
                given[place] = self.choices.flushed(term, place) if is_open else flush(term)
        found = meaning(value.op, value.type, given, value.data)
        if value.type is not F32:
            return found
        return self.choices.flushed(found) if value in self.open else flush(found)


@dataclass(slots=True)
class OnDevice:
    """`Arithmetic` that flushes where it likes, and converts as Vulkan lets it with these modes.

    `exact` says on which conditions the device has D3D's results (`Options.exact_functions`).
    """

    module: Module
    modes: Set[str] = frozenset()
    exact: Mapping[str, Term] = field(default_factory=dict[str, Term])
    choices: _Choices = field(default_factory=_Choices)
    has_doubles: bool = field(init=False)

    def __post_init__(self) -> None:
        self.has_doubles = any(value.type is F64 for value in self.module.walk())

    def __call__(self, value: Value, operands: Sequence[Term]) -> Term | None:
        if value.op is ops.FLUSH:
            return flush(operands[0])
        self.choices.begin(value)
        if value.op is ops.FLUSHED_SQUARE:
            return _square(flush(operands[0]))
        converted = self._converted(value, operands)
        if converted is not None or value.op not in FLOATS:
            return converted
        given = [*operands]
        for place, (arg, term) in enumerate(zip(value.args, operands, strict=True)):
            if arg.type is F32:
                given[place] = self.choices.flushed(term, place)
        found = meaning(value.op, value.type, given, value.data)
        if value.type is not F32:
            return found
        if value.op in (ops.EXP2, ops.LOG2):
            found = z3.If(self._is_exact("powers"), _in_d3d(value.op, given[0], found), found)
        if value.op in _CLEAN_FUNCTIONS or "denorm_flush_to_zero_32" in self.modes:
            return flush(found)
        return self.choices.flushed(found)

    def _converted(self, value: Value, operands: Sequence[Term]) -> Term | None:
        (number, *_) = (*operands, None)
        name = self.choices.name
        if value.op is ops.HALF_TO_F32 and "denorm_preserve_16" not in self.modes:
            found = meaning(value.op, value.type, operands)
            small = z3.ULT(number & word(0x7FFF), word(_LEAST_NORMAL_HALF))
            flushes = z3.And(z3.Not(self._is_exact("halves")), small, z3.Bool(name))
            return z3.If(flushes, found & word(0x80000000), found)
        if value.op is ops.F32_NEAR_HALF:
            low, high = (half_of(mode, number) for mode in (z3.RTN(), z3.RTP()))
            kept = z3.Or(self._is_exact("halves"), z3.BoolVal(self.modes >= _KEEPS_HALVES))
            return z3.If(kept, z3.If(z3.Bool(name), low, high), z3.BitVec(f"{name}.any", 32))
        if value.op is ops.U32_TO_F and value.type is F32:
            if "rounding_mode_rte_32" in self.modes:
                return None
            modes = (NEAREST, TO_ZERO, z3.RTP())
            near, low, high = (bits_of(z3.fpUnsignedToFP(m, number, z3.Float32())) for m in modes)
            is_near = z3.Or(self._is_exact("integers"), z3.Bool(name))
            return z3.If(is_near, near, z3.If(z3.Bool(f"{name}.up"), high, low))
        if value.op is ops.F32_TO_HALF_RTZ and not self._cuts_halves():
            return z3.If(magnitude_of(number) == 0, z3.LShR(number, 16), z3.BitVec(name, 32))
        return None

    def _cuts_halves(self) -> bool:
        """Devices may have one rounding mode for halves and doubles."""
        return self.modes >= {*_KEEPS_HALVES, "rounding_mode_rtz_16"} and not self.has_doubles

    def _is_exact(self, functions: str) -> Term:
        return self.exact.get(functions, z3.BoolVal(False))


def _in_d3d(op: Op, x: Term, ordinary: Term) -> Term:
    """2^x and log2(x): D3D's results for NaNs and, of logarithms, numbers that are not above 0."""
    nan, minus_infinity = word(0x7FC00000), word(0xFF800000)
    is_nan = z3.UGT(magnitude_of(x), word(0x7F800000))
    if op is ops.EXP2:
        return z3.If(is_nan, nan, ordinary)
    negative = z3.If(magnitude_of(x) == 0, minus_infinity, nan)
    return z3.If(z3.Or(is_nan, sign_of(x) != 0), negative, z3.If(x == 0, minus_infinity, ordinary))
