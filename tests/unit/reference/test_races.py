"""Races between threads of a group, on UAVs and group-shared memory.

Expected values come from a model with one thread after another, which compares every two accesses.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType

import numpy as np
import pytest

import translate
from translate import reference
from translate.reference import Buffer, Findings, Resource, Texture

from ...listings import titled
from .listings import listing

THREADS = 8
ME, NEXT = "vThreadIDInGroupFlattened.x", "r7.x"


@dataclass(frozen=True)
class Memory:
    """Eight elements, and the instructions that access the one whose number is in r6.x."""

    declared: str
    load: str
    store: str  # of r5.x
    atomic: str  # adds r5.x
    resource: Resource | None
    barrier: str = "sync_uglobal_t"
    lead: tuple[str, ...] = ()

    @property
    def register(self) -> str:
        return "g0" if self.resource is None else "u0"

    def found(self, body: Sequence[str], *, groups: int = 1, limit: int | None = None) -> Findings:
        """What eight threads a group do; r7.x is the number of the next thread."""
        text = listing(
            [f"iadd r7.x, {ME}, l(1)", "and r7.x, r7.x, l(7)", *body, "ret"], [self.declared]
        )
        given = {} if self.resource is None else {"u0": self.resource}
        program = translate.load(text)
        return reference.run(program, given, (groups, 1, 1), access_limit=limit).findings


def buffer(**more: str) -> Buffer:
    return Buffer(np.zeros(32 * 4, np.uint8), **more)


def texture() -> Texture:
    return Texture((np.zeros((1, 2, 4, 1, 4), np.uint8),), "r32_uint")


TEXEL = ["and r6.z, r6.x, l(3)", "ushr r6.w, r6.x, l(2)"]
BYTES = ["ishl r6.y, r6.x, l(2)"]
MEMORIES = {
    "raw": Memory(
        "dcl_uav_raw u0",
        "ld_raw r0.x, r6.y, u0.x",
        "store_raw u0.x, r6.y, r5.x",
        "atomic_iadd u0, r6.y, r5.x",
        buffer(),
        lead=(*BYTES,),
    ),
    "structured": Memory(
        "dcl_uav_structured u0, 8",
        "ld_structured r0.x, r6.x, l(4), u0.xxxx",
        "store_structured u0.x, r6.x, l(4), r5.x",
        "atomic_iadd u0, r6.xyxx, r5.x",
        buffer(),
        lead=("mov r6.y, l(4)",),
    ),
    "typed buffer": Memory(
        "dcl_uav_typed_buffer (uint,uint,uint,uint) u0",
        "ld_uav_typed r0.xyzw, r6.xxxx, u0.xyzw",
        "store_uav_typed u0.xyzw, r6.xxxx, r5.xxxx",
        "atomic_iadd u0, r6.x, r5.x",
        buffer(format="r32_uint"),
    ),
    "texture": Memory(
        "dcl_uav_typed_texture2d (uint,uint,uint,uint) u0",
        "ld_uav_typed r0.xyzw, r6.zwww, u0.xyzw",
        "store_uav_typed u0.xyzw, r6.zwww, r5.xxxx",
        "atomic_iadd u0, r6.zwww, r5.x",
        texture(),
        lead=(*TEXEL,),
    ),
    "group-shared": Memory(
        "dcl_tgsm_structured g0, 4, 8",
        "ld_structured r0.x, r6.x, l(0), g0.xxxx",
        "store_structured g0.x, r6.x, l(0), r5.x",
        "atomic_iadd g0, r6.xyxx, r5.x",
        None,
        "sync_g_t",
        ("mov r6.y, l(0)",),
    ),
}
ALL = pytest.mark.parametrize("name", MEMORIES)


@dataclass(frozen=True)
class Turn:
    """An access by some threads to an element each; the stored or added value by thread."""

    kind: str  # "load", "store", "atomic" or "barrier"
    where: str = ME  # the element, as an operand
    value: str = "l(1)"
    threads: str = "all"  # "all", "half" or "one"

    def lines(self, memory: Memory) -> Iterator[str]:
        if self.kind == "barrier":
            yield memory.barrier
            return
        if self.threads != "all":
            yield f"ult r4.x, {ME}, l({4 if self.threads == 'half' else 1})"
            yield "if_nz r4.x"
        yield f"mov r6.x, {self.where}"
        yield from memory.lead
        yield f"mov r5.x, {self.value}"
        yield {"load": memory.load, "store": memory.store, "atomic": memory.atomic}[self.kind]
        if self.threads != "all":
            yield "endif"

    def accesses(self) -> Iterator[tuple[int, int, int]]:
        """The thread, element and value of each access."""
        count = {"all": THREADS, "half": 4, "one": 1}[self.threads]
        for thread in range(count):
            yield thread, _value(self.where, thread), _value(self.value, thread)


def _value(operand: str, thread: int) -> int:
    if operand == ME:
        return thread
    return (thread + 1) % THREADS if operand == NEXT else int(operand[2:-1])


def race_kinds(turns: Sequence[Turn]) -> set[tuple[str, str, int]]:
    """The kinds of every two racing accesses, and their element."""
    memory, races = [0] * THREADS, set[tuple[str, str, int]]()
    # Kind, thread, element, whether it changed it; of a load, whether it was changed since
    seen: list[tuple[str, int, int, bool]] = []
    for turn in turns:
        if turn.kind == "barrier":
            seen.clear()
            continue
        before, now = list(memory), list[tuple[str, int, int, bool, int]]()
        for thread, element, value in turn.accesses():
            old = memory[element] if turn.kind == "atomic" else before[element]
            new = {"load": old, "store": value, "atomic": old + value}[turn.kind]
            memory[element] = new
            now.append((turn.kind, thread, element, new != old, new))
        for kind, thread, element, changes, _ in now:
            for earlier, other, place, changed in seen:
                one_place = place == element and other != thread
                if one_place and _is_race(earlier, kind, changed=changed, changes=changes):
                    races.add((earlier, kind, element))
        if turn.kind == "store":
            for (*_, one, _, a), (*_, two, _, b) in combinations(now, 2):
                if one == two and a != b:
                    races.add(("store", "store", one))
        altered = {element for _, _, element, changes, _ in now if changes}
        seen = [(k, t, e, c or (k == "load" and e in altered)) for k, t, e, c in seen]
        seen += [(kind, thread, element, changes) for kind, thread, element, changes, _ in now]
    return races


def _is_race(earlier: str, later: str, *, changed: bool, changes: bool) -> bool:
    if earlier == "load":
        return later != "load" and (changes or changed)
    if earlier == "store":
        return later != "store" or changes
    return {"load": changed, "atomic": False, "store": True}[later]


def numbers_of(memory: Memory, findings: Findings) -> set[tuple[str, str, int]]:
    """The kinds and elements of the recorded races."""
    found = set[tuple[str, str, int]]()
    for race in findings.races:
        number, *rest = race.address
        if race.kind == "texture":
            number += 4 * rest[0]
        elif race.kind in ("raw_buffer", "group_shared"):
            number //= 4
        assert race.register == memory.register
        found.add((*race.accesses, number))
    return found


def drawn(rng: random.Random, most: int) -> list[Turn]:
    kinds = [kind for kind in ("load", "store", "atomic") for _ in range(most // 9)] + ["barrier"]
    places = (ME, ME, ME, NEXT, "l(3)")
    return [
        Turn(
            rng.choice(kinds),
            rng.choice(places),
            rng.choice(("l(1)", "l(0)", ME)),
            rng.choice(("all", "half", "one")),
        )
        for _ in range(rng.randint(1, most))
    ]


@ALL
@pytest.mark.parametrize(("limit", "most"), [(None, 9), (140, 45)])
def test_drawn_programs(name: str, limit: int | None, most: int) -> None:
    """As in the model; with the limit, accesses are condensed again and again."""
    rng, memory = random.Random(f"{name} {limit}"), MEMORIES[name]
    racing = 0
    for _ in range(60):
        turns = drawn(rng, most)
        body = [line for turn in turns for line in turn.lines(memory)]
        findings = memory.found(body, limit=limit)
        expected = race_kinds(turns)
        assert numbers_of(memory, findings) == expected, body
        assert findings.races_are_known
        racing += bool(expected)
    assert racing > 10
    assert racing < 55 or limit


@ALL
def test_threads_of_different_groups(name: str) -> None:
    """Group n stores to elements 0 to 7 as all others do, each thread to its own."""
    memory = MEMORIES[name]
    own = [*Turn("store", ME, "vThreadGroupID.x").lines(memory), *Turn("load").lines(memory)]
    assert memory.found(own, groups=20).race_count == 0


@ALL
def test_where_and_who(name: str) -> None:
    memory = MEMORIES[name]
    body = [*Turn("store", ME, "l(5)").lines(memory), *Turn("load", NEXT).lines(memory)]
    findings = memory.found(body, groups=2)
    assert findings.race_count == 16
    race = findings.races[6]
    assert (race.first.thread, race.second.thread) == ((7, 0, 0), (6, 0, 0))
    places = {
        "raw": ("raw_buffer", 28, (28,), "u0 byte 0x1c: store"),
        "structured": ("structured_buffer", 60, (7, 4), "u0[7] byte 0x4: store"),
        "typed buffer": ("typed_buffer", 0, (7,), "u0[7]: store"),
        "texture": ("texture", 0, (3, 1), "u0[3, 1]: store"),
        "group-shared": ("group_shared", 28, (28,), "g0 byte 0x1c: store"),
    }
    kind, byte_offset, address, text = places[name]
    assert (race.kind, race.byte_offset, race.address) == (kind, byte_offset, address)
    assert str(race).startswith(text)


@pytest.mark.parametrize(
    ("barrier", "count"),
    [("sync_uglobal_t", 0), ("sync_ugroup_t", 0), ("sync_uglobal_g_t", 0), ("sync_g_t", 8),
     ("sync_uglobal", 8)],
)  # fmt: skip
def test_barriers_of_uavs(barrier: str, count: int) -> None:
    """Only a barrier for UAV memory at which threads wait orders accesses to it (FS §22.17.7)."""
    memory = MEMORIES["raw"]
    load = Turn("load", NEXT).lines(memory)
    body = [*Turn("store", ME, "l(5)").lines(memory), barrier, *load]
    assert memory.found(body).race_count == count


COMPARES = {
    "raw": "imm_atomic_cmp_exch r2.x, u0, l(0), r0.x, r1.x",
    "structured": "imm_atomic_cmp_exch r2.x, u0, l(0,4,0,0), r0.x, r1.x",
    "typed buffer": "imm_atomic_cmp_exch r2.x, u0, l(0), r0.x, r1.x",
    "texture": "imm_atomic_cmp_exch r2.x, u0, l(0,0,0,0), r0.x, r1.x",
    "group-shared": "imm_atomic_cmp_exch r2.x, g0, l(0,0,0,0), r0.x, r1.x",
}


@ALL
def test_a_sum_by_compare_and_exchange(name: str) -> None:
    """Each thread loads, and tries again as long as others came between; the load may be old."""
    memory = MEMORIES[name]
    clear = [*Turn("store", "l(0)", "l(3)", "one").lines(memory), memory.barrier]
    loop = ["loop", "iadd r1.x, r0.x, l(1)", COMPARES[name], "ieq r2.y, r2.x, r0.x",
            "breakc_nz r2.y", "mov r0.x, r2.x", "endloop"]  # fmt: skip
    body = [*clear, *Turn("load", "l(0)").lines(memory), *loop]
    assert memory.found(body).race_count == 0
    late = [*loop, *Turn("store", "l(0)", "l(3)", "one").lines(memory)]
    races = memory.found([*clear, *Turn("load", "l(0)").lines(memory), *late]).races
    assert {race.accesses for race in races} == {("load", "store"), ("atomic", "store")}


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_atomics_of_several_groups_that_cancel(groups: int) -> None:
    """Thread 0 of each group turns a bit, which thread 1 loads: whatever the other groups do."""
    turn = ["if_z vThreadIDInGroupFlattened.x", "atomic_xor u0, l(0), l(1)", "endif"]
    load = [f"ieq r4.x, {ME}, l(1)", "if_nz r4.x", "ld_raw r0.x, l(0), u0.x", "endif"]
    assert MEMORIES["raw"].found([*turn, *load], groups=groups).race_count == groups


def test_a_comparing_store_tells_nobody() -> None:
    """Unlike a compare and exchange it returns nothing: a load beside it has either number."""
    body = [f"iadd r1.x, {ME}, l(1)", "atomic_cmp_store u0, l(0), l(0), r1.x",
            "ld_raw r0.x, l(0), u0.x"]  # fmt: skip
    races = MEMORIES["raw"].found(body).races
    assert {race.accesses for race in races} == {("atomic", "load")}


@pytest.mark.parametrize(
    ("first", "then", "last", "count"),
    [
        ("sync_uglobal", "sync_g_t", "sync_uglobal", 0),
        ("sync_ugroup", "sync_g_t", "sync_ugroup", 0),
        ("nop", "sync_g_t", "sync_uglobal", 8),
        ("sync_uglobal", "nop", "sync_uglobal", 8),
        ("sync_uglobal", "sync_g_t", "nop", 8),
        ("sync_g", "sync_g_t", "sync_uglobal", 8),
    ],
)
def test_fences_at_barriers_for_other_memory(first: str, then: str, last: str, count: int) -> None:
    """The fence before it publishes what was stored, the one after it lets others see it."""
    memory = MEMORIES["raw"]
    store, load = Turn("store", ME, "l(5)").lines(memory), Turn("load", NEXT).lines(memory)
    assert memory.found([*store, first, then, last, *load]).race_count == count


def test_a_fence_of_some_threads() -> None:
    """Half of the threads publish their stores; all see what was published."""
    memory = MEMORIES["structured"]
    half = [f"ult r4.x, {ME}, l(4)", "if_nz r4.x", "sync_uglobal", "endif", "sync_g_t"]
    store, load = Turn("store", ME, "l(5)").lines(memory), Turn("load", NEXT).lines(memory)
    findings = memory.found([*store, *half, "sync_uglobal", *load])
    assert {race.first.thread[0] for race in findings.races} == {4, 5, 6, 7}
    assert findings.race_count == 4


def test_a_barrier_of_some_groups() -> None:
    """Groups with odd numbers skip it; only their threads race."""
    memory = MEMORIES["structured"]
    store, load = Turn("store", ME, "l(5)").lines(memory), Turn("load", NEXT).lines(memory)
    some = ["and r3.x, vThreadGroupID.x, l(1)", "if_z r3.x", memory.barrier, "endif"]
    findings = memory.found([*store, *some, *load], groups=4)
    assert {race.group for race in findings.races} == {(1, 0, 0), (3, 0, 0)}


WAYS = titled(Path(__file__).parent / "data/ways.asm")


@ALL
@pytest.mark.parametrize("way", WAYS)
def test_races_across_control_flow(name: str, way: str) -> None:
    """Each thread stores to its element and loads the next one's; here only one way is open."""
    memory = MEMORIES[name]
    lines = {"BARRIER": [memory.barrier], "LOAD": [*Turn("load", NEXT).lines(memory)],
             "STORE": [*Turn("store", ME, "r3.x").lines(memory)]}  # fmt: skip
    (count,), body = WAYS[way]
    first = ["mov r3.x, l(7)", *lines["STORE"], memory.barrier, "mov r3.x, l(0)"]
    found = memory.found(
        [*first, *(line for step in body.split("\n") for line in lines.get(step, [step]))]
    )
    assert found.race_count == int(count)


