"""Prints a result of `sm5vk run`: numbers, messages, the device's time, violations; a trace."""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from translate import ShaderInterface
from translate.errors import escaped, hlsl_place_text, place_text
from translate.interface import COUNTER, dtype_text
from vkrunner import Messages, ReferenceResult, Result
from vkrunner.cli.output import (
    STDOUT,
    picture_text,
    plain,
    shows_pictures,
    write_json,
    write_lines,
    write_message,
    write_text,
)
from vkrunner.dispatch.result import is_result
from vkrunner.report.messages import MOST_TEXT
from vkrunner.report.result_display import previews
from vkrunner.report.summary import finding_counts
from vkrunner.values.elements import element_of_dtype, rows_of
from vkrunner.values.numbers import Array, counted

if TYPE_CHECKING:
    from translate import Program
    from translate.reference import Step, Value

_SHOWN = 8  # values of a result that are printed
_MOST_ON_PAGE = 2000


def array_lines(label: str, array: Array, most: int) -> Iterator[str]:
    """A line with type, shape and the first numbers; for structures, a line for each structure.

    A structure's variables are written like those of a constant buffer: `a=2.0, s.b=3, v=1.0:0.0`.
    The first line ends with the numbers of NaNs and infinities, and the place of the first of each.
    """
    found = "".join(map(_found_text, not_finite(array).items()))
    head = f"{label}: {dtype_text(array.dtype)}{list(array.shape)}"
    first = array.reshape(-1)[:most]
    more = ["..."] if array.size > most else []
    if array.dtype.names is None:
        yield " ".join([head, *map(str, first), *more]) + found
        return
    yield head + found
    for number, element in enumerate(first):
        place = ", ".join(map(str, np.unravel_index(number, array.shape)))
        variables = ", ".join(f"{name}={value}" for name, value in _variables(element))
        yield f"  [{place}] {variables}"
    yield from (f"  {mark}" for mark in more)


def not_finite(array: Array) -> dict[str, tuple[int, list[int] | None]]:
    """The numbers of NaNs and infinities in an array, and the index of the first of each."""
    kinds = {"NaN": np.isnan, "infinite": np.isinf}
    if array.dtype.names is None and np.isfinite(array).all():
        return dict.fromkeys(kinds, (0, None))
    counts, firsts = Counter[str](), dict[str, int]()
    rows = rows_of(array)
    for leaf in element_of_dtype(array.dtype).leaves:
        assert leaf.dtype is not None
        if leaf.dtype.kind != "f" or np.isfinite(numbers := leaf.numbers(rows, leaf.dtype)).all():
            continue
        for kind, test in kinds.items():
            if (found := test(numbers)).any():
                counts[kind] += int(np.count_nonzero(found))
                first = int(found.argmax())
                firsts[kind] = min(first, firsts.get(kind, first))
    return {
        kind: (
            counts[kind],
            [int(n) for n in np.unravel_index(firsts[kind], array.shape)] if counts[kind] else None,
        )
        for kind in kinds
    }


def _found_text(found: tuple[str, tuple[int, list[int] | None]]) -> str:
    kind, (count, first) = found
    return "" if not count else f"; {count:,} {kind}" + (f", first at {first}" if first else "")


