"""The page of `sm5vk run --report -o PAGE`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import translate
from translate import Explanation, Program
from vkrunner import Violation, ViolationGroup, Violations
from vkrunner.binding.registers import Key, find
from vkrunner.cli.explain import page_of, title_of
from vkrunner.cli.output import write_all
from vkrunner.cli.translation_flags import translation_options
from vkrunner.work.report import Triple, key_of, memory_text
from vkrunner.work.report_summary import SourceLines, summary_rows


def write_violations(
    arguments: argparse.Namespace,
    program: Program,
    groups: Sequence[int],
    values: Mapping[Key, Any],
    found: Violations,
) -> None:
    """Write the page of a dispatch. It shows the guards that the shader has without --report."""
    explained = translate.explain(program, translate.Options(**translation_options(arguments)))
    interface = explained.module.interface
    x, y, z = (
        n * size for n, size in zip([*groups, 1, 1][:3], interface.thread_group, strict=True)
    )
    sizes = {binding.register: size for binding, size in _sizes(interface, values)}
    title = title_of(arguments.source)
    page = _page(explained, title, found, (x, y, z), sizes)
    write_all({arguments.page: page.encode()}, binary=False)


def _page(
    explained: Explanation,
    title: str,
    found: Violations,
    threads: Triple,
    sizes: Mapping[str, int],
) -> str:
    """The page of a dispatch; `threads` are the numbers of threads in x, y and z.

    `sizes` has the lengths of resources by register, where they are known: bytes of raw buffers,
    elements of others.
    """
    groups = found.by_instruction()
    source = SourceLines(explained.program)
    extra = {
        "violations": [_article(group, found, threads, sizes, source) for group in groups],
        "violations_text": _head(found, groups),
    }
    bad = {group.first.instruction for group in groups}
    return page_of(explained, title, extra, {one for one in bad if one is not None})


def _head(found: Violations, groups: Sequence[ViolationGroup]) -> str:
    text = f"Violations: {found.total:,}, at different places: {len(groups)}."
    if len(found) < found.total:
        text += f" The pictures show the {len(found):,} that have a record."
    return text


def _article(
    group: ViolationGroup,
    found: Violations,
    threads: Triple,
    sizes: Mapping[str, int],
    source: SourceLines,
) -> dict[str, Any]:
    first = group.first
    records = [one for one in found if key_of(one) == key_of(first)]
    heading, row = summary_rows([group], threads[0] * threads[1] * threads[2])
    facts = [f"{name}: {text}" for name, text in zip(heading, row, strict=True)]
    return {
        "title": f"{first.register}, {memory_text(first)}: {', '.join(group.causes)}",
        "text": "; ".join(facts) + ".",
        "instruction": first.instruction,
        "caret": source.caret(first),
        "pictures": _pictures(records, threads, sizes.get(first.register)),
    }


def _pictures(records: Sequence[Violation], threads: Triple, size: int | None) -> list[Any]:
    from vkrunner.pages.pictures import memory_picture, threads_picture  # needs the extra packages

    places = [(_place(one), one.cause != "outside") for one in records]
    unit = "bytes" if records[0].kind == "raw_buffer" else "indices"
    hit = {one.thread for one in records}
    return [threads_picture(hit, threads), memory_picture(places, size, unit)]


def _place(one: Violation) -> int:
    """The place in memory: a byte in raw buffers, else an index; read as a signed integer."""
    place = one.byte_offset if one.kind == "raw_buffer" else one.index
    return place if place < 1 << 31 else place - (1 << 32)


def _sizes(
    interface: translate.ShaderInterface, values: Mapping[Key, Any]
) -> list[tuple[translate.Binding, int]]:
    """The lengths of buffers that are passed as arrays: bytes of raw buffers, else elements."""
    known: list[tuple[translate.Binding, int]] = []
    for key, value in values.items():
        binding, _ = find(interface, key)
        if binding.count != 1 or not isinstance(value, np.ndarray):
            continue
        if binding.kind == "raw_buffer":
            known.append((binding, int(value.nbytes)))
        elif binding.stride:
            known.append((binding, int(value.nbytes) // binding.stride))
    return known
