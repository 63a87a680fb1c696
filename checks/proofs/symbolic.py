"""Python code run on numbers that are not known: every way through it, each with its condition.

A `Number` is an integer or a real number as a term of z3. Code under proof computes with it as with
an int or a float. A comparison gives a `Truth`; where the code asks for it, both answers are
tried if they are possible. So a proof is about the code of a pass, for all its bounds and
constants together.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

import z3

from .meaning import Term

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Way(Generic[T]):
    """A result of code, and the condition under which it is reached."""

    condition: Term
    result: T


class _Run:
    """One run of the code: which answers it gets, and which it leaves for later runs.

    Values for which the run is possible, a `model`, decide a question without the solver.
    """

    current: ClassVar[_Run | None] = None

    def __init__(self, answers: Sequence[bool], model: Any, given: Sequence[Term]):
        self.answers = [*answers]
        self.model = model
        self.asked = 0
        self.later: list[tuple[list[bool], Any]] = []
        self.solver = z3.Solver()
        self.solver.add(*given)

    def answer(self, condition: Term) -> bool:
        if z3.is_true(condition) or z3.is_false(condition):
            return z3.is_true(condition)
        if self.asked == len(self.answers):
            self.answers.append(self._choose(condition))
        truth = self.answers[self.asked]
        self.asked += 1
        self.solver.add(condition if truth else z3.Not(condition))
        return truth

    def _choose(self, condition: Term) -> bool:
        """The answer of the model, if there is one; the other is left if it is possible too."""
        if self.model is None:
            self.model = self._model()
        holds = self.model is None or not z3.is_false(self.model.eval(condition, True))
        other = z3.Not(condition) if holds else condition
        found = self.solver.check(other)
        if found != z3.unsat:
            model = self.solver.model() if found == z3.sat else None
            self.later.append(([*self.answers, not holds], model))
        return holds

    def _model(self) -> Any:
        return self.solver.model() if self.solver.check() == z3.sat else None


def ways(code: Callable[[], T], given: Sequence[Term] = ()) -> Iterator[Way[T]]:
    """Each way through the code that is possible under the conditions `given`."""
    waiting: list[tuple[list[bool], Any]] = [([], None)]
    while waiting:
        run = _Run.current = _Run(*waiting.pop(), given)
        try:
            result = code()
        finally:
            _Run.current = None
        waiting += run.later
        yield Way(z3.And(*run.solver.assertions()), result)


class Truth:
    """A condition; code that asks whether it holds is run for both answers."""

    __slots__ = ("term",)

    def __init__(self, term: Term):
        self.term = z3.simplify(term)

    def __bool__(self) -> bool:
        assert _Run.current is not None, "a condition is asked outside of `ways`"
        return _Run.current.answer(self.term)


def _comparison(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A method of `Number` or `Real`."""
    return lambda one, other: one.compared(other, function)


