"""Listings with messages."""

from pathlib import Path

from ..listings import blocks, listing

BODIES = blocks(Path(__file__).parent / "data/bodies.asm")


def shader(*body: str, threads: int = 8, more: tuple[str, ...] = ()) -> str:
    """A group of `threads` runs `body`; `u0` is a raw buffer, the registers are `r0` to `r3`."""
    declared, flags = [*more, "dcl_uav_raw u0"], ["refactoringAllowed"]
    return listing(body, declared, temps=4, group=(threads, 1, 1), flags=flags)


EACH = shader('printf "thread %u of %d", vThreadID.x, l(10000)', threads=100)
LOAD = "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed)"
