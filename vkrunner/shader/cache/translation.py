"""Translation: a module with what its reader warned of, as it is kept: a line of JSON, the words.

Nothing in it is executed. NumPy is imported when the module itself is asked for, not before: to
copy the words to a file takes none.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from translate import ListingWarning, Where

if TYPE_CHECKING:
    from translate import Program, SpirvModule


class Translation:
    """A module as it is written down in `data`."""

    def __init__(self, data: bytes, module: SpirvModule | None = None):
        self.data = data
        head, _, self._words = data.partition(b"\n")
        self._head = json.loads(head)
        self._module = module

    @property
    def warnings(self) -> list[str]:
        """The warnings of the shader's reader."""
        return self._head["warnings"]

    def listing_warnings(self, file: str | None) -> list[ListingWarning]:
        """Those of a listing, which lies in `file` now."""
        return [
            ListingWarning(message, Where(file, *place), source_line, tuple(lines))
            for message, place, source_line, lines in self._head["listing_warnings"]
        ]

    def to_bytes(self) -> bytes:
        """The words of a .spv file."""
        return self._words

    @property
    def module(self) -> SpirvModule:
        """The module; where it was read from a cache, its words cannot be written to."""
        if self._module is None:
            from vkrunner.shader.cache.entries import read_module

            self._module = read_module(self._words, self._head["interface"])
        return self._module

    @classmethod
    def of(cls, module: SpirvModule, program: Program | None = None) -> Translation:
        """The one of a module that was just made, with what the program's reader warned of."""
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
