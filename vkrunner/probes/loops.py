"""Probes of loops: is a value loaded in a loop right after it; does a long loop run to its end?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vkrunner.probes.trial import Trial

_SEARCH = """cs_5_0
dcl_uav_raw u0
dcl_resource_raw t0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 64, 1, 1
mov r0.x, l(0)
loop
  ishl r0.y, r0.x, l(2)
  ld_raw r1.x, r0.y, t0.xxxx
  uge r0.z, r1.x, vThreadID.x
  breakc_nz r0.z
  iadd r0.x, r0.x, l(1)
endloop
ishl r0.y, vThreadID.x, l(2)
store_raw u0.x, r0.y, r1.x
ret
"""
_COUNT = """cs_5_0
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.z, l(0), u0.xxxx
mov r0.x, l(0)
loop
  uge r0.y, r0.x, r0.z
  breakc_nz r0.y
  iadd r0.x, r0.x, l(1)
endloop
store_raw u0.x, l(0), r0.x
ret
"""


def spoils_loop_values(trial: Trial) -> bool:
    """Whether a value loaded in a loop is wrong after it.

    Each thread searches an array for its own index, so that threads leave the loop at different
    iterations, and stores the number that it found.
    """
    numbers = np.arange(64, dtype=np.uint32)
    found = trial.run(_SEARCH, t0=numbers, u0=np.zeros_like(numbers))["u0"]
    return not np.array_equal(found, numbers)


def ends_loops(trial: Trial) -> bool:
    """Whether the driver ends a long loop early: a thread counts its 65,536 iterations."""
    iterations = np.array([1 << 16], np.uint32)
    return not np.array_equal(trial.run(_COUNT, u0=iterations)["u0"], iterations)
