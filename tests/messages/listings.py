"""Listings with messages."""

from __future__ import annotations

from collections.abc import Iterable


def shader(body: Iterable[str], *, threads: int = 8, more: Iterable[str] = ()) -> str:
    """A group of `threads` runs `body`; `u0` is a raw buffer, the registers are `r0` to `r3`."""
    lines = (
        "cs_5_0",
        "dcl_globalFlags refactoringAllowed",
        *more,
        "dcl_uav_raw u0",
        "dcl_input vThreadID.xyz",
        "dcl_temps 4",
        f"dcl_thread_group {threads}, 1, 1",
        *body,
        "ret",
    )
    return "\n".join(lines) + "\n"


EACH = shader(['printf "thread %u of %d", vThreadID.x, l(10000)'], threads=100)
LOAD = "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed)"
