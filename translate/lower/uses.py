"""The use of resources by instructions, collected while they are lowered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from translate.ir.memory import Resource
from translate.ir.tables import Table, Usage


class Uses:
    """The resources that are read, written, ...; a load to `null` counts as well."""

    def __init__(self) -> None:
        self.read: set[Resource] = set()
        self.written: set[Resource] = set()
        self.atomic: set[Resource] = set()
        self.counter: set[Resource] = set()
        self.dynamic: set[Resource] = set()
        self.non_uniform: set[Resource] = set()
        self.past_end: set[Resource] = set()
        self.samplers: dict[Resource, set[str]] = {}

    def spread(self, members: Mapping[Resource, tuple[Resource, ...]]) -> None:
        """Count the uses of a resource that stands for several as uses of each."""
        names = {one.register: {m.register for m in ones} for one, ones in members.items()}
        for registers in self.samplers.values():
            for name in registers & names.keys():
                registers |= names[name]
                registers.discard(name)
        for one, ones in members.items():
            for done in (self.read, self.past_end):
                if one in done:
                    done.update(ones)
            for member in ones if one in self.samplers else ():
                self.samplers.setdefault(member, set()).update(self.samplers[one])

    def table(self, resources: Iterable[Resource]) -> Table[Usage]:
        """The `Usage` of each of a module's resources."""
        return Table(Usage(), [(resource, self._usage(resource)) for resource in resources])

    def _usage(self, resource: Resource) -> Usage:
        return Usage(
            frozenset(self.samplers.get(resource, ())),
            resource in self.counter,
            resource in self.read,
            resource in self.written,
            resource in self.atomic,
            resource in self.dynamic,
            resource in self.non_uniform,
            resource in self.past_end,
        )
