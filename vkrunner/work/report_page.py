"""The page of a report: a shader's page with the violations of a dispatch, and with its races."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import translate
from vkrunner.binding.arguments import Argument, ByteRange, TexelRange
from vkrunner.shader.shader import Shader
from vkrunner.work.race_summary import (
    barriers_by_instructions,
    races_by_instructions,
)
from vkrunner.work.report import (
    Triple,
    Violation,
    ViolationGroup,
    Violations,
    key_of,
    memory_text,
)
from vkrunner.work.report_summary import SourceLines, summary_rows

if TYPE_CHECKING:
    from translate import Explanation, reference
    from vkrunner.pages.explanation import Article
    from vkrunner.pages.pictures import Picture

_RACES = (
    "A race: two threads access the same group-shared memory with no barrier between them, and at"
    " least one stores. A divergent barrier: only some threads of a group reach it."
)


@dataclass(frozen=True, slots=True)
class ReportedKernel:
    """A kernel with `guards="report"`: its shader, and the options given to it."""

    shader: Shader
    options: Mapping[str, Any]

    def explained(self) -> Explanation:
        """The explanation of the shader as it is translated without a report."""
        names = {field.name for field in dataclasses.fields(translate.Options)} - {"guards"}
        given = {name: value for name, value in self.options.items() if name in names}
        return translate.explain(self.shader.program, translate.Options(**given))


@dataclass(frozen=True, slots=True)
class ReportedDispatch:
    """A dispatch that a page shows, without its arguments.

    `threads` are the numbers of threads in x, y and z; None if the device reads the number of
    groups. `sizes` has the lengths of buffers by register: bytes of raw buffers, elements of
    others. `findings` are those of the reference machine.
    """

    kernel: ReportedKernel
    threads: Triple | None
    sizes: Mapping[str, int]
    findings: reference.Findings | None = None

    def with_findings(self, findings: reference.Findings | None) -> ReportedDispatch:
        """The same dispatch with the reference machine's findings."""
        return dataclasses.replace(self, findings=findings)

    @property
    def has_races(self) -> bool:
        """Whether the reference machine found races or divergent barriers."""
        found = self.findings
        return found is not None and bool(found.races or found.divergent_barriers)


def sizes_of(arguments: Iterable[Argument]) -> dict[str, int]:
    """The lengths of the buffers among the arguments, by register."""
    sizes: dict[str, int] = {}
    for argument in arguments:
        shown = argument.shown
        binding = shown.binding
        if binding.count == 1 and isinstance(shown, ByteRange):
            if binding.kind == "raw_buffer":
                sizes[binding.register] = shown.size
            elif binding.stride:
                sizes[binding.register] = shown.size // binding.stride
            elif isinstance(shown, TexelRange):
                sizes[binding.register] = shown.size // shown.format.texel_bytes
    return sizes


def report_page(found: Violations, dispatch: ReportedDispatch, title: str | None = None) -> str:
    """The page as HTML. Raises the errors of `translate.explain`."""
    from vkrunner.pages.explanation import Section, explanation_page  # packages may be missing

    explained = dispatch.kernel.explained()
    threads = dispatch.threads or _extent(found)
    sections = [Section("violations", "Violations", *_violations(found, dispatch, explained))]
    if dispatch.findings is not None and dispatch.has_races:
        articles = [*_races(dispatch.findings, explained, threads)]
        text = (
            f"{_RACES} Races: {dispatch.findings.race_count:,}, divergent barriers:"
            f" {dispatch.findings.divergent_barrier_count:,}."
        )
        sections.append(Section("races", "Races and barriers", text, articles))
    return explanation_page(explained, title or dispatch.kernel.shader.title, sections)


