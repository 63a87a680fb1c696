"""Listings that lavapipe needs seconds to compile and no time to run, a new one for each call."""

import time

import numpy as np

from vkrunner import Device

_HEAD = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_temps 8
dcl_thread_group 1, 1, 1
"""


def slow_to_compile(blocks: int = 200) -> str:
    """It does not change u0[0]; a new constant keeps it out of the driver's cache."""
    number = time.time_ns() % 10**9
    loads = "".join(f"ld_raw r{n}.xyzw, l({16 * n}), u0.xyzw\n" for n in range(1, 8))
    body = "".join(_block(n, number) for n in range(blocks))
    guard = "ld_raw r0.x, l(0), u0.x\nieq r0.y, r0.x, l(-1)\nif_nz r0.y\n"
    return f"{_HEAD}{guard}{loads}{body}store_raw u0.x, l(0), r1.x\nendif\nret\n"


def seconds_to_compile(device: Device, blocks: int = 200) -> float:
    """How long a first dispatch of such a shader takes on this machine."""
    kernel, ones = device.kernel(slow_to_compile(blocks)), np.ones(32, np.uint32)
    start = time.monotonic()
    kernel.dispatch(1, u0=ones)
    return time.monotonic() - start


def _block(n: int, number: int) -> str:
    a, b, c, d = (f"r{(n + k) % 7 + 1}" for k in (0, 1, 2, 4))
    return f"""sincos {a}.x, {b}.y, r{3 * n % 7 + 1}.x
if_nz {a}.x
  mad {c}.y, {a}.x, {a}.y, l({number + n}.0)
  exp {d}.x, {c}.y
endif
"""
