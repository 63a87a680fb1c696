"""SpirvModule: a finished module and its interface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from translate.errors import escaped
from translate.interface import ShaderInterface, brief_of, line_of
from translate.spirv.tools import disassemble


@dataclass(frozen=True, slots=True, eq=False)
class SpirvModule:
    """A translated shader.

    Attributes
    ----------
    words : numpy.ndarray
        The complete module, including its header: uint32, shape (n,).
    interface : ShaderInterface
        The resources to bind, and the required device features.
    """

    words: np.ndarray[tuple[int, ...], np.dtype[np.uint32]]
    interface: ShaderInterface

    def __repr__(self) -> str:
        """The size, the profile, the threads of a group, and the first registers."""
        return line_of(self, f"{len(self.words)} words", *brief_of(self.interface))

    def to_bytes(self) -> bytes:
        """Convert the module to bytes, in little-endian order.

        Returns
        -------
        bytes
            The contents of a .spv file.
        """
        return self.words.astype("<u4").tobytes()

    def text(self) -> str:
        """Disassemble the module.

        Returns
        -------
        str
            The output of spirv-dis, with control characters in names escaped.

        Raises
        ------
        TranslateError
            SPIRV-Tools are not installed.
        """
        return escaped(disassemble(self.words, self.interface.target), keep="\n\t")
