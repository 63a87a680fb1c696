"""Arrays of interfaces, with methods that class instances implement (`dcl_interface`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interface:
    """A declared interface array: first slot, number of slots, number of methods, tables."""

    first_slot: int
    count: int
    call_sites: int
    tables: tuple[int, ...]
