"""The results that D3D allows: certain bits, any NaN, or a number within a tolerance."""

import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from checks.lanes import Bits, bits_of, float_of

LEAST_NORMAL = 2.0**-126
LARGEST = float_of(0x7F7FFFFF)
ONE = 0x3F800000
_SIGN = 0x80000000
_EXPONENT = 0x7F800000


@dataclass(frozen=True, slots=True)
class Expected:
    """The results that are right: one of `exact`, any NaN, or a float in [low, high].

    Bits and floats have 32 bits, or 64 if `wide`.
    """

    exact: frozenset[Bits] = frozenset()
    nan: bool = False
    low: float = math.inf
    high: float = -math.inf
    wide: bool = False

    def admits(self, bits: Bits) -> bool:
        """Whether a result is one of these."""
        if bits in self.exact:
            return True
        if is_nan(bits, self.wide):
            return self.nan
        return self.low <= value_of(bits, self.wide) <= self.high

    def saturated(self) -> "Expected":
        """The results after `_sat`: NaN becomes 0, and either zero is right (FS §3.1.3)."""
        one = pattern64(1.0) if self.wide else ONE
        exact: set[Bits] = {0, _zero(self.wide)} if self.nan else set()
        for bits in self.exact:
            value = value_of(bits, self.wide)
            exact |= {0, _zero(self.wide)} if value <= 0 else {one if value >= 1 else bits}
        if self.low > self.high:
            return Expected(frozenset(exact), wide=self.wide)
        low, high = (min(max(value, 0.0), 1.0) for value in (self.low, self.high))
        return Expected(frozenset(exact), False, low, high, self.wide)

    def __or__(self, other: "Expected") -> "Expected":
        """The results that either allows; of two ranges, also those between them."""
        return Expected(
            self.exact | other.exact,
            self.nan or other.nan,
            min(self.low, other.low),
            max(self.high, other.high),
            self.wide,
        )

    def __str__(self) -> str:
        parts = [hex(bits) for bits in sorted(self.exact)]
        parts += ["NaN"] if self.nan else []
        parts += [f"[{self.low!r}, {self.high!r}]"] if self.low <= self.high else []
        return " or ".join(parts)


def _zero(wide: bool) -> Bits:
    return 1 << 63 if wide else _SIGN


def is_nan(bits: Bits, wide: bool = False) -> bool:
    if wide:
        return bits & 0x7FFFFFFFFFFFFFFF > 0x7FF0000000000000
    return bits & 0x7FFFFFFF > _EXPONENT


def value_of(bits: Bits, wide: bool = False) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0] if wide else float_of(bits)


def pattern64(value: float) -> Bits:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def is_denormal(bits: Bits) -> bool:
    return bits & _EXPONENT == 0


def flush(bits: Bits) -> Bits:
    """A float32 denormal as a zero of its sign (FS §3.1.3.1)."""
    return bits & _SIGN if is_denormal(bits) else bits


def one_of(patterns: Iterable[Bits]) -> Expected:
    """Exactly one of these bits, as floats: one NaN stands for all."""
    given = frozenset(patterns)
    numbers = frozenset(bits for bits in given if not is_nan(bits))
    return Expected(numbers, nan=len(numbers) < len(given))


def exactly(*patterns: Bits) -> Expected:
    """Exactly one of these patterns, also of NaNs."""
    return Expected(frozenset(patterns))


def rounded(value: float) -> Expected:
    """The nearest float32, a denormal flushed."""
    return one_of([flush(bits_of(value))])


def near(value: float, slack: float) -> Expected:
    """Within `slack` of a value; flushing and overflow extend the ends."""
    if math.isnan(value) or math.isinf(value):
        return rounded(value)
    low, high = value - slack, value + slack
    exact: set[Bits] = set()
    if low < LEAST_NORMAL and high > -LEAST_NORMAL:
        exact |= {0 if high >= 0 else _SIGN, _SIGN if low <= 0 else 0}
        # A denormal has to be flushed.
        low, high = _outside(low, high)
    if high > LARGEST:
        exact.add(_EXPONENT)
    if low < -LARGEST:
        exact.add(_EXPONENT | _SIGN)
    return Expected(frozenset(exact), low=low, high=high)


def _outside(low: float, high: float) -> tuple[float, float]:
    """A range without the denormals at one end; empty if it had only denormals."""
    if low > -LEAST_NORMAL:
        low = max(low, LEAST_NORMAL)
    if high < LEAST_NORMAL:
        high = min(high, -LEAST_NORMAL)
    return low, high


def within(value: float, relative: float) -> Expected:
    """Within a relative error of the value."""
    return near(value, abs(value) * relative)


def ulps(value: float, count: float) -> Expected:
    """Within so many units in the last place."""
    if not math.isfinite(value) or value == 0:
        return rounded(value)
    exponent = max(math.frexp(value)[1], -125)
    return near(value, count * 2.0 ** (exponent - 24))
