"""The fields of tokens, for decoding and encoding.

Source: d3d12TokenizedProgramFormat.hpp (TPF); reference "SM4/SM5 token format", §5.
"""

from __future__ import annotations

from typing import NamedTuple

from translate.dataclass import dataclass

COMPUTE = 5
PROGRAM_TYPES = {0: "pixel", 1: "vertex", 2: "geometry", 3: "hull", 4: "domain", COMPUTE: "compute"}
VERSIONS = ((4, 0), (4, 1), (5, 0), (5, 1))
MAX_SHORT_LENGTH = 127  # the maximum of the opcode token's length field
MAX_INDEX_DEPTH = 4  # FS §7.3 allows r# or a statically indexed x# as an index, so 2 occur


class TokenError(ValueError):
    """An invalid token; the caller knows the place and raises a TranslateError."""


class Bits(NamedTuple):
    """A field of a 32-bit token."""

    shift: int
    width: int

    def read(self, token: int) -> int:
        return token >> self.shift & (1 << self.width) - 1

    def place(self, value: int) -> int:
        """`value` moved to the field's bits. Raises TokenError if it needs more bits."""
        if not 0 <= value < 1 << self.width:
            raise TokenError(f"{value} does not fit into {self.width} bits")
        return value << self.shift

    def read_signed(self, token: int) -> int:
        value, sign = self.read(token), 1 << self.width - 1
        return value - 2 * (value & sign)

    def place_signed(self, value: int) -> int:
        limit = 1 << self.width - 1
        if not -limit <= value < limit:
            raise TokenError(f"{value} is outside [{-limit}, {limit - 1}]")
        return self.place(value & 2 * limit - 1)


# Version token
MINOR = Bits(0, 4)
MAJOR = Bits(4, 4)
PROGRAM_TYPE = Bits(16, 16)

# Opcode token; bits [23:11] are the row's controls
OPCODE = Bits(0, 11)
LENGTH = Bits(24, 7)
EXTENDED = Bits(31, 1)  # in every token: an extended token follows
CUSTOM_DATA_CLASS = Bits(11, 21)

# Extended tokens of opcodes and operands
EXTENSION_KIND = Bits(0, 6)

# Extended opcode tokens
EMPTY, SAMPLE_CONTROLS, RESOURCE_DIMENSION, RESOURCE_RETURN_TYPE = range(4)
OFFSETS = (Bits(9, 4), Bits(13, 4), Bits(17, 4))
DIMENSION = Bits(6, 5)
STRIDE = Bits(11, 12)
RETURNS = (Bits(6, 4), Bits(10, 4), Bits(14, 4), Bits(18, 4))

# Operand token
COMPONENTS = Bits(0, 2)
COMPONENT_COUNTS = (0, 1, 4)  # by the field's value; 3 means N and is unused
SELECTION = Bits(2, 2)
MASK = Bits(4, 4)
SWIZZLE = (Bits(4, 2), Bits(6, 2), Bits(8, 2), Bits(10, 2))
REGISTER_FILE = Bits(12, 8)
INDEX_COUNT = Bits(20, 2)
REPRESENTATIONS = (Bits(22, 3), Bits(25, 3), Bits(28, 3))

# Extended operand token, kind 1
MODIFIER_KIND = 1
MODIFIER = Bits(6, 8)
MIN_PRECISION = Bits(14, 3)
NON_UNIFORM = Bits(17, 1)


@dataclass(frozen=True, slots=True)
class ListCount:
    """The dword before a declaration's list: the count, sometimes packed with other fields."""

    count: Bits
    others: tuple[Bits, ...] = ()

    def split(self, word: int) -> tuple[int, tuple[int, ...]]:
        """Decode the count and the other fields."""
        return self.count.read(word), tuple(field.read(word) for field in self.others)

    def join(self, count: int, others: tuple[int, ...]) -> int:
        """Encode the count and the other fields."""
        word = self.count.place(count)
        for field, value in zip(self.others, others, strict=True):
            word |= field.place(value)
        return word


# By the name of a row's last extra, which is a list
LISTS = {
    "bodies": ListCount(Bits(0, 32)),
    "tables": ListCount(Bits(0, 16), (Bits(16, 16),)),
}


class Representation(NamedTuple):
    """The encoding of an index: the number of immediate dwords, and whether a register follows."""

    immediate_dwords: int
    relative: bool


INDEX_REPRESENTATIONS = (
    Representation(1, False),
    Representation(2, False),  # the high dword comes first
    Representation(0, True),
    Representation(1, True),
    Representation(2, True),
)
