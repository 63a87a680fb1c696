"""Register files, operands, swizzles, write masks, modifiers and enumerations: tokens as values.

Source: d3d12TokenizedProgramFormat.hpp, "Operand Format", D3D10_SB_RESOURCE_DIMENSION,
_RETURN_TYPE; Direct3D 11.3 specification §7.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple

from translate.dataclass import dataclass, field
from translate.ir.memory import BUFFER_SHAPE, ImageShape

COMPONENTS = "xyzw"
MASK_COMPONENTS: tuple[tuple[int, ...], ...] = tuple(
    tuple(c for c in range(4) if mask >> c & 1) for mask in range(16)
)


class RegisterFile(Enum):
    """A register file: its number in the token, its printed prefix, its number of indices.

    `index_count_51` is the number of indices in `cs_5_1`, where resources have a range and an
    index.
    """

    number: int
    prefix: str
    index_count: int
    index_count_51: int

    def __init__(self, number: int, prefix: str, index_count: int, index_count_51: int = -1):
        self.number = number
        self.prefix = prefix
        self.index_count = index_count
        self.index_count_51 = index_count if index_count_51 < 0 else index_count_51

    TEMP = (0, "r", 1)
    INPUT = (1, "v", 1)
    OUTPUT = (2, "o", 1)
    INDEXABLE_TEMP = (3, "x", 2)
    IMMEDIATE32 = (4, "l", 0)
    IMMEDIATE64 = (5, "d", 0)
    SAMPLER = (6, "s", 1, 2)
    RESOURCE = (7, "t", 1, 2)
    CONSTANT_BUFFER = (8, "cb", 2, 3)
    IMMEDIATE_CONSTANT_BUFFER = (9, "icb", 1)
    LABEL = (10, "label", 1)
    NULL = (13, "null", 0)
    RASTERIZER = (14, "rasterizer", 0)
    STREAM = (16, "m", 1)
    FUNCTION_BODY = (17, "fb", 1)
    FUNCTION_TABLE = (18, "ft", 1)
    INTERFACE = (19, "fp", 2)
    THIS_POINTER = (29, "this", 1)
    UAV = (30, "u", 1, 2)
    GROUP_SHARED = (31, "g", 1)
    THREAD_ID = (32, "vThreadID", 0)
    THREAD_GROUP_ID = (33, "vThreadGroupID", 0)
    THREAD_ID_IN_GROUP = (34, "vThreadIDInGroup", 0)
    THREAD_ID_IN_GROUP_FLATTENED = (36, "vThreadIDInGroupFlattened", 0)
    CYCLE_COUNTER = (40, "vCycleCounter", 0)

    def indices_in(self, ranges: bool) -> int:
        """The number of indices of an operand; `ranges` is True in cs_5_1."""
        return self.index_count_51 if ranges else self.index_count

    @property
    def is_immediate(self) -> bool:
        return self in _IMMEDIATES

    __hash__ = object.__hash__  # the default goes through Python code


_IMMEDIATES = (RegisterFile.IMMEDIATE32, RegisterFile.IMMEDIATE64)
REGISTER_FILES: dict[int, RegisterFile] = {file.number: file for file in RegisterFile}


class Selection(IntEnum):
    """How a 4-component operand selects its components (token bits [3:2])."""

    MASK = 0
    SWIZZLE = 1
    SELECT = 2


_SWIZZLE, _SELECT = Selection.SWIZZLE, Selection.SELECT


class Modifier(IntEnum):
    """A source modifier; NEG_ABS is -|x|."""

    NONE = 0
    NEG = 1
    ABS = 2
    NEG_ABS = 3


class MinPrecision(IntEnum):
    """Minimum precision. It is only a permission: all arithmetic has 32 bits (FS §7.20)."""

    DEFAULT = 0
    FLOAT16 = 1
    FLOAT2_8 = 2
    SINT16 = 4
    UINT16 = 5


class Index(NamedTuple):
    """An index of an operand: `immediate`, plus an optional 32-bit register component.

    `immediate` is None if the token has only the register (representation "relative"), which is
    printed as ` + 0`.
    """

    immediate: int | None
    relative: Operand | None = None

    @property
    def base(self) -> int:
        """The immediate part, or 0."""
        return self.immediate or 0


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an instruction or declaration.

    `components` is 0, 1 or 4. `mask` (bit 0 = x) is used with Selection.MASK, `swizzle` with
    SWIZZLE, and its first component with SELECT. `values` has the bits of an immediate as u32, for
    doubles the low dword first. `empty_token`: a token for modifiers follows, which has none, as
    fxc writes of some double negations. `text_span` is (column, length) in a listing, for carets.
    """

    file: RegisterFile
    components: int = 4
    selection: Selection = Selection.MASK
    mask: int = 0
    swizzle: tuple[int, int, int, int] = (0, 1, 2, 3)
    indices: tuple[Index, ...] = ()
    modifier: Modifier = Modifier.NONE
    min_precision: MinPrecision = MinPrecision.DEFAULT
    non_uniform: bool = False
    values: tuple[int, ...] = ()
    text_span: tuple[int, int] | None = field(default=None, compare=False)
    empty_token: bool = field(default=False, compare=False)

    @property
    def number(self) -> int:
        """The constant part of the first index: a register's number, a cb's slot, a range's id."""
        return self.indices[0].immediate or 0 if self.indices else 0

    def component(self, slot: int) -> int:
        """The register component that a source reads for destination component `slot`."""
        if self.selection is _SWIZZLE:
            return self.swizzle[slot]
        if self.selection is _SELECT:
            return self.swizzle[0]
        return slot if self.components == 4 else 0

    @property
    def is_scalar(self) -> bool:
        """Whether a source names only one component, if repeatedly: `.x`, `.xxxx`, `l(1)`."""
        if self.components != 4 or self.selection is _SELECT:
            return True
        return self.selection is _SWIZZLE and len({*self.swizzle}) == 1

    def written(self) -> tuple[int, ...]:
        """The components in the write mask, in order."""
        return MASK_COMPONENTS[self.mask]


