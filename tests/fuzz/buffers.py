"""Buffers: read by all threads, owned by a thread, sums, and hidden counters.

A thread owns eight dwords of u0, two structures of u1 and two texels of u3. u4 has a slot for each
atomic whose order does not matter. The order of threads determines which slots the counters of u5
and u6 give to a thread; all threads together get every slot once.
"""

from __future__ import annotations

from translate.isa.instruction import Instruction, Kind, Role

from .floats import dumped, settled
from .operands import (
    FAR,
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
    values = [spec for spec in row.operands if spec.role is Role.SOURCE]
    return is_atomic(row) and not row.destinations and len(values) == 1


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
    """The suffix of an instruction that names the dimension and the return type of a texture."""
    return f"_indexable({s.dimensions[name]}){returns(kind_of(s.formats[name]))}"


def value_for(s: Scope, format: str) -> tuple[Lines, str]:
    """The lines that prepare a value of a format, and the value: bits, or a float with one NaN."""
    if kind_of(format) in ("uint", "sint"):
        return [], source(s)
    target = s.choices.pick(FLOATS)
    lines = dumped(target)
    if not s.abilities.special_small_floats and format.endswith("16_float"):
        lines += settled_size(target)
    return lines, f"{target}.{swizzle(s)}"


def settled_size(target: str) -> Lines:
    """A float register without infinities and NaNs."""
    return [
        f"max {target}.xyzw, {target}.xyzw, l(-1024.0,-1024.0,-1024.0,-1024.0)",
        f"min {target}.xyzw, {target}.xyzw, l(1024.0,1024.0,1024.0,1024.0)",
    ]


# --- read by all ---------------------------------------------------------------------------------


def load(s: Scope) -> Lines:
    """A load from t0, t1 or t2, at any address or around the end."""
    makers: tuple[Statement, ...] = (_load_raw, _load_structured, _load_texel)
    return s.choices.pick(makers)(s)


def _load_raw(s: Scope) -> Lines:
    if s.choices.chance(50):
        line = f"ld_raw {register(s)}, {TEMP}.x, t0.{swizzle(s)}"
        return [*near(s, T0_BYTES), *maybe_tiled(s, line)]
    return maybe_tiled(s, f"ld_raw {register(s)}, {scalar(s)}, t0.{swizzle(s)}")


def _load_structured(s: Scope) -> Lines:
    offset = words(s.choices.pick((0, 4, 8, 12))) if s.choices.chance(70) else scalar(s)
    if s.choices.chance(60):
        line = f"ld_structured {register(s)}, {TEMP}.x, {offset}, t1.{swizzle(s)}"
        return [*near(s, T1_COUNT), *maybe_tiled(s, line)]
    return maybe_tiled(s, f"ld_structured {register(s)}, {scalar(s)}, {offset}, t1.{swizzle(s)}")


def _load_texel(s: Scope) -> Lines:
    target, after = landing(s, s.formats["t2"])
    what = f"_indexable(buffer){returns(kind_of(s.formats['t2']))}"
    name = "ld" + what * (s.abilities.version >= (5, 0))
    line = f"{name} {target}, {TEMP}.xxxx, t2.{swizzle(s)}"
    return [*near(s, T2_COUNT), *maybe_far(s), *maybe_tiled(s, line), *after]


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


def own_offset(s: Scope, me: str, each: int, count: int, percent: int = 25) -> Lines:
    """A byte offset of `count` dwords in the thread's part, or one far outside: temporary x."""
    lines = [
        f"and {TEMP}.x, {scalar(s)}, {words(each - 4 * count | 3)}",
        f"imad {TEMP}.x, {me}, l({each}), {TEMP}.x",
    ]
    return [*lines, *maybe_far(s, "x", percent)]


def own_structure(s: Scope, me: str, each: int, percent: int = 25) -> Lines:
    """(index, byte offset) in the temporary's x and y; the offset may leave the structure."""
    lines = [
        f"and {TEMP}.x, {scalar(s)}, {words(each - 1)}",
        f"imad {TEMP}.x, {me}, l({each}), {TEMP}.x",
    ]
    if s.choices.chance(percent):
        lines.append(f"iadd {TEMP}.x, {TEMP}.x, {words(s.choices.pick(_WRAPS))}")
    if s.choices.chance(60):
        return [*lines, f"and {TEMP}.y, {scalar(s)}, l(15)"]
    return [*lines, f"mov {TEMP}.y, {scalar(s)}"]


def own(s: Scope) -> Lines:
    """A load, store or atomic in the thread's part of a buffer."""
    makers: tuple[Statement, ...] = (_own_structured, _own_raw, _own_texel)
    if s.phase is not None and s.phase.uav == "all":
        makers = (_own_structured, _others_raw, _own_texel)
    elif s.in_subroutine:
        makers = (_own_structured, _own_texel)
    return s.choices.pick(makers)(s)


def _own_raw(s: Scope) -> Lines:
    action, count = s.choices.number(0, 2), s.choices.number(1, 4)
    if action == 0:
        at = own_offset(s, s.me, RAW_BYTES, 4)
        return [*at, *maybe_tiled(s, f"ld_raw {register(s)}, {TEMP}.x, u0.{swizzle(s)}")]
    if action == 1:
        at = own_offset(s, s.me, RAW_BYTES, count)
        return [*at, f"store_raw u0.{'xyzw'[:count]}, {TEMP}.x, {source(s)}"]
    return [*own_offset(s, s.me, RAW_BYTES, 1), atomic(s, "u0", f"{TEMP}.x")]


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


def _own_structured(s: Scope) -> Lines:
    at, action = own_structure(s, s.me, 2), s.choices.number(0, 2)
    if action == 0:
        line = f"ld_structured {register(s)}, {TEMP}.x, {TEMP}.y, u1.{swizzle(s)}"
        return [*at, *maybe_tiled(s, line)]
    if action == 1:
        letters = "xyzw"[: s.choices.number(1, 4)]
        return [*at, f"store_structured u1.{letters}, {TEMP}.x, {TEMP}.y, {source(s)}"]
    return [*at, atomic(s, "u1", f"{TEMP}.xyxx")]


def atomic(s: Scope, target: str, address: str) -> str:
    """Any atomic, with any values."""
    row = s.choices.pick(s.abilities.rows(is_atomic))
    old = [component(s)] * row.destinations
    values = [scalar(s) for spec in row.operands if spec.role is Role.SOURCE]
    return f"{row.name} {', '.join([*old, target, address, *values])}"


def texel_access(
    s: Scope,
    action: int,
    format: str,
    suffix: str,
    place: str,
    at: str,
    before: Lines,
    end: str = "",
) -> Lines:
    """A load (0), a store or an atomic (2) of a texel of a UAV."""
    if action == 0:
        target, after = landing(s, format)
        line = f"ld_uav_typed{suffix} {target}, {at}, {place}.{swizzle(s)}{end}"
        return [*before, *maybe_tiled(s, line), *after]
    if action == 2 and format in ("r32_uint", "r32_sint"):
        return [*before, atomic(s, f"{place}{end}", at)]
    made, value = value_for(s, format)
    return [*made, *before, f"store_uav_typed {place}.xyzw{end}, {at}, {value}"]


def _own_texel(s: Scope) -> Lines:
    format, action = s.formats["u3"], s.choices.number(0, 2)
    before = [
        f"and {TEMP}.x, {scalar(s)}, l({TEXELS - 1})",
        f"imad {TEMP}.x, {s.me}, l({TEXELS}), {TEMP}.x",
        *maybe_far(s),
    ]
    suffix = f"_indexable(buffer){returns(kind_of(format))}"
    return texel_access(s, action, format, suffix, "u3", f"{TEMP}.xxxx", before)


# --- in no order ---------------------------------------------------------------------------------


def add(s: Scope) -> Lines:
    """An atomic on the slot of its operation, or far outside."""
    rows = s.abilities.rows(is_sum)
    slot = s.choices.number(0, len(rows) - 1)
    address, step = {"raw": ("x", 4), "structured": ("xyxx", 1), "typed": ("x", 1)}[s.formats["u4"]]
    lines = [f"mov {TEMP}.xy, {words(slot * step, 0, 0, 0)}"]
    if s.choices.chance(20):
        far = words(s.choices.pick(FAR))
        lines.append(f"movc {TEMP}.x, {scalar(s)}, {TEMP}.x, {far}")
    return [*lines, f"{rows[slot].name} u4, {TEMP}.{address}, {scalar(s)}"]


def append(s: Scope) -> Lines:
    """Append one of the thread's structures; no other thread gets the same place."""
    s.appends += 1
    return [
        f"imm_atomic_alloc {TEMP}.x, u5",
        f"store_structured u5.xy, {TEMP}.x, l(0), {source(s)}",
        f"mov {TEMP}.x, l(0)",
    ]


def consume(s: Scope) -> Lines:
    return consumed(s, "u6")


def consumed(s: Scope, place: str, end: str = "") -> Lines:
    """Consume a structure from a list and add it to a sum; `end` follows the list's operand."""
    s.consumes += 1
    rows = s.abilities.rows(is_sum)
    slot = next(i for i, row in enumerate(rows) if row.name.endswith("iadd"))
    step = 4 if s.formats["u4"] == "raw" else 1
    at = words(slot * step, 0, 0, 0) if s.formats["u4"] == "structured" else words(slot * step)
    return [
        f"imm_atomic_consume {TEMP}.x, {place}{end}",
        f"ld_structured {TEMP}.y, {TEMP}.x, l(4), {place}.xxxx{end}",
        f"{rows[slot].name} u4, {at}, {TEMP}.y",
        f"mov {TEMP}.xy, l(0,0,0,0)",
    ]


def counted(s: Scope) -> Lines:
    """Append or consume, once in each thread, so that the buffers are never used up."""
    return s.choices.pick((append, consume))(s)
