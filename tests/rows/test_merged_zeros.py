"""Bits that depend on the way taken, where drivers take them for a float: a one, or a zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

HEAD = """cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 8, 1, 1
mov r0.x, l({zero})
"""
TAIL = """
ishl r1.x, vThreadID.x, l(2)
store_raw u0.x, r1.x, r0.x
ret
"""
LOOP = """mov r1.x, l(0)
loop
  uge r1.y, r1.x, l(3)
  breakc_nz r1.y
  ieq r1.y, r1.x, vThreadID.x
  if_nz r1.y
    mov r0.x, l({one})
    {end}
  endif
  iadd r1.x, r1.x, l(1)
endloop
"""
# Each with the threads that get the one
WAYS = {
    "a switch": ("switch vThreadID.x\ncase l(1)\nmov r0.x, l({one})\nbreak\nendswitch", [1]),
    "a switch of three": (
        "switch vThreadID.x\ncase l(1)\ncase l(4)\nmov r0.x, l({one})\nbreak\n"
        "case l(2)\nmov r0.x, l({zero})\nbreak\nendswitch",
        [1, 4],
    ),
    "a loop": (LOOP.replace("{end}", ""), [0, 1, 2]),
    "a loop that is left": (LOOP.replace("{end}", "break"), [0, 1, 2]),
    "a call": ("ult r1.y, vThreadID.x, l(3)\ncallc_nz r1.y, label0", [0, 1, 2]),
    "two conditions": (
        "ult r1.y, vThreadID.x, l(3)\nif_nz r1.y\nult r1.y, vThreadID.x, l(2)\nif_nz r1.y\n"
        "mov r0.x, l({one})\nendif\nendif",
        [0, 1],
    ),
}


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize(
    ("one", "zero"), [(0xBF800000, 0), (0x3F800000, 0x80000000), (0xBF800000, 0x80000000)]
)
@pytest.mark.parametrize("way", WAYS)
def test_a_merged_zero_keeps_its_sign(
    device: Any, way: str, one: int, zero: int, optimize: bool
) -> None:
    lines, threads = WAYS[way]
    called = "label label0\nmov r0.x, l({one})\nret\n" if "label0" in lines else ""
    listing = f"{HEAD}{lines}{TAIL}{called}".format(one=hex(one), zero=hex(zero))
    kernel = device.kernel(listing, optimize=optimize)
    found = kernel.dispatch(1, u0=np.zeros(8, np.uint32)).u0.tolist()
    kernel.close()
    assert found == [one if thread in threads else zero for thread in range(8)]


# Each computes from the mask r0.x of threads 0 to 2, in which they differ from the others
COMPUTED = {
    "a product": ("and r0.x, r0.x, l(1)\nimul null, r0.x, r0.x, l(0xbf800000)", 0xBF800000, 0),
    "a product and a sum": (
        *("and r0.x, r0.x, l(1)\nimad r0.x, r0.x, l(0xbf800000), l(0x80000000)",),
        *(0x3F800000, 0x80000000),
    ),
    "a product of no mask": (
        "not r0.x, r0.x\nand r0.x, r0.x, l(1)\niadd r0.x, l(1), -r0.x\n"
        "imul null, r0.x, r0.x, l(0xbf800000)",
        *(0xBF800000, 0),
    ),
    "a product with a mask": ("imul null, r0.x, r0.x, l(0x40800000)", 0xBF800000, 0),
    "a sum": ("movc r0.x, r0.x, l(0xbf800005), l(5)\niadd r0.x, r0.x, l(-5)", 0xBF800000, 0),
    "a product after an if": (
        "if_nz r0.x\nmov r0.x, l(1)\nelse\nmov r0.x, l(0)\nendif\n"
        "imul null, r0.x, r0.x, l(0xbf800000)",
        *(0xBF800000, 0),
    ),
    "a product in a loop": (
        "and r0.y, r0.x, l(1)\nmov r0.x, l(0)\nmov r1.x, l(0)\nloop\nuge r1.y, r1.x, l(1)\n"
        "breakc_nz r1.y\nimad r0.x, r0.y, l(0xbf800000), r0.x\niadd r1.x, r1.x, l(1)\nendloop",
        *(0xBF800000, 0),
    ),
    "a stored number": (
        "store_raw u1.x, r1.x, l(0xbf800000)\nld_raw r0.y, r1.x, u1.x\nmovc r0.x, r0.x, r0.y, l(0)",
        *(0xBF800000, 0),
    ),
}


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("name", COMPUTED)
def test_a_zero_computed_from_a_choice_keeps_its_sign(
    device: Any, name: str, optimize: bool
) -> None:
    lines, one, zero = COMPUTED[name]
    head = HEAD.replace("dcl_uav_raw u0", "dcl_uav_raw u0\ndcl_uav_raw u1")
    mask = "ishl r1.x, vThreadID.x, l(2)\nult r0.x, vThreadID.x, l(3)\n"
    kernel = device.kernel(f"{head.format(zero=0)}{mask}{lines}{TAIL}", optimize=optimize)
    outputs = {"u0": np.zeros(8, np.uint32), "u1": np.zeros(8, np.uint32)}
    found = kernel.dispatch(1, **outputs).u0.tolist()
    kernel.close()
    assert found == [one] * 3 + [zero] * 5
