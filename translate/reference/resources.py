"""The resources of a dispatch: buffers, textures, samplers and constants as plain data.

Keys are registers: `t0`, `u1`, `cb0`, `s0`; in cs_5_1, for a space other than 0, with `_space2`
appended. A register without an entry, or with None, is a null resource. In an unbounded range of
samplers, only registers with an entry exist. A run does not change these; its Outcome has the
results.
"""

from __future__ import annotations

from collections.abc import Mapping

from translate.dataclass import dataclass, field
from translate.isa.instruction import Lanes as Array

_MAX_FLOAT = 3.402823466e38


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """A view of a buffer: `size` bytes from byte `offset` on (None: to the end).

    `data` is u8[n]; views with the same array share memory. `format` is the DXGI name (`r32_uint`)
    of a typed buffer. `counter` is the initial value of the hidden counter, or None.
    """

    data: Array
    offset: int = 0
    size: int | None = None
    format: str | None = None
    counter: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """A texture: `mips[m]` is u8[slices, height, width, samples, texel bytes].

    `dimension` is "1d", "2d", "3d", "cube" or "2dms", optionally followed by "array". Slices are
    array layers, a cube's faces (+x -x +y -y +z -z, then the next cube) or, in 3D, depth. The
    height of 1D textures is 1; only "2dms" has several samples. Mips with the same array share
    memory. For formats with blocks of texels (`bc1_unorm`), a mip is u8[slices, blocks in y, blocks
    in x, 1, block bytes], and `extents` has the width and height of each mip in texels.
    """

    mips: tuple[Array, ...]
    format: str
    dimension: str = "2d"
    extents: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler's state (D3D11_SAMPLER_DESC), by default D3D11's default.

    `min_filter`, `mag_filter`, `mip_filter`: "point" or "linear". `address` for u, v and w: "wrap",
    "mirror", "clamp", "border" or "mirror_once". `comparison`: "never", "less", "equal",
    "less_equal", "greater", "not_equal", "greater_equal" or "always". `reduction`: "minimum",
    "maximum", or "" for the weighted mean.
    """

    min_filter: str = "linear"
    mag_filter: str = "linear"
    mip_filter: str = "linear"
    address: tuple[str, str, str] = ("clamp", "clamp", "clamp")
    comparison: str = "never"
    border: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    lod_bias: float = 0.0
    min_lod: float = -_MAX_FLOAT
    max_lod: float = _MAX_FLOAT
    reduction: str = ""
    max_anisotropy: int = 1


Resource = Buffer | Texture | Sampler | None
Resources = Mapping[str, Resource]


@dataclass(frozen=True, slots=True)
class Written:
    """The contents of UAVs after a run, by register.

    `buffers` are whole buffers, u8[n], not only the views; `textures` are their mips.
    """

    buffers: Mapping[str, Array] = field(default_factory=dict[str, Array])
    textures: Mapping[str, tuple[Array, ...]] = field(default_factory=dict[str, tuple[Array, ...]])
    counters: Mapping[str, int] = field(default_factory=dict[str, int])
