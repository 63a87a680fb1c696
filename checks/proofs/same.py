"""Claims that two modules leave the same memory, for all contents, sizes and inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import z3

from translate.ir import ops
from translate.ir.memory import SHARED, MemoryKind, Resource, resources_of
from translate.ir.tables import View
from translate.ir.types import F32
from translate.ir.values import Module, Value
from translate.passes.guards.messages import HEADER_WORDS
from translate.target_device import NONE, Robustness

from .arithmetic import FLOATS, Arithmetic
from .machine import Machine, register_of
from .meaning import Term, flushed, word
from .memory import LOG, Accesses, Stored, counter_name, dropped_name
from .world import World, flushed_contents, key_of, number, read

_MORE_ROUNDS = (6, 20)


@dataclass(frozen=True, slots=True)
class Rules:
    """The meaning of two modules, and the differences that do not count.

    `guarded`: `before` has accesses in bounds too. `moved`: windows are applied in `after`.
    `trusted`: the device or the caller answers for accesses out of bounds in `after`. `near`:
    operands of samples are ordinary. `numbers`: as of `Accesses`. `logged`:
    reports and messages are the same. `flushes`: group-shared memory that only arithmetic reads has
    flushed numbers in `after`. `placed`: as of `World`. `registers` of the shader are the same at
    the end. `halves`: any NaN of a half is as good as any other. `rounds` of loops are compared, or
    more if no loop ends so early. If `before` ends then, `after` ends in at most `more_rounds` more
    of each loop; None: executions in which both end are compared.
    """

    robustness: Robustness = NONE
    guarded: bool = True
    moved: bool = False
    trusted: bool = False
    near: bool = False
    numbers: bool = False
    logged: bool = True
    flushes: bool = False
    placed: bool = False
    registers: bool = False
    halves: bool = False
    more_rounds: int | None = 1
    before: Callable[[Module], Arithmetic] | None = None
    after: Callable[[Module], Arithmetic] | None = None
    stored_before: Callable[[Module], Stored] | None = None
    stored_after: Callable[[Module], Stored] | None = None
    rounds: int = 3


@dataclass(slots=True)
class _Pair:
    """Two modules, on the same unknown contents."""

    before: Module
    after: Module
    rules: Rules
    rounds: int
    ends: bool
    world: World = field(init=False)
    shared: list[Resource] = field(init=False)

    def __post_init__(self) -> None:
        views = self.before.tables.views
        windowed = {r.register for r in self.before.resources if views[r].windowed}
        self.world = World(self.rules.robustness, frozenset(windowed), self.rules.placed)
        self.shared = [r for r in self.before.resources if r.is_uav or r.kind in SHARED]

    def run(self, module: Module, *, is_after: bool) -> Machine:
        """Run a module's entry block; `touch` of the machine are its accesses."""
        rules = self.rules
        stored = rules.stored_after if is_after else rules.stored_before
        made = rules.after if is_after else rules.before
        arithmetic = made and made(module)
        accesses = Accesses(
            module,
            self.world,
            is_after or rules.guarded,
            is_after and rules.moved,
            stored and stored(module),
            [resource.register for resource in self.shared],
            rules.trusted,
            rules.near,
            rules.numbers,
        )

        def compute(value: Value, operands: list[Term]) -> Term | None:
            found = accesses.compute(value, operands)
            return arithmetic(value, operands) if arithmetic and found is None else found

        rounds = self.rounds + ((is_after and self.ends and self.rules.more_rounds) or 0)
        machine = Machine(touch=accesses, compute=compute, limit=rounds, functions=module.functions)
        self._fill(machine, module)
        ways = machine.run(module.body)
        machine.join(ways if self.ends else [*ways, *machine.cuts], [])
        return machine

    def _fill(self, machine: Machine, module: Module) -> None:
        """Memory at the start: registers are 0, all else is unknown."""
        views = {r.register: v for r, v in self.before.tables.views.items()}
        machine.memory[LOG] = z3.BitVec(LOG, 32)
        for value in module.walk():
            if value.op in (ops.READ_REGISTER, ops.WRITE_REGISTER):
                machine.memory[register_of(value)] = word(0)
        for buffer, header in _headers(module):
            self.world.given.append(z3.UGE(self.world.view(buffer).dwords, number(header)))
        for resource in _memories(module, self.before):
            contents = self.world.start(resource)
            if self.rules.flushes and _is_read_by_arithmetic(self.before, resource.register):
                contents = flushed_contents(contents)
            machine.memory[resource.register] = contents
            if resource.is_uav:
                sort = z3.BitVecSort(32)
                name = counter_name(resource)
                machine.memory[name] = z3.Array(name, sort, sort)
                view = views.get(resource.register, View())
                if self.world.robustness.bounds(resource, view):
                    machine.memory[dropped_name(resource)] = z3.BoolVal(False)
            if not resource.is_array:
                world = self.world
                (world.texel_view if resource.is_texels else world.view)(resource)


def _memories(*modules: Module) -> list[Resource]:
    """The resources with contents that modules declare or use, of each register one."""
    found: dict[str, Resource] = {}
    for module in modules:
        used = [one for value in module.walk() for one in resources_of(value.data)]
        for resource in (*module.resources, *used):
            is_one = resource not in module.tables.members
            if resource.kind is not MemoryKind.SAMPLER and is_one:
                found.setdefault(resource.register, resource)
    return [*found.values()]


def _headers(module: Module) -> Iterator[tuple[Resource, int]]:
    """The buffers that the runner binds, with the dwords that they have at least."""
    if module.report is not None:
        yield module.report.buffer, module.report.first_count + len(module.sites)
    if module.message_buffer is not None:
        yield module.message_buffer, HEADER_WORDS


