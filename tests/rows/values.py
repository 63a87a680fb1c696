"""The allowed results of each 32-bit row, from exact arithmetic and D3D's tolerances.

The plain functions also test `evaluate`. Here D3D's flushing of denormals and the tolerances of
the reference are added (FS §22.10, §3.1.3; numerics, sections 1 to 4).
"""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

from checks.lanes import Bits, bits_of, float_of, signed
from translate.errors import row_of
from translate.isa.instruction import Instruction, Kind

from ..unit.isa import test_evaluate_convert as conversions
from ..unit.isa import test_evaluate_float as floats
from ..unit.isa import test_evaluate_integer as integers
from ..unit.isa import test_evaluate_move as moves
from .expected import (
    LEAST_NORMAL,
    Expected,
    exactly,
    flush,
    is_nan,
    near,
    one_of,
    rounded,
    ulps,
    within,
)

Oracle = Callable[..., tuple[Expected, ...]]  # the sources' bits to a result per destination

RELATIVE = 2.0**-21  # exp, rcp, rsq, and log outside of [0.5, 2] (FS §22.10.7, .8, .14, .19)
QUOTIENT_ULPS = 2.5  # the larger tolerance: D3D's reciprocal or Vulkan's OpFDiv
ROOT_ULPS = 1.0  # FS §22.10.21
ANGLE, ANGLE_ERROR = 100 * math.pi, 0.0008  # FS §22.10.20
LARGEST_RECIPROCAL = 2.0**126  # above, a reciprocal is a denormal (FS §22.10.2)
ONES = 0xFFFFFFFF


def oracle(row: Instruction, to_nearest: bool) -> Oracle:
    """The row's results for 32-bit patterns. Raises LookupError for a row that has none.

    `to_nearest`: the device rounds to nearest even. For conversions of integers D3D recommends
    it and does not require it (FS §22.13.5-6); in Vulkan it depends on the device's float controls.
    """
    if row.name in _FROM_INTEGERS and not to_nearest:
        return _either_neighbour(_FROM_INTEGERS[row.name])
    if row.kind is Kind.MOVE:
        return _bits(row_of(moves.EXPECTED, row.name, moves.PLACE))
    if row.name in _SPECIAL:
        return _SPECIAL[row.name]
    if row.name in _FLOATS:
        return _floats(_FLOATS[row.name])
    return _bits(row_of(_PLAIN, row.name, "the tables of tests/unit/isa/test_evaluate_*.py"))


def _either_neighbour(value: Callable[[Bits], int]) -> Oracle:
    """The float32 below or above an integer; both are equal where it is exact."""

    def results(bits: Bits) -> tuple[Expected, ...]:
        number = value(bits)
        unit = 2 ** max(abs(number).bit_length() - 24, 0)
        below = number // unit * unit
        return (rounded(below) | rounded(below + unit if below != number else number),)

    return results


def _bits(function: Callable[..., Bits | tuple[Bits, ...]]) -> Oracle:
    """A function of patterns that has one right answer."""

    def results(*sources: Bits) -> tuple[Expected, ...]:
        found = function(*sources)
        return tuple(map(exactly, found if isinstance(found, tuple) else (found,)))

    return results


def _floats(function: Callable[..., Expected | tuple[Expected, ...]]) -> Oracle:
    """A function of floats whose denormals the instruction flushes."""

    def results(*sources: Bits) -> tuple[Expected, ...]:
        found = function(*(float_of(flush(bits)) for bits in sources))
        return found if isinstance(found, tuple) else (found,)

    return results


def _exact(name: str) -> Callable[..., Expected]:
    """Rounded to nearest, as required of add, mul and the roundings to integers."""
    function = floats.EXACT[name]

    def result(*values: float) -> Expected:
        exact = function(*values)
        # A result may be flushed as a denormal before or after rounding (FS §3.1.3).
        before = math.copysign(0.0, exact) if abs(exact) < LEAST_NORMAL else exact
        return rounded(exact) | rounded(before)

    return result


def quotient(a: float, b: float) -> Expected:
    """a / b, or a times the reciprocal of b, which is flushed where b is very large."""
    exact = ulps(floats.divided(a, b), QUOTIENT_ULPS)
    if math.isfinite(b) and abs(b) > LARGEST_RECIPROCAL:
        return exact | rounded(a * math.copysign(0.0, b))
    return exact


def reciprocal(a: float) -> Expected:
    return within(floats.APPROXIMATE["rcp"](a), RELATIVE)


def logarithm(a: float) -> Expected:
    value = floats.logarithm(a)
    return near(value, RELATIVE) if 0.5 <= a <= 2 else within(value, RELATIVE)


def root(a: float) -> Expected:
    return ulps(floats.root(a), ROOT_ULPS)


def fraction(a: float) -> Expected:
    """Just below 1, a - floor(a) rounds to 1, which the table excludes: both are accepted."""
    result = rounded(floats.fraction(a))
    return result | exactly(0x3F7FFFFF) if 0x3F800000 in result.exact else result


