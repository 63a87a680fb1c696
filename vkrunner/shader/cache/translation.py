"""Translation: a module and the warnings for its shader, as a cache entry.

An entry is a line of JSON, then the module's words; loading it executes nothing. NumPy is imported
only when the module object is needed: copying the words to a file does without.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from translate import ListingWarning, Where

if TYPE_CHECKING:
    from translate import Program, SpirvModule


class Translation:
    """A module and the warnings for its shader; `data` is the cache entry."""

    def __init__(self, data: bytes, module: SpirvModule | None = None):
        self.data = data
        head, _, self._words = data.partition(b"\n")
        self._head = json.loads(head)
        self._module = module

    @property
    def warnings(self) -> list[str]:
        """The warnings from reading the shader."""
        return self._head["warnings"]

    def listing_warnings(self, file: str | None) -> list[ListingWarning]:
        """The warnings for a listing, with `file` as its current path."""
        return [
            ListingWarning(message, Where(file, *place), source_line, tuple(lines))
            for message, place, source_line, lines in self._head["listing_warnings"]
        ]

    def to_bytes(self) -> bytes:
        """The content of a .spv file."""
        return self._words

    @property
    def module(self) -> SpirvModule:
        """The module; the words of one from the cache are read-only."""
        if self._module is None:
            from vkrunner.shader.cache.entries import read_module

            self._module = read_module(self._words, self._head["interface"])
        return self._module

    @classmethod
    def of(cls, module: SpirvModule, program: Program | None = None) -> Translation:
        """A new entry from a module and the warnings of the program it was translated from."""
        from vkrunner.shader.cache.entries import interface_data

        head = {
            "interface": interface_data(module.interface),
            "warnings": program.warnings if program else [],
            "listing_warnings": [
                (w.message, (w.where.line, w.where.column, w.where.length), w.source_line, w.lines)
                for w in (program.listing_warnings if program else [])
            ],
        }
        return cls(json.dumps(head).encode("ascii") + b"\n" + module.to_bytes(), module)
