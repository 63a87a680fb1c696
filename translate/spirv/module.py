"""SpirvModule: the finished words and what to know to use them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from translate.errors import escaped
from translate.interface import ShaderInterface
from translate.spirv.tools import disassemble


@dataclass(frozen=True, slots=True, eq=False)
class SpirvModule:
    """A translated shader.

    Attributes
    ----------
    words : numpy.ndarray
        The module, header included: uint32, shape (n,).
    interface : ShaderInterface
        The resources to bind, and the device's required features.
    """

    words: np.ndarray[tuple[int, ...], np.dtype[np.uint32]]
    interface: ShaderInterface

    def to_bytes(self) -> bytes:
        """The words as little-endian bytes.

        Returns
        -------
        bytes
            The contents of a .spv file.
        """
        return self.words.astype("<u4").tobytes()

    def text(self) -> str:
        """The module as SPIR-V assembly.

        Returns
        -------
        str
            What spirv-dis prints, with control characters of names as escapes.

        Raises
        ------
        TranslateError
            SPIRV-Tools are not installed.
        """
        return escaped(disassemble(self.words, self.interface.target), keep="\n\t")
