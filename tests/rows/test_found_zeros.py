"""Zeros that folding or only a driver finds: drivers take x + 0 for x and x * 0 for 0.

Results are NumPy's for -0, infinities and NaNs, which such short cuts get wrong.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ..listings import titled
from .zero_sources import parts

Floats = NDArray[np.float32]

X = np.float32([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 2.0**-126, -(2.0**100), 0.5])
ROUNDS = 2
HEAD = (Path(__file__).parent / "data/found_zeros_head.txt").read_text("utf-8")
# What is computed of x, r0.x, and the zero, r2.x; the place of the results is r5.x
TAIL = (Path(__file__).parent / "data/found_zeros_tail.txt").read_text("utf-8")

# By name: declarations, lines before and after the arithmetic, and the numbers of its rounds
BY_DRIVERS = {
    name: (*parts(text), [*map(float, words)])
    for name, (words, text) in titled(Path(__file__).parent / "data/found_zeros.asm").items()
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
    body = f"{head}{before}{TAIL}{after}\nret\n"
    calls = SUBROUTINE if "label0" in body else ""
    check(device, body + calls, *numbers, optimize=optimize)
