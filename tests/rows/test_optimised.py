"""Signed instructions whose operands only SPIRV-Tools' optimiser finds to be constants.

It goes by the types of integers, not by instructions, when it folds minima, maxima and conversions.
A module without `SignedZeroInfNanPreserve` is folded most.
"""

import numpy as np
import pytest

import translate
import vkrunner
from checks.spirv_opt import reoptimized
from vkrunner.values.numbers import Array

EDGES = np.array([0, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF], np.uint32)
LEFT, RIGHT = (side.ravel() for side in np.meshgrid(EDGES, EDGES))
NUMBERS = np.array([0.5, -3.5, 3e9, -3e9, -0.0], np.float32).view(np.uint32)


def listing(mnemonic: str, left: int, right: int) -> str:
    """No pass of the translator takes an element by a register for a constant."""
    rows = ", ".join(f"{{ {bits:#x}, 0, 0, 0 }}" for bits in (left, right))
    operands = "r0.x" if mnemonic in ("itof", "ftoi") else "r0.x, r0.y"
    return f"""cs_5_0
dcl_immediateConstantBuffer {{ {rows} }}
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
mov r0.x, icb[r1.x + 0].x
mov r0.y, icb[r1.x + 1].x
{mnemonic} r0.x, {operands}
store_raw u0.x, l(0), r0.x
ret
"""


def expected(mnemonic: str, left: Array, right: Array) -> Array:
    signed = left.view(np.int32)
    if mnemonic == "itof":
        return signed.astype(np.float32).view(np.uint32)
    if mnemonic == "ftoi":
        numbers = left.view(np.float32).astype(np.float64)
        return np.clip(numbers, -(2.0**31), 2.0**31 - 1).astype(np.int32).view(np.uint32)
    choose = np.minimum if mnemonic == "imin" else np.maximum
    return choose(signed, right.view(np.int32)).view(np.uint32)


@pytest.mark.parametrize("mnemonic", ["imin", "imax", "itof", "ftoi"])
def test_signed_instructions(device: vkrunner.Device, mnemonic: str) -> None:
    is_pair = mnemonic in ("imin", "imax")
    one = NUMBERS if mnemonic == "ftoi" else EDGES
    left, right = (LEFT, RIGHT) if is_pair else (one, one)
    options = translate.Options(float_controls=frozenset())
    found: list[int] = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        module = translate.to_spirv(translate.load(listing(mnemonic, a, b)), options)
        with device.kernel(reoptimized(module)) as kernel:
            found += kernel.dispatch(1, u0=np.zeros(1, np.uint32)).u0.tolist()
    assert found == expected(mnemonic, left, right).tolist()
