"""`sync` with every combination of flags. Source: FS §22.17.7."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .case import Case
from .listing import listing

THREADS = 256


def flags() -> list[str]:
    """The combinations of flags; each has at least one kind of memory."""
    every = itertools.product(("", "_uglobal"), ("", "_ugroup"), ("", "_g"), ("", "_t"))
    return ["".join(parts) for parts in every if any(parts[:3])]


def exchange(suffix: str) -> Case:
    """With a barrier, threads read each other's stores, twice; else only their own."""
    shared = "_g" in suffix.replace("_ugroup", "").replace("_uglobal", "")
    other = THREADS - 1 if "_t" in suffix else 0
    memory = "g0" if shared else "u1"
    kind = "" if shared else "_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed)"
    own, far = "vThreadIDInGroup.x", "r0.x"
    lines = [
        f"xor r0.x, vThreadIDInGroup.x, l({other})",
        "iadd r1.x, vThreadIDInGroup.x, l(7)",
        f"store_structured {memory}.x, {own}, l(0), r1.x",
        f"sync{suffix}",
        f"ld_structured{kind} r1.y, {far}, l(0), {memory}.xxxx",
        f"sync{suffix}",
        "imul null, r1.z, r1.y, l(3)",
        f"store_structured {memory}.x, {own}, l(0), r1.z",
        f"sync{suffix}",
        f"ld_structured{kind} r1.z, {far}, l(0), {memory}.xxxx",
        f"store_structured u0.xy, {own}, l(0), r1.yzyy",
    ]
    declared = ["dcl_uav_structured u0, 8"]
    if shared:
        declared.append(f"dcl_tgsm_structured g0, 4, {THREADS}")
    else:
        declared.append(f"dcl_uav_structured{'_glc' * ('_uglobal' in suffix)} u1, 4")
    own_values = np.arange(THREADS, dtype=np.uint32)
    expected = np.stack([(own_values ^ np.uint32(other)) + 7, (own_values + 7) * 3], axis=1)
    arguments: dict[str, Any] = {"u0": np.zeros((THREADS, 2), np.uint32)}
    if not shared:
        arguments["u1"] = np.zeros(THREADS, np.uint32)
    inputs = ["vThreadIDInGroup.x"]
    return Case(
        f"sync{suffix}",
        listing(lines, declared, group=(THREADS, 1, 1), inputs=inputs),
        arguments,
        {"u0": expected.astype(np.uint32)},
    )


SYNC_CASES: tuple[Case, ...] = tuple(exchange(suffix) for suffix in flags())
