"""Zeros that folding or only a driver finds: drivers take x + 0 for x and x * 0 for 0.

Results are NumPy's for -0, infinities and NaNs, which such short cuts get wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float32]

X = np.float32([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 2.0**-126, -(2.0**100), 0.5])
ROUNDS = 2
HEAD = """cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 6
dcl_thread_group 10, 1, 1
ishl r4.x, vThreadID.x, l(2)
ld_raw r0.x, r4.x, t0.x
imul null, r5.x, vThreadID.x, l(64)
"""
# What is computed of x, r0.x, and the zero, r2.x; the place of the results is r5.x
TAIL = """
add r1.x, r0.x, r2.x
add r1.y, r2.x, -r0.x
mul r1.z, r0.x, r2.x
mul r1.w, -r2.x, r0.x
div r3.x, r0.x, r2.x
div r3.y, r2.x, r0.x
mad r3.z, r0.x, r2.x, r0.x
dp2 r3.w, r0.xxxx, r2.xxxx
store_raw u0.xyzw, r5.x, r1.xyzw
iadd r5.x, r5.x, l(16)
store_raw u0.xyzw, r5.x, r3.xyzw
iadd r5.x, r5.x, l(16)
"""


ROUND = """mov r2.y, l(0)
loop
uge r2.z, r2.y, l(2)
breakc_nz r2.z
"""
NEXT = """
iadd r2.y, r2.y, l(1)
endloop
"""
ICB = "dcl_immediateConstantBuffer { { 0, 0, 0, 0 }, { 1.0, 0, 0, 0 } }"
# Declarations; lines before and after the arithmetic; the numbers of its rounds
BY_DRIVERS: dict[str, tuple[str, str, str, tuple[float, ...]]] = {
    "a counter": ("", f"{ROUND}utof r2.x, r2.y", NEXT, (0.0, 1.0)),
    "a constant array": (ICB, f"{ROUND}mov r2.x, icb[r2.y + 0].x", NEXT, (0.0, 1.0)),
    "an element of a constant array": (ICB, "mov r2.x, icb[0].x", "", (0.0,)),
    "an array that is not written": (
        *("dcl_indexableTemp x0[2], 4", "mov r2.x, x0[0].x", "", (0.0,)),
    ),
    "an array": (
        "dcl_indexableTemp x0[2], 4",
        f"mov x0[0].x, l(0)\nmov x0[1].x, l(1.0)\n{ROUND}mov r2.x, x0[r2.y + 0].x",
        *(NEXT, (0.0, 1.0)),
    ),
    "a float that counts down": (
        *("", f"mov r2.x, l(1.0)\n{ROUND}", f"add r2.x, r2.x, l(-1.0){NEXT}", (1.0, 0.0)),
    ),
    "the first round's value": (
        *("", f"mov r2.x, l(0)\n{ROUND}", f"mov r2.x, l(1.0){NEXT}", (0.0, 1.0)),
    ),
    "an if": (
        "",
        f"{ROUND}mov r2.x, l(1.0)\nif_nz r2.y\nmov r2.x, l(0)\nendif",
        *(NEXT, (1.0, 0.0)),
    ),
    "a switch": (
        "",
        f"{ROUND}mov r2.x, l(1.0)\nswitch r2.y\ncase l(1)\nmov r2.x, l(0)\nbreak\nendswitch",
        *(NEXT, (1.0, 0.0)),
    ),
    "a comparison": (
        *("", f"{ROUND}ieq r2.x, r2.y, l(1)\nand r2.x, r2.x, l(0x3f800000)", NEXT, (0.0, 1.0)),
    ),
    "a load outside": (  # at the index -1
        "dcl_resource_structured t1, 4",
        f"{ROUND}iadd r2.w, r2.y, l(-1)\nld_structured r2.x, r2.w, l(0), t1.xxxx",
        *(NEXT, (0.0, 1.0)),
    ),
    "a bit of a mask": (
        "",
        f"{ROUND}movc r2.w, r2.y, l(0x3f800000), l(0)\nor r2.x, r4.x, l(0x3f800000)\n"
        "and r2.x, r2.x, r2.w\nand r2.x, r2.x, l(0x3f800000)",
        *(NEXT, (0.0, 1.0)),
    ),
    "a logarithm": ("", "mov r2.x, l(1.0)\nlog r2.x, r2.x", "", (0.0,)),
    "an exponential": ("", "mov r2.x, l(-200.0)\nexp r2.x, r2.x", "", (0.0,)),
    "an underflow": ("", "mov r2.x, l(1e-30)\nmul r2.x, r2.x, r2.x", "", (0.0,)),
    "a comparison with 0": (
        *("dcl_resource_raw t1", "ld_raw r2.x, r4.x, t1.x\nif_z r2.x", "\nendif\n", (0.0,)),
    ),
    "an integer compared with 0": (
        "dcl_resource_raw t1",
        "ld_raw r2.y, l(0), t1.x\nmov r2.x, l(1.0)\nif_z r2.y\nutof r2.x, r2.y",
        *("\nendif\n", (0.0,)),
    ),
    "a constant buffer that a branch compares": (
        "dcl_constantbuffer cb0[1], immediateIndexed",
        "mov r2.x, cb0[0].x\nif_z cb0[0].x",
        *("\nendif\n", (0.0,)),
    ),
    "a group of one": (
        *("dcl_input vThreadIDInGroup.y", "utof r2.x, vThreadIDInGroup.y", "", (0.0,)),
    ),
    "a call": ("", f"mov r2.x, l(1.0)\n{ROUND}callc_nz r2.y, label0", *(NEXT, (1.0, 0.0))),
}
SUBROUTINE = "label label0\nmov r2.x, l(0)\nret\n"


def right(x: Floats, z: float) -> Floats:
    """The eight results of each x."""
    zeros = np.full_like(x, z)
    product = x * zeros
    with np.errstate(all="ignore"):
        return np.stack(
            [
                *(x + zeros, zeros - x, product, -zeros * x, x / zeros, zeros / x),
                *(product + x, product + product),
            ],
            axis=1,
        )


def found(device: Any, listing: str, rounds: int, **options: Any) -> Floats:
    kernel = device.kernel(listing, **options)
    zeros = {"t1": np.ones(16, np.float32) if "ld_structured" in listing else np.zeros(16, "f")}
    zeros["cb0"] = np.zeros(4, np.float32)
    resources = {name: data for name, data in zeros.items() if f" {name}" in listing}
    outputs = np.zeros((len(X), 2, 8), np.float32)
    results = kernel.dispatch(1, t0=X, u0=outputs, **resources).u0
    kernel.close()
    return np.reshape(results, (len(X), 2, 8))[:, :rounds]


def check(device: Any, listing: str, *numbers: float, **options: Any) -> None:
    """Compare the rounds' results, each with another number in the zero's place."""
    with np.errstate(all="ignore"):
        wanted = np.stack([right(X, number) for number in numbers], axis=1)
    results = found(device, listing, len(numbers), **options)
    same = results.view(np.uint32) == wanted.view(np.uint32)
    same |= np.isnan(results) & np.isnan(wanted)
    wrong = [(X[i], n, k, results[i, n, k], wanted[i, n, k]) for i, n, k in np.argwhere(~same)]
    assert not wrong


@pytest.mark.parametrize(
    ("zero", "number"),
    [
        ("and r2.x, r0.x, l(0)", 0.0),
        ("mov r2.x, l(0)\nutof r2.x, r2.x", 0.0),
        ("mov r2.x, l(0x80000000)\nand r2.x, r2.x, l(0x7fffffff)", 0.0),
        ("mov r2.x, l(0)\nor r2.x, r2.x, l(0x80000000)", -0.0),
        ("mov r2.x, l(0x80000007)\nadd r2.x, r2.x, l(0x80000009)", -0.0),
        ("mov r2.x, l(1.5)\nadd r2.x, r2.x, l(-1.5)", 0.0),
        ("mov r2.x, l(1.0)\ndiv r2.x, r2.x, l(0xff800000)", -0.0),
        ("mov r2.x, l(0.5)\nround_ni r2.x, r2.x", 0.0),
        ("mov r2.xy, l(1.0, 3.0, 0, 0)\nlt r2.x, r2.y, r2.x", 0.0),
    ],
)
def test_a_zero_of_constants(device: Any, zero: str, number: float) -> None:
    check(device, f"{HEAD}{zero}{TAIL}ret\n", number)


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("name", BY_DRIVERS)
def test_a_zero_that_a_driver_finds(device: Any, name: str, optimize: bool) -> None:
    declared, before, after, numbers = BY_DRIVERS[name]
    head = HEAD.replace("dcl_temps", f"{declared}\ndcl_temps" if declared else "dcl_temps")
    body = f"{head}{before}{TAIL}{after}ret\n"
    calls = SUBROUTINE if "label0" in body else ""
    check(device, body + calls, *numbers, optimize=optimize)
