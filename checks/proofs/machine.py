"""Blocks of the IR on unknown values: their results, and the conditions of these.

Ways that meet again become one, with values that depend on the condition. The rounds of a loop are
the caller's affair (`rounds`), by induction or one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import z3

from translate.ir import ops, row
from translate.ir.types import VOID
from translate.ir.values import Block, Value

from .meaning import Term, choose, constant, meaning, promise, variable, word

TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)
Memory = dict[str, Term]


@dataclass(slots=True)
class Leaving:
    """A way out of a block: its terminator, the condition of reaching it, and the memory there."""

    end: Value
    condition: Term
    arguments: list[Term]
    memory: Memory


@dataclass(slots=True)
class Machine:
    """`terms` are values so far; `here` is whether the present place is reached.

    `touch` gives the result of an operation on memory, `compute` of some pure ones. `limit` rounds
    of a loop are run; `cut` is the condition of further ones, `cuts` are the ways to them.
    `broken`: a promise is not kept. Registers are a part of the memory, and are 0 until they are
    written.
    """

    touch: Callable[[Machine, Value], Term | None] | None = None
    limit: int = 3
    terms: dict[Value, Term] = field(default_factory=dict)
    memory: Memory = field(default_factory=dict)
    here: Term = TRUE
    cut: Term = FALSE
    cuts: list[Leaving] = field(default_factory=list[Leaving])
    broken: Term = FALSE
    compute: Callable[[Value, Sequence[Term]], Term | None] | None = None
    loop: Callable[[Machine, Value], list[Leaving]] | None = None
    functions: Mapping[str, Block] = field(default_factory=dict[str, Block])

    def of(self, value: Value) -> Term:
        if value.op is ops.CONST and value not in self.terms:
            self.terms[value] = constant(value.type, row.BITS.of(value))
        return self.terms[value]

    def run(self, block: Block) -> list[Leaving]:
        """The ways out of a block; code that is not reached is left out."""
        ways: list[Leaving] = []
        for value in block.values:
            if z3.is_false(self.here):
                break
            if value.op.effect is ops.Effect.TERMINATES:
                arguments = [self.of(arg) for arg in value.args]
                ways.append(Leaving(value, self.here, arguments, dict(self.memory)))
                self.here = FALSE
            elif value.blocks:
                ways += self._construct(value)
            elif value.op is ops.CALL:
                self._call(self.functions[row.SUBROUTINE.of(value)])
            elif value.op is ops.READ_REGISTER:
                self.terms[value] = self.memory.get(register_of(value), word(0))
            elif value.op is ops.WRITE_REGISTER:
                self.memory[register_of(value)] = self.of(value.args[0])
            else:
                self._value(value)
        return ways

    def _call(self, body: Block) -> None:
        self.forget(body)
        self.join(self.run(body), [])

    def _value(self, value: Value) -> None:
        if value.op is ops.PARAM or value in self.terms:
            return
        operands = [self.of(arg) for arg in value.args] if value.op.evaluate else []
        if value.op.evaluate is not None:
            kept = z3.simplify(promise(value.op, operands))
            if not z3.is_true(kept):
                self.broken = z3.Or(self.broken, z3.And(self.here, z3.Not(kept)))
            found = self.compute(value, operands) if self.compute is not None else None
            if found is None:
                found = meaning(value.op, value.type, operands, value.data)
            self.terms[value] = found
            return
        found = self.touch(self, value) if self.touch is not None else None
        if found is None and value.type is not VOID:
            found = variable(value.type, f"unknown{len(self.terms)}")
        if found is not None:
            self.terms[value] = found

    def _construct(self, value: Value) -> list[Leaving]:
        if value.op is ops.IF:
            ways = self._branches(value)
            ends = (ops.YIELD,)
        elif value.op is ops.LOOP:
            ways = self.loop(self, value) if self.loop is not None else self.rounds(value)
            ends = (ops.BREAK,)
        else:
            ways = self._cases(value)
            ends = (ops.BREAK,)
        self.join([way for way in ways if way.end.op in ends], value.results)
        return [way for way in ways if way.end.op not in ends]

    def _branches(self, value: Value) -> list[Leaving]:
        condition, here, memory = self.of(value.args[0]), self.here, self.memory
        ways: list[Leaving] = []
        for block, taken in zip(value.blocks, (condition, z3.Not(condition)), strict=True):
            self.here, self.memory = z3.simplify(z3.And(here, taken)), dict(memory)
            ways += self.run(block)
        return ways

    def _cases(self, value: Value) -> list[Leaving]:
        selector, here, memory = self.of(value.args[0]), self.here, dict(self.memory)
        labels = row.CASES.of(value)
        named = [n for case in labels for n in case if n is not None]
        given = [self.of(arg) for arg in value.args[1:]]
        ways: list[Leaving] = []
        falling: list[Leaving] = []
        for case, block in zip(labels, value.blocks, strict=True):
            chosen = [selector == label for label in case if label is not None]
            if None in case:
                chosen.append(z3.And(*(selector != label for label in named)))
            own, given = given[: len(block.params)], given[len(block.params) :]
            entry = Leaving(value, z3.And(here, z3.Or(*chosen)), own, dict(memory))
            self.join([entry, *falling], block.params)
            found = self.run(block)
            falling = [way for way in found if way.end.op is ops.FALL_THROUGH]
            ways += [way for way in found if way.end.op is not ops.FALL_THROUGH]
        return ways

    def rounds(self, value: Value) -> list[Leaving]:
        """A loop's ways out in its first rounds; `cut` is the condition of further rounds."""
        body = value.blocks[0]
        entry = Leaving(value, self.here, [self.of(arg) for arg in value.args], dict(self.memory))
        ways: list[Leaving] = []
        coming = [entry]
        rounds: list[tuple[Term, dict[Value, Term]]] = []
        for _ in range(self.limit):
            self.forget(body)
            self.join(coming, body.params)
            outer = self.terms.keys() - body.params
            found = self.run(body)
            coming = [way for way in found if way.end.op is ops.CONTINUE]
            ways += [way for way in found if way.end.op is not ops.CONTINUE]
            leaving = [way.condition for way in found if way.end.op is ops.BREAK]
            own = {key: term for key, term in self.terms.items() if key not in outer}
            rounds.append((z3.Or(*leaving), own))
        self.cut = z3.Or(self.cut, *(way.condition for way in coming))
        self.cuts += coming
        self._keep(rounds)
        return ways

    def _keep(self, rounds: Sequence[tuple[Term, dict[Value, Term]]]) -> None:
        """After a loop its values are those of the round that left it."""
        kept = dict(rounds[-1][1])
        for leaving, own in rounds[-2::-1]:
            for value, term in own.items():
                kept[value] = choose(leaving, term, kept.get(value, term))
        self.terms.update(kept)

    def forget(self, block: Block) -> None:
        """Forget the values of a block, which the next round computes again."""
        for value in block.values:
            self.terms.pop(value, None)
            for result in value.results:
                self.terms.pop(result, None)
            for inner in value.blocks:
                for param in inner.params:
                    self.terms.pop(param, None)
                self.forget(inner)

    def join(self, ways: Sequence[Leaving], merged: Sequence[Value]) -> None:
        """Go on where ways meet; values and memory depend on the way."""
        self.here = z3.simplify(z3.Or(*(way.condition for way in ways)))
        for place, value in enumerate(merged):
            if not ways:
                self.terms[value] = variable(value.type, f"never{len(self.terms)}")
                continue
            found = ways[-1].arguments[place]
            for way in ways[-2::-1]:
                found = choose(way.condition, way.arguments[place], found)
            self.terms[value] = found
        memory: Memory = {}
        for way in ways[::-1]:
            for name, term in way.memory.items():
                same = name not in memory or memory[name] is term
                memory[name] = term if same else z3.If(way.condition, term, memory[name])
        for name, term in memory.items():
            memory[name] = z3.simplify(term) if z3.is_bv(term) else term
        if ways:  # else nothing reaches this place, and any memory will do
            self.memory = memory


def register_of(value: Value) -> str:
    """The name in memory of the register that an operation reads or writes."""
    return f"r{row.REGISTER.of(value)}"
