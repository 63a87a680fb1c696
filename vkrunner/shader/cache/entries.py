"""Conversion of interfaces to JSON and back."""

from __future__ import annotations

from typing import Any, cast

from translate import SpirvModule
from translate.interface import (
    ArrayType,
    Binding,
    Constant,
    MessageSite,
    ReportSite,
    ShaderInterface,
    StaticSampler,
    StructureType,
    Table,
)

_KINDS = (
    *(ShaderInterface, Binding, Constant, Table, ReportSite, MessageSite),
    *(ArrayType, StructureType, StaticSampler),
)
_CLASSES = {kind.__name__: kind for kind in _KINDS}


def interface_data(interface: ShaderInterface) -> Any:
    """An interface as data for JSON."""
    return _data(interface)


def read_module(words: bytes, interface: Any) -> SpirvModule:
    """A module from its bytes and `interface_data`'s result."""
    return SpirvModule(words, _value(interface))


def _data(value: Any) -> Any:
    """A value as data for JSON: tuples as lists, other types as objects with one key, the type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, _KINDS):
        rows = {name: _data(getattr(value, name)) for name in type(value).__annotations__}
        return {type(value).__name__: rows}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [_data(part) for part in value]


def _value(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_value(part) for part in cast("list[Any]", data))
    if not isinstance(data, dict):
        return data
    ((name, content),) = cast("dict[str, Any]", data).items()
    if name == "bytes":
        return bytes.fromhex(content)
    return _CLASSES[name](**{key: _value(part) for key, part in content.items()})
