"""Probes: what a resource has, beside what the test says it has to have."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from vkrunner.shadertest.records import Pattern, Probe, Span, Values
from vkrunner.shadertest.resources import Live
from vkrunner.shadertest.values import Column, columns
from vkrunner.values.arrays import Array
from vkrunner.values.comparison import Tolerance, differs
from vkrunner.values.differences import Compared, Differences, find_differences
from vkrunner.values.elements import ElementType, Leaf, element_of_dwords

# array axes of a dimension, as the coordinates of a probe name them
_COORDINATES = {
    "1d": "x",
    "1darray": "zx",
    "2d": "yx",
    "2darray": "zyx",
    "2dms": "yxs",
    "2dmsarray": "zyxs",
    "3d": "zyx",
    "cube": "zyx",
    "cubearray": "zyx",
}
_ORDER = "xyzs"
_NAMES = {"x": "x", "y": "y", "z": "z", "s": "sample"}
_FLOAT = np.dtype("<f4")


def check(probe: Probe, live: Live) -> Differences | None:
    """What differs, None where nothing does. Raises ShaderTestError for a probe that cannot be."""
    data = live.read(probe.level)
    axes = _axes(live)
    box = _box(probe, axes, data.shape[:-1])
    chosen = data[tuple(slice(first, end) for first, end in box)]
    element = _leaves(probe, live)
    count = math.prod(chosen.shape[:-1])
    rows = chosen.reshape(count, chosen.shape[-1])
    expected = columns(
        probe.values, _expected_element(probe, element), count, probe.place, repeat=True
    )
    compared: list[Compared] = []
    total = 0
    for leaf, column in zip(element.leaves, expected, strict=True):
        actual = np.ascontiguousarray(rows[:, leaf.offset : leaf.offset + leaf.size])
        compared.extend(_compare(leaf, actual, column, probe.tolerance, probe.values))
        total += int(np.count_nonzero(column.known))
    found = find_differences(compared, total, _labels(box, axes))
    return found if found.count else None


def _axes(live: Live) -> str:
    if live.texture is None:
        return "x"
    return _COORDINATES[live.texture.dimension]


def _box(probe: Probe, axes: str, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """First and end on each of the array's axes."""
    spans = probe.spans
    if not spans:
        return [(0, length) for length in shape]
    if len(spans) == 4 and axes == "yx":  # vkd3d's rectangle: left, top, right, bottom
        left, top, right, bottom = (span.first for span in spans)
        spans = (Span(left, right), Span(top, bottom))
    names = [name for name in _ORDER if name in axes]
    if len(spans) != len(names):
        wanted = ", ".join(_NAMES[name] for name in names)
        raise probe.place.error(f"expected {len(names)} coordinates, ({wanted}), got {len(spans)}")
    by_name = dict(zip(names, spans, strict=True))
    box: list[tuple[int, int]] = []
    for name, length in zip(axes, shape, strict=True):
        span = by_name[name]
        end = length if span.end is None else span.end
        if not span.first < end <= length:
            there = f"0 to {length - 1}" if length else "no elements"
            raise probe.place.error(f"{_NAMES[name]} is {_text(span)}; there are {there}")
        box.append((span.first, end))
    return box


def _text(span: Span) -> str:
    if span.end is not None and span.end == span.first + 1:
        return str(span.first)
    return f"{span.first}:{'' if span.end is None else span.end}"


def _labels(box: Sequence[tuple[int, int]], axes: str) -> Callable[[int], str]:
    """From the index of a chosen element to its coordinates, (x, y)."""
    lengths = [end - first for first, end in box]

    def label(index: int) -> str:
        places = np.unravel_index(index, lengths)
        by_name = {
            name: int(place) + first
            for name, place, (first, _) in zip(axes, places, box, strict=True)
        }
        return f"({', '.join(str(by_name[name]) for name in _ORDER if name in by_name)})"

    return label


