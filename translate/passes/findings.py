"""Findings: the facts that a pass finds about a module, and declarations that its code needs."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from translate.ir.memory import Message, Report, Resource, Site
from translate.ir.tables import Tables
from translate.ir.values import Guard, Module


@dataclass(frozen=True, slots=True)
class Findings:
    """New contents of the fields of `Module` with these names; None keeps a field.

    A pass changes only the module's code by itself; it returns everything else.
    """

    tables: Tables | None = None
    resources: list[Resource] | None = None
    written_marks: dict[Resource, Resource] | None = None
    sites: list[Site] | None = None
    report: Report | None = None
    messages: list[Message] | None = None
    message_buffer: Resource | None = None
    exposed: set[str] | None = None
    guards: list[Guard] | None = None

    def with_guards(self, guards: list[Guard]) -> Findings:
        """These findings with `guards`."""
        return replace(self, guards=guards)

    def note_in(self, module: Module) -> None:
        """Set the module's fields to the findings."""
        for field in fields(self):
            found = getattr(self, field.name)
            if found is not None:
                setattr(module, field.name, found)
