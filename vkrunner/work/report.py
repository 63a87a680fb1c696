"""Violations: the reports of a kernel with `guards="report"` on out-of-bounds accesses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from translate.errors import hlsl_place_text, located_text
from translate.interface import TEXTURE, html_table
from vkrunner.errors import CallersLine, MissingError
from vkrunner.values.comparison import short_table, text_table

CAUSES = ("outside", "past the stride", "unaligned", "uninitialised")
_CAUSE_TEXTS = {
    "unaligned": "unaligned access to",
    "uninitialised": "read of uninitialised",
}

_COORDINATES = ("y", "z", "slice", "mip", "sample")  # of a texture, after x
BY_COMMAND = " or --device reference"  # a half of a hint, which notebooks leave out

if TYPE_CHECKING:
    from translate import Program
    from vkrunner.work.report_page import ReportedDispatch

Triple = tuple[int, int, int]
Key = tuple[int | None, str, bool]  # instruction, register, used
Report = tuple[Sequence["Violation"], int, Mapping[Key, int]]  # records, number of all, by group


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation: an access out of bounds, unaligned, or to memory before its first write.

    Attributes
    ----------
    thread : tuple of int
        The thread's place in the dispatch (SV_DispatchThreadID): x, y and z.
    group : tuple of int
        Its group's place (SV_GroupID).
    instruction : int or None
        The number of the instruction, from 0; declarations do not count.
    line : int or None
        The listing's line; None for a container.
    register : str
        The accessed register.
    kind : str
        The kind of memory: structured_buffer, group_shared, ...
    cause : {"outside", "past the stride", "unaligned", "uninitialised"}
        The rule that was violated.
    index : int
        The index of the structure, element or vector; of a texture, the x coordinate. Its other
        coordinates are `y`, `z`, `slice`, `mip` and `sample`. All are unsigned, as in the shader:
        -1 is 4294967295; `numpy.int32(numpy.uint32(index))` is the signed number.
    byte_offset : int
        The address in raw memory, or the offset within a structure.
    defined : bool
        Whether D3D defines the result.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    used : bool
        False if this thread does not use the loaded result: fxc loads in every thread, and selects
        another value where a condition is false.
    y : int or None
        Of a texture with two or three dimensions: the y coordinate.
    z : int or None
        Of a 3D texture: the z coordinate.
    slice : int or None
        Of a texture array: the slice.
    mip : int or None
        Of a texture with mips, in a load of a t#: the mip.
    sample : int or None
        Of a multisampled texture: the sample.
    CAUSES : tuple of str
        All values of `cause`.
    """

    thread: Triple
    group: Triple
    instruction: int | None
    line: int | None
    register: str
    kind: str
    cause: str
    index: int
    byte_offset: int
    defined: bool
    hlsl_file: str | None = None
    hlsl_line: int | None = None
    used: bool = True
    y: int | None = None
    z: int | None = None
    slice: int | None = None
    mip: int | None = None
    sample: int | None = None
    CAUSES: ClassVar[tuple[str, ...]] = CAUSES

    @property
    def is_harmless(self) -> bool:
        """Whether the access is a load whose result is unused (`used` is False)."""
        return not self.used

    @property
    def hlsl_place(self) -> str:
        """`file:line` of the HLSL, "" without debug information."""
        return hlsl_place_text(self)

    def __str__(self) -> str:
        where = located_text(self)
        place = f"byte offset {self.byte_offset:#x}"
        if self.kind == TEXTURE:
            place = texel_text(self)
        elif self.kind != "raw_buffer":
            place = f"index {signed_text(self.index)}, {place}"
        how = _CAUSE_TEXTS.get(self.cause, f"{self.cause} of")
        outcome = "defined" if self.defined else "undefined in D3D"
        outcome += ", result unused" if self.is_harmless else ""
        return (
            f"{where}: {how} {memory_text(self)} {self.register}: {place};"
            f" thread {self.thread}, group {self.group}; {outcome}"
        )


