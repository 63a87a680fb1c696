"""Conversion of interfaces, with the NumPy dtypes in them, to JSON and back."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import numpy as np

from translate import SpirvModule
from translate.interface import Binding, Constant, MessageSite, ReportSite, ShaderInterface

_KINDS = (ShaderInterface, Binding, Constant, ReportSite, MessageSite)
_CLASSES = {kind.__name__: kind for kind in _KINDS}


def interface_data(interface: ShaderInterface) -> Any:
    """An interface as data for JSON."""
    return _data(interface)


def read_module(words: bytes, interface: Any) -> SpirvModule:
    """A module from little-endian words, which stay read-only, and `interface_data`'s result."""
    return SpirvModule(np.frombuffer(words, "<u4"), _value(interface))


def _data(value: Any) -> Any:
    """A value as data for JSON: tuples as lists, other types as objects with one key, the type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, tuple):
        return [_data(part) for part in cast("tuple[Any, ...]", value)]
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, np.dtype):
        return {"dtype": _dtype_data(cast("np.dtype[Any]", value))}
    rows = {f.name: _data(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return {type(value).__name__: rows}


def _value(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_value(part) for part in cast("list[Any]", data))
    if not isinstance(data, dict):
        return data
    ((name, content),) = cast("dict[str, Any]", data).items()
    if name == "dtype":
        return _dtype(content)
    if name == "bytes":
        return bytes.fromhex(content)
    return _CLASSES[name](**{key: _value(part) for key, part in content.items()})


def _dtype_data(dtype: np.dtype[Any]) -> Any:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return [_dtype_data(base), list(shape)]
    if dtype.fields is None:
        return dtype.str
    rows = [(str(name), row[0], row[1]) for name, row in dtype.fields.items()]
    return {
        "names": [name for name, _, _ in rows],
        "formats": [_dtype_data(kind) for _, kind, _ in rows],
        "offsets": [offset for _, _, offset in rows],
        "itemsize": dtype.itemsize,
    }


def _dtype(data: Any) -> np.dtype[Any]:
    if isinstance(data, list):
        base, shape = cast("list[Any]", data)
        return np.dtype((_dtype(base), tuple(shape)))
    if isinstance(data, dict):
        fields = cast("dict[str, Any]", data)
        formats = [_dtype(kind) for kind in fields["formats"]]
        return np.dtype(cast("Any", {**fields, "formats": formats}))
    return np.dtype(data)
