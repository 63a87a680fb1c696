"""How long `map_chunks` takes over arrays of 200 MB, in ms, compared with its dispatches alone.

Those use buffers of a chunk's size that are on the device, so that nothing is copied. NumPy
computes the same on one core. Results are compared with NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import vkrunner

from .contestants import Call
from .dispatch import medians
from .figures import Row
from .shaders import ROOT

TITLE = "large arrays, ms"
_ROUNDS = 5
GROUP = 256  # numbers that a group of prefix_sum.hlsl sums up
ROWS = 196_000  # of GROUP numbers: 50 million
CHUNK = 16_352  # rows, which is the default for two arrays of them


def measure(scale: float, device: str | None = None) -> list[Row]:
    """Medians by kernel; `scale` below 1 takes smaller arrays."""
    rows = max(round(ROWS * scale), 1)
    with vkrunner.open_device(device) as opened:
        return [_saxpy(opened, rows * GROUP), _prefix_sums(opened, rows)]


def _saxpy(opened: vkrunner.Device, count: int) -> Row:
    kernel = opened.kernel(ROOT / "shaders/saxpy.dxbc")
    x, y = np.arange(count, dtype=np.float32), np.empty(count, np.float32)
    part = min(count, CHUNK * GROUP)
    on_device = {name: opened.buffer(x[:part]) for name in "xy"}

    def chunks() -> None:
        vkrunner.map_chunks(
            kernel,
            inputs={"x": x},
            outputs={"y": y},
            arguments=lambda chunk: {"Params": {"a": 2, "count": chunk.rows}},
            rows=part,
        )

    def alone() -> None:
        for _ in range(0, count, part):
            kernel.dispatch(kernel.groups_for(part), **on_device, Params={"a": 2, "count": part})

    return _row("y = a * x + y", chunks, alone, lambda: 2 * x, lambda: y)


def _prefix_sums(opened: vkrunner.Device, rows: int) -> Row:
    kernel = opened.kernel(ROOT / "shaders/prefix_sum.dxbc")
    values = np.arange(rows * GROUP, dtype=np.uint32).reshape(rows, GROUP)
    sums, totals = np.empty_like(values), np.empty(rows, np.uint32)
    part, none = min(rows, CHUNK), np.zeros(1, np.uint32)
    arrays = {"values": values, "sums": sums, "totals": totals}
    on_device = {name: opened.buffer(array[:part]) for name, array in arrays.items()}

    def constants(count: int) -> dict[str, object]:
        return {"Params": {"count": count * GROUP, "add_offsets": 0}, "offsets": none}

    def chunks() -> None:
        vkrunner.map_chunks(
            kernel,
            inputs={"values": values},
            outputs={"sums": sums, "totals": totals},
            arguments=lambda chunk: constants(chunk.rows),
            groups=lambda chunk: chunk.rows,
            rows=part,
        )

    def alone() -> None:
        for _ in range(0, rows, part):
            kernel.dispatch(part, **on_device, **constants(part))

    def numpy() -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        return np.cumsum(values, 1, np.uint32)

    return _row(f"prefix sums of {GROUP}", chunks, alone, numpy, lambda: sums)


def _row(
    name: str,
    chunks: Call,
    alone: Call,
    numpy: Call,
    result: Callable[[], object],
) -> Row:
    chunks()
    np.testing.assert_array_equal(result(), numpy())
    calls = {"map_chunks": chunks, "dispatches alone": alone, "NumPy": numpy}
    return Row(name, {key: time / 1e3 for key, time in medians(calls, 1, _ROUNDS).items()})