@dataclass(frozen=True, slots=True)
class ViolationGroup:
    """The violations of one instruction at one register.

    Loads whose result the thread uses, and those whose result it does not use, are two groups.

    Attributes
    ----------
    first : Violation
        The recorded violation of the first thread (by x, then y, then z).
    count : int
        The number of violations, recorded or not.
    threads : int
        The number of threads with a recorded violation.
    causes : tuple of str
        The causes of the recorded violations, most frequent first.
    recorded : int
        The number of recorded violations: those for which the report had room.
    """

    first: Violation
    count: int
    threads: int
    causes: tuple[str, ...]
    recorded: int


class Violations(list[Violation]):
    """The violations of a dispatch: a list of Violation, in no particular order.

    Attributes
    ----------
    total : int
        The number of all violations, including those for which the report had no room.
    """

    def __init__(
        self,
        records: Iterable[Violation] = (),
        total: int = 0,
        counts: Mapping[Key, int] | None = None,
        dispatch: ReportedDispatch | None = None,
    ):
        super().__init__(records)
        self.total = total
        self._counts = counts  # None in results of kernels without a report
        self._dispatch = dispatch

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled copy has no page, as it does not have the shader."""
        return Violations, ([*self], self.total, self._counts)

    @property
    def is_recorded(self) -> bool:
        """Whether the kernel records violations: it has `guards="report"`."""
        return self._counts is not None or bool(self)

    def harmful(self) -> Violations:
        """The violations without those that are harmless: loads whose result is unused.

        Returns
        -------
        Violations
            The other violations, with their `total`; texts of them have no note about races.
        """
        shown = self._dispatch and replace(self._dispatch, shares_memory=False)
        records = [one for one in self if not one.is_harmless]
        if not self._counts:
            total = self.total - len(self) + len(records)
            return Violations(records, total, self._counts, shown)
        counts = {key: count for key, count in self._counts.items() if key[2]}
        harmless = sum(self._counts.values()) - sum(counts.values())
        return Violations(records, self.total - harmless, counts, shown)

    def by_instruction(self) -> list[ViolationGroup]:
        """Group the violations by instruction and register.

        Returns
        -------
        list of ViolationGroup
            The groups with most violations first; those with unused results come last.
        """
        groups: dict[Key, list[Violation]] = defaultdict(list)
        for one in sorted(self, key=_order):
            groups[key_of(one)].append(one)
        found = [self._group(key, records) for key, records in groups.items()]
        return sorted(found, key=lambda group: (group.first.is_harmless, -group.count))

    def _group(self, key: Key, records: list[Violation]) -> ViolationGroup:
        causes = [one.cause for one in records]
        return ViolationGroup(
            records[0],
            (self._counts or {}).get(key, len(records)),
            len({one.thread for one in records}),
            tuple(sorted(dict.fromkeys(causes), key=causes.count, reverse=True)),
            len(records),
        )

    def summary(self, program: Program | None = None, threads: int | None = None) -> str:
        """The violations as text, by instruction.

        Parameters
        ----------
        program : Program, optional
            The shader, for the source line of each instruction. By default that of the dispatch,
            which a pickled copy does not have.
        threads : int, optional
            The number of threads of the dispatch, for the share that has a violation. By default
            that of the dispatch, if the host knows it.

        Returns
        -------
        str
            A line for each instruction, most violations first, under a heading; with the shader
            followed by the HLSL line or the line of the listing. Without violations, a sentence.
        """
        from vkrunner.work.report_summary import summary_lines

        if self._dispatch is not None:
            program = program or self._dispatch.kernel.shader.program
            threads = threads or self._dispatch.thread_count
        lines = summary_lines(self.by_instruction(), program, threads)
        return "\n".join([*(lines if self else [self._none]), *self._notes])

    def page(self, title: str | None = None) -> str:
        """The shader's page with the violations on their lines, and pictures.

        The page needs the extra `explain` (Jinja2 and Pygments). The guards on it are those of a
        translation without reports.

        Parameters
        ----------
        title : str, optional
            The page's title; by default the name of the shader's file.

        Returns
        -------
        str
            The HTML of a page that needs no other file, as `sm5vk run --report -o` writes it. On
            the reference machine also with races and divergent barriers. A notebook shows it in a
            frame.

        Raises
        ------
        ArgumentError
            A package is missing, or the violations are not those of a dispatch.
        """
        from vkrunner.work.report_page import report_page

        with CallersLine():
            if self._dispatch is None:
                text = "only the violations of a dispatch have a page"
                raise MissingError(text if self.is_recorded else self._caption)
            return report_page(self, self._dispatch, title)

    def __repr__(self) -> str:
        """The number of violations, and a line for each of the first instructions."""
        from vkrunner.work.report_summary import summary_rows

        heading, *rows = summary_rows(self.by_instruction())
        return "\n".join([self._caption, *short_table(heading, rows, len(rows)), *self._notes])

    @property
    def _none(self) -> str:
        return "no violations" if self.is_recorded else self._caption

    @property
    def _notes(self) -> list[str]:
        return self._dispatch.notes if self._dispatch is not None else []

    @property
    def _caption(self) -> str:
        if not self.is_recorded:
            return "violations: not recorded; make the kernel with guards='report'"
        return f"violations: {self.total:,}"

    def _repr_html_(self) -> str:
        """The page in a frame if violations or races were found, else a table by instruction."""
        from vkrunner.pages import missing_package
        from vkrunner.work.report_summary import summary_rows

        heading, *rows = summary_rows(self.by_instruction())
        notes = [note.replace(BY_COMMAND, "") for note in self._notes]
        table = html_table("; ".join([self._caption, *notes]), rows, heading if rows else ())
        dispatch = self._dispatch
        if dispatch is not None and (self or dispatch.has_races) and missing_package() is None:
            from vkrunner.work.report_page import report_page

            return report_page(self, dispatch).framed(table)
        return table

    def table(self) -> str:
        """The violations as text, by instruction and thread.

        Returns
        -------
        str
            A line for each, under a heading. Without violations, a sentence.
        """
        rows = [_HEADING, *(_row(v) for v in sorted(self, key=_order))]
        more = [f"and {self.total - len(self)} more"] if self.total > len(self) else []
        lines = text_table(without_empty(rows)) if self else [self._none]
        return "\n".join([*lines, *more, *self._notes])


def key_of(violation: Violation) -> Key:
    """The key of a violation's group: instruction, register, whether the result is used."""
    return violation.instruction, violation.register, violation.used


