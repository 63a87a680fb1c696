"""Floats to halves and back, which a device may round or flush. Source: FS §22.13.1, §22.13.2."""

from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ..listings import listing, load, store

Bits = npt.NDArray[np.uint32]

THREADS = 64
# Finite positive halves in ascending order, which is the order of their bits
HALVES = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)


def converted(device: Any, name: str, bits: Bits, portable: bool) -> Bits:
    """A device's results of an instruction, with its float controls or with none."""
    padded = np.zeros(-(-len(bits) // (4 * THREADS)) * 4 * THREADS, np.uint32)
    padded[: len(bits)] = bits
    options: dict[str, Any] = {"float_controls": frozenset()} if portable else {}
    lines = [load("r1", "t0"), f"{name} r1.xyzw, r1.xyzw", store("r1")]
    declared = ["dcl_resource_structured t0, 16", "dcl_uav_structured u0, 16"]
    with closing(device.kernel(listing(lines, declared), **options)) as kernel:
        groups = len(padded) // (4 * THREADS)
        found: Bits = kernel.dispatch(groups, t0=padded, u0=np.zeros_like(padded)).u0
    return found.reshape(-1)[: len(bits)]


def edges() -> Bits:
    """Every exponent and sign, with fractions around each truncated bit, and random ones."""
    around = [(1 << bit) + step for bit in range(24) for step in (-1, 0, 1)]
    cut = [0x7FFFFF ^ fraction for fraction in around]
    random = np.random.default_rng(16).integers(0, 1 << 23, 24)
    fractions = np.array(sorted({*around, *cut, *random.tolist()}), np.uint32) & 0x7FFFFF
    upper = np.arange(512, dtype=np.uint32) << 23
    return (upper[:, None] | fractions).reshape(-1)


@pytest.mark.parametrize("portable", [False, True])
def test_halves_become_their_floats(device: Any, portable: bool) -> None:
    """Denormal halves and zeros too; the bits above the half are ignored."""
    halves = np.arange(0x10000, dtype=np.uint32)
    found = converted(device, "f16tof32", halves | 0xA5A50000, portable)
    expected = halves.astype(np.uint16).view(np.float16).astype(np.float32)
    is_nan = np.isnan(expected)
    assert np.isnan(found.view(np.float32)[is_nan]).all()
    wrong = halves[~is_nan & (found != expected.view(np.uint32))]
    assert not wrong.size, [hex(half) for half in wrong[:8]]


@pytest.mark.parametrize("portable", [False, True])
def test_floats_are_truncated_to_halves(device: Any, portable: bool) -> None:
    """The next half toward zero; finite numbers stay finite, and a NaN stays a NaN."""
    bits = edges()
    found = converted(device, "f32tof16", bits, portable)
    numbers = bits.view(np.float32)
    is_nan = np.isnan(numbers)
    of_nans = found[is_nan]
    assert ((of_nans & 0xFFFF7C00 == 0x7C00) & (of_nans & 0x3FF != 0)).all()
    sizes = np.abs(np.where(is_nan, 0, numbers).astype(np.float64))
    below = np.searchsorted(HALVES, sizes, side="right") - 1
    size = np.where(np.isinf(numbers), 0x7C00, below).astype(np.uint32)
    wrong = bits[~is_nan & (found != (size | (bits >> 16 & 0x8000)))]
    assert not wrong.size, [hex(number) for number in wrong[:8]]
