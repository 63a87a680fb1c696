"""The output of `sm5vk run --trace`: a thread's instructions, with their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from translate.reference import Step, Value
from vkrunner.cli.output import plain


def trace_lines(steps: Iterable[Step]) -> Iterator[str]:
    """Each instruction on a line, then a line for each component that it reads or writes."""
    for step in steps:
        yield f"{_place(step)}: {step.text}"
        for way, values in (("in", step.sources), ("out", step.results)):
            yield from (f"    {way:<4}{line}" for value in values for line in _components(value))


def trace_data(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The same as plain data for JSON."""
    return [
        {
            "instruction": step.instruction,
            "line": step.line,
            "text": step.text,
            "sources": [_data(value) for value in step.sources],
            "results": [_data(value) for value in step.results],
        }
        for step in steps
    ]


def _place(step: Step) -> str:
    place = f"instruction {step.instruction}"
    return place if step.line is None else f"line {step.line} ({place})"


def _components(value: Value) -> Iterator[str]:
    """A component as a signed integer and as the shortest float."""
    for letter, whole, number in zip(value.components, value.ints, value.floats, strict=True):
        register = f"{value.register}.{letter}"
        yield f"{value.name:<13}{register:<16}{whole:>12}  {np.float32(number)!s}"


def _data(value: Value) -> dict[str, Any]:
    return {
        "name": value.name,
        "register": value.register,
        "components": value.components,
        "ints": list(value.ints),
        "floats": plain(value.floats),
    }
