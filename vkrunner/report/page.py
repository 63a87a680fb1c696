"""The page of a report: a shader's page with the violations of a dispatch, and with its races."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import translate
from translate.dataclass import dataclass, replace
from translate.interface import TEXTURE
from vkrunner.binding.arguments import Argument, ByteRange, TexelRange
from vkrunner.errors import ArgumentError, MissingError
from vkrunner.info.faults import Faults
from vkrunner.report.html import missing_package
from vkrunner.report.records import (
    BY_COMMAND,
    Key,
    Triple,
    Violation,
    ViolationGroup,
    key_of,
    memory_text,
    signed,
    texel_of,
)
from vkrunner.report.summary import (
    SourceLines,
    barriers_by_instructions,
    races_by_instructions,
    summary_rows,
)
from vkrunner.shader.shader import Shader

if TYPE_CHECKING:
    from translate import Explanation, Options, reference
    from vkrunner.report.explanation import Article, Section
    from vkrunner.report.html import Page
    from vkrunner.report.page_parts import Picture

_Rules: TypeAlias = "defaultdict[tuple[int | None, str], dict[str, None]]"
SectionsOf: TypeAlias = "Callable[[Explanation], Sequence[Section]]"

UNSOUGHT = f"not looked for here; open_device('reference'){BY_COMMAND} finds them"
_RACES = (
    "A race: two threads of a group access the same element of group-shared memory or a UAV with no"
    " barrier between them, and at least one stores. A divergent barrier: only some threads of a"
    " group reach it."
)


@dataclass(frozen=True, slots=True)
class ExplainedKernel:
    """A kernel that has a page: its shader, its options, and the faults of its device."""

    shader: Shader
    options: Options
    faults: Faults

    def page(self, title: str | None, sections: SectionsOf = lambda _: ()) -> Page:
        """The page of the shader's translation, which has no report.

        Raises ArgumentError if a package is missing, or for a kernel of a finished module, and the
        errors of `translate.explain`.
        """
        if (missing := missing_package()) is not None:
            raise MissingError(missing)
        if self.shader.finished is not None:
            raise ArgumentError("the kernel of a SpirvModule has no page: its shader is unknown")
        from vkrunner.report.explanation import explanation_page

        guards = "d3d" if self.options.guards == "report" else self.options.guards
        options = replace(self.options, guards=guards)
        explained = translate.explain(self.shader.program, options)
        shown = title or self.shader.title
        faults = self.faults(self.shader.topics(strict=options.strict))
        return explanation_page(explained, shown, sections(explained), faults=faults)


@dataclass(frozen=True, slots=True)
class ReportedDispatch:
    """A dispatch that a page shows, without its arguments.

    `threads` are the numbers of threads in x, y and z; None if the device reads the number of
    groups. `sizes` has the lengths of buffers by register: bytes of raw buffers, elements of
    others. `findings` are those of the reference machine. `shares_memory`: the shader has
    group-shared memory, on which threads can race.
    """

    kernel: ExplainedKernel
    threads: Triple | None
    sizes: Mapping[str, int]
    shares_memory: bool
    findings: reference.Findings | None = None

    def with_findings(self, findings: reference.Findings | None) -> ReportedDispatch:
        """The same dispatch with the reference machine's findings."""
        return replace(self, findings=findings)

    @property
    def thread_count(self) -> int | None:
        """The number of all threads, if the host knows it."""
        return math.prod(self.threads) if self.threads else None

    @property
    def notes(self) -> list[str]:
        """Sentences about what was not looked for, or not completely."""
        found = self.findings
        if found is None:
            return [f"races: {UNSOUGHT}"] if self.shares_memory else []
        notes: list[str] = []
        if not found.uses_are_known:
            notes.append(
                "out-of-bounds loads count as used in each batch of groups with more than"
                f" {found.mark_limit:,} of them and their sums to follow"
            )
        if not found.races_are_known:
            notes.append(
                "races may be missing: a batch of groups accessed too many elements between two"
                f" barriers (more than {found.access_limit // 2:,})"
            )
        return notes

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


def report_page(
    records: Sequence[Violation],
    total: int,
    groups: Sequence[ViolationGroup],
    dispatch: ReportedDispatch,
    title: str | None = None,
) -> Page:
    """The page as HTML, of the recorded violations, the number of all, and their groups.

    Raises the errors of `ExplainedKernel.page`.
    """
    found = _Found(records, total, groups)
    return dispatch.kernel.page(title, lambda explained: _sections(found, dispatch, explained))


@dataclass(frozen=True, slots=True)
class _Found:
    """The violations of a dispatch: those with a record, the number of all, and their groups."""

    records: Sequence[Violation]
    total: int
    groups: Sequence[ViolationGroup]


