"""Findings: the facts that a pass finds about a module, besides its rewrites."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from translate.ir.tables import Layout, Table
from translate.ir.values import Module


@dataclass(frozen=True, slots=True)
class Findings:
    """`exposed`: faults of drivers that the module would meet; `layouts`: those of all memory."""

    exposed: Set[str] = frozenset()
    layouts: Table[Layout] | None = None

    def note_in(self, module: Module) -> None:
        """Keep the findings in the module."""
        module.exposed |= self.exposed
        if self.layouts is not None:
            module.tables.layouts = self.layouts
