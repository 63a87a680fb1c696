"""Arrays of interfaces, with methods that class instances implement (`dcl_interface`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interface:
    """A declared interface array.

    `first_slot` and `count` are its interface slots, one for each element; `call_sites` is the
    number of places that call it, `tables` are the numbers of the ft# that implement it.
    """

    first_slot: int
    count: int
    call_sites: int
    tables: tuple[int, ...]