def _sections(found: _Found, dispatch: ReportedDispatch, explained: Explanation) -> list[Section]:
    from vkrunner.report.explanation import Section

    source, threads = SourceLines(explained.program), dispatch.threads or _extent(found.records)
    shown = _violations(found, dispatch, explained, source)
    sections = [Section("violations", "Violations", *shown)]
    if dispatch.findings is not None and dispatch.has_races:
        articles = [*_races(dispatch.findings, source, threads)]
        text = (
            f"{_RACES} Races: {dispatch.findings.race_count:,}, divergent barriers:"
            f" {dispatch.findings.divergent_barrier_count:,}."
        )
        sections.append(Section("races", "Races and barriers", text, articles))
    return sections


def _violations(
    found: _Found, dispatch: ReportedDispatch, explained: Explanation, source: SourceLines
) -> tuple[str, list[Article]]:
    """The text above the violations, and an article for each instruction that has some."""
    groups = found.groups
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
    text = " ".join([text, *(f"{note[0].upper()}{note[1:]}." for note in dispatch.notes)])
    records: defaultdict[Key, list[Violation]] = defaultdict(list)
    for one in found.records:
        records[key_of(one)].append(one)
    threads, rules = dispatch.threads or _extent(found.records), _rules(explained)
    return text, [
        _violation(group, records[key_of(group.first)], dispatch, threads, rules, source)
        for group in groups
    ]


def _violation(
    group: ViolationGroup,
    records: Sequence[Violation],
    dispatch: ReportedDispatch,
    threads: Triple,
    rules: _Rules,
    source: SourceLines,
) -> Article:
    from vkrunner.report.explanation import Article

    first = group.first
    heading, row = summary_rows([group], dispatch.thread_count)
    facts = [*zip(heading, row, strict=True)]
    if first.kind == TEXTURE:
        some = f"of the {len(records):,} recorded: " if len(records) < group.count else ""
        facts.append(("coordinates", f"{some}{_ranges(records)}"))
    of_access = rules[first.instruction, first.register]
    facts += [("out of bounds in D3D", text) for text in of_access]
    text = ""
    if group.recorded < group.count:
        text = (
            f"Only {group.recorded:,} of the {group.count:,} violations have a record: the pictures"
            " lack the others."
        )
    return Article(
        f"{first.register}, {memory_text(first)}: {', '.join(group.causes)}",
        text,
        [] if first.instruction is None else [first.instruction],
        source.caret(first, first.register),
        _pictures(group, records, threads, dispatch.sizes),
        facts,
    )


def _rules(explained: Explanation) -> _Rules:
    """D3D's rules for each access, by its instruction and register, each once."""
    rules: _Rules = defaultdict(dict)
    for access in explained.accesses:
        rules[access.instruction, access.register][access.rule] = None
    return rules


def _pictures(
    group: ViolationGroup, records: Sequence[Violation], threads: Triple, sizes: Mapping[str, int]
) -> list[Picture]:
    from vkrunner.report.page_parts import memory_picture, threads_picture

    hit = {one.thread for one in records}
    every = threads_picture(hit, threads, missing=group.count - group.recorded)
    if records[0].kind == TEXTURE:
        return [every]
    places = [(_place(one), one.cause != "outside") for one in records]
    unit = "bytes" if records[0].kind == "raw_buffer" else "indices"
    return [every, memory_picture(places, sizes.get(group.first.register), unit)]


def _ranges(records: Sequence[Violation]) -> str:
    """The coordinates of texels, each from the lowest to the highest: `x 3 to 9, y -1 to 70`."""
    texels = [texel_of(one) for one in records]
    every = {name: [signed(one[name]) for one in texels] for name in texels[0]}
    return ", ".join(f"{name} {min(at):,} to {max(at):,}" for name, at in every.items())


def _place(one: Violation) -> int:
    """The place in memory: a byte in raw buffers, else an index; read as a signed integer."""
    return signed(one.byte_offset if one.kind == "raw_buffer" else one.index)


def _extent(found: Sequence[Violation]) -> Triple:
    """The smallest numbers of threads that include all threads with a violation."""
    x, y, z = (max((one.thread[n] for one in found), default=0) + 1 for n in range(3))
    return x, y, z


def _races(findings: reference.Findings, source: SourceLines, threads: Triple) -> Iterator[Article]:
    """An article for each pair of instructions that race, or between which threads part."""
    from vkrunner.report.explanation import Article
    from vkrunner.report.page_parts import threads_picture

    for pair in races_by_instructions(findings):
        first, *_ = found = pair.records
        hit = {one.thread for race in found for one in (race.first, race.second)}
        numbers = [*dict.fromkeys((first.first.instruction, first.second.instruction))]
        lines = "\n".join(map(source.text, numbers))
        text = f"Races: {pair.count:,}, recorded: {len(found):,}; for example {first}."
        pictures = [threads_picture(hit, threads)]
        yield Article(f"Race on {first.register}", text, numbers, lines, pictures)
    for pair in barriers_by_instructions(findings):
        barrier = pair.records[0]
        arrived, missing = barrier.arrived, barrier.missing
        numbers = [*dict.fromkeys((arrived.instruction, missing.instruction))]
        lines = "\n".join(map(source.text, numbers))
        text = f"Groups: {pair.count:,}; for example {barrier}."
        yield Article("Barrier that not all threads reach", text, numbers, lines, ())
