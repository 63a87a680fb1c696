"""Translation: a module with what its reader warned of, as it is kept: a line of JSON, the words.

Nothing in it is executed. NumPy is imported when the module itself is asked for, not before: to
copy the words to a file takes none.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translate import SpirvModule


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

    def to_bytes(self) -> bytes:
        """The words of a .spv file."""
        return self._words

    @property
    def module(self) -> SpirvModule:
        """The module; where it was read from a cache, its words cannot be written to."""
        if self._module is None:
            from vkrunner.cache.entries import read_module

            self._module = read_module(self._words, self._head["interface"])
        return self._module

    @classmethod
    def of(cls, module: SpirvModule, warnings: list[str]) -> Translation:
        """The one of a module that was just made."""
        from vkrunner.cache.entries import interface_data

        head = json.dumps({"interface": interface_data(module.interface), "warnings": warnings})
        return cls(head.encode("ascii") + b"\n" + module.to_bytes(), module)
