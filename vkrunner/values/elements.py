"""ElementType: an element of a buffer or texture as a list of numbers, each with name and offset.

Structures, vectors, texels and untyped dwords all become lists of numbers, so that one code path
fills, compares and shows them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from translate.dataclass import dataclass
from vkrunner.values.formats import SNORM, UNORM, Format
from vkrunner.values.numbers import Array

_DWORD_BYTES = 4
_AXES, _CHANNELS = "xyzw", "rgba"
_BLUE_FIRST = re.compile("b8g8r8[ax]8")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One number of an element.

    `name` is the text after the element's index: `.position.x`, `[2]`, or "". `dtype` is None for
    an untyped dword: whether it is a float or an integer depends on how a shader test writes the
    number. `scale` is the integer that represents 1.0 in a normalised format.
    """

    name: str
    offset: int
    dtype: np.dtype[Any] | None
    scale: int | None = None

    @property
    def size(self) -> int:
        return self.dtype.itemsize if self.dtype is not None else _DWORD_BYTES

    @property
    def place(self) -> slice:
        """The number's bytes within the element."""
        return slice(self.offset, self.offset + self.size)

    def numbers(self, rows: Array, dtype: np.dtype[Any] | str) -> Array:
        """This number of every element, [n]; `rows` are the elements, u8[n, itemsize].

        `dtype` has the size of the number.
        """
        return np.ascontiguousarray(rows[:, self.place]).view(dtype).reshape(-1)


@dataclass(frozen=True, slots=True)
class ElementType:
    """The numbers of an element of `itemsize` bytes; `name` is that of a texel's format."""

    itemsize: int
    leaves: tuple[Leaf, ...]
    name: str = ""

    def field(self, name: str) -> tuple[Leaf, ...]:
        """The numbers of a field, `.position` or `.position.x`; empty for an unknown field."""
        return tuple(
            leaf
            for leaf in self.leaves
            if leaf.name == name or leaf.name.startswith((f"{name}.", f"{name}["))
        )

    def field_names(self) -> list[str]:
        return [leaf.name for leaf in self.leaves if leaf.name]


def rows_of(array: Array) -> Array:
    """The bytes of each element, u8[elements, itemsize]."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.uint8).reshape(array.size, array.dtype.itemsize)


def element_of_dtype(dtype: np.dtype[Any]) -> ElementType:
    """The numbers of a NumPy type: a structure, a vector, a number."""
    return ElementType(dtype.itemsize, tuple(_leaves(dtype, "", 0)))


def element_of_dwords(count: int) -> ElementType:
    """An element of `count` untyped dwords."""
    names = [f"[{n}]" for n in range(count)] if count > 1 else [""]
    leaves = tuple(Leaf(name, n * _DWORD_BYTES, None) for n, name in enumerate(names))
    return ElementType(count * _DWORD_BYTES, leaves)


def element_of_format(format: Format) -> ElementType:
    """The numbers of a texel: its components; the texel of a packed format is one unsigned number.

    A block of texels is a list of bytes; depth with stencil is two dwords.
    """
    size = format.dtype.itemsize
    if format.has_blocks:
        leaves = (Leaf(f"[{n}]", n * size, format.dtype) for n in range(format.components))
        return ElementType(format.texel_bytes, tuple(leaves))
    if format.is_depth_stencil and format.components > 1:
        return element_of_dwords(format.components)
    order = _BLUE_FIRST.match(format.name)
    letters = order[0].replace("8", "") if order else _CHANNELS
    scale = None
    if format.name.count(str(size * 8)) == format.components and not format.is_depth:
        scale = {UNORM: 2 ** (8 * size) - 1, SNORM: 2 ** (8 * size - 1) - 1}.get(format.kind)
    names = [f".{letters[n]}" if format.components > 1 else "" for n in range(format.components)]
    leaves = tuple(Leaf(name, n * size, format.dtype, scale) for n, name in enumerate(names))
    return ElementType(format.texel_bytes, leaves, format.name)


def _leaves(dtype: np.dtype[Any], name: str, offset: int) -> Iterator[Leaf]:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        for n, index in enumerate(itertools.product(*(range(length) for length in shape))):
            yield from _leaves(
                base, name + _index_name(base, shape, index), n * base.itemsize + offset
            )
        return
    if dtype.names is None:
        yield Leaf(name, offset, dtype)
        return
    for part, field in (dtype.fields or {}).items():
        yield from _leaves(field[0], f"{name}.{part}", offset + int(field[1]))


def _index_name(base: np.dtype[Any], shape: tuple[int, ...], index: tuple[int, ...]) -> str:
    """`.x` in a vector, `[2]` in an array, `[1][2]` in a matrix."""
    if len(shape) == 1 and shape[0] <= len(_AXES) and base.names is None and base.subdtype is None:
        return f".{_AXES[index[0]]}"
    return "".join(f"[{n}]" for n in index)