def _is_read_by_arithmetic(module: Module, register: str) -> bool:
    """Whether it is group-shared memory whose dwords are nothing but operands of arithmetic.

    Other threads store flushed numbers there, too.
    """
    numbers: set[Value] = set()
    for value in module.walk():
        names = [r.register for r in resources_of(value.data) if r.kind in SHARED]
        if value.op is ops.ATOMIC and register in names:
            return False
        if value.op is ops.LOAD and register in names:
            numbers.add(value)
        elif any(arg in numbers for arg in value.args):
            if value.op in (ops.FNEG, ops.FABS) or (value.op is ops.BITCAST and value.type is F32):
                numbers.add(value)
            elif value.op not in FLOATS:
                return False
    return bool(numbers)


def differences(before: Module, after: Module, rules: Rules) -> Iterator[Term]:
    """Claims that a module does the same after a pass, and that all is in bounds then.

    Loops run for as many rounds as the two need to end at all. Of loops that do not end, the first
    rounds are compared.
    """
    has_loops = any(value.op is ops.LOOP for value in (*before.walk(), *after.walk()))
    tries = [*((rounds, True) for rounds in (rules.rounds, *_MORE_ROUNDS)), (rules.rounds, False)]
    for rounds, ends in tries:
        pair = _Pair(before, after, rules, rounds, ends)
        one, other = pair.run(before, is_after=False), pair.run(after, is_after=True)
        claims = [*_claims(pair, one, other)]
        given = _given(pair, one, other)
        if not has_loops or _is_possible(given):
            break
    yield from (z3.Implies(given, claim) for claim in claims)


def _is_possible(given: Term) -> bool:
    solver = z3.Solver()
    solver.set("timeout", 10_000)
    solver.add(given)
    return solver.check() != z3.unsat


def _wrong(machine: Machine) -> Term:
    """Whether an access lies outside."""
    assert isinstance(machine.touch, Accesses)
    return machine.touch.wrong


def _given(pair: _Pair, one: Machine, other: Machine) -> Term:
    ending = (one,) if pair.rules.more_rounds is not None else (one, other)
    ended = [z3.Not(ran.cut) for ran in ending] if pair.ends else []
    conditions = [*pair.world.given, z3.Not(_wrong(one)), z3.Not(one.broken), *ended]
    if pair.rules.trusted:
        conditions.append(z3.Not(_wrong(other)))
    return z3.And(*conditions)


def _claims(pair: _Pair, one: Machine, other: Machine) -> Iterator[Term]:
    yield z3.Not(_wrong(other))
    yield z3.Not(other.broken)
    if pair.ends:
        yield z3.Not(other.cut)
    yield one.here == other.here
    if pair.rules.logged:
        yield z3.Implies(one.here, one.memory[LOG] == other.memory[LOG])
    if pair.rules.registers:
        names = {register_of(v) for v in pair.before.walk() if v.op is ops.WRITE_REGISTER}
        zero = word(0)
        same = [one.memory[name] == other.memory.get(name, zero) for name in sorted(names)]
        yield z3.Implies(one.here, z3.And(*same))
    for resource in pair.shared:
        for same in _same_contents(pair, resource, one, other):
            yield z3.Implies(one.here, same)  # no endless loop


def _same_contents(pair: _Pair, resource: Resource, one: Machine, other: Machine) -> list[Term]:
    """Every element that a descriptor shows, in its window or not; hidden counters."""
    name, world = resource.register, pair.world
    descriptor = z3.BitVec("place.descriptor", 32) if resource.is_array else None
    inside = z3.BoolVal(True)
    if descriptor is not None and resource.count:
        inside = z3.ULT(descriptor, word(resource.count))
    if resource.is_texels:
        place = key_of(
            descriptor, *(z3.BitVec(f"place.{n}", 32) for n in range(resource.address_count))
        )
    else:
        dword = z3.BitVec("place", 44)
        view = world.view(resource, descriptor)
        inside = z3.And(inside, z3.ULT(dword + view.first, view.bound))
        place = key_of(descriptor, dword)
    old, new = (read(m.memory[name], place) for m in (one, other))
    if pair.rules.flushes and resource.kind in SHARED:
        old, new = flushed(old), flushed(new)
    claims = [z3.Implies(inside, _same(old, new, pair.rules.halves))]
    counters = counter_name(resource)
    if counters in one.memory and counters in other.memory:
        claims.append(one.memory[counters] == other.memory[counters])
    return claims


def _same(a: Term, b: Term, halves: bool) -> Term:
    """Equal bits, or two NaNs of which arithmetic gave one: a pass may leave an operand's."""
    if a.size() > 32:
        parts = [(p + 31, p) for p in range(0, a.size(), 32)]
        return z3.And(*(_same(z3.Extract(*p, a), z3.Extract(*p, b), halves) for p in parts))
    nans = [_are_nans(a, b, 32, 0x7F800000, 0x7FC00000)]
    if halves:
        nans.append(_are_nans(a, b, 16, 0x7C00, 0x7E00))
    return z3.Or(a == b, *nans)


def _are_nans(a: Term, b: Term, bits: int, infinity: int, given: int) -> Term:
    """Whether two dwords are NaNs of so many bits, of any sign."""
    sizes = [x & word(~(1 << bits - 1)) for x in (a, b)]
    nans = [z3.UGT(size, word(infinity)) for size in sizes]
    short = [z3.ULT(size, word(1 << bits - 1)) for size in sizes]
    return z3.And(*nans, *short, z3.Or(*(size == word(given) for size in sizes)))
