"""Group-shared memory: owned by a thread, or read by all, with a barrier between the two.

g0 is raw, four dwords a thread; g1 is structured, one structure a thread; g2 has a dword for each
thread, of which the first are slots of atomics whose order does not matter.
"""

from __future__ import annotations

from translate.isa.instruction import Kind

from .buffers import STRIDE, atomic, is_sum, own_offset, own_structure
from .operands import maybe_far, register, scalar, source, swizzle, words
from .scope import GROUP, TEMP, Lines, Phase, Scope, Statement

RAW_BYTES = 16  # of a thread's part of g0
_SHARED_FAR = (0x80000000, 0x40000000, 0x00010000, 0x00000100)
_FLAGS = ("uav_global", "uav_group", "shared", "threads")


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
    makers: list[Statement] = [
        _own_raw if s.phase.raw == "own" else _others_raw,
        _own_structured if s.phase.structured == "own" else _others_structured,
        _add if s.phase.sums == "add" else _read_sums,
    ]
    return s.choices.pick(makers)(s)


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
    (row,) = s.abilities.rows(lambda row: row.kind is Kind.SYNC)
    suffixes = {control.name: control.suffixes[1] for control in row.controls}
    wanted = s.choices.pick(
        (("shared",), ("uav_global",), ("uav_group",), ("uav_global", "shared"))
    )
    return [row.name + "".join(suffixes[name] for name in _FLAGS if name in wanted)]


def _own_raw(s: Scope) -> Lines:
    action, count = s.choices.number(0, 2), s.choices.number(1, 4)
    if action == 0:
        at = own_offset(s, s.lane, RAW_BYTES, 4)
        return [*at, f"ld_raw {register(s)}, {TEMP}.x, g0.{swizzle(s)}"]
    if action == 1:
        at = own_offset(s, s.lane, RAW_BYTES, count)
        return [*at, f"store_raw g0.{'xyzw'[:count]}, {TEMP}.x, {source(s)}"]
    return [*own_offset(s, s.lane, RAW_BYTES, 1), atomic(s, "g0", f"{TEMP}.x")]


def _others_raw(s: Scope) -> Lines:
    at = scalar(s)
    lines = [f"and {TEMP}.x, {at}, {words(2 * GROUP * RAW_BYTES - 1)}"]
    if s.choices.chance(20):
        lines = [f"mov {TEMP}.x, {at}"]
    return [*lines, f"ld_raw {register(s)}, {TEMP}.x, g0.{swizzle(s)}"]


def _own_structured(s: Scope) -> Lines:
    at, action = own_structure(s, s.lane, 1), s.choices.number(0, 2)
    if action == 0:
        return [*at, f"ld_structured {register(s)}, {TEMP}.x, {TEMP}.y, g1.{swizzle(s)}"]
    if action == 1:
        letters = "xyzw"[: s.choices.number(1, 4)]
        return [*at, f"store_structured g1.{letters}, {TEMP}.x, {TEMP}.y, {source(s)}"]
    return [*at, atomic(s, "g1", f"{TEMP}.xyxx")]


def _others_structured(s: Scope) -> Lines:
    offset = words(s.choices.pick((0, 4, 8, STRIDE))) if s.choices.chance(60) else scalar(s)
    index = scalar(s)
    if s.choices.chance(20):
        return [f"ld_structured {register(s)}, {index}, {offset}, g1.{swizzle(s)}"]
    lines = [f"and {TEMP}.x, {index}, {words(2 * GROUP - 1)}"]
    return [*lines, f"ld_structured {register(s)}, {TEMP}.x, {offset}, g1.{swizzle(s)}"]


def _add(s: Scope) -> Lines:
    rows = s.abilities.rows(is_sum)
    slot = s.choices.number(0, len(rows) - 1)
    lines = [f"mov {TEMP}.x, {words(4 * slot)}", *maybe_far(s, percent=20, far=_SHARED_FAR)]
    return [*lines, f"{rows[slot].name} g2, {TEMP}.x, {scalar(s)}"]


def _read_sums(s: Scope) -> Lines:
    lines = [f"and {TEMP}.x, {scalar(s)}, {words(8 * GROUP - 1)}"]
    return [*lines, f"ld_raw {register(s)}, {TEMP}.x, g2.{swizzle(s)}"]
