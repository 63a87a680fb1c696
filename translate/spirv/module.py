"""SpirvModule: a finished module and its interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translate.dataclass import dataclass
from translate.errors import escaped
from translate.interface import ShaderInterface, brief_of, line_of
from translate.spirv.tools import disassemble

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class SpirvModule:
    """A translated shader.

    Attributes
    ----------
    data : bytes
        The contents of a .spv file: the module's words in little-endian order.
    interface : ShaderInterface
        The resources to bind, and the required device features.
    """

    data: bytes
    interface: ShaderInterface

    @property
    def words(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        """The complete module, including its header: uint32, shape (n,), read-only."""
        import numpy as np  # here, because it takes longer to import than a shader to translate

        return np.frombuffer(self.data, "<u4").astype(np.uint32, copy=False)

    def __repr__(self) -> str:
        """The size, the profile, the threads of a group, and the first registers."""
        return line_of(self, f"{len(self.data) // 4} words", *brief_of(self.interface))

    def to_bytes(self) -> bytes:
        """Convert the module to bytes, in little-endian order.

        Returns
        -------
        bytes
            The contents of a .spv file.
        """
        return self.data

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
        return escaped(disassemble(self.data, self.interface.target), keep="\n\t")
