"""Arrays of interfaces, whose methods are called by class instances (`dcl_interface`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interface:
    """A declared interface array: its first slot of all, how many, how many methods, the tables."""

    first_slot: int
    count: int
    call_sites: int
    tables: tuple[int, ...]
