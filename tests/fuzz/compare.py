"""One program on a device and on the machine: the same bits in every UAV."""

from __future__ import annotations

from typing import Any

import numpy as np

import translate

from .generate import DUMPED, GROUPS, STRIDE, THREADS
from .machine import Lanes, Machine, Memory

LANES = THREADS * GROUPS
_UAVS = ("u0", "u1", "u2")


def arguments(seed: int) -> dict[str, Lanes]:
    """Inputs with edge values among them; u0 and u1 end short of the last thread's part."""
    rng = np.random.default_rng(seed)
    sizes = {
        "t0": 61,
        "t1": 7 * STRIDE // 4,
        "t2": 9,
        "u0": LANES * 8 - 5,
        "u1": (LANES * 2 - 1) * STRIDE // 4,
        "u2": LANES * DUMPED * 4,
        "cb0": 12,
    }
    edges = np.array([0, 1, 2, 3, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], np.uint32)
    made: dict[str, Lanes] = {}
    for name, size in sizes.items():
        words = rng.integers(0, 2**32, size, dtype=np.uint32)
        made[name] = np.where(rng.random(size) < 0.5, rng.choice(edges, size), words)
    return made


def on_device(device: Any, text: str, given: dict[str, Lanes], **options: Any) -> dict[str, Lanes]:
    """What the device leaves in the UAVs."""
    kernel = device.kernel(text, **options)
    bound = dict(given)
    bound["t1"], bound["u1"] = (given[n].reshape(-1, STRIDE // 4) for n in ("t1", "u1"))
    bound["u2"] = given["u2"].reshape(LANES, -1)
    result = kernel.dispatch((GROUPS, 1, 1), **bound)
    found = {name: result[name].reshape(-1) for name in _UAVS}
    kernel.close()
    return found


def on_machine(text: str, given: dict[str, Lanes]) -> dict[str, Lanes]:
    """What the machine leaves in the UAVs."""
    strides = {"t1": STRIDE, "u1": STRIDE, "u2": 16 * DUMPED}
    memory = {
        name: Memory(words.copy(), strides.get(name, 0), name == "t2")
        for name, words in given.items()
    }
    Machine(translate.load(text), LANES, given["cb0"].reshape(-1, 4), memory).run()
    return {name: memory[name].words for name in _UAVS}


def difference(device: Any, text: str, seed: int) -> str:
    """Where device and machine disagree, optimised or not; '' where they agree."""
    given = arguments(seed)
    expected = on_machine(text, given)
    for optimize in (True, False):
        found = on_device(device, text, given, optimize=optimize)
        for name in _UAVS:
            places = np.flatnonzero(found[name] != expected[name])
            if len(places):
                at = places[0]
                return (
                    f"optimize={optimize}: {name}[{at}] is {found[name][at]:#x}, "
                    f"not {expected[name][at]:#x} ({len(places)} words differ)"
                )
    return ""
