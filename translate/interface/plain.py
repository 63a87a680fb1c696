"""Bindings as plain data for JSON, as the `repr` of objects, and as HTML tables for notebooks.

Names come from containers, which may be hostile: control characters are escaped, in tables also
HTML's, and long texts are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from translate.dataclass import asdict
from translate.errors import escaped
from translate.interface.binding import ArrayType, Binding, Constant, DtypeData

_DESCRIBED = ("static_samplers", "dtype_data", "element", "constants")
_MOST_ROWS = 32
_MOST_CHARACTERS = 100  # per fact or cell


def binding_dict(binding: Binding) -> dict[str, Any]:
    names = [name for name in Binding.__slots__ if name not in _DESCRIBED]
    names += ["vk_format", "vk_view_type"]
    if binding.push_offset is not None:
        names = [name for name in names if name not in ("set", "binding")]
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


def line_of(owner: object, *facts: str | None) -> str:
    """`<Buffer float32[4], closed>`: an object's class, and its facts except None."""
    text = ", ".join(_shortened(fact) for fact in facts if fact)
    return f"<{type(owner).__name__} {text}>"


def html_table(caption: str, rows: Iterable[Sequence[object]], heading: Sequence[str] = ()) -> str:
    """An HTML table; of many rows, only the first."""
    every = list(rows)
    body = [_row(row, "td") for row in every[:_MOST_ROWS]]
    if len(every) > _MOST_ROWS:
        body.append(_row([f"and {len(every) - _MOST_ROWS} more"], "td"))
    head = f"<thead>{_row(heading, 'th')}</thead>" if heading else ""
    title = f'<caption style="white-space: nowrap">{_escaped(caption)}</caption>'
    return f"<table>{title}{head}<tbody>{''.join(body)}</tbody></table>"


def some_of(texts: Sequence[str], most: int = 8) -> str:
    """The first texts, and a count of the others: `a, b, c and 5 more`."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def _row(cells: Sequence[object], tag: str) -> str:
    start = f'<{tag} style="text-align: left">'  # Jupyter aligns cells to the right
    return f"<tr>{''.join(f'{start}{_escaped(str(cell))}</{tag}>' for cell in cells)}</tr>"


def _escaped(text: str) -> str:
    from html import escape  # only notebooks need it

    return escape(_shortened(text))


def _shortened(text: str) -> str:
    shown = escaped(text[:_MOST_CHARACTERS])
    return shown if len(text) <= _MOST_CHARACTERS else f"{shown}…"
