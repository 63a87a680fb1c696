"""Comparing two arrays: exactly, or within an absolute, relative or ULP tolerance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vkrunner.values.arrays import Array


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The allowed distance of an actual number from the expected one.

    `absolute + relative * |expected|` as in NumPy's `allclose`, or `ulps` floats in between;
    fulfilling one is enough. NaN equals NaN, and 0 equals -0; with `bits` the bits have to be the
    same. Only floats have a relative or ULP distance.
    """

    absolute: float = 0.0
    relative: float = 0.0
    ulps: int = 0
    bits: bool = False


EXACT = Tolerance()


def differs(actual: Array, expected: Array, tolerance: Tolerance = EXACT) -> Array:
    """bool[...]: where two arrays of one dtype of numbers and one shape differ."""
    if tolerance.bits:
        bits = np.dtype(f"u{actual.dtype.itemsize}")
        return np.not_equal(_contiguous(actual).view(bits), _contiguous(expected).view(bits))
    if actual.dtype.kind != "f":
        different = actual != expected
        if tolerance.absolute:
            larger, smaller = np.maximum(actual, expected), np.minimum(actual, expected)
            different &= larger.astype(np.float64) - smaller.astype(np.float64) > tolerance.absolute
        return different
    with np.errstate(invalid="ignore", over="ignore"):
        same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        if tolerance.absolute or tolerance.relative:
            same |= _is_close(actual, expected, tolerance)
        if tolerance.ulps:
            near = ulp_distance(actual, expected) <= np.uint64(tolerance.ulps)
            same |= near & np.isfinite(actual) & np.isfinite(expected)
    return ~same


def ulp_distance(actual: Array, expected: Array) -> Array:
    """u64[...]: how many steps of the dtype's floats lie between; 0 and -0 are the same."""
    first, second = _ordered(actual), _ordered(expected)
    return np.where(first > second, first - second, second - first)


def _ordered(values: Array) -> Array:
    """Floats as u64 that grow as they do."""
    bits = values.dtype.itemsize * 8
    unsigned = _contiguous(values).view(f"u{values.dtype.itemsize}").astype(np.uint64)
    sign = np.uint64(1 << (bits - 1))
    magnitude = unsigned & ~sign
    return np.where(unsigned & sign, sign - magnitude, sign + magnitude)


def _is_close(actual: Array, expected: Array, tolerance: Tolerance) -> Array:
    wide_actual, wide = actual.astype(np.float64), expected.astype(np.float64)
    allowed = tolerance.absolute + tolerance.relative * np.abs(wide)
    finite = np.isfinite(actual) & np.isfinite(expected)
    return finite & (np.abs(wide_actual - wide) <= allowed)


def _contiguous(values: Array) -> Array:
    return np.ascontiguousarray(values).reshape(values.shape)
