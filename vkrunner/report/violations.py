"""Violations: the list of a dispatch's violations, as text, table and page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from translate.dataclass import replace
from translate.interface import html_table
from vkrunner.errors import CallersLine, MissingError
from vkrunner.report.records import (
    BY_COMMAND,
    COORDINATES,
    Key,
    Triple,
    Violation,
    ViolationGroup,
    key_of,
    memory_text,
    signed_text,
    texel_of,
    without_empty,
)
from vkrunner.values.comparison import short_table, text_table

if TYPE_CHECKING:
    from translate import Program
    from vkrunner.report.page import ReportedDispatch


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
            followed by the line of the HLSL or listing, and an example. Without violations, a
            sentence.
        """
        from vkrunner.report.summary import summary_lines

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
        from vkrunner.report.page import report_page

        with CallersLine():
            if self._dispatch is None:
                text = "only the violations of a dispatch have a page"
                raise MissingError(text if self.is_recorded else self._caption)
            return report_page(self, self.total, self.by_instruction(), self._dispatch, title)

    def __repr__(self) -> str:
        """The number of violations, and a line for each of the first instructions."""
        from vkrunner.report.summary import summary_rows

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
        from vkrunner.report.html import missing_package
        from vkrunner.report.summary import summary_rows

        heading, *rows = summary_rows(self.by_instruction())
        notes = [note.replace(BY_COMMAND, "") for note in self._notes]
        table = html_table("; ".join([self._caption, *notes]), rows, heading if rows else ())
        dispatch = self._dispatch
        if dispatch is not None and (self or dispatch.has_races) and missing_package() is None:
            from vkrunner.report.page import report_page

            page = report_page(self, self.total, self.by_instruction(), dispatch)
            return page.framed(table)
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


_HEADING = (
    *("HLSL", "line", "instruction", "register", "memory", "what", "index", *COORDINATES),
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
        *(signed_text(texel[name]) if name in texel else "" for name in COORDINATES),
        hex(violation.byte_offset),
        ",".join(map(str, violation.thread)),
        ",".join(map(str, violation.group)),
        "defined" if violation.defined else "undefined",
        "unused" if violation.is_harmless else "",
    )


def _order(violation: Violation) -> tuple[int, Triple]:
    return violation.instruction or 0, violation.thread