def without_empty(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows of a table (the first is the heading), without columns that are empty below it."""
    kept = [one for one in zip(*rows, strict=True) if any(one[1:]) or len(rows) == 1]
    return list(zip(*kept, strict=True))


_HEADING = (
    *("HLSL", "line", "instruction", "register", "memory", "what", "index", *_COORDINATES),
    *("byte offset", "thread", "group", "in D3D", "result"),
)


def _row(violation: Violation) -> tuple[str, ...]:
    line = "" if violation.line is None else str(violation.line)
    texel = texel_of(violation)
    return (
        violation.hlsl_place,
        line,
        str(violation.instruction),
        violation.register,
        memory_text(violation),
        violation.cause,
        signed_text(violation.index),
        *(signed_text(texel[name]) if name in texel else "" for name in _COORDINATES),
        hex(violation.byte_offset),
        ",".join(map(str, violation.thread)),
        ",".join(map(str, violation.group)),
        "defined" if violation.defined else "undefined",
        "unused" if violation.is_harmless else "",
    )


def memory_text(violation: Violation) -> str:
    """The kind of memory in words."""
    if violation.kind == "group_shared":
        return "group-shared memory"
    return violation.kind.replace("_", " ")


def texel_text(violation: Violation) -> str:
    """The coordinates of a texel: `x 3, y -1 (4294967295), mip 0`."""
    return ", ".join(f"{name} {signed_text(at)}" for name, at in texel_of(violation).items())


def texel_of(violation: Violation) -> dict[str, int]:
    """The coordinates of a texel by name, x first."""
    found = {name: getattr(violation, name) for name in _COORDINATES}
    return {"x": violation.index, **{n: at for n, at in found.items() if at is not None}}


def signed_text(index: int) -> str:
    """An index as text; one past 2^31 is probably negative: `-1 (4294967295)`."""
    return str(index) if signed(index) == index else f"{signed(index)} ({index})"


def signed(index: int) -> int:
    """An index read as a signed integer."""
    return index if index < 1 << 31 else index - (1 << 32)


def _order(violation: Violation) -> tuple[int, Triple]:
    return violation.instruction or 0, violation.thread
