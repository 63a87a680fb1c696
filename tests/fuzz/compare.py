"""One program on a device and on the reference machine: the same bits in every UAV."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import translate
from translate import reference

from .generate import DUMPED, GROUPS, STRIDE, THREADS

Lanes = np.ndarray[Any, Any]
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


def on_device(
    device: Any, source: Any, given: dict[str, Lanes], **options: Any
) -> dict[str, Lanes]:
    """What the device leaves in the UAVs."""
    kernel = device.kernel(source, **options)
    bound = dict(given)
    bound["t1"], bound["u1"] = (given[n].reshape(-1, STRIDE // 4) for n in ("t1", "u1"))
    bound["u2"] = given["u2"].reshape(LANES, -1)
    result = kernel.dispatch((GROUPS, 1, 1), **bound)
    found = {name: result[name].reshape(-1) for name in _UAVS}
    kernel.close()
    return found


def on_machine(text: str, given: dict[str, Lanes]) -> dict[str, Lanes]:
    """What the reference machine leaves in the UAVs."""
    formats = {"t2": "r32_uint"}
    resources = {
        name: reference.Buffer(words.view(np.uint8), format=formats.get(name))
        for name, words in given.items()
    }
    outcome = reference.run(translate.load(text), resources, (GROUPS, 1, 1))
    return {name: outcome.written.buffers[name].view(np.uint32) for name in _UAVS}


def optimised(device: Any, text: str) -> translate.SpirvModule:
    """The module after SPIRV-Tools' own performance passes."""
    options = translate.Options(
        formats={"t2": "r32_uint"}, float_controls=device.info.float_controls
    )
    module = translate.to_spirv(translate.load(text), options)
    done = subprocess.run(
        [str(_spirv_opt()), "-O", "--target-env=vulkan1.1", "-", "-o", "-"],
        input=module.to_bytes(),
        capture_output=True,
        check=True,
    )
    return dataclasses.replace(module, words=np.frombuffer(done.stdout, np.uint32))


def _spirv_opt() -> Path:
    places = (Path(p) / "cmeel.prefix" / "bin" / "spirv-opt" for p in sys.path)
    return next(place for place in places if place.exists())


def difference(device: Any, text: str, seed: int) -> str:
    """Where device and machine disagree; '' where they agree.

    The device runs the program with this project's optimisation off and on, and after
    SPIRV-Tools'.
    """
    given = arguments(seed)
    expected = on_machine(text, given)
    forms = {
        "optimize=True": (text, {"optimize": True}),
        "optimize=False": (text, {"optimize": False}),
        "spirv-opt": (optimised(device, text), {}),
    }
    for form, (source, options) in forms.items():
        found = on_device(device, source, given, **options)
        for name in _UAVS:
            places = np.flatnonzero(found[name] != expected[name])
            if len(places):
                at = places[0]
                return (
                    f"{form}: {name}[{at}] is {found[name][at]:#x}, "
                    f"not {expected[name][at]:#x} ({len(places)} words differ)"
                )
    return ""
