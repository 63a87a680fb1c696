"""Buffers: read by all threads, owned by a thread, sums, and hidden counters.

A thread owns eight dwords of u0, two structures of u1 and two texels of u3. u4 has a slot for each
atomic whose order does not matter. The order of threads determines which slots the counters of u5
and u6 give to a thread; all threads together get every slot once. Accesses to group-shared memory
and to ranges of buffers are written by the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.lanes import sources
from translate.isa.instruction import SM5, Instruction, Kind

from .floats import computed, dumped, settled
from .operands import (
    FAR,
    Place,
    alone,
    component,
    mask,
    maybe_far,
    maybe_tiled,
    near,
    register,
    scalar,
    source,
    swizzle,
    words,
)
from .scope import FLOATS, GROUP, TEMP, Lines, Scope, Statement

RAW_BYTES, STRIDE = 32, 12  # of a thread's part of u0, of a structure of t1 and u1
TEXELS = 2
T0_BYTES, T1_COUNT, T2_COUNT = 244, 7, 9
APPENDED_STRIDE = 8
_WRAPS = (0x40000000, 0x80000000, 0xC0000000, 0x15555556, 64)


def is_atomic(row: Instruction) -> bool:
    return row.kind is Kind.ATOMIC


def is_sum(row: Instruction) -> bool:
    """An atomic whose order does not matter, unless a value between is read."""
    return is_atomic(row) and not row.destinations and len(sources(row)) == 1


def returns(kind: str) -> str:
    """The return type of a typed resource, four times."""
    return f"({','.join([kind] * 4)})"


def kind_of(format: str) -> str:
    """float, uint, sint, unorm or snorm: how a format is declared."""
    return format.rpartition("_")[2]


def landing(s: Scope, format: str) -> tuple[str, Lines]:
    """A destination for values read from a format, and the lines that have to follow."""
    if kind_of(format) in ("uint", "sint"):
        return register(s), []
    target, letters = s.choices.pick(FLOATS), mask(s)
    return f"{target}.{letters}", settled(s, target, letters, zeros=False)


def indexable(s: Scope, name: str) -> str:
    """The suffix that names a resource's dimension and return type, where the model has one."""
    if s.abilities.version < SM5:
        return ""
    return f"_indexable({s.dimensions[name]}){returns(kind_of(s.formats[name]))}"


def value_for(s: Scope, format: str) -> tuple[Lines, str]:
    """The lines that prepare a value of a format, and the value: bits, or a float with one NaN."""
    if kind_of(format) in ("uint", "sint"):
        return [], source(s)
    target = s.choices.pick(FLOATS)
    lines = dumped(target)
    if not s.abilities.special_small_floats and format.endswith("16_float"):
        # Without infinities and NaNs
        lines += [
            f"max {target}.xyzw, {target}.xyzw, l(-1024.0,-1024.0,-1024.0,-1024.0)",
            f"min {target}.xyzw, {target}.xyzw, l(1024.0,1024.0,1024.0,1024.0)",
        ]
    return lines, f"{target}.{swizzle(s)}"


def queried(s: Scope, name: str, operands: str) -> Lines:
    """A query of a texture, whose results are integers or floats."""
    if s.choices.chance(50):
        return [f"{name}_uint {register(s)}, {operands}"]
    return computed(s, name, operands)


# --- read by all ---------------------------------------------------------------------------------


def load(s: Scope) -> Lines:
    """A load from t0, t1 or t2, at any address or around the end."""
    return s.choices.pick(
        (
            lambda: load_raw(s, alone("t0"), T0_BYTES),
            lambda: load_structured(s, alone("t1"), T1_COUNT),
            lambda: load_texel(s, alone("t2"), s.formats["t2"], indexable(s, "t2"), T2_COUNT),
        )
    )()


def load_raw(s: Scope, place: Place, size: int) -> Lines:
    """At any byte, or around the end of so many bytes."""
    lines, at = (near(s, size), f"{TEMP}.x") if s.choices.chance(65) else ([], scalar(s))
    line = f"ld_raw {register(s)}, {at}, {place.register}.{swizzle(s)}{place.end}"
    return [*place.before, *lines, *maybe_tiled(s, line)]


def load_structured(s: Scope, place: Place, count: int) -> Lines:
    """From any structure, or one around the end of so many."""
    offset = words(s.choices.pick((0, 4, 8, STRIDE))) if s.choices.chance(70) else scalar(s)
    lines, at = (near(s, count), f"{TEMP}.x") if s.choices.chance(70) else ([], scalar(s))
    line = f"ld_structured {register(s)}, {at}, {offset}, {place.register}.{swizzle(s)}{place.end}"
    return [*place.before, *lines, *maybe_tiled(s, line)]