def _leaves(probe: Probe, live: Live) -> ElementType:
    """The numbers that are compared, with the types that the probe writes them in."""
    element, kind = live.element, probe.written_as
    if kind is not None and np.dtype(kind).itemsize == 8:
        element = _doubles(probe, element)
    leaves = element.leaves
    if probe.field is not None:
        leaves = element.field(probe.field.text)
        if not leaves:
            there = ", ".join(element.field_names()[:16]) or "no fields"
            raise probe.field.error(f"{live.label} has no {probe.field.text}; it has {there}")
    if probe.components is not None:
        if len(leaves) < probe.components:
            raise probe.place.error(f"{live.label} has {len(leaves)} numbers in an element")
        leaves = leaves[: probe.components]
    if kind is not None:
        leaves = tuple(_retyped(probe, leaf, kind) for leaf in leaves)
    return ElementType(element.itemsize, leaves)


def _doubles(probe: Probe, element: ElementType) -> ElementType:
    """Dwords of no type in pairs; what has types already is as it is."""
    if any(leaf.dtype is not None for leaf in element.leaves):
        return element
    if element.itemsize % 8:
        raise probe.place.error(
            f"an element has {element.itemsize} bytes: no doubles; say its type"
        )
    names = [leaf.name for leaf in element_of_dwords(element.itemsize // 8).leaves]
    leaves = tuple(Leaf(name, 8 * n, None) for n, name in enumerate(names))
    return ElementType(element.itemsize, leaves)


def _retyped(probe: Probe, leaf: Leaf, kind: str) -> Leaf:
    """A number read as f32, i32, u32 or f64. Small integers stay what they are."""
    wanted = np.dtype(kind)
    own = leaf.dtype
    if own is None or own.itemsize == wanted.itemsize:
        return dataclasses.replace(leaf, dtype=wanted)
    if leaf.scale is not None or own.kind == wanted.kind or {own.kind, wanted.kind} == {"i", "u"}:
        return leaf
    raise probe.place.error(f"the numbers here are {own}, not {wanted}")


def _expected_element(probe: Probe, element: ElementType) -> ElementType:
    """The same numbers, as floats where a normalised format is compared with floats."""
    leaves = tuple(
        Leaf(leaf.name, leaf.offset, _FLOAT) if _as_floats(leaf, probe.values) else leaf
        for leaf in element.leaves
    )
    return ElementType(element.itemsize, leaves)


def _as_floats(leaf: Leaf, values: Values) -> bool:
    if leaf.scale is None:
        return False
    numbers = values.numbers if isinstance(values, Pattern) else values
    return any(number is not None and number.is_float for number in numbers)


def _compare(
    leaf: Leaf, actual: Array, expected: Column, tolerance: Tolerance, values: Values
) -> list[Compared]:
    """A column, in two parts where some of it is floats and some is integers."""
    if _as_floats(leaf, values):
        assert leaf.dtype is not None
        assert leaf.scale is not None
        raw = actual.view(leaf.dtype).reshape(-1)
        floats = np.maximum(raw.astype(np.float32) / np.float32(leaf.scale), np.float32(-1))
        return [_compared(leaf, floats, expected.bits.view(_FLOAT), expected.known, tolerance)]
    integer = leaf.dtype if leaf.dtype is not None and leaf.dtype.kind in "iu" else f"<u{leaf.size}"
    made: list[Compared] = []
    for part, kind in ((~expected.floats, integer), (expected.floats, f"<f{leaf.size}")):
        known = expected.known & part
        if known.any():
            mine, other = (bits.view(kind).reshape(-1) for bits in (actual, expected.bits))
            made.append(_compared(leaf, mine, other, known, tolerance))
    return made


def _compared(
    leaf: Leaf, actual: Array, expected: Array, known: Array, tolerance: Tolerance
) -> Compared:
    different = differs(actual, expected, tolerance) & known
    return Compared(leaf.name, actual, expected, different)
