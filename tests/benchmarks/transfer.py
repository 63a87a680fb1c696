"""How fast data comes to the device and back: `python -m tests.benchmarks.transfer`.

In GB/s, beside numpy.copyto of as many bytes in the same turns. `read` makes a new array, whose
memory the system has to find first; `read(out)` fills one that is there, `map` copies out of the
mapped memory. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import vkrunner

from .dispatch import DEVICE, Figures, medians, table

TITLE = "transfer, GB/s"
SIZES = {"4 KiB": 4 << 10, "1 MiB": 1 << 20, "64 MiB": 64 << 20, "1 GiB": 1 << 30}


def measure(scale: float = 1.0, device: str = DEVICE) -> dict[str, Figures]:
    """Rows of bandwidth by size; `scale` below 1 leaves out the large ones."""
    with vkrunner.open_device(device, timestamps=False) as opened:
        largest = scale * max(SIZES.values())
        return {name: _row(opened, n) for name, n in SIZES.items() if n <= max(largest, 4 << 10)}


def _row(opened: vkrunner.Device, nbytes: int) -> Figures:
    source: np.ndarray[Any, Any] = np.arange(nbytes // 4, dtype=np.float32)
    target = np.empty_like(source)
    with opened.buffer(source) as buffer:

        def mapped() -> None:
            with buffer.map("r") as view:
                np.copyto(target, view)

        calls = {
            "write": lambda: buffer.write(source),
            "read(out)": lambda: buffer.read(target),
            "read": lambda: buffer.read(),
            "map": mapped,
            "numpy.copyto": lambda: np.copyto(target, source),
        }
        times = medians(calls, max(1, (1 << 20) // nbytes))
    return {name: nbytes / time / 1e3 for name, time in times.items()}


def main() -> None:
    """Print a table, and write it as JSON if asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.transfer", description=TITLE)
    parser.add_argument("--scale", type=float, default=1.0, help="1 for figures, less to try")
    parser.add_argument("--device", default=DEVICE, help="a part of its name")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    rows = measure(given.scale, given.device)
    print(table(TITLE, rows))
    if given.json:
        given.json.write_text(json.dumps({TITLE: rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
