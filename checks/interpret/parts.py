"""Split an access to dwords by register: the lanes that access each, and their effects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from checks.interpret import atomics
from checks.interpret.descriptors import bound, named
from checks.interpret.lanes import Lanes
from checks.interpret.operation import Operation
from checks.interpret.spaces import Space, Spaces
from translate.ir.memory import Resource


@dataclass(frozen=True, slots=True)
class Part:
    """The lanes that access one register; `chosen` has their positions among the active lanes."""

    operation: Operation
    name: str | None
    space: Space
    chosen: Lanes

    def operand(self, position: int) -> Lanes:
        """An operand in these lanes."""
        return self.operation.one(position)[..., self.chosen]

    def operands(self, first: int, count: int) -> list[Lanes]:
        """`count` operands from `first` on."""
        return [self.operand(first + number) for number in range(count)]

    def read(self, dword: Lanes, inside: Lanes | None = None) -> Lanes:
        """The dwords as u32; 0 in lanes that are out of bounds."""
        if inside is not None:
            words = np.zeros(len(self.chosen), np.uint32)
            words[inside] = self._within(inside).read(dword[inside])
            return words
        at, lanes = self._at(dword)
        if self.space.races is not None:
            self.space.races.load(at, lanes)
        return self.space.words[at]

    def write(self, dword: Lanes, words: Lanes, inside: Lanes | None = None) -> None:
        """Store u32 dwords; if two lanes store to the same dword, the last one wins."""
        if inside is not None:
            self._within(inside).write(dword[inside], words[inside])
            return
        at, lanes = self._at(dword)
        space = self.space
        if space.races is not None and space.written is not None:
            space.races.store(at, lanes, space.words[at] != words)
            space.written[at] = True
        space.words[at] = words
        if space.races is not None:
            space.races.found |= bool((space.words[at] != words).any())

    def change(
        self, operation: str, dword: Lanes, given: list[Lanes], inside: Lanes | None = None
    ) -> Lanes:
        """An atomic in the order of lanes; returns the old dwords, 0 for lanes out of bounds."""
        if inside is not None:
            words = np.zeros(len(self.chosen), np.uint32)
            kept = [one[inside] for one in given]
            words[inside] = self._within(inside).change(operation, dword[inside], kept)
            return words
        at, lanes = self._at(dword)
        old, changes = atomics.apply(operation, self.space.words, at, given)
        if self.space.races is not None and self.space.written is not None:
            self.space.races.atomic(at, lanes, changes & (len(given) == 1))  # no compare
            self.space.written[at] = True
        return old

    @property
    def dropped(self) -> Lanes:
        """The lanes that have stored out of bounds."""
        return np.isin(self.operation.active.lanes[self.chosen], sorted(self.space.dropped))

    def drop(self, outside: Lanes) -> None:
        """Note lanes that store out of bounds."""
        self.space.dropped.update(self.operation.active.lanes[self.chosen[outside]].tolist())

    def _at(self, dword: Lanes) -> tuple[Lanes, Lanes]:
        lanes = self.operation.active.lanes[self.chosen]
        return self.space.at(lanes, dword), lanes

    def _within(self, inside: Lanes) -> Part:
        return Part(self.operation, self.name, self.space, self.chosen[inside])


def parts(operation: Operation, resource: Resource, spaces: Spaces) -> Iterator[Part]:
    """A part for each register that active lanes access; none for undeclared registers."""
    for name, chosen in named(operation, resource):
        if name is None and resource in operation.tables.members:
            continue
        space = spaces.space(bound(operation, resource, name), name)
        yield Part(operation, name, space, chosen)
