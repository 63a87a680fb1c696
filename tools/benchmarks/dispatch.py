"""How long a dispatch takes, waiting included, in microseconds, compared with other tools.

The tools take turns in one process, so that all see the same noise. Figures are medians, and their
ratios are what counts. No other tool times a dispatch on the device, so our dispatch is measured
with timestamps and without.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack

import vkrunner

from .contestants import Call, contestants, recorded
from .figures import Row

TITLE = "dispatch, us"
SMALL = 1024  # floats: 4 KiB
LARGE = 16 << 20  # 64 MiB
MANY = 100  # dispatches in one recording
_ROUNDS = 20


def measure(scale: float, device: str | None = None) -> list[Row]:
    """Medians by contestant; `scale` below 1 measures less. Names missing tools on stderr."""
    missing: list[str] = []
    with vkrunner.open_device(device) as opened:
        name = opened.name
    with ExitStack() as stack:
        small = contestants(SMALL, name, stack, missing)
        rows = [
            Row("on the device", medians({c.name: c.dispatch for c in small}, round(60 * scale))),
            Row("arrays of 4 KiB", medians({c.name: c.arrays for c in small}, round(40 * scale))),
        ]
    for steps, title in ((1, "recorded, submitted again"), (MANY, f"{MANY} in one recording")):
        with recorded(SMALL, name, steps) as (own, raw):
            calls = {"sm5vk": own, "raw loop": raw}
            rows.append(Row(title, medians(calls, round(60 * scale / steps**0.7))))
    with ExitStack() as stack:
        large = contestants(max(64, round(LARGE * min(scale, 1))), name, stack, [])
        rows.append(Row("arrays of 64 MiB", medians({c.name: c.arrays for c in large}, 1)))
    for reason in missing:
        print(f"not measured: {reason}", file=sys.stderr)
    return rows


def medians(calls: Mapping[str, Call], count: int, rounds: int = _ROUNDS) -> dict[str, float]:
    """The median time of each call in us; each is called `count` times a round."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            for _ in range(max(1, count)):
                start = time.perf_counter_ns()
                call()
                times[name].append((time.perf_counter_ns() - start) / 1e3)
    return {name: statistics.median(found) for name, found in times.items()}