class Dimension(Enum):
    """A resource's dimension: number in the token, printed name, shape."""

    number: int
    printed: str
    shape: ImageShape

    def __init__(self, number: int, printed: str, shape: ImageShape = BUFFER_SHAPE):
        self.number = number
        self.printed = printed
        self.shape = shape

    UNKNOWN = (0, "unknown")
    BUFFER = (1, "buffer")
    TEXTURE1D = (2, "texture1d", ImageShape(1))
    TEXTURE2D = (3, "texture2d", ImageShape(2))
    TEXTURE2DMS = (4, "texture2dms", ImageShape(2, multisampled=True))
    TEXTURE3D = (5, "texture3d", ImageShape(3))
    TEXTURECUBE = (6, "texturecube", ImageShape(2, cube=True))
    TEXTURE1DARRAY = (7, "texture1darray", ImageShape(1, arrayed=True))
    TEXTURE2DARRAY = (8, "texture2darray", ImageShape(2, arrayed=True))
    TEXTURE2DMSARRAY = (9, "texture2dmsarray", ImageShape(2, arrayed=True, multisampled=True))
    TEXTURECUBEARRAY = (10, "texturecubearray", ImageShape(2, arrayed=True, cube=True))
    RAW_BUFFER = (11, "raw_buffer")
    STRUCTURED_BUFFER = (12, "structured_buffer")


class ReturnType(Enum):
    """The type of a typed resource's component: number in the token, printed name."""

    number: int
    printed: str

    def __init__(self, number: int, printed: str):
        self.number = number
        self.printed = printed

    UNORM = (1, "unorm")
    SNORM = (2, "snorm")
    SINT = (3, "sint")
    UINT = (4, "uint")
    FLOAT = (5, "float")
    MIXED = (6, "mixed")
    DOUBLE = (7, "double")
    CONTINUED = (8, "<continued>")
    UNUSED = (9, "<unused>")


class SamplerMode(Enum):
    """The mode of `dcl_sampler` (token bits [14:11])."""

    number: int
    printed: str

    def __init__(self, number: int, printed: str):
        self.number = number
        self.printed = printed

    DEFAULT = (0, "mode_default")
    COMPARISON = (1, "mode_comparison")
    MONO = (2, "mode_mono")


DIMENSIONS: dict[int, Dimension] = {d.number: d for d in Dimension}
DIMENSIONS_BY_NAME: dict[str, Dimension] = {d.printed: d for d in Dimension}
RETURN_TYPES: dict[int, ReturnType] = {r.number: r for r in ReturnType}
RETURN_TYPES_BY_NAME: dict[str, ReturnType] = {r.printed: r for r in ReturnType}
SAMPLER_MODES: dict[int, SamplerMode] = {m.number: m for m in SamplerMode}
