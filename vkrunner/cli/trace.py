"""The output of `sm5vk run --trace`: the instructions of a thread, with their values."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import translate
from translate import Program
from translate.errors import escaped, hlsl_place_text, place_text
from translate.reference import Step, Value
from vkrunner.cli.explain import title_of, write_page
from vkrunner.cli.output import plain
from vkrunner.cli.translation_flags import translation_options

_MOST_ON_PAGE = 2000


def trace_lines(steps: Iterable[Step]) -> Iterator[str]:
    """A line for each instruction, then a line for each register component that it reads or writes.

    If the HLSL is known, each line of it comes before its instructions.
    """
    source: str | None = None
    for step in steps:
        text = _source(step)
        if text is not None and text != source:
            yield text
        source = text
        yield f"{place_text(step.instruction, step.line)}: {step.text}"
        for way, values in (("in", step.sources), ("out", step.results)):
            yield from (f"    {way:<4}{line}" for value in values for line in _numbers(value))


def trace_data(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The trace as plain data for JSON."""
    return [
        {
            "instruction": step.instruction,
            "line": step.line,
            "hlsl_file": step.hlsl_file,
            "hlsl_line": step.hlsl_line,
            "hlsl_text": step.hlsl_text,
            "text": step.text,
            "sources": [_data(value) for value in step.sources],
            "results": [_data(value) for value in step.results],
        }
        for step in steps
    ]


def write_trace(arguments: argparse.Namespace, program: Program, steps: Iterable[Step]) -> None:
    """Write the shader's page with the first steps of the trace."""
    from vkrunner.report.explanation import Section, TracedStep

    found = list(steps)
    rows = [
        TracedStep(
            step.instruction,
            escaped(step.text),
            [line for value in step.sources for line in _numbers(value)],
            [line for value in step.results for line in _numbers(value)],
        )
        for step in found[:_MOST_ON_PAGE]
    ]
    text = f"Thread {arguments.trace}: {len(found):,} instructions"
    more = f", of which {len(rows):,} are shown; --json has all" if len(rows) < len(found) else ""
    section = Section("trace", "Trace", f"{text}{more}.", steps=rows)
    explained = translate.explain(program, translate.Options(**translation_options(arguments)))
    write_page(arguments.page, explained, title_of(arguments.source), [section])


def _source(step: Step) -> str | None:
    """`blur.hlsl:12: sum += picture[at];`, or only the place if the text is unknown."""
    if step.hlsl_line is None:
        return None
    text = "" if step.hlsl_text is None else f" {step.hlsl_text}"
    return f"{hlsl_place_text(step)}:{escaped(text)}"


def _numbers(value: Value) -> Iterator[str]:
    """A line for each number: its name, the accessed element, the number in the instruction's type.

    Numbers without a type are shown as a signed integer, then as a float.
    """
    for position, element in enumerate(value.elements):
        yield f"{value.name:<13}{element:<20} {_number(value, position)}"


def _number(value: Value, position: int) -> str:
    if value.type == "double":
        return repr(value.doubles[position])
    number = str(np.float32(value.floats[position]))
    if value.type == "float":
        return number
    if value.type == "bits":
        return f"{value.ints[position]:<11} {number}"
    return str(value.values[position])


def _data(value: Value) -> dict[str, Any]:
    return {
        "name": value.name,
        "register": value.register,
        "components": value.components,
        "type": value.type,
        "elements": list(value.elements),
        "values": plain(value.values),
        "ints": list(value.ints),
        "floats": plain(value.floats),
    }
