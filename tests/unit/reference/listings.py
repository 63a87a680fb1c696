"""Listings of these tests, and their results."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import translate
from translate import reference
from translate.reference import Buffer, Outcome, Resource

Array = np.ndarray[Any, Any]

ID = "vThreadID.x"


def listing(
    body: Iterable[str],
    declared: Iterable[str] = (),
    *,
    group: Sequence[int] = (8, 1, 1),
    profile: str = "cs_5_0",
) -> str:
    """A whole listing with eight temporaries and every compute input."""
    head = [
        profile,
        *declared,
        "dcl_input vThreadID.xyz",
        "dcl_input vThreadGroupID.xyz",
        "dcl_input vThreadIDInGroup.xyz",
        "dcl_input vThreadIDInGroupFlattened",
        "dcl_temps 8",
        "dcl_thread_group {}, {}, {}".format(*group),
    ]
    return "\n".join([*head, *body, ""])


def execute(
    text: str, groups: tuple[int, int, int] = (1, 1, 1), **resources: Resource | Array
) -> Outcome:
    """Run a listing; arrays are buffers of their bytes."""
    bound = {n: buffer(r) if isinstance(r, np.ndarray) else r for n, r in resources.items()}
    return reference.run(translate.load(text), bound, groups)


def buffer(array: Array, **more: Any) -> Buffer:
    return Buffer(array.reshape(-1).view(np.uint8), **more)


def words(outcome: Outcome, name: str = "u0", dtype: Any = np.uint32) -> Array:
    """The contents of a UAV, as an array of four-byte numbers."""
    return outcome.written.buffers[name].view(dtype)


def per_thread(
    body: Iterable[str], declared: Iterable[str] = (), *, threads: int = 8, **resources: Any
) -> Array:
    """Run a body that writes r0; returns the final r0, u32[threads, 4]. Every thread has to end."""
    text = listing(
        [*body, f"store_structured u0.xyzw, {ID}, l(0), r0.xyzw", "ret"],
        ["dcl_uav_structured u0, 16", *declared],
        group=(threads, 1, 1),
    )
    out = np.zeros((threads, 4), np.uint32)
    return words(execute(text, u0=out, **resources)).reshape(-1, 4)