def _violations(
    found: Violations, dispatch: ReportedDispatch, explained: Explanation
) -> tuple[str, list[Article]]:
    """The text above the violations, and an article for each instruction that has some."""
    groups = found.by_instruction()
    text = (
        "A violation is an access that is out of bounds or unaligned, or that reads memory before"
        f" its first write. Violations: {found.total:,}, at different places: {len(groups)}."
    )
    if not groups:
        text = "No violations."
    if groups and dispatch.threads:
        text += f" Threads of the dispatch: {' x '.join(f'{n:,}' for n in dispatch.threads)}."
    if groups and dispatch.sizes:
        sizes = (f"{register} {size:,}" for register, size in dispatch.sizes.items())
        text += (
            f" Lengths of buffers (bytes of raw buffers, elements of others): {', '.join(sizes)}."
        )
    if any(group.first.is_harmless for group in groups):
        text += " Loads whose result is unused are harmless: fxc moves loads out of conditions."
    source = SourceLines(explained.program)
    return text, [_violation(group, found, dispatch, explained, source) for group in groups]


def _violation(
    group: ViolationGroup,
    found: Violations,
    dispatch: ReportedDispatch,
    explained: Explanation,
    source: SourceLines,
) -> Article:
    from vkrunner.pages.explanation import Article

    first = group.first
    records = [one for one in found if key_of(one) == key_of(first)]
    threads = dispatch.threads
    heading, row = summary_rows([group], math.prod(threads) if threads else None)
    facts = [*zip(heading, row, strict=True)]
    facts += [("out of bounds in D3D", text) for text in _rules(first, explained)]
    text = ""
    if group.recorded < group.count:
        text = f"The pictures show the {group.recorded:,} violations that have a record."
    return Article(
        f"{first.register}, {memory_text(first)}: {', '.join(group.causes)}",
        text,
        [] if first.instruction is None else [first.instruction],
        source.caret(first, first.register),
        _pictures(records, threads or _extent(found), dispatch.sizes.get(first.register)),
        facts,
    )


def _rules(first: Violation, explained: Explanation) -> Iterator[str]:
    """D3D's rule for the access of a violation, once."""
    rules = (
        access.rule
        for access in explained.accesses
        if (access.instruction, access.register) == (first.instruction, first.register)
    )
    yield from dict.fromkeys(rules)


def _pictures(records: Sequence[Violation], threads: Triple, size: int | None) -> list[Picture]:
    from vkrunner.pages.pictures import memory_picture, threads_picture

    places = [(_place(one), one.cause != "outside") for one in records]
    unit = "bytes" if records[0].kind == "raw_buffer" else "indices"
    hit = {one.thread for one in records}
    return [threads_picture(hit, threads), memory_picture(places, size, unit)]


def _place(one: Violation) -> int:
    """The place in memory: a byte in raw buffers, else an index; read as a signed integer."""
    place = one.byte_offset if one.kind == "raw_buffer" else one.index
    return place if place < 1 << 31 else place - (1 << 32)


def _extent(found: Violations) -> Triple:
    """The smallest numbers of threads that include all threads with a violation."""
    x, y, z = (max((one.thread[n] for one in found), default=0) + 1 for n in range(3))
    return x, y, z


def _races(
    findings: reference.Findings, explained: Explanation, threads: Triple
) -> Iterator[Article]:
    """An article for each pair of instructions that race, or between which threads part."""
    from vkrunner.pages.explanation import Article
    from vkrunner.pages.pictures import threads_picture

    for pair in races_by_instructions(findings):
        first, *_ = found = pair.records
        hit = {one.thread for race in found for one in (race.first, race.second)}
        numbers = [*dict.fromkeys((first.first.instruction, first.second.instruction))]
        source = "\n".join(map(explained.source_text, numbers))
        text = f"Races: {pair.count:,}, recorded: {len(found):,}; for example {first}."
        pictures = [threads_picture(hit, threads)]
        yield Article(f"Race on {first.register}", text, numbers, source, pictures)
    for pair in barriers_by_instructions(findings):
        barrier = pair.records[0]
        arrived, missing = barrier.arrived, barrier.missing
        numbers = [*dict.fromkeys((arrived.instruction, missing.instruction))]
        source = "\n".join(map(explained.source_text, numbers))
        text = f"Groups: {pair.count:,}; for example {barrier}."
        yield Article("Barrier that not all threads reach", text, numbers, source, ())
