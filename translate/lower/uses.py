"""What instructions do with resources, collected while they are lowered."""

from __future__ import annotations

from collections.abc import Iterable

from translate.ir.memory import Resource
from translate.ir.tables import Table, Usage


class Uses:
    """Resources by what is done with them. What no value comes of, such as a load to `null`,
    counts as well."""

    def __init__(self) -> None:
        self.read: set[Resource] = set()
        self.written: set[Resource] = set()
        self.atomic: set[Resource] = set()
        self.counter: set[Resource] = set()
        self.dynamic: set[Resource] = set()
        self.non_uniform: set[Resource] = set()
        self.samplers: dict[Resource, set[str]] = {}

    def table(self, resources: Iterable[Resource]) -> Table[Usage]:
        """The usage of a module's resources."""
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
        )
