"""Six kernels with their inputs, and checks of their results by NumPy or hashlib.

`kernels/` has each as HLSL, as Microsoft's compiler compiled it, and as hand-written GLSL with
the same algorithm and the same bindings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

KERNELS = Path(__file__).parent / "kernels"
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Workload:
    """A kernel's arguments by register, and a check of its result in u0.

    `inputs` and `outputs` are arrays on the device; `outputs` are restored before each run.
    """

    name: str
    groups: tuple[int, int, int]
    inputs: Mapping[str, Array]
    output: Array
    constants: Mapping[str, Any]
    check: Callable[[Array], None]

    @property
    def dxbc(self) -> Path:
        return KERNELS / f"{self.name}.dxbc"

    @property
    def glsl(self) -> Path:
        return KERNELS / f"{self.name}.comp"


def saxpy(scale: float) -> Workload:
    """64 MiB each of x and y at scale 1."""
    count = _multiple(2**24 * scale, 512)
    rng = np.random.default_rng(1)
    x, y = (rng.integers(-1000, 1000, count).astype(np.float32) for _ in range(2))

    def check(found: Array) -> None:
        np.testing.assert_array_equal(found, np.float32(2) * x + y)  # integers: exact

    constants = {"a": 2.0, "count": count - 1}
    y[-1] = 0  # the kernel does not write it
    x[-1] = 0
    return Workload("saxpy", _groups(count // 512), {"t0": x}, y, constants, check)


def matmul(scale: float) -> Workload:
    """512 by 512 at scale 1."""
    size = _multiple(512 * scale ** (1 / 3), 16)
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-8, 8, (size, size)).astype(np.float32) for _ in range(2))

    def check(found: Array) -> None:
        np.testing.assert_array_equal(found, a @ b)  # integers below 2^24: exact in any order

    groups = (size // 16, size // 16, 1)
    return Workload("matmul", groups, {"t0": a, "t1": b}, np.zeros_like(a), {"size": size}, check)


def reduction(scale: float) -> Workload:
    """2^22 values at scale 1, a sum for each 1024."""
    groups = _multiple(2**12 * scale, 1)
    values = np.random.default_rng(3).integers(-1000, 1000, groups * 1024).astype(np.float32)

    def check(found: Array) -> None:
        np.testing.assert_array_equal(found, values.reshape(-1, 1024).sum(axis=1))

    output = np.zeros(groups, np.float32)
    return Workload("reduction", _groups(groups), {"t0": values}, output, {}, check)


def histogram(scale: float) -> Workload:
    """2^22 values at scale 1, 4096 a group."""
    count = _multiple(2**22 * scale, 4096)
    values = np.random.default_rng(4).integers(0, 2**32, count, np.uint32)

    def check(found: Array) -> None:
        np.testing.assert_array_equal(found, np.bincount(values[:-1] & 255, minlength=256))

    constants = {"count": count - 1}
    output = np.zeros(256, np.uint32)
    return Workload("histogram", _groups(count // 4096), {"t0": values}, output, constants, check)


def nbody(scale: float) -> Workload:
    """2048 bodies at scale 1."""
    count = _multiple(2048 * scale**0.5, 128)
    bodies = np.random.default_rng(5).random((count, 4), np.float32)
    softening = np.float32(1e-3)

    def check(found: Array) -> None:
        way = bodies[None, :, :3].astype(np.float64) - bodies[:, None, :3]
        weight = bodies[None, :, 3] * ((way**2).sum(axis=2) + softening) ** -1.5
        expected = (way * weight[:, :, None]).sum(axis=1)
        np.testing.assert_allclose(found[:, :3], expected, rtol=1e-3, atol=1e-2 * count**0.5)

    constants = {"count": count, "softening": softening}
    return Workload(
        "nbody", _groups(count // 128), {"t0": bodies}, np.zeros_like(bodies), constants, check
    )


def sha256(scale: float) -> Workload:
    """4096 messages of 8 blocks at scale 1."""
    count, blocks = _multiple(4096 * scale, 64), 8
    length = blocks * 64 - 9  # the longest that 8 blocks hold
    messages = np.random.default_rng(6).integers(0, 256, (count, length), np.uint8)
    tail = np.frombuffer(b"\x80" + (length * 8).to_bytes(8, "big"), np.uint8)
    padded = np.hstack([messages, np.tile(tail, (count, 1))]).view(">u4").astype(np.uint32)

    def check(found: Array) -> None:
        digests = [hashlib.sha256(message.tobytes()).digest() for message in messages[:-1]]
        assert found[:-1].astype(">u4").tobytes() == b"".join(digests)
        assert not found[-1].any()  # the kernel's count is one message less

    constants = {"count": count - 1, "blocks": blocks}
    output = np.zeros((count, 8), np.uint32)
    return Workload("sha256", _groups(count // 64), {"t0": padded}, output, constants, check)


WORKLOADS: tuple[Callable[[float], Workload], ...] = (
    saxpy,
    matmul,
    reduction,
    histogram,
    nbody,
    sha256,
)


def _multiple(wanted: float, step: int) -> int:
    """The nearest multiple, at least one."""
    return max(1, round(wanted / step)) * step


def _groups(count: int) -> tuple[int, int, int]:
    """In x alone, which D3D limits to 65535."""
    assert count <= 65535
    return (count, 1, 1)
