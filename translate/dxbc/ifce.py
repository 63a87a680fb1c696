"""IFCE: class types, class instances and interface slots of dynamic linkage.

No document describes the chunk; the layout was read off fxc's output beside the tables that its
listing prints. Seven dwords: counts of instances, types, slot groups, slots; then the offsets of
the instances, types and slot groups.
"""

from __future__ import annotations

import struct

from translate.errors import DecodeError
from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage

_HEADER = struct.Struct("<7I")
_GROUP = struct.Struct("<4I")  # slots, classes, offset of u16 type ids, offset of u32 table ids
_TYPE = struct.Struct("<I4H")  # name, then what the listing calls ID, CB stride, texture, sampler
_INSTANCE = struct.Struct("<I2H2H2H")  # name, type, 1, cb, cb offset, texture, sampler
_NONE = 0xFFFF


def parse_ifce(payload: bytes) -> Linkage:
    """Raises DecodeError where the chunk points outside of itself."""
    try:
        return _parse(payload)
    except (struct.error, ValueError) as error:
        raise DecodeError(f"the interface data (IFCE) are damaged: {error}") from None


def _parse(payload: bytes) -> Linkage:
    instances, types, groups, _slots, instance_at, type_at, group_at = _HEADER.unpack_from(payload)
    if max(instances, types, groups) > len(payload):
        raise ValueError("more entries than bytes")
    return Linkage(
        tuple(_type(payload, type_at + i * _TYPE.size, i) for i in range(types)),
        tuple(_instance(payload, instance_at + i * _INSTANCE.size) for i in range(instances)),
        tuple(_group(payload, group_at + i * _GROUP.size) for i in range(groups)),
    )


def _type(payload: bytes, offset: int, number: int) -> ClassType:
    name, *_ = _TYPE.unpack_from(payload, offset)
    return ClassType(_string(payload, name), number)


def _instance(payload: bytes, offset: int) -> ClassInstance:
    name, kind, _, buffer, vector, texture, sampler = _INSTANCE.unpack_from(payload, offset)
    return ClassInstance(
        _string(payload, name),
        kind,
        *(0 if number == _NONE else number for number in (buffer, vector, texture, sampler)),
    )


def _group(payload: bytes, offset: int) -> InterfaceSlots:
    count, classes, types_at, tables_at = _GROUP.unpack_from(payload, offset)
    if classes > len(payload):
        raise ValueError("more classes than bytes")
    types = struct.unpack_from(f"<{classes}H", payload, types_at)
    tables = struct.unpack_from(f"<{classes}I", payload, tables_at)
    return InterfaceSlots(count, dict(zip(types, tables, strict=True)))


def _string(payload: bytes, offset: int) -> str:
    return payload[offset : payload.index(0, offset)].decode("utf-8", "replace")
