"""Checks that the facts about a resource are consistent."""

from __future__ import annotations

from collections.abc import Callable

from translate.ir.memory import BOUND, OWN_ARRAYS, STRUCTURED, VIEWS, MemoryKind, Resource
from translate.ir.tables import Start, Tables
from translate.ir.types import TEXELS

# Kinds with a declared length; the view decides the length of all others
_SIZED = (MemoryKind.CONSTANTS, *(kind for kind in MemoryKind if kind not in BOUND))

# A fault -> whether a resource has it
_WRONG: dict[str, Callable[[Resource, Tables], bool]] = {
    "holds none of float, uint and sint": lambda r, t: r.component not in TEXELS,
    "has no 1 to 4 components": lambda r, t: not 1 <= t.components(r) <= r.components <= 4,
    "holds texels of floats or signed integers, but is not typed": lambda r, t: (
        r.component != "uint" and not r.is_texels
    ),
    "has components left out, but no elements of its own": lambda r, t: (
        t.layouts[r].trimmed != 0 and r.kind not in OWN_ARRAYS
    ),
    "begins otherwise than with zeros, but is no x#": lambda r, t: (
        t.layouts[r].start is not Start.INITIALISER and r.kind is not MemoryKind.INDEXABLE_TEMP
    ),
    "has no spare element, as if it were an x#": lambda r, t: (
        t.layouts[r].bounded and r.kind is not MemoryKind.INDEXABLE_TEMP
    ),
    "has structures of no size, or a size and no structures": lambda r, t: (
        (r.stride > 0) is not (r.kind in STRUCTURED)
    ),
    "has a stride that is no number of dwords": lambda r, t: r.stride % 4 != 0,
    "has a length that the view decides, or none of its own": lambda r, t: (
        (r.length > 0) is not (r.kind in _SIZED)
    ),
    "has not as many contents as components": lambda r, t: (
        r.kind is MemoryKind.IMMEDIATE_CONSTANTS and len(r.contents) != r.length * r.components
    ),
    "is nested without structures": lambda r, t: t.layouts[r].nested and r.kind not in STRUCTURED,
    "has vectors of no nested structures": lambda r, t: (
        t.layouts[r].vectors
        and r.kind is not MemoryKind.CONSTANTS
        and not (t.layouts[r].nested and r.stride % 16 == 0 and not t.usage[r].atomic)
    ),
    "is an image of more than 3 axes": lambda r, t: not 0 <= r.shape.axes <= 3,
    "has a shape, but no texels": lambda r, t: not r.shape.is_buffer and not r.is_texels,
    "is an array, but no descriptor": lambda r, t: r.is_array and r.kind not in BOUND,
    "has indices of its only register, but is an array or no descriptor": lambda r, t: (
        r in t.indexed and (r.is_array or r.kind not in BOUND)
    ),
    "stands for registers of other kinds": lambda r, t: any(
        (r.kind, r.dimension, r.stride) != (one.kind, one.dimension, one.stride)
        for one in t.members.get(r, ())
    ),
    "has indices computed at run time, but is no descriptor": lambda r, t: (
        t.usage[r].dynamic and r.kind not in BOUND
    ),
    "has indices that differ between threads, but is no array": lambda r, t: (
        t.usage[r].non_uniform and not r.is_array
    ),
    "has indices past its length, or another declared length, but is no constant buffer": (
        lambda r, t: (
            (t.usage[r].past_end or r.declared is not None) and r.kind is not MemoryKind.CONSTANTS
        )
    ),
    "has a table of sizes, but is no array of buffers": lambda r, t: (
        t.views[r].size_table and not (r.is_array and r.kind in VIEWS)
    ),
    "has formats, but not one for each of its registers of texels": lambda r, t: (
        t.views[r].formats != () and (not r.is_texels or len(t.views[r].formats) != r.count)
    ),
    "has a window, but is neither a buffer nor a 3D UAV": lambda r, t: (
        t.views[r].windowed and not r.takes_window
    ),
    "has a single sample, but is not multisampled": lambda r, t: (
        t.views[r].single_sample and not r.shape.multisampled
    ),
    "has a counter, but is no structured UAV": lambda r, t: (
        t.usage[r].counter and not (r.kind is MemoryKind.STRUCTURED and r.is_uav)
    ),
    "is an atomic of floats": lambda r, t: t.usage[r].atomic and t.layouts[r].floats,
}


def misdeclared(resource: Resource, tables: Tables) -> str | None:
    """The first fault of a resource, as the end of "RESOURCE ...", or None."""
    return next((text for text, holds in _WRONG.items() if holds(resource, tables)), None)
