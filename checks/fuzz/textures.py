"""Textures: texels by their coordinates, sizes, samples of multisampled ones, and texture UAVs.

t3 has mips. A thread owns one texel of u7. t7 is multisampled.
"""

from __future__ import annotations

from dataclasses import dataclass

from .buffers import indexable, landing, queried, texel_access
from .floats import computed
from .operands import alone, maybe_far, maybe_tiled, scalar, swizzle, words
from .scope import GENERAL, INDEX, TEMP, Lines, Scope, Statement


@dataclass(frozen=True)
class Dimension:
    """`bits` of each axis of t3 and u7, x first; if `layered`, the last axis is layers."""

    name: str
    read: tuple[int, ...]
    written: tuple[int, ...]
    layered: bool = False

    @property
    def axes(self) -> int:
        return len(self.read) - self.layered


DIMENSIONS = {
    d.name: d
    for d in (
        Dimension("texture2d", (3, 2), (3, 2)),
        Dimension("texture1d", (3,), (5,)),
        Dimension("texture1darray", (3, 1), (4, 1), layered=True),
        Dimension("texture2darray", (3, 2, 1), (2, 2, 1), layered=True),
        Dimension("texture3d", (3, 2, 1), (2, 2, 1)),
    )
}
MIPS = 3
SAMPLES = 4  # every device has textures with so many
MULTISAMPLED = {"texture2dms": (4, 8, SAMPLES), "texture2dmsarray": (2, 4, 8, SAMPLES)}
DEPTH = "d32_float"  # the one format that every device compares


def texture(s: Scope) -> Lines:
    """A load from t3, or a size."""
    makers: tuple[Statement, ...] = (_fetch, _fetch, _size)
    return s.choices.pick(makers)(s)


def texel_address(s: Scope) -> Lines:
    """Fill the temporary with coordinates in and around a texture, and a mip."""
    numbers = f"{s.choices.pick(GENERAL)}.{swizzle(s)}"
    lines = [f"and {TEMP}.xyzw, {numbers}, {words(15, 7, 3, 3)}"]
    return [*lines, *maybe_far(s, s.choices.pick("xyzw"))]


def _fetch(s: Scope) -> Lines:
    """A load in or around the texture; the mip is the last component."""
    target, after = landing(s, s.formats["t3"])
    lines = texel_address(s)
    suffix = indexable(s, "t3")
    if s.choices.chance(30):
        axes = DIMENSIONS[s.dimensions["t3"]].axes
        numbers = [s.choices.number(-8, 7) if axis < axes else 0 for axis in range(3)]
        moved = f"_aoffimmi_indexable({','.join(map(str, numbers))})"
        suffix = suffix.replace("_indexable", moved)
    line = f"ld{suffix} {target}, {TEMP}.xyzw, t3.{swizzle(s)}"
    return [*lines, *maybe_tiled(s, line), *after]


def _size(s: Scope) -> Lines:
    """Extents and number of mips, also of a UAV and of mips beyond the last."""
    name = s.choices.pick(("t3", "t3", "u7"))
    mip = "l(0)" if name == "u7" else s.choices.pick(("l(0)", "l(1)", "l(5)", scalar(s)))
    return queried(s, f"resinfo{indexable(s, name)}", f"{mip}, {name}.{swizzle(s)}")


def texture_uav(s: Scope) -> Lines:
    """A load, store or atomic of the thread's texel of u7."""
    before, suffix = own_texel(s, DIMENSIONS[s.dimensions["u7"]].written), indexable(s, "u7")
    return texel_access(s, alone("u7"), s.formats["u7"], suffix, f"{TEMP}.xyzz", before)


def own_texel(s: Scope, bits: tuple[int, ...], *, far: bool = True) -> Lines:
    """The thread's number, split into coordinates; the other components are zero.

    `far`: one of them may be far outside.
    """
    lines, first = [f"mov {TEMP}.xyz, l(0,0,0,0)"], 0
    for letter, width in zip("xyz", bits, strict=False):
        lines.append(f"ubfe {TEMP}.{letter}, l({width}), l({first}), {s.me}")
        first += width
    return [*lines, *maybe_far(s, s.choices.pick("xyz"[: len(bits)]))] if far else lines


# --- multisampled --------------------------------------------------------------------------------


def sample(s: Scope) -> Lines:
    """A load of a sample of t7; its number, like each coordinate, may be outside."""
    target, after = landing(s, s.formats["t7"])
    line = f"ldms{indexable(s, 't7')} {target}, {TEMP}.xyzw, t7.{swizzle(s)}, {INDEX}.z"
    return [*texel_address(s), *_number(s), *maybe_tiled(s, line), *after]


def _number(s: Scope) -> Lines:
    """A sample's number, or one past the last, in the index register's z."""
    at = f"{INDEX}.z"
    lines = [f"and {at}, {scalar(s)}, {words(s.choices.pick((3, 3, 7)))}"]
    if s.choices.chance(20):
        lines.append(f"or {at}, {at}, {words(s.choices.pick((0x80000000, 0xFFFFFFFC, 0x10000)))}")
    return lines


def sampled_size(s: Scope) -> Lines:
    """The number of samples of a texel, and the texture's extents."""
    if s.choices.chance(50):
        return queried(s, "sampleinfo", f"t7.{swizzle(s)}")
    return queried(s, f"resinfo{indexable(s, 't7')}", f"l(0), t7.{swizzle(s)}")


def position(s: Scope) -> Lines:
    """The position of a sample within its texel."""
    return [*_number(s), *computed(s, "samplepos", f"t7.{swizzle(s)}, {INDEX}.z")]


OF_SAMPLES: tuple[Statement, ...] = (sample, sample, sampled_size, position)
