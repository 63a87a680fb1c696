"""Convert bindings to plain data for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from translate.interface.binding import Binding
from translate.interface.constant import Constant
from translate.interface.dtypes import ArrayType, DtypeData

_DESCRIBED = ("static_samplers", "dtype_data", "element", "constants")


def binding_dict(binding: Binding) -> dict[str, Any]:
    names = [name for name in Binding.__slots__ if name not in _DESCRIBED]
    names += ["vk_format", "vk_view_type"]
    values = {name: getattr(binding, name) for name in names}
    row = _given(values)
    if binding.static_samplers is not None:
        row["static_samplers"] = [_given(asdict(one)) for one in binding.static_samplers]
    if binding.dtype_data is not None:
        row["dtype"] = _dtype(binding.dtype_data)
    if binding.element is not None:
        row["element"] = _constant_dict(binding.element)
    if binding.constants is not None:
        row["constants"] = [_constant_dict(constant) for constant in binding.constants]
    return row


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """The values without None, and with lists for tuples."""
    return {
        name: list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None
    }


def _constant_dict(constant: Constant) -> dict[str, Any]:
    """A variable as plain data; its default value is a text of hexadecimal digits.

    Facts that most variables lack (order, elements, members, ...) appear only where they apply.
    """
    row: dict[str, Any] = {
        "name": constant.name,
        "offset": constant.offset,
        "type": constant.type,
        "shape": list(constant.shape),
        "size_bytes": constant.size_bytes,
    }
    if constant.order is not None:
        row["order"] = constant.order
        row["row_stride"] = constant.row_stride
    if constant.column_major:
        row["column_major"] = True
    if constant.elements:
        row["elements"] = constant.elements
        row["stride"] = constant.stride
    if constant.members:
        row["members"] = [_constant_dict(member) for member in constant.members]
    if not constant.used:
        row["used"] = False
    if constant.default is not None:
        row["default"] = constant.default.hex()
    return row


def _dtype(data: DtypeData) -> Any:
    """A dtype as a string, or a structure as a list of name, offset and type."""
    if isinstance(data, str):
        return data
    if isinstance(data, ArrayType):
        return {"type": _dtype(data.element), "shape": list(data.shape)}
    rows = zip(data.names, data.offsets, data.formats, strict=True)
    return [{"name": n, "offset": o, "type": _dtype(t)} for n, o, t in rows]