def load_texel(s: Scope, place: Place, format: str, suffix: str, count: int) -> Lines:
    """A texel around the end of a typed buffer, or far outside."""
    target, after = landing(s, format)
    line = f"ld{suffix} {target}, {TEMP}.xxxx, {place.register}.{swizzle(s)}{place.end}"
    return [*place.before, *near(s, count), *maybe_far(s), *maybe_tiled(s, line), *after]


def constants(s: Scope) -> Lines:
    """A vector of cb0, also after those that are declared and after those that are bound."""
    last = words(s.choices.pick((3, 7, 15, 63)))
    place = f"cb0[{TEMP}.x + {s.choices.number(0, 3)}]"
    at = s.choices.pick((s.me, scalar(s)))
    return [f"and {TEMP}.x, {at}, {last}", f"mov {register(s)}, {place}.{swizzle(s)}"]


def size(s: Scope) -> Lines:
    """The size of a buffer."""
    return [f"bufinfo {register(s)}, {s.choices.pick(('t0', 't1', 't2', 'u0', 'u1', 'u3'))}.xyzw"]


# --- a thread's own ------------------------------------------------------------------------------


def own(s: Scope) -> Lines:
    """A load, store or atomic in the thread's part of a buffer."""
    makers: tuple[Statement, ...] = (_own_structures, _own_dwords, _own_texels)
    if s.phase is not None and s.phase.uav == "all":
        makers = (_own_structures, _others_raw, _own_texels)
    elif s.in_subroutine:
        makers = (_own_structures, _own_texels)
    return s.choices.pick(makers)(s)


def _own_dwords(s: Scope) -> Lines:
    return own_raw(s, alone("u0"), s.me, RAW_BYTES)


def own_raw(s: Scope, place: Place, me: str, part: int, dwords: int = 4) -> Lines:
    """An access to at most so many dwords of the thread's part, or one far outside."""
    action, count = s.choices.number(0, 2), s.choices.number(1, dwords)
    used = (dwords, count, 1)[action]
    lines = [
        *place.before,
        f"and {TEMP}.x, {scalar(s)}, {words(part - 4 * used | 3)}",
        f"imad {TEMP}.x, {me}, l({part}), {TEMP}.x",
        *maybe_far(s),
    ]
    if action == 0:
        letters = swizzle(s, "xyzw"[:dwords])
        line = f"ld_raw {register(s)}, {TEMP}.x, {place.register}.{letters}{place.end}"
        return [*lines, *maybe_tiled(s, line)]
    if action == 1:
        target = f"{place.register}.{'xyzw'[:count]}{place.end}"
        return [*lines, f"store_raw {target}, {TEMP}.x, {source(s)}"]
    return [*lines, atomic(s, f"{place.register}{place.end}", f"{TEMP}.x")]


def _others_raw(s: Scope) -> Lines:
    """A load of what threads of the group wrote before the barrier."""
    part = GROUP * RAW_BYTES
    return [
        f"and {TEMP}.x, {scalar(s)}, {words(part - 16 | 3)}",
        f"ushr {TEMP}.y, {s.me}, l({GROUP.bit_length() - 1})",
        f"imad {TEMP}.x, {TEMP}.y, l({part}), {TEMP}.x",
        *maybe_far(s),
        f"ld_raw {register(s)}, {TEMP}.x, u0.{swizzle(s)}",
    ]


def _own_structures(s: Scope) -> Lines:
    return own_structure(s, alone("u1"), s.me, 2)


def own_structure(s: Scope, place: Place, me: str, each: int) -> Lines:
    """An access to one of the thread's structures, or one far outside; it may leave the structure.

    The index and the byte offset are in the temporary's x and y.
    """
    lines = [
        *place.before,
        f"and {TEMP}.x, {scalar(s)}, {words(each - 1)}",
        f"imad {TEMP}.x, {me}, l({each}), {TEMP}.x",
    ]
    if s.choices.chance(25):
        lines.append(f"iadd {TEMP}.x, {TEMP}.x, {words(s.choices.pick(_WRAPS))}")
    within = s.choices.chance(60)
    lines.append(f"and {TEMP}.y, {scalar(s)}, l(15)" if within else f"mov {TEMP}.y, {scalar(s)}")
    action = s.choices.number(0, 2)
    if action == 0:
        operands = f"{TEMP}.x, {TEMP}.y, {place.register}.{swizzle(s)}{place.end}"
        return [*lines, *maybe_tiled(s, f"ld_structured {register(s)}, {operands}")]
    if action == 1:
        target = f"{place.register}.{'xyzw'[: s.choices.number(1, 4)]}{place.end}"
        return [*lines, f"store_structured {target}, {TEMP}.x, {TEMP}.y, {source(s)}"]
    return [*lines, atomic(s, f"{place.register}{place.end}", f"{TEMP}.xyxx")]


