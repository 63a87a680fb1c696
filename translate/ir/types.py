"""The IR's types: scalars, and the texel that image operations deliver; formats of texels.

Signedness belongs to operations, not to types (`slt`, `ult`), so there is one integer type; D3D's
masks (~0 or 0) are U32 values made from BOOL by `mask`. DXGI names of formats are taken apart:
`r11g11b10_float` has channels r 11, g 11, b 10, and is float.
"""

from __future__ import annotations

import re
from enum import Enum

from translate.dataclass import dataclass


class Type(Enum):
    """A value's type; `bits` is 0 for types without a size."""

    text: str
    bits: int

    def __init__(self, text: str, bits: int):
        self.text = text
        self.bits = bits

    VOID = ("void", 0)
    BOOL = ("bool", 0)
    U32 = ("u32", 32)
    F32 = ("f32", 32)
    F64 = ("f64", 64)
    TEXEL_F32 = ("texel.f32", 128)
    TEXEL_U32 = ("texel.u32", 128)
    TEXEL_I32 = ("texel.i32", 128)

    def __repr__(self) -> str:
        return self.text

    # Members are singletons; the default goes through Python code and shows in profiles.
    __hash__ = object.__hash__


VOID = Type.VOID
BOOL = Type.BOOL
U32 = Type.U32
F32 = Type.F32
F64 = Type.F64

TEXELS: dict[str, Type] = {
    "float": Type.TEXEL_F32,
    "uint": Type.TEXEL_U32,
    "sint": Type.TEXEL_I32,
}


_NAME = re.compile(r"((?:[rgbaxed]\d+)+)_(float|unorm|snorm|uint|sint|sharedexp)(?:_srgb)?")
_CHANNEL = re.compile(r"([rgbaxed])(\d+)")
# Names in other forms, of formats without alpha
_WITHOUT_ALPHA = frozenset(
    (
        *("bc4_unorm", "bc4_snorm", "bc5_unorm", "bc5_snorm", "bc6h_uf16", "bc6h_sf16"),
        *("r8g8_b8g8_unorm", "g8r8_g8b8_unorm"),
        *("r24_unorm_x8_typeless", "x24_typeless_g8_uint"),
        *("r32_float_x8x24_typeless", "x32_typeless_g8x24_uint"),
    )
)


@dataclass(frozen=True, slots=True)
class TexelFormat:
    """A format: channels as (letter, bits) from the lowest bit up, and their kind of number."""

    channels: tuple[tuple[str, int], ...]
    kind: str

    @property
    def order(self) -> str:
        """The channels' letters, `rgba`."""
        return "".join(letter for letter, _ in self.channels)

    @property
    def has_alpha(self) -> bool:
        return "a" in self.order

    def bits(self, component: int) -> int:
        """Bits of component x, y, z or w, which are r, g, b and a; 0 for a missing one."""
        return dict(self.channels).get("rgba"[component], 0)


def has_alpha(name: str) -> bool:
    """Whether a format has an alpha; unknown names count as having one."""
    parsed = parse_format(name)
    return name not in _WITHOUT_ALPHA if parsed is None else parsed.has_alpha


def parse_format(name: str) -> TexelFormat | None:
    """The parts of a DXGI name in lower case; None for names in other forms (`bc4_unorm`)."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    channels = tuple((letter, int(bits)) for letter, bits in _CHANNEL.findall(match[1]))
    return TexelFormat(channels, match[2])