class Number:
    """An integer from `low` to `high`, as a term that is wide enough for its sign."""

    __slots__ = ("high", "low", "term")

    def __init__(self, term: Term, low: int, high: int):
        """`term`: a signed number of any width that holds the range."""
        self.low, self.high = low, high
        self.term = z3.simplify(_wide(term, _width(low, high)))

    @staticmethod
    def unsigned(term: Term, low: int = 0, high: int | None = None) -> Number:
        most = (1 << term.size()) - 1 if high is None else high
        return Number(z3.ZeroExt(1, term), low, most)

    def _pair(self, other: Any, low: int, high: int) -> tuple[Number, Term, Term]:
        that = as_number(other)
        width = max(_width(low, high), self.term.size(), that.term.size())
        return that, _wide(self.term, width), _wide(that.term, width)

    def compared(self, other: Any, function: Callable[[Term, Term], Term]) -> Truth:
        _, a, b = self._pair(other, 0, 0)
        return Truth(function(a, b))

    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, (int, Number)):
            return NotImplemented
        return self.compared(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        if not isinstance(other, (int, Number)):
            return NotImplemented
        return self.compared(other, operator.ne)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return bool(self != 0)

    def _made(self, other: Any, low: int, high: int, function: Callable[..., Term]) -> Number:
        _, a, b = self._pair(other, low, high)
        return Number(function(a, b), low, high)

    def __add__(self, other: Any) -> Number:
        that = as_number(other)
        return self._made(that, self.low + that.low, self.high + that.high, operator.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Number:
        that = as_number(other)
        return self._made(that, self.low - that.high, self.high - that.low, operator.sub)

    def __rsub__(self, other: Any) -> Number:
        return as_number(other) - self

    def __neg__(self) -> Number:
        return 0 - self

    def __mul__(self, other: Any) -> Number:
        that = as_number(other)
        corners = [x * y for x in (self.low, self.high) for y in (that.low, that.high)]
        return self._made(that, min(corners), max(corners), operator.mul)

    __rmul__ = __mul__

    def __lshift__(self, other: Any) -> Number:
        that = as_number(other)
        assert 0 <= that.low <= that.high < 128
        low = self.low << (that.high if self.low < 0 else that.low)
        return self._made(that, low, self.high << that.high, operator.lshift)

    def __rlshift__(self, other: Any) -> Number:
        return as_number(other) << self

    def __rshift__(self, other: Any) -> Number:
        that = as_number(other)
        return self._made(that, min(self.low, 0), max(self.high, 0), operator.rshift)

    def __rrshift__(self, other: Any) -> Number:
        return as_number(other) >> self

    def __and__(self, other: Any) -> Number:
        that = as_number(other)
        high = min((n.high for n in (self, that) if n.low >= 0), default=max(self.high, that.high))
        low = 0 if max(self.low, that.low) >= 0 else -(1 << _width(min(self.low, that.low), 0))
        return self._made(that, low, high, operator.and_)

    __rand__ = __and__

    def __or__(self, other: Any) -> Number:
        that = as_number(other)
        assert min(self.low, that.low) >= 0
        high = (1 << max(self.high, that.high).bit_length()) - 1
        return self._made(that, 0, high, operator.or_)

    __ror__ = __or__

    def bit_length(self) -> Number:
        """As an int's, of a number that is not negative."""
        assert self.low >= 0
        found, most = z3.BitVecVal(0, 16), self.high.bit_length()
        for place in range(most):
            found = z3.If(
                z3.Extract(place, place, self.term) == 1, z3.BitVecVal(place + 1, 16), found
            )
        return Number(found, 0, most)


class Whole(Number):
    """An integer as z3's Int, for products: z3 decides these by algebra, not by their bits."""

    __slots__ = ()

    def __init__(self, term: Term):
        self.low, self.high = 0, 0
        self.term = z3.simplify(term)

    def _pair(self, other: Any, low: int, high: int) -> tuple[Number, Term, Term]:
        that = other if isinstance(other, Whole) else Whole(z3.IntVal(as_number(other).low))
        return that, self.term, that.term

    def _made(self, other: Any, low: int, high: int, function: Callable[..., Term]) -> Number:
        return Whole(function(*self._pair(other, low, high)[1:]))

    def __floordiv__(self, other: Any) -> Number:
        return self._made(other, 0, 0, operator.truediv)

    def __rfloordiv__(self, other: Any) -> Number:
        return Whole(z3.IntVal(other)) // self

    def __mod__(self, other: Any) -> Number:
        return self._made(other, 0, 0, operator.mod)

    def __rmod__(self, other: Any) -> Number:
        return Whole(z3.IntVal(other)) % self


class Real:
    """A finite real number, for code that computes with floats.

    An infinity is a float; code under proof asks for it by `math.isfinite` or a comparison.
    """

    __slots__ = ("term",)

    def __init__(self, term: Term):
        self.term = term

    def __float__(self) -> float:
        """Any finite number: for `math.isfinite`, which asks for no more."""
        return 1.0

    def compared(self, other: Any, function: Callable[[Any, Any], Any]) -> Truth | bool:
        if isinstance(other, float) and math.isinf(other):
            return bool(function(0.0, other))
        return Truth(function(self.term, real_term(other)))

    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)

    def _made(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, float) and math.isinf(other):
            return function(0.0, other)  # of sums and differences alone
        return Real(function(self.term, real_term(other)))

    def __add__(self, other: Any) -> Any:
        return self._made(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._made(other, operator.sub)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Real:
        return Real(-self.term)

    def __abs__(self) -> Real:
        return Real(z3.If(self.term < 0, -self.term, self.term))

    def __mul__(self, other: Any) -> Real:
        return Real(self.term * real_term(other))

    __rmul__ = __mul__

    def __rtruediv__(self, other: Any) -> Real:
        return Real(real_term(other) / self.term)


def real_term(value: Any) -> Term:
    """A real number, or a number that Python knows exactly."""
    return value.term if isinstance(value, Real) else z3.Q(*Fraction(value).as_integer_ratio())


def as_number(value: Any) -> Number:
    if isinstance(value, Number):
        return value
    number = int(value)
    return Number(z3.BitVecVal(number, _width(number, number)), number, number)


def _width(low: int, high: int) -> int:
    return max(low.bit_length(), high.bit_length()) + 1


def _wide(term: Term, width: int) -> Term:
    more = width - term.size()
    return z3.SignExt(more, term) if more > 0 else z3.Extract(width - 1, 0, term) if more else term
