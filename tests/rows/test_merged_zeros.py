"""Bits that depend on the way taken, where drivers take them for a float: a one, or a zero."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ..listings import titled

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
LOOP = (Path(__file__).parent / "data/merged_zeros_loop.asm").read_text("utf-8")
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
def test_the_sign_is_kept(device: Any, way: str, one: int, zero: int, optimize: bool) -> None:
    lines, threads = WAYS[way]
    called = "label label0\nmov r0.x, l({one})\nret\n" if "label0" in lines else ""
    listing = f"{HEAD}{lines}{TAIL}{called}".format(one=hex(one), zero=hex(zero))
    kernel = device.kernel(listing, optimize=optimize)
    found = kernel.dispatch(1, u0=np.zeros(8, np.uint32)).u0.tolist()
    kernel.close()
    assert found == [one if thread in threads else zero for thread in range(8)]


# Each computes a one or a zero from r0.x, the mask of threads 0 to 2
COMPUTED = {
    name: (lines, *(int(word, 16) for word in words))
    for name, (words, lines) in titled(Path(__file__).parent / "data/merged_zeros.asm").items()
}


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("name", COMPUTED)
def test_a_zero_of_a_choice_keeps_its_sign(device: Any, name: str, optimize: bool) -> None:
    lines, one, zero = COMPUTED[name]
    head = HEAD.replace("dcl_uav_raw u0", "dcl_uav_raw u0\ndcl_uav_raw u1")
    mask = "ishl r1.x, vThreadID.x, l(2)\nult r0.x, vThreadID.x, l(3)\n"
    kernel = device.kernel(f"{head.format(zero=0)}{mask}{lines}{TAIL}", optimize=optimize)
    outputs = {"u0": np.zeros(8, np.uint32), "u1": np.zeros(8, np.uint32)}
    found = kernel.dispatch(1, **outputs).u0.tolist()
    kernel.close()
    assert found == [one] * 3 + [zero] * 5
