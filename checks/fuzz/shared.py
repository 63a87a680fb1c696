"""Group-shared memory: owned by a thread, or read by all, with a barrier between the two.

g0 is raw, four dwords a thread; g1 is structured, one structure a thread; g2 has a dword for each
thread, of which the first are slots of atomics whose order does not matter.
"""

from __future__ import annotations

from .buffers import load_raw, load_structured, own_raw, own_structure, sum_of
from .operands import alone, scalar, source
from .scope import GROUP, TEMP, Lines, Phase, Scope

RAW_BYTES = 16  # of a thread's part of g0
_SHARED_FAR = (0x80000000, 0x40000000, 0x00010000, 0x00000100)


def prologue(s: Scope) -> Lines:
    """Write everything once: in D3D the initial contents are undefined."""
    s.phase = Phase()
    return [
        f"imul null, {TEMP}.x, {s.lane}, l({RAW_BYTES})",
        f"store_raw g0.xyzw, {TEMP}.x, {source(s)}",
        f"store_structured g1.xyz, {s.lane}, l(0), {source(s)}",
        f"imul null, {TEMP}.x, {s.lane}, l(4)",
        f"store_raw g2.x, {TEMP}.x, {scalar(s)}",
        "sync_g_t",
    ]


def access(s: Scope) -> Lines:
    """An access that the phase allows."""
    assert s.phase is not None
    name = s.choices.pick(("g0", "g1", "g2"))
    if name == "g0" and s.phase.raw == "own":
        return own_raw(s, alone(name), s.lane, RAW_BYTES)
    if name == "g1":
        if s.phase.structured == "own":
            return own_structure(s, alone(name), s.lane, 1)
        return load_structured(s, alone(name), GROUP)
    if name == "g2" and s.phase.sums == "add":
        return sum_of(s, name, "raw", _SHARED_FAR)
    return load_raw(s, alone(name), GROUP * (RAW_BYTES if name == "g0" else 4))


def barrier(s: Scope) -> Lines:
    """A barrier where control flow is uniform; it begins a new phase."""
    assert s.phase is not None
    orders_uavs = s.choices.chance(40)
    own_or_all = ("own", "all")
    s.vary(
        raw=s.choices.pick(own_or_all),
        structured=s.choices.pick(own_or_all),
        sums=s.choices.pick(("add", "all")),
    )
    if not orders_uavs:
        return ["sync_g_t"]
    s.vary(uav=s.choices.pick(own_or_all))
    return [s.choices.pick(("sync_uglobal_g_t", "sync_ugroup_g_t"))]


def fence(s: Scope) -> Lines:
    """A fence, which orders memory and waits for no thread; it is allowed anywhere."""
    return [s.choices.pick(("sync_g", "sync_uglobal", "sync_ugroup", "sync_uglobal_g"))]
