"""The form of a result in notebooks: tables and pictures."""

# Another part of the class Result, in a file that only notebooks and terminals need.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from html import escape

import numpy as np

from translate.interface import REPORT, html_table
from vkrunner.errors import ArgumentError
from vkrunner.values.pictures import Preview, png_of, preview, scaled
from vkrunner.work.messages import message_rows
from vkrunner.work.report import BY_COMMAND
from vkrunner.work.report_page import UNSOUGHT
from vkrunner.work.result import NOTHING, ReferenceResult, Result
from vkrunner.work.result_values import described, first_of

_MOST_MESSAGES = 3  # in a table
_LEAST_SIDE, _MOST_SIDE = 256, 512  # pixels of a picture in x and y


def result_html(result: Result) -> str:
    """Tables of the arrays, violations and messages, and pictures of two-dimensional textures."""
    rows = [
        (register, result._interface[register].name or "", described(value), first_of(value))
        for register, value in result._values.items()
    ]
    heading = ("register", "name", "array", "begins with")
    kind = type(result).__name__
    table = html_table(kind if rows else f"{kind}: {NOTHING}", rows, heading if rows else ())
    found = [*_found(result)]
    more = html_table("of the dispatch", found) if found else ""
    return "".join([table, more, *map(_picture, previews(result))])


def _found(result: Result) -> Iterator[tuple[str, str]]:
    """Rows about violations, races and messages, for kernels that can have some."""
    reports = any(binding.kind == REPORT for binding in result._interface)
    if reports:
        yield "violations", _see(result.violations.total, "violations")
    yield from _races(result, reports=reports)
    if result._interface.sends_messages:
        yield "messages", _see(result.messages.total, "messages")
        for thread, text in message_rows(result.messages, _MOST_MESSAGES):
            yield f"thread {thread}", text


def _races(result: Result, *, reports: bool) -> Iterator[tuple[str, str]]:
    """Rows about races, and about divergent barriers."""
    if isinstance(result, ReferenceResult):
        races, barriers = result.findings.race_count, result.findings.divergent_barrier_count
        if races or result._interface.shared_memory_bytes:
            yield "races", _see(races, "races")
        if barriers:
            yield "divergent barriers", _see(barriers, "divergent_barriers")
    elif reports and result._interface.shared_memory_bytes:
        yield "races", UNSOUGHT.replace(BY_COMMAND, "")


def _see(total: int, name: str) -> str:
    return f"{total:,}, see result.{name}" if total else "0"


def previews(result: Result) -> Iterator[Preview]:
    """Pictures of the two-dimensional textures of a result that came back as arrays."""
    for register, format in result._formats.items():
        value, label = result._values.get(register), result._interface[register].label
        shown = preview(value, format, label) if isinstance(value, np.ndarray) else None
        if shown is not None:
            yield shown


def _picture(shown: Preview) -> str:
    """A picture with its caption; "" if Pillow is missing."""
    pixels, scale = scaled(shown, _LEAST_SIDE, _MOST_SIDE)
    try:
        data = png_of(pixels, shown.label)
    except ArgumentError:  # no Pillow
        return ""
    source = f"data:image/png;base64,{b64encode(data).decode()}"
    text = escape(f"{shown.label}: {shown.caption}{scale}")
    image = f'<img src="{source}" alt="{text}" style="border: 1px solid gray">'
    captioned = f"{image}<figcaption>{text}</figcaption>"
    return f'<figure style="margin: 1em 0">{captioned}</figure>'
