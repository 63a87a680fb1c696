"""Dynamic linkage: the classes that implement a shader's interfaces, and their instances.

What a shader declares comes with its container (chunk IFCE) or its listing's header; which
instance an interface has is chosen by the caller, as ID3D11ClassLinkage would.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

_ELEMENT = re.compile(r"(.*)\[(\d{1,5})\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ClassType:
    """A class: its name and number, and what one object of it takes.

    `constant_stride` counts 16-byte vectors, `textures` and `samplers` t# and s# registers.
    """

    name: str
    id: int
    constant_stride: int = 0
    textures: int = 0
    samplers: int = 0


@dataclass(frozen=True, slots=True)
class ClassInstance:
    """An object of a class: where its data lie.

    Attributes
    ----------
    name : str
        The name in the HLSL; `name[2]` is an element of an array.
    type_id : int
        The number of its class.
    constant_buffer : int
        The cb# slot that has its variables.
    constant_offset : int
        Where they begin in that buffer, in vectors of 16 bytes.
    texture : int
        The first t# of its members.
    sampler : int
        The first s# of its members.
    table : int or None
        The ft# that implements the interface's methods; None means the one that the class has in
        that interface.
    count : int
        How many objects lie one after the other in an array.
    """

    name: str = ""
    type_id: int = 0
    constant_buffer: int = 0
    constant_offset: int = 0
    texture: int = 0
    sampler: int = 0
    table: int | None = None
    count: int = 1


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
        """The instance of that name; `name[2]` is an element of an array, `name` its first."""
        exact = next((i for i in self.instances if i.name == name), None)
        match = _ELEMENT.fullmatch(name)
        if exact is not None or match is None:
            return exact
        array, position = self.instance(match[1]), int(match[2])
        if array is None or position >= array.count:
            return None
        return self._element(array, position)

    def _element(self, array: ClassInstance, position: int) -> ClassInstance:
        """The data of one object lie after those of the one before."""
        kind = next((t for t in self.types if t.id == array.type_id), ClassType("", array.type_id))
        return replace(
            array,
            name=f"{array.name}[{position}]",
            constant_offset=array.constant_offset + position * kind.constant_stride,
            texture=array.texture + position * kind.textures,
            sampler=array.sampler + position * kind.samplers,
            count=1,
        )

    def tables_of_slot(self, slot: int) -> Mapping[int, int]:
        """The table of each class type in a slot."""
        for group in self.slots:
            if slot < group.count:
                return group.tables
            slot -= group.count
        return {}


Choice = str | ClassInstance
ClassInstances = Mapping[str, Choice | Sequence[Choice]]
