"""Dynamic linkage: the classes that implement a shader's interfaces, and their instances.

What a shader declares comes with its container (chunk IFCE) or its listing's header; which
instance stands behind which interface is chosen by the caller, as ID3D11ClassLinkage would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClassType:
    """A class: its name and number."""

    name: str
    id: int


@dataclass(frozen=True, slots=True)
class ClassInstance:
    """An object of a class: where its data lie.

    `constant_buffer` is a cb# slot, `constant_offset` counts 16-byte vectors in it; `texture` and
    `sampler` are the first t# and s# of its members. `table` is the ft# that implements the
    interface's methods; None means the one that the class has in that interface.
    """

    name: str = ""
    type_id: int = 0
    constant_buffer: int = 0
    constant_offset: int = 0
    texture: int = 0
    sampler: int = 0
    table: int | None = None


@dataclass(frozen=True, slots=True)
class InterfaceSlots:
    """Consecutive slots of one interface: how many, and the table of each class type."""

    count: int
    tables: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Linkage:
    """All that a shader says of its classes."""

    types: tuple[ClassType, ...] = ()
    instances: tuple[ClassInstance, ...] = ()
    slots: tuple[InterfaceSlots, ...] = ()

    def instance(self, name: str) -> ClassInstance | None:
        """The instance of that name."""
        return next((i for i in self.instances if i.name == name), None)

    def tables_of_slot(self, slot: int) -> Mapping[int, int]:
        """The table of each class type in a slot."""
        for group in self.slots:
            if slot < group.count:
                return group.tables
            slot -= group.count
        return {}


Choice = str | ClassInstance
ClassInstances = Mapping[str, Choice | Sequence[Choice]]
