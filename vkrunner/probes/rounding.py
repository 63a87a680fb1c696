"""Probe of rounding: does a device round to nearest even although the module does not ask for it?

Vulkan lets a device round arithmetic of 32 bits toward zero if the module does not declare
RoundingModeRTE. NVIDIA's driver makes slower code if the module declares the mode (docs/gpu.md).
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
_THREADS, _GROUPS = 64, 16
_COUNT = _THREADS * _GROUPS
_LISTING = f"""cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 32
dcl_uav_structured u0, 24
dcl_input vThreadID.x
dcl_temps 4
dcl_thread_group {_THREADS}, 1, 1
ld_structured r0.xyzw, vThreadID.x, l(0), t0.xyzw
ld_structured r1.xyz, vThreadID.x, l(16), t0.xyzx
add r2.x, r0.x, r0.y
add r2.y, r0.x, -r0.y
mul r2.z, r0.x, r0.z
mad r2.w, r1.x, r1.y, r1.z
itof r3.x, r0.w
utof r3.y, r0.w
store_structured u0.xyzw, vThreadID.x, l(0), r2.xyzw
store_structured u0.xy, vThreadID.x, l(16), r3.xyxx
ret
"""
_DOUBLES = f"""cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_resource_structured t0, 8
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group {_THREADS}, 1, 1
ld_structured r0.xy, vThreadID.x, l(0), t0.xyxx
dtof r0.x, r0.xyxy
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
"""
_FREE = {"denormals": "device", "float_controls": frozenset[str]()}


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
    return _gives(trial, _LISTING, *_numbers())


def _rounds_doubles(trial: Trial) -> bool:
    numbers = np.random.default_rng(0).normal(0, 1000, (_COUNT, 1))
    numbers[::2] = 1 + np.arange(1, _COUNT, 2).reshape(-1, 1) * 2.0**-24  # ties
    return _gives(trial, _DOUBLES, numbers, numbers.astype(np.float32))


def _gives(trial: Trial, listing: str, rows: Array, expected: Array) -> bool:
    """Whether threads with these rows of operands get the expected rows of results."""
    zeros = np.zeros(expected.shape, np.uint32)
    with trial.opened(listing, **_FREE) as dispatch:
        found = dispatch(_GROUPS, {"t0": rows.view(np.uint32), "u0": zeros})["u0"]
    return bool((np.asarray(found).view(np.float32) == expected).all())


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
