"""IFCE: class types, class instances and interface slots of dynamic linkage.

The chunk is not documented; its layout was found by comparing fxc's output with the tables in fxc's
listings. It has seven dwords: the numbers of instances, types, slot groups and slots, then the
offsets of instances, types and slot groups. After two dwords of 0 come slot groups, types,
instances, the groups' ids, and names, each padded to whole dwords with 0xAB.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from translate.dataclass import dataclass
from translate.errors import DecodeError, ProgramError
from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage

_HEADER = struct.Struct("<7I")
_GROUP = struct.Struct("<4I")  # slots, classes, offset of u16 type ids, offset of u32 table ids
_TYPE = struct.Struct("<I4H")  # name, 0, CB stride, textures, samplers; its position is its number
_INSTANCE = struct.Struct("<I2H2H2H")  # name, type, count, cb, cb offset, texture, sampler
_FIRST = _HEADER.size + 8
_NONE = 0xFFFF
_FILL = b"\xab"
_EFFORT = 16  # bytes to read at most, per byte of the payload: records may share bytes


def parse_ifce(payload: bytes) -> Linkage:
    """Parse the chunk. Raises DecodeError if it is damaged."""
    try:
        return _Reader(payload, _EFFORT * len(payload)).linkage()
    except (struct.error, ValueError) as error:
        raise DecodeError(f"the interface data (IFCE) are damaged: {error}") from None


@dataclass(eq=False, slots=True)
class _Reader:
    """Reads records by offset; `effort` is the number of bytes that may still be read."""

    data: bytes
    effort: int

    def linkage(self) -> Linkage:
        counts_and_places = _HEADER.unpack_from(self.data)
        instances, types, groups, _slots, instance_at, type_at, group_at = counts_and_places
        if max(instances, types, groups) > len(self.data):
            raise ValueError("more entries than bytes")
        return Linkage(
            tuple(self._type(type_at + i * _TYPE.size, i) for i in range(types)),
            tuple(self._instance(instance_at + i * _INSTANCE.size) for i in range(instances)),
            tuple(self._group(group_at + i * _GROUP.size) for i in range(groups)),
        )

    def _spend(self, amount: int) -> None:
        self.effort -= amount
        if self.effort < 0:
            raise ValueError("records share the same bytes too often")

    def _type(self, offset: int, number: int) -> ClassType:
        name, _, *sizes = _TYPE.unpack_from(self.data, offset)
        return ClassType(self._string(name), number, *sizes)

    def _instance(self, offset: int) -> ClassInstance:
        name, kind, count, *places = _INSTANCE.unpack_from(self.data, offset)
        return ClassInstance(
            self._string(name),
            kind,
            *(0 if number == _NONE else number for number in places),
            count=count,
        )

    def _group(self, offset: int) -> InterfaceSlots:
        count, classes, types_at, tables_at = _GROUP.unpack_from(self.data, offset)
        self._spend(6 * classes)
        types = struct.unpack_from(f"<{classes}H", self.data, types_at)
        tables = struct.unpack_from(f"<{classes}I", self.data, tables_at)
        return InterfaceSlots(count, dict(zip(types, tables, strict=True)))

    def _string(self, offset: int) -> str:
        end = self.data.index(0, offset)
        self._spend(end - offset)
        return self.data[offset:end].decode("utf-8", "replace")


def build_ifce(linkage: Linkage) -> bytes:
    """Build the chunk as fxc does, byte for byte. Raises TranslateError for too large a number."""
    try:
        return _build(linkage)
    except struct.error as error:
        raise ProgramError(f"the shader's classes cannot be encoded: {error}") from None


def _build(linkage: Linkage) -> bytes:
    type_at = _FIRST + len(linkage.slots) * _GROUP.size
    instance_at = type_at + len(linkage.types) * _TYPE.size
    pool = _Pool(instance_at + len(linkage.instances) * _INSTANCE.size)
    groups = b"".join(_group_record(group, pool) for group in linkage.slots)
    kinds = {kind.id: kind for kind in reversed(linkage.types)}
    instances = b"".join(_instance_record(i, kinds, pool) for i in linkage.instances)
    types = b"".join(_type_record(kind, pool) for kind in linkage.types)
    counts = (len(linkage.instances), len(linkage.types), len(linkage.slots))
    slots = sum(group.count for group in linkage.slots)
    header = _HEADER.pack(*counts, slots, instance_at, type_at, _FIRST)
    return header.ljust(_FIRST, b"\0") + groups + types + instances + bytes(pool.data)


class _Pool:
    """The data that records point to, appended in the order of requests."""

    def __init__(self, start: int):
        self.start = start
        self.data = bytearray()

    def add(self, data: bytes) -> int:
        """Append data and return their offset in the chunk."""
        offset = self.start + len(self.data)
        self.data += data + _FILL * (-len(data) % 4)
        return offset

    def name(self, text: str) -> int:
        return self.add(text.encode("utf-8", "replace") + b"\0")


def _group_record(group: InterfaceSlots, pool: _Pool) -> bytes:
    classes = len(group.tables)
    types_at = pool.add(struct.pack(f"<{classes}H", *group.tables.keys()))
    tables_at = pool.add(struct.pack(f"<{classes}I", *group.tables.values()))
    return _GROUP.pack(group.count, classes, types_at, tables_at)


def _type_record(kind: ClassType, pool: _Pool) -> bytes:
    sizes = (kind.constant_stride, kind.textures, kind.samplers)
    return _TYPE.pack(pool.name(kind.name), 0, *sizes)


def _instance_record(instance: ClassInstance, kinds: Mapping[int, ClassType], pool: _Pool) -> bytes:
    """Pack an instance; registers that its class does not use are 0xFFFF."""
    kind = kinds.get(instance.type_id, ClassType("", instance.type_id))
    constants = (instance.constant_buffer, instance.constant_offset)
    places = (
        *(constants if kind.constant_stride else (_NONE, _NONE)),
        instance.texture if kind.textures else _NONE,
        instance.sampler if kind.samplers else _NONE,
    )
    return _INSTANCE.pack(pool.name(instance.name), instance.type_id, instance.count, *places)