def sine_and_cosine(a: float) -> tuple[Expected, Expected]:
    if not math.isfinite(a):
        return rounded(math.nan), rounded(math.nan)
    if a == 0:
        return rounded(a), rounded(1.0)
    if abs(a) > ANGLE:
        anything = near(0.0, 1.0)
        return anything, anything
    return near(math.sin(a), ANGLE_ERROR), near(math.cos(a), ANGLE_ERROR)


def multiply_add(a: float, b: float, c: float) -> Expected:
    """Rounded twice or once; a denormal product may be flushed or not."""
    product = float_of(bits_of(a * b))
    results = {product + c, float_of(flush(bits_of(product))) + c}
    if all(map(math.isfinite, (a, b, c))):
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        results.add(_to_float(exact) if exact else product + c)
    elif math.isfinite(a) and math.isfinite(b):
        results.add(c)  # rounded once, the product does not overflow
    return one_of(flush(bits_of(value)) for value in results)


def _to_float(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def dot(*sources: Bits) -> tuple[Expected]:
    """Any serial order of unfused steps (FS §3.1.3); the slack is half an ULP of each."""
    half = len(sources) // 2
    values = [float_of(flush(bits)) for bits in sources]
    pairs = [*zip(values[:half], values[half:], strict=True)]
    products = [_step(a * b) for a, b in pairs]
    sums = {_serial(order) for order in itertools.permutations(products)}
    result = one_of(map(bits_of, sums))
    if not all(map(math.isfinite, values)):
        return (result,)
    exact = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
    reach = min(float(sum(abs(Fraction(a) * Fraction(b)) for a, b in pairs)), 1e300)
    slack = 2 * half * (reach * 2.0**-24 + LEAST_NORMAL)
    return (result | near(_to_float(exact), slack),)


def _step(value: float) -> float:
    return float_of(flush(bits_of(value)))


def _serial(products: tuple[float, ...]) -> float:
    total = products[0]
    for product in products[1:]:
        total = _step(total + product)
    return total


def extreme(name: str) -> Oracle:
    """min and max: denormals are compared as zeros, and may be returned unflushed.

    Of zeros of both signs a device may give either (docs/drivers.md).
    """
    function = floats.EXACT[name]

    def results(a: Bits, b: Bits) -> tuple[Expected, ...]:
        x, y = float_of(flush(a)), float_of(flush(b))
        if is_nan(a) or is_nan(b):
            chosen = [b if is_nan(a) else a]
        else:
            chosen = [bits for bits, value in ((a, x), (b, y)) if value == function(x, y)]
        zeros = {0, 0x80000000} if x == y == 0 else set[Bits]()
        return (one_of({*chosen, *map(flush, chosen), *zeros}),)

    return results


def comparison(name: str) -> Oracle:
    """Denormals are compared as zeros; NaN fails every comparison but `ne` (FS §22.12)."""
    test = floats.COMPARISONS[name]

    def results(a: Bits, b: Bits) -> tuple[Expected, ...]:
        return (exactly(ONES if test(float_of(flush(a)), float_of(flush(b))) else 0),)

    return results


def half_from_float(bits: Bits) -> tuple[Expected, ...]:
    """Rounded toward zero; a NaN becomes any NaN of halves (FS §3.2.2)."""
    if not is_nan(bits):
        return (exactly(conversions.half_toward_zero(bits)),)
    return (exactly(*(sign | 0x7C00 | f for sign in (0, 0x8000) for f in range(1, 0x400))),)


def float_from_half(bits: Bits) -> tuple[Expected, ...]:
    """Exact, also for denormal halves."""
    return (one_of([conversions.half_value(bits)]),)


_FLOATS: dict[str, Callable[..., Expected | tuple[Expected, ...]]] = {
    **{name: _exact(name) for name in ("add", "mul", *(n for n in floats.EXACT if "round" in n))},
    "mad": multiply_add,
    "div": quotient,
    "frc": fraction,
    "exp": lambda a: within(floats.power_of_two(a), RELATIVE),
    "log": logarithm,
    "sqrt": root,
    "rsq": lambda a: within(floats.APPROXIMATE["rsq"](a), RELATIVE),
    "rcp": reciprocal,
    "sincos": sine_and_cosine,
}
_FROM_INTEGERS: dict[str, Callable[[Bits], int]] = {"itof": signed, "utof": int}
_PLAIN = {**integers.ARITHMETIC, **integers.FIELDS, **conversions.EXPECTED}
_SPECIAL: dict[str, Oracle] = {
    **{name: extreme(name) for name in ("min", "max")},
    **{name: comparison(name) for name in floats.COMPARISONS},
    **dict.fromkeys(("dp2", "dp3", "dp4"), dot),
    "f32tof16": half_from_float,
    "f16tof32": float_from_half,
    "check_access_fully_mapped": lambda status: (exactly(ONES if status else 0),),
}
