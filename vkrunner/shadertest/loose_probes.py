"""Probes by vkd3d's rules: coordinates may be omitted, and values have their own size.

If the values have another size than the elements, a place counts values from the row's start.
"""

from __future__ import annotations

import math

import numpy as np

from vkrunner.shadertest.cases import Probe
from vkrunner.values.arrays import Array
from vkrunner.values.elements import ElementType, Leaf

_VECTOR_BYTES = 16  # of four floats; vkd3d counts in four even if it compares two
_PAIR = 2
_RECTANGLE = 4


def with_all_coordinates(probe: Probe, axes: list[str]) -> tuple[slice, ...]:
    """The spans of a probe, one for each axis. Omitted coordinates are 0, extra 0s are cut.

    `all` has no spans, and a rectangle in a 2D texture keeps its four.
    """
    spans = probe.spans
    if not spans or (len(spans) == _RECTANGLE and axes == ["y", "x"]):
        return spans
    if len(spans) == _RECTANGLE and axes == ["x"]:  # left, top, right, bottom
        left, top, right, bottom = (span.start for span in spans)
        spans = (slice(left, right), slice(top, bottom))
    more = len(spans) - len(axes)
    if more > 0 and all(span == slice(0, 1) for span in spans[-more:]):
        return spans[:-more]
    return (*spans, *[slice(0, 1)] * -more)


def form_of(probe: Probe, element: ElementType) -> ElementType | None:
    """The type of the probe's values as an element, if it differs from the resource's elements.

    Returns None if the resource's own elements are compared.
    """
    if probe.written_as is None or probe.field is not None or not isinstance(probe.values, tuple):
        return None
    if not _is_one_element(probe) or any(not _is_plain(leaf) for leaf in element.leaves):
        return None
    dtype, count = np.dtype(probe.written_as), len(probe.values)
    own = len(element.leaves)
    is_own = count == own and all(leaf.size == dtype.itemsize for leaf in element.leaves)
    if is_own or _are_all(probe, count, own):
        return None
    leaves = tuple(Leaf(f"[{n}]", n * dtype.itemsize, dtype) for n in range(count))
    if count == _PAIR and dtype.kind == "f" and dtype.itemsize * count * 2 == _VECTOR_BYTES:
        return ElementType(_VECTOR_BYTES, leaves)
    return ElementType(dtype.itemsize * count, leaves)


def _is_one_element(probe: Probe) -> bool:
    """Whether the place consists of single coordinates: it is one element, or vkd3d's rectangle."""
    is_single = all(s.stop is not None and s.stop == s.start + 1 for s in probe.spans)
    return bool(probe.spans) and is_single


def _is_plain(leaf: Leaf) -> bool:
    """Whether a number has 4 or 8 bytes and is not normalised; vkd3d's runner reads only these."""
    return leaf.size in (4, 8) and leaf.scale is None


def _are_all(probe: Probe, count: int, own: int) -> bool:
    """Whether a rectangle's probe has one value for each number of the rectangle's elements.

    `count` is the number of values, `own` the count of numbers in an element.
    """
    if len(probe.spans) != _RECTANGLE:
        return False
    left, top, right, bottom = (span.start for span in probe.spans)
    return count == (right - left) * (bottom - top) * own


def as_rows_of(data: Array, form: ElementType, probe: Probe) -> Array:
    """Elements u8[*shape, itemsize], regrouped in each row as values u8[*shape, form.itemsize].

    Raises ShaderTestError if a row is smaller than one value.
    """
    *outer, length, itemsize = data.shape
    count = length * itemsize // form.itemsize
    if not count:
        raise probe.place.error(
            f"a row has {length * itemsize} bytes, and these values take {form.itemsize}"
        )
    rows = data.reshape(math.prod(outer), length * itemsize)[:, : count * form.itemsize]
    return np.ascontiguousarray(rows).reshape(*outer, count, form.itemsize)