def test_too_many_elements() -> None:
    """The last load has no room beside the other elements: it is told, and no race is invented."""
    memory = MEMORIES["raw"]
    body = [*Turn("store").lines(memory), *Turn("load").lines(memory)]
    findings = memory.found([*body, *body, *body], limit=20)
    assert findings.race_count == 0
    assert not findings.races_are_known


def test_ctrl_c_in_each_function() -> None:
    """It stays a KeyboardInterrupt, also where NumPy's C code calls functions of Python."""
    memory, seen = MEMORIES["raw"], dict[CodeType, None]()
    body = [*Turn("store").lines(memory), *Turn("load").lines(memory)]
    before = sys.getprofile()

    def note(chosen: CodeType | None, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            seen[frame.f_code] = None
            if frame.f_code is chosen:
                sys.setprofile(before)
                raise KeyboardInterrupt

    def act(chosen: CodeType | None) -> None:
        sys.setprofile(partial(note, chosen))
        try:
            memory.found([*body, *body], limit=20)
        finally:
            sys.setprofile(before)

    act(None)
    seen.clear()  # of functions that only the first run calls
    act(None)
    assert any("numpy" in code.co_filename for code in seen)
    for chosen in [*seen]:
        with pytest.raises(KeyboardInterrupt):
            act(chosen)