def atomic(s: Scope, target: str, address: str) -> str:
    """Any atomic, with any values."""
    row = s.choices.pick(s.abilities.rows(is_atomic))
    old = [component(s)] * row.destinations
    values = [scalar(s) for _ in sources(row)]
    return f"{row.name} {', '.join([*old, target, address, *values])}"


def own_texel(s: Scope, place: Place, format: str, suffix: str, each: int) -> Lines:
    """An access to one of the thread's texels of a typed buffer, or one far outside."""
    before = [
        f"and {TEMP}.x, {scalar(s)}, l({each - 1})",
        f"imad {TEMP}.x, {s.me}, l({each}), {TEMP}.x",
        *maybe_far(s),
    ]
    return texel_access(s, place, format, suffix, f"{TEMP}.xxxx", before)


def texel_access(s: Scope, place: Place, format: str, suffix: str, at: str, before: Lines) -> Lines:
    """A load, a store or, where the format has them, an atomic of a texel of a UAV."""
    action, lines = s.choices.number(0, 2), [*place.before, *before]
    if action == 0:
        target, after = landing(s, format)
        line = f"ld_uav_typed{suffix} {target}, {at}, {place.register}.{swizzle(s)}{place.end}"
        return [*lines, *maybe_tiled(s, line), *after]
    if action == 2 and format in ("r32_uint", "r32_sint"):
        return [*lines, atomic(s, f"{place.register}{place.end}", at)]
    made, value = value_for(s, format)
    return [*made, *lines, f"store_uav_typed {place.register}.xyzw{place.end}, {at}, {value}"]


def _own_texels(s: Scope) -> Lines:
    return own_texel(s, alone("u3"), s.formats["u3"], indexable(s, "u3"), TEXELS)


# --- in no order ---------------------------------------------------------------------------------


def add(s: Scope) -> Lines:
    """An atomic on the slot of its operation in u4, or far outside."""
    return sum_of(s, "u4", s.formats["u4"], FAR)


def sum_of(s: Scope, name: str, kind: str, far: Sequence[int]) -> Lines:
    rows = s.abilities.rows(is_sum)
    slot = s.choices.number(0, len(rows) - 1)
    address, step = {"raw": ("x", 4), "structured": ("xyxx", 1), "typed": ("x", 1)}[kind]
    lines = [f"mov {TEMP}.xy, {words(slot * step, 0, 0, 0)}"]
    if s.choices.chance(20):
        outside = words(s.choices.pick(far))
        lines.append(f"movc {TEMP}.x, {scalar(s)}, {TEMP}.x, {outside}")
    return [*lines, f"{rows[slot].name} {name}, {TEMP}.{address}, {scalar(s)}"]


def counted(s: Scope) -> Lines:
    """Append or consume, once in each thread, so that the buffers are never used up."""
    return appended(s, alone("u5"), source(s)) if s.choices.chance(50) else consumed(s, alone("u6"))


def appended(s: Scope, place: Place, value: str) -> Lines:
    """Append a structure; no other thread gets the same place."""
    s.appends += 1
    return [
        *place.before,
        f"imm_atomic_alloc {TEMP}.x, {place.register}{place.end}",
        f"store_structured {place.register}.xy{place.end}, {TEMP}.x, l(0), {value}",
        f"mov {TEMP}.x, l(0)",
    ]


def consumed(s: Scope, place: Place) -> Lines:
    """Consume a structure from a list and add it to a sum."""
    s.consumes += 1
    rows = s.abilities.rows(is_sum)
    slot = next(i for i, row in enumerate(rows) if row.name.endswith("iadd"))
    step = 4 if s.formats["u4"] == "raw" else 1
    at = words(slot * step, 0, 0, 0) if s.formats["u4"] == "structured" else words(slot * step)
    return [
        *place.before,
        f"imm_atomic_consume {TEMP}.x, {place.register}{place.end}",
        f"ld_structured {TEMP}.y, {TEMP}.x, l(4), {place.register}.xxxx{place.end}",
        f"{rows[slot].name} u4, {at}, {TEMP}.y",
        f"mov {TEMP}.xy, l(0,0,0,0)",
    ]
