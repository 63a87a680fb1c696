"""Dynamic linkage: the classes that implement a shader's interfaces, and their instances.

A shader declares classes, instances and interfaces in its container (chunk IFCE) or in its
listing's header. The caller chooses the instance for each interface, as with ID3D11ClassLinkage.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from translate.dataclass import dataclass, replace

_MOST_INDICES = 32  # of a name
_ELEMENT = re.compile(r"(.*)\[(\d{1,5})\]", re.DOTALL)


class ClassType(NamedTuple):
    """A class: its name, its number, and the registers that one instance occupies.

    `constant_stride` counts 16-byte vectors; `textures` and `samplers` count t# and s# registers.
    """

    name: str
    id: int
    constant_stride: int = 0
    textures: int = 0
    samplers: int = 0


@dataclass(frozen=True, slots=True)
class ClassInstance:
    """An instance of a class, and the location of its data.

    Attributes
    ----------
    name : str
        The name in the HLSL; `name[2]` for an element of an array.
    type_id : int
        The number of its class.
    constant_buffer : int
        The cb# slot that holds its variables.
    constant_offset : int
        The offset of its variables in that buffer, in 16-byte vectors.
    texture : int
        The first t# register of its members.
    sampler : int
        The first s# register of its members.
    table : int or None
        The ft# that implements the interface's methods. None selects the class's own table for that
        interface.
    count : int
        The number of instances, if this is an array of consecutive ones.
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
    """Consecutive slots of one interface; `tables` maps a class's number to its function table."""

    count: int
    tables: Mapping[int, int]


class Linkage(NamedTuple):
    """The classes, instances and interface slots that a shader declares."""

    types: tuple[ClassType, ...] = ()
    instances: tuple[ClassInstance, ...] = ()
    slots: tuple[InterfaceSlots, ...] = ()

    def instance(self, name: str) -> ClassInstance | None:
        """Find an instance by name: `name[2]` is an element of an array, `name` its first."""
        exact = next((i for i in self.instances if i.name == name), None)
        match = _ELEMENT.fullmatch(name)
        if exact is not None or match is None or name.count("[") > _MOST_INDICES:
            return exact
        array, position = self.instance(match[1]), int(match[2])
        if array is None or position >= array.count:
            return None
        return self._element(array, position)

    def _element(self, array: ClassInstance, position: int) -> ClassInstance:
        """The instance at `position` of an array, whose instances lie one after another."""
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
        """The numbers of the function tables (ft#) for an interface slot, by class number."""
        for group in self.slots:
            if slot < group.count:
                return group.tables
            slot -= group.count
        return {}


Choice = str | ClassInstance
ClassInstances = Mapping[str, Choice | Sequence[Choice]]