def _variables(structure: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The name and numbers of each variable, the numbers separated by `:`."""
    for name in structure.dtype.names:
        value = structure[name]
        if value.dtype.names is None:
            yield f"{path}{name}", ":".join(map(str, cast("Array", np.ravel(value))))
        elif value.shape == ():
            yield from _variables(value, f"{path}{name}.")
        else:
            for place in np.ndindex(value.shape):
                at = "".join(f"[{n}]" for n in place)
                yield from _variables(value[place], f"{path}{name}{at}.")


def print_messages(messages: Messages) -> None:
    """Print each message with its thread, and the number of messages without room."""
    if not messages.total:
        return
    for message in messages:
        thread = ",".join(map(str, message.thread))
        kind = "error: " if message.is_error else ""
        write_message(f"thread {thread}: {kind}{message.text.removesuffix(chr(10))}")
    if messages.lost:
        kept, lost = len(messages), messages.lost
        texts = f"the text of all has more than {MOST_TEXT >> 20} Mi characters"
        why = texts if messages.too_long else "see --message-capacity"
        write_message(f"sm5vk: warning: {kept} messages were kept and {lost} not: {why}")


def print_races(result: ReferenceResult) -> None:
    """Print how many races and divergent barriers the reference machine found, if any."""
    if parts := [counted(count, noun) for count, noun in finding_counts(result.findings) if count]:
        write_message(
            f"sm5vk: warning: {' and '.join(parts)}: see sm5vk run --device reference --report"
        )


def messages_data(messages: Messages) -> dict[str, Any]:
    """Plain data: the number of all messages, and the kept messages."""
    records = [dataclasses.asdict(message) for message in messages]
    for record in records:
        record["values"] = plain(record["values"])
    return {"total": messages.total, "records": records}


def show_result(
    arguments: argparse.Namespace,
    device: str,
    interface: ShaderInterface,
    result: Result,
    saves: Mapping[str, str],
) -> None:
    """Print a result in the form that `--time`, `--json` and `--save` choose.

    Of results in files (`saves`, by register) the hidden counters that are in none are shown.
    """
    if arguments.time:
        write_message(f"time on the device: {_time_text(result.duration_ns)}")
    if arguments.json:
        write_json(_summary(device, interface, result))
    elif not saves:
        write_lines(_lines(interface, result))
        _show_pictures(result)
    elif text := "\n".join(_counter_lines(result, saves)):
        show_text(text, to_stdout=STDOUT not in saves.values())


def _show_pictures(result: Result) -> None:
    """Show two-dimensional textures on a terminal that can."""
    if shows_pictures():
        for shown in previews(result):
            write_lines([f"{shown.label}: {shown.caption}"])
            write_text(picture_text(shown.colours), None)


def show_text(text: str, *, to_stdout: bool) -> None:
    """Print lines; on standard error if standard output receives a file."""
    write_lines(text.splitlines()) if to_stdout else write_message(text)


def _time_text(duration_ns: int | None) -> str:
    return "unknown, it has no clock" if duration_ns is None else f"{duration_ns / 1000:.3f} us"


def _summary(device: str, interface: ShaderInterface, result: Result) -> dict[str, Any]:
    results = {
        register: {
            "name": interface[register.partition("[")[0]].name,
            "dtype": str(array.dtype),
            "shape": list(array.shape),
            "first": [plain(value) for value in array.reshape(-1)[:_SHOWN].tolist()],
            **{
                kind.lower(): {"count": count, "first": first}
                for kind, (count, first) in not_finite(array).items()
            },
        }
        for register, array in arrays_of(result)
    }
    return {
        "device": device,
        "duration_ns": result.duration_ns,
        "results": results,
        "counters": dict(result.counters),
        "messages": messages_data(result.messages),
        "violations": {
            "total": result.violations.total,
            "by_instruction": [
                dataclasses.asdict(group) for group in result.violations.by_instruction()
            ],
            "records": [dataclasses.asdict(v) for v in result.violations],
        },
        **(_findings(result) if isinstance(result, ReferenceResult) else {}),
    }


def _findings(result: ReferenceResult) -> dict[str, Any]:
    """The races and divergent barriers that the reference machine found."""
    return {
        "races": {
            "total": result.findings.race_count,
            "records": [dataclasses.asdict(one) for one in result.races],
        },
        "divergent_barriers": {
            "total": result.findings.divergent_barrier_count,
            "records": [dataclasses.asdict(one) for one in result.divergent_barriers],
        },
    }


def arrays_of(result: Result) -> Iterator[tuple[str, Array]]:
    """The results by register; elements of a range as `u1[0]`. Null resources are omitted."""
    for register in result:
        found = result[register]
        register = register.removesuffix("_space0")  # shown without, where it means two things
        if not isinstance(found, list):
            yield register, found
            continue
        for element, array in enumerate(cast("list[Array | None]", found)):
            if array is not None:
                yield f"{register}[{element}]", array


def _lines(interface: ShaderInterface, result: Result) -> Iterator[str]:
    arrays = [*arrays_of(result)]
    for register, array in arrays:
        name, bracket, element = register.partition("[")
        label = f"{interface[name].label}{bracket}{element}"
        yield from array_lines(label, array, _SHOWN)
    if not arrays:
        nulls = (b for b in interface if is_result(b) and b.kind != COUNTER)
        yield from (f"{binding.label}: null" for binding in nulls)
    yield from _counter_lines(result, {})


def _counter_lines(result: Result, saves: Mapping[str, str]) -> Iterator[str]:
    for register, count in result.counters.items():
        if f"{register}.{COUNTER}" not in saves:
            yield f"{register}'s counter: {count}"


def trace_lines(steps: Iterable[Step]) -> Iterator[str]:
    """A line for each instruction, then a line for each register component that it reads or writes.

    If the HLSL is known, each line of it comes before its instructions.
    """
    source: str | None = None
    for step in steps:
        text = _hlsl_text(step)
        if text is not None and text != source:
            yield text
        source = text
        yield f"{place_text(step.instruction, step.line)}: {step.text}"
        for way, values in (("in", step.sources), ("out", step.results)):
            yield from (f"    {way:<4}{line}" for value in values for line in _number_lines(value))


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
            "sources": [_value_data(value) for value in step.sources],
            "results": [_value_data(value) for value in step.results],
        }
        for step in steps
    ]


def write_trace(arguments: argparse.Namespace, program: Program, steps: Iterable[Step]) -> None:
    """Write the shader's page with the first steps of the trace."""
    from translate import Options, explain
    from vkrunner.cli.explain import title_of, write_page  # only if needed
    from vkrunner.cli.translation_flags import translation_options
    from vkrunner.report.explanation import Section, TracedStep

    found = list(steps)
    rows = [
        TracedStep(
            step.instruction,
            escaped(step.text),
            [line for value in step.sources for line in _number_lines(value)],
            [line for value in step.results for line in _number_lines(value)],
        )
        for step in found[:_MOST_ON_PAGE]
    ]
    text = f"Thread {arguments.trace}: {len(found):,} instructions"
    more = f", of which {len(rows):,} are shown; --json has all" if len(rows) < len(found) else ""
    section = Section("trace", "Trace", f"{text}{more}.", steps=rows)
    explained = explain(program, Options(**translation_options(arguments)))
    write_page(arguments.page, explained, title_of(arguments.source), [section])


def _hlsl_text(step: Step) -> str | None:
    """`blur.hlsl:12: sum += picture[at];`, or only the place if the text is unknown."""
    if step.hlsl_line is None:
        return None
    text = "" if step.hlsl_text is None else f" {step.hlsl_text}"
    return f"{hlsl_place_text(step)}:{escaped(text)}"


def _number_lines(value: Value) -> Iterator[str]:
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


def _value_data(value: Value) -> dict[str, Any]:
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
