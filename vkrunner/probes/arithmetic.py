"""Probes of arithmetic: does a device give D3D's results although the module does not ask for them?

Vulkan lets a device round arithmetic of 32 bits toward zero if the module does not declare
RoundingModeRTE. NVIDIA's driver makes slower code if the module declares the mode (docs/gpu.md).
Vulkan leaves open, too, denormals, infinities and NaNs of halves, and sines beyond half a turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from translate import FloatControl
from vkrunner.errors import FeatureError, LimitError
from vkrunner.values.numbers import Array

if TYPE_CHECKING:
    from vkrunner.probes.trial import Trial

NEAREST: FloatControl = "rounding_mode_rte_32"
_THREADS, _COUNT = 64, 1024  # in a group, and in the probes of rounding


def _listing(sizes: tuple[int, int], temps: int, code: str, flags: str = "") -> str:
    """A shader in which each thread reads a structure of t0 and writes one of u0.

    `sizes` are those of the structures in bytes, `flags` more of its global flags.
    """
    return f"""cs_5_0
dcl_globalFlags refactoringAllowed{flags}
dcl_resource_structured t0, {sizes[0]}
dcl_uav_structured u0, {sizes[1]}
dcl_input vThreadID.x
dcl_temps {temps}
dcl_thread_group {_THREADS}, 1, 1
{code}ret
"""


_ARITHMETIC = """ld_structured r0.xyzw, vThreadID.x, l(0), t0.xyzw
ld_structured r1.xyz, vThreadID.x, l(16), t0.xyzx
add r2.x, r0.x, r0.y
add r2.y, r0.x, -r0.y
mul r2.z, r0.x, r0.z
mad r2.w, r1.x, r1.y, r1.z
itof r3.x, r0.w
utof r3.y, r0.w
store_structured u0.xyzw, vThreadID.x, l(0), r2.xyzw
store_structured u0.xy, vThreadID.x, l(16), r3.xyxx
"""
_ROUNDINGS = _listing((32, 24), 4, _ARITHMETIC)
_LOAD = "ld_structured r0.x, vThreadID.x, l(0), t0.xxxx\n"
_LOAD_TWO = "ld_structured r0.xy, vThreadID.x, l(0), t0.xyxx\n"
_STORE = "store_structured u0.x, vThreadID.x, l(0), r0.x\n"
_STORE_TWO = "store_structured u0.xy, vThreadID.x, l(0), r1.xyxx\n"
_WITH_DOUBLES = " | enableDoublePrecisionFloatOps"
_DOUBLES = _listing((8, 4), 1, f"{_LOAD_TWO}dtof r0.x, r0.xyxy\n{_STORE}", _WITH_DOUBLES)
_CONVERSIONS = _listing(
    (8, 8), 2, f"{_LOAD_TWO}f32tof16 r1.x, r0.x\nf16tof32 r1.y, r0.y\n{_STORE_TWO}"
)
_ANGLES = _listing((4, 8), 2, f"{_LOAD}sincos r1.x, r1.y, r0.x\n{_STORE_TWO}")
_POWERS = _listing((4, 8), 2, f"{_LOAD}exp r1.x, r0.x\nlog r1.y, r0.x\n{_STORE_TWO}")
_INTEGERS = _listing((4, 4), 1, f"{_LOAD}utof r0.x, r0.x\n{_STORE}")
_FREE = {"denormals": "device", "float_controls": frozenset[str]()}
_MOST, _ERROR = 100 * np.pi, 0.0004  # of angles; half of D3D's error, since not all are tried
_LEAST = 2.0**-126  # that is normal
_SPECIAL = (0x7F800000, 0x7F800001, 0x7F801FFF, 0x7FC00000, 0x7FFFFFFF)  # infinity, NaNs


def rounds_to_nearest(trial: Trial) -> bool:
    """Whether a device rounds to nearest even although the module does not declare the mode.

    False if a probe cannot run. Raises the errors of a dispatch.
    """
    try:
        has_doubles = trial.backend.context.info.features.float64
        return _rounds_floats(trial) and (not has_doubles or _rounds_doubles(trial))
    except (FeatureError, LimitError):
        return False


def _rounds_floats(trial: Trial) -> bool:
    return _gives(trial, _ROUNDINGS, *_numbers())


def _rounds_doubles(trial: Trial) -> bool:
    numbers = np.random.default_rng(0).normal(0, 1000, (_COUNT, 1))
    numbers[::2] = 1 + np.arange(1, _COUNT, 2).reshape(-1, 1) * 2.0**-24  # ties
    return _gives(trial, _DOUBLES, numbers, numbers.astype(np.float32))


def _gives(trial: Trial, listing: str, rows: Array, expected: Array) -> bool:
    """Whether threads with these rows of operands get the expected rows of results."""
    found = _dispatched(trial, listing, rows.view(np.uint32), set(), expected.shape[1])
    return bool((found.view(np.float32) == expected).all())


def keeps_halves(trial: Trial) -> bool:
    """Whether a device converts to a half next to the number, and keeps every half and NaN.

    The translated code corrects the half to the one that D3D asks for. Raises the errors of a
    dispatch.
    """
    halves = np.arange(1 << 16, dtype=np.uint16)
    exact = halves.view(np.float16).astype(np.float32)
    bits = exact.view(np.uint32)
    beside = [bits + step for step in (0, 1, 0x1000, 0x1FFF)]  # up to the next half
    ends = np.array([*_SPECIAL, 0x477FFFFF, 0x7F7FFFFF, 1, 0x7FFFFF, 0x800000], np.uint32)
    numbers = _padded(np.concatenate([*beside, ends, ends | 1 << 31]))
    rows = np.stack([numbers, np.resize(halves, len(numbers))], axis=1).astype(np.uint32)
    found = _dispatched(trial, _CONVERSIONS, rows, {"halves"}, 2)
    cut, wide = found[:, 0].astype(np.uint16).view(np.float16), found[:, 1].view(np.float32)
    is_half = (found[:, 0] >> 16 == 0).all()
    return bool(is_half and _same(cut, _cut(numbers)) and _same(wide, np.resize(exact, len(rows))))


def _same(found: Array, expected: Array) -> bool:
    """Whether numbers and the signs of zeros are equal, and NaNs at the same places."""
    equal = (found == expected) & (np.signbit(found) == np.signbit(expected))
    return bool((equal | (np.isnan(found) & np.isnan(expected))).all())


def _cut(bits: Array) -> Array:
    """The halves of floats, rounded toward zero."""
    numbers = bits.view(np.float32)
    with np.errstate(over="ignore"):
        halves = numbers.astype(np.float16)
    beyond = abs(halves.astype(np.float32)) > abs(numbers)
    return (halves.view(np.uint16) - beyond).view(np.float16)


def rounds_integers(trial: Trial) -> bool:
    """Whether a device converts unsigned integers to the nearest float, of two to the even one.

    Raises the errors of a dispatch.
    """
    steps = [1 << bit for bit in range(8)]
    ties = [(first | 1) * step for step in steps for first in range(1 << 24, 1 << 25, 12347)]
    beside = np.array(ties, np.int64)[:, None] + np.arange(-2, 3)
    numbers = np.concatenate([beside.ravel(), np.arange(-64, 65), 1 << np.arange(32)])
    numbers = _padded((numbers % (1 << 32)).astype(np.uint32))
    found = _dispatched(trial, _INTEGERS, numbers[:, None], {"integers"}, 1)
    return bool((found.view(np.float32)[:, 0] == numbers.astype(np.float32)).all())


def has_powers(trial: Trial) -> bool:
    """Whether a device's powers of 2 and logarithms have D3D's results for special operands.

    Raises the errors of a dispatch.
    """
    sizes = np.concatenate([2.0 ** np.arange(-126.0, 128, 3), np.linspace(0.1, 200, 1000), [1.0]])
    numbers = np.concatenate([-sizes, [0.0, -0.0, np.inf, -np.inf]]).astype(np.float32)
    nans = np.array(_SPECIAL[1:], np.uint32)
    bits = _padded(np.concatenate([numbers.view(np.uint32), nans, nans | 1 << 31]))
    powers, logarithms = _dispatched(trial, _POWERS, bits[:, None], {"powers"}, 2).view("f4").T
    numbers = bits.view(np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.log2(numbers)
    special = ~np.isfinite(numbers)
    return bool(_same(logarithms, expected) and _same(powers[special], np.exp2(numbers[special])))


def has_sines(trial: Trial) -> bool:
    """Whether a device's sines and cosines have D3D's accuracy, and signs of zeros.

    Raises the errors of a dispatch.
    """
    turns = np.pi / 4 * np.arange(-400, 401)
    small = 2.0 ** np.arange(-149, 2, dtype=np.float64)
    ends = np.array([0, 1, 0x400000, 0x7FFFFF, 0x800000, 0x800001, *_SPECIAL], np.uint32)
    near = np.concatenate([np.linspace(-_MOST, _MOST, 1 << 16), small, -small]).astype(np.float32)
    close = turns.astype(np.float32)
    up, down = (np.nextafter(close, np.float32(end)) for end in (np.inf, -np.inf))
    ends = np.concatenate([ends, ends | 1 << 31]).view(np.float32)
    angles = _padded(np.concatenate([near, close, up, down, ends]))
    found = _dispatched(trial, _ANGLES, angles.view(np.uint32)[:, None], {"sines"}, 2)
    sines, cosines = found.view(np.float32).T
    return _are_sines(angles, sines, cosines)


def _are_sines(angles: Array, sines: Array, cosines: Array) -> bool:
    finite = np.isfinite(angles)
    wide, tiny = angles[finite].astype(np.float64), abs(angles) < _LEAST
    errors = [abs(sines[finite] - np.sin(wide)), abs(cosines[finite] - np.cos(wide))]
    zeros = np.copysign(np.float32(0), angles[tiny])
    is_denormal = (sines != 0) & (abs(sines) < _LEAST)
    return bool(
        all((error <= _ERROR).all() for error in errors)
        and _same(sines[tiny], zeros)
        and not is_denormal.any()
        and np.isnan(sines[~finite]).all()
        and np.isnan(cosines[~finite]).all()
    )


def _padded(numbers: Array) -> Array:
    """A number for each thread of whole groups."""
    return np.resize(numbers, -(-len(numbers) // _THREADS) * _THREADS)


def _dispatched(trial: Trial, listing: str, rows: Array, exact: set[str], columns: int) -> Array:
    """The rows of results of the device's own functions."""
    options = {**_FREE, "exact_functions": frozenset(exact)}
    with trial.opened(listing, **options) as dispatch:
        zeros = np.zeros((len(rows), columns), np.uint32)
        found = dispatch(len(rows) // _THREADS, {"t0": rows, "u0": zeros})["u0"]
    return np.asarray(found).view(np.uint32).reshape(-1, columns)


def _numbers() -> tuple[Array, Array]:
    """Operands of 1024 threads, and their results, rounded by NumPy.

    Every third sum, and every third integer, is a tie: halfway between two floats. So is every odd
    product of 25 bits.
    """
    rng, number = np.random.default_rng(0), np.arange(0.0, _COUNT, 3)
    x, y, factor, addend = rng.normal(0, 1, (4, _COUNT)).astype(np.float32)
    odd = (2 * rng.integers(2**11, 2**12, (3, _COUNT)) + 1).astype(np.float32)
    odd *= rng.choice([-1.0, 1.0], odd.shape).astype(np.float32)
    x[::3] = np.copysign(1 + number * 2.0**-23, odd[0, ::3])
    y[::3] = np.copysign(2.0**-24, odd[1, ::3])
    x[1::3], factor[1::3] = odd[0, 1::3], odd[1, 1::3]
    integers = rng.integers(-(2**31), 2**31, _COUNT).astype(np.int32)
    integers[::3] = np.copysign(2**24 + 2 * number + 1, odd[2, ::3])
    small = rng.integers(1, 2**11, _COUNT).astype(np.float32)  # small * odd is exact in 24 bits
    rows = [x, y, factor, integers.view(np.float32), small, odd[2], addend, addend]
    results = [x + y, x - y, x * factor, small * odd[2] + addend, integers.astype(np.float32)]
    results.append(integers.view(np.uint32).astype(np.float32))
    return np.stack(rows, axis=1), np.stack(results, axis=1)
