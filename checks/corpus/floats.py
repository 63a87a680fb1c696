"""saxpy, reduce, particles, atomic_float_max, double_precision: cases computed from their HLSL."""

from typing import Any

import numpy as np

from checks.corpus.case import Array, Case, exactly, groups_for, padded

HALF_ULP = 2.0**-24  # relative rounding error of one float32 operation, to nearest
_FIELDS = ["position", "mass", "velocity", "flags", "pad"]
PARTICLE = np.dtype({"names": _FIELDS, "formats": ["3f4", "f4", "3f4", "u4", "3f4"]})


def saxpy_cases() -> list[Case]:
    rng = np.random.default_rng(1)
    return [
        # Small multiples of 1/8: every product and sum is exact, whether fused or not.
        saxpy("exact", rng.integers(-99, 99, 1000) / 8, rng.integers(-99, 99, 1000) / 8, 2.5, 1000),
        saxpy("rounded", rng.normal(size=100_000), rng.normal(size=100_000), 0.1, 100_000),
        saxpy("x is shorter, y is shorter than count", np.ones(100), np.ones(300), 3.0, 500),
        saxpy("count in the middle of a group", np.ones(128), np.ones(128), 3.0, 65),
        saxpy("nothing to do", np.ones(64), np.ones(64), 3.0, 0),
    ]


def saxpy(name: str, x: Array, y: Array, a: float, count: int) -> Case:
    x, y = x.astype(np.float32), y.astype(np.float32)
    n = min(count, len(y))
    product = np.float64(np.float32(a)) * padded(x, n).astype(np.float64)
    exact = y.astype(np.float64)
    exact[:n] += product
    # mad may round once or twice: half an ulp of the product, and half an ulp of the sum.
    slack = np.zeros(len(y))
    slack[:n] = 1.01 * HALF_ULP * (np.abs(product) + np.abs(exact[:n]))

    def check(result: Any) -> None:
        assert (result.u0.dtype, result.u0.shape) == (y.dtype, y.shape)
        error = np.abs(result.u0.astype(np.float64) - exact)
        assert (error <= slack).all(), (error - slack).max()

    arguments = {"t0": x, "u0": y, "cb0": {"a": a, "count": count}}
    return Case(name, groups_for(max(count, 1), 64), arguments, check)


def reduce_cases() -> list[Case]:
    rng = np.random.default_rng(2)
    return [
        reduce("whole groups", rng.normal(size=1024), 4, 4),
        reduce("the last group reads past the end", rng.normal(size=1000), 4, 4),
        reduce("more groups than sums", rng.normal(size=700), 5, 2),
        reduce("one value", np.ones(1), 1, 1),
    ]


def reduce(name: str, values: Array, groups: int, sums: int) -> Case:
    """Float32 additions in the order of the HLSL: each rounds to nearest, so bits are known."""
    values = values.astype(np.float32)
    partial = padded(values, groups * 256).reshape(groups, 256)
    step = 128
    while step:
        partial[:, :step] += partial[:, step : 2 * step]
        step >>= 1
    expected = np.full(sums, 9, np.float32)
    expected[:groups] = partial[:sums, 0]
    arguments = {"t0": values, "u0": np.full(sums, 9, np.float32)}
    return Case(name, (groups, 1, 1), arguments, exactly(u0=expected))


def particles_cases() -> list[Case]:
    return [
        particles("all", 200, 200),
        particles("count below the number of particles", 150, 100),
        particles("count past the end", 100, 190),
    ]


def particles(name: str, size: int, count: int) -> Case:
    """Quarters and eighths throughout, so that every operation is exact."""
    rng = np.random.default_rng(size)
    before = np.zeros(size, PARTICLE)
    before["position"] = rng.integers(-64, 64, (size, 3)) / 8
    before["velocity"] = rng.integers(-32, 32, (size, 3)) / 4
    before["mass"], before["pad"] = 7, rng.integers(0, 9, (size, 3))
    before["flags"] = rng.integers(0, 16, size)
    gravity, dt, floor = np.array([0.5, -10, 0], np.float32), 0.25, -1.0
    after = before.copy()
    moving = after[:count][after["flags"][:count] & 1 == 0]
    moving["velocity"] += gravity * np.float32(dt)
    moving["position"] += moving["velocity"] * np.float32(dt)
    low = moving["position"][:, 1] < floor
    moving["position"][low, 1] = floor
    moving["velocity"][low, 1] *= -0.5
    moving["flags"][low] |= 2
    after[:count][after["flags"][:count] & 1 == 0] = moving
    assert low.any()
    assert not low.all()
    params = {"gravity": gravity, "dt": dt, "floorHeight": floor, "count": count}
    return Case(name, groups_for(count, 64), {"u0": before, "cb0": params}, exactly(u0=after))


def atomic_float_max_cases() -> list[Case]:
    rng = np.random.default_rng(3)
    below_zero = -rng.random(500) - 1
    return [
        atomic_float_max("mixed signs", rng.normal(size=1000), -1.0, 1000),
        atomic_float_max("all below zero", below_zero, -np.inf, 500),
        atomic_float_max("reads past the end count as 0", below_zero, -np.inf, 600),
        atomic_float_max("the first value stays", below_zero, 5.0, 500),
    ]


def atomic_float_max(name: str, values: Array, first: float, count: int) -> Case:
    values = values.astype(np.float32)
    best = np.array([np.float32(first), 1, 2], np.float32)
    expected = best.copy()
    expected[0] = max(best[0], padded(values, count).max())
    arguments = {"t0": values, "u0": best.view(np.uint32), "cb0": {"count": count}}
    check = exactly(u0=expected.view(np.uint32))
    return Case(name, groups_for(count, 64), arguments, check)


def double_precision_cases() -> list[Case]:
    rng = np.random.default_rng(4)
    inf, nan = np.inf, np.nan
    pairs = [(a, b) for a in (1e300, -2.5, nan, inf, -inf) for b in (3e-300, 1e12, nan, inf, -inf)]
    return [
        double_precision("random", rng.normal(size=(64, 2)) * 1e3, 64),
        double_precision("last group past the end of both", rng.normal(size=(40, 2)), 50),
        double_precision("large, infinite, not a number", np.array(pairs), 25),
    ]


def double_precision(name: str, pairs: Array, outputs: int) -> Case:
    """dmul and dadd round once each, so the doubles are known to the last bit."""
    with np.errstate(all="ignore"):
        threads = -(-max(len(pairs), outputs) // 32) * 32
        x, y = padded(pairs, threads).T
        r = x * y + x
        r = np.where(x > y, r, -r + y.astype(np.float32).astype(np.float64))
        # fmin and fmax give the operand that is a number, as dmin and dmax do.
        expected = (np.fmin(r, 1e10) + np.fmax(x, y))[:outputs]
    arguments = {"t0": pairs, "u0": np.full(outputs, 5.0)}
    return Case(name, groups_for(threads, 32), arguments, exactly(u0=expected))
