"""How a result shows its values: short texts, and in notebooks tables and pictures."""

# The functions with a `Shown` are another part of the class Result.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from translate.interface import REPORT, ShaderInterface, dtype_text, html_table, some_of
from vkrunner.errors import ArgumentError
from vkrunner.report.messages import Messages, message_rows
from vkrunner.report.page import UNSOUGHT
from vkrunner.report.records import BY_COMMAND
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.device_objects import state_of
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.values.formats import Format
from vkrunner.values.numbers import Array

if TYPE_CHECKING:
    from translate import reference
    from vkrunner.values.pictures import Preview

_MOST_SHOWN, _MOST_STRUCTURES = 8, 2  # of an array

# The resources that stay on the device, and are read when asked for
Resident = Buffer | BufferView | Texture | TextureView
Value = Array | Resident | None

NOTHING = "no results"  # without UAVs, or if all of them are null
_MOST_MESSAGES = 3  # in a table
_LEAST_SIDE, _MOST_SIDE = 256, 512  # pixels of a picture in x and y


def contents(value: Value) -> Array | None:
    """The array of a value; a resource on the device is read. None for a null resource.

    A whole buffer's array has the buffer's shape, a part's is flat.
    """
    if isinstance(value, BufferView) and value == BufferView(value.buffer):
        value = value.buffer
    elif isinstance(value, Texture):
        value = value.view()
    return value.read() if isinstance(value, Resident) else value


def described(value: Value | list[Value]) -> str:
    """A value in a few words, such as `float32[4]`, "on the device", "closed" or "null"."""
    if isinstance(value, list):
        return f"[{some_of([described(element) for element in value])}]"
    if isinstance(value, Resident):
        return state_of(_owner(value)) or "on the device"
    return "null" if value is None else f"{dtype_text(value.dtype)}{list(value.shape)}"


def _owner(value: Resident) -> Buffer | Texture:
    if isinstance(value, BufferView):
        return value.buffer
    return value.texture if isinstance(value, TextureView) else value


def first_of(value: Value | list[Value]) -> str:
    """The first numbers or structures of an array on the host; "" for other values."""
    if not isinstance(value, np.ndarray):
        return ""
    most = _MOST_SHOWN if value.dtype.names is None else _MOST_STRUCTURES
    more = " …" if value.size > most else ""
    return " ".join(map(str, value.reshape(-1)[:most])) + more


class Shown(Protocol):
    """What these functions need of a result."""

    _interface: ShaderInterface
    _values: Mapping[str, Value | list[Value]]
    _formats: Mapping[str, Format]


def result_html(
    result: Shown, violations: int, messages: Messages, findings: reference.Findings | None
) -> str:
    """Tables of the arrays, violations and messages, and pictures of two-dimensional textures.

    `violations` is their number, `findings` are those of the reference machine.
    """
    rows = [
        (register, result._interface[register].name or "", described(value), first_of(value))
        for register, value in result._values.items()
    ]
    heading = ("register", "name", "array", "begins with")
    kind = type(result).__name__
    table = html_table(kind if rows else f"{kind}: {NOTHING}", rows, heading if rows else ())
    found = [*_found(result._interface, violations, messages, findings)]
    more = html_table("of the dispatch", found) if found else ""
    return "".join([table, more, *map(_picture, previews(result))])


def _found(
    interface: ShaderInterface,
    violations: int,
    messages: Messages,
    findings: reference.Findings | None,
) -> Iterator[tuple[str, str]]:
    """Rows about violations, races and messages, for kernels that can have some."""
    reports = any(binding.kind == REPORT for binding in interface)
    if reports:
        yield "violations", _see(violations, "violations")
    yield from _races(interface, findings, reports=reports)
    if interface.sends_messages:
        yield "messages", _see(messages.total, "messages")
        for thread, text in message_rows(messages, _MOST_MESSAGES):
            yield f"thread {thread}", text


def _races(
    interface: ShaderInterface, findings: reference.Findings | None, *, reports: bool
) -> Iterator[tuple[str, str]]:
    """Rows about races, and about divergent barriers."""
    if findings is not None:
        races, barriers = findings.race_count, findings.divergent_barrier_count
        if races or interface.shared_memory_bytes:
            yield "races", _see(races, "races")
        if barriers:
            yield "divergent barriers", _see(barriers, "divergent_barriers")
    elif reports and interface.shared_memory_bytes:
        yield "races", UNSOUGHT.replace(BY_COMMAND, "")


def _see(total: int, name: str) -> str:
    return f"{total:,}, see result.{name}" if total else "0"


def previews(result: Shown) -> Iterator[Preview]:
    """Pictures of the two-dimensional textures of a result that came back as arrays."""
    from vkrunner.values.pictures import preview  # only what shows pictures needs it

    for register, format in result._formats.items():
        value, label = result._values.get(register), result._interface[register].label
        shown = preview(value, format, label) if isinstance(value, np.ndarray) else None
        if shown is not None:
            yield shown


def _picture(shown: Preview) -> str:
    """A picture with its caption; "" if Pillow is missing."""
    from vkrunner.values.pictures import png_of, scaled

    pixels, scale = scaled(shown, _LEAST_SIDE, _MOST_SIDE)
    try:
        data = png_of(pixels, shown.label)
    except ArgumentError:  # no Pillow
        return ""
    source = f"data:image/png;base64,{b64encode(data).decode()}"
    from html import escape  # the command line makes pictures without pages

    text = escape(f"{shown.label}: {shown.caption}{scale}")
    image = f'<img src="{source}" alt="{text}" style="border: 1px solid gray">'
    captioned = f"{image}<figcaption>{text}</figcaption>"
    return f'<figure style="margin: 1em 0">{captioned}</figure>'
