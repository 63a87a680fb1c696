"""DXGI format names, taken apart: `r11g11b10_float` has channels r 11, g 11, b 10, and is float."""

from __future__ import annotations

import re

from translate.dataclass import dataclass

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
