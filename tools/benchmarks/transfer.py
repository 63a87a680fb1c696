"""How fast data is copied to the device and back, in GB/s.

Compared with numpy.copyto of as many bytes in the same rounds, and with `copy`, which allocates a
new array, as `read` does. `read(out)` fills an existing array; `map` copies from mapped memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import vkrunner

from .dispatch import medians
from .figures import Row

TITLE = "transfer, GB/s"
SIZES = {"4 KiB": 4 << 10, "1 MiB": 1 << 20, "64 MiB": 64 << 20, "1 GiB": 1 << 30}


def measure(scale: float, device: str | None = None) -> list[Row]:
    """Bandwidth by size; `scale` below 1 leaves out the large ones."""
    with vkrunner.open_device(device) as opened:
        largest = max(scale * max(SIZES.values()), min(SIZES.values()))
        return [Row(name, _row(opened, n)) for name, n in SIZES.items() if n <= largest]


def _row(opened: vkrunner.Device, nbytes: int) -> dict[str, float]:
    source: np.ndarray[Any, Any] = np.arange(nbytes // 4, dtype=np.float32)
    target = np.empty_like(source)
    with opened.buffer(source) as buffer:

        def mapped() -> None:
            with buffer.map("r") as view:
                np.copyto(target, view)

        calls = {
            "write": lambda: buffer.write(source),
            "read(out)": lambda: buffer.read(target),
            "map": mapped,
            "numpy.copyto": lambda: np.copyto(target, source),
            "read": lambda: buffer.read(),
            "copy": lambda: source.copy(),
        }
        times = medians(calls, max(1, (1 << 20) // nbytes))
    return {name: nbytes / time / 1e3 for name, time in times.items()}
