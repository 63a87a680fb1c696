"""Probes: compare the contents of a resource with the expected values.

If a probe's unit differs from the elements, its place counts units from the row's start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from translate.dataclass import replace
from translate.errors import listed
from vkrunner.shadertest.cases import CounterProbe, Pattern, Probe, Values
from vkrunner.shadertest.device_resources import DeviceResource
from vkrunner.shadertest.encoding import Column, columns
from vkrunner.shadertest.outcome import Failure
from vkrunner.values.comparison import (
    BITS,
    EXACT,
    Compared,
    Differences,
    Tolerance,
    deviation,
    differs,
    find_differences,
)
from vkrunner.values.elements import ElementType, Leaf, element_of_dwords
from vkrunner.values.numbers import Array
from vkrunner.values.texture_layout import dimension_of_name

_RECTANGLE = 4  # vkd3d's: left, top, right, bottom
# axis of an array -> coordinate of a probe
_COORDINATES = {"width": "x", "height": "y", "depth": "z", "layers": "z", "samples": "sample"}
_ORDER = ("x", "y", "z", "sample")
_FLOAT = np.dtype("<f4")
# The name of a number of all elements; the actual and the expected numbers, and whether each of
# these is known, [n]
_Numbers = tuple[str, Array, Array, Array]


def form_of(probe: Probe, element: ElementType) -> ElementType | None:
    """The probe's unit, if it differs from the resource's elements; None to compare these.

    Only numbers of 4 or 8 bytes that are not normalised are read in other units.
    """
    unit = probe.unit
    if unit is None or any(leaf.size not in (4, 8) or leaf.scale for leaf in element.leaves):
        return None
    own, count = len(element.leaves), len(unit.leaves)
    is_own = count == own and all(leaf.size == unit.leaves[0].size for leaf in element.leaves)
    return None if is_own or _are_all(probe, count, own) else unit


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


def check(probe: Probe, resource: DeviceResource) -> tuple[Differences | None, str | None]:
    """(differences outside of the probe's tolerance, a description of those within).

    Raises ShaderTestError if the resource cannot be compared with the probe.
    """
    levels = resource.record.levels
    if probe.level >= levels:
        raise probe.token.error(f"{resource.label} has {levels} levels")
    data = resource.read(probe.level)
    axes = _axes(resource)
    form = form_of(probe, resource.element)
    if form is not None:
        data = as_rows_of(data, form, probe)
    box = _box(probe, axes, data.shape[:-1])
    chosen = data[tuple(box)]
    element = form or _leaves(probe, resource)
    shape = chosen.shape[:-1]
    count = math.prod(shape)
    rows = chosen.reshape(count, chosen.shape[-1])
    expected = columns(
        probe.values, _expected_element(probe, element), count, probe.place, shape, repeat=True
    )
    leaves = zip(element.leaves, expected, strict=True)
    numbers = [row for leaf, column in leaves for row in _numbers(leaf, rows, column, probe.values)]
    total = sum(int(np.count_nonzero(column.known)) for column in expected)
    found = find_differences(_compared(numbers, probe.tolerance), total, _labels(box, axes))
    if found.count or probe.tolerance in (EXACT, BITS):
        return found if found.count else None, None
    return None, deviation(_compared(numbers, EXACT), total)


def check_counter(probe: CounterProbe, resource: DeviceResource) -> list[Failure]:
    """A failure if the hidden counter differs. Raises ShaderTestError without a counter."""
    counter = resource.buffer.counter if resource.buffer is not None else None
    if counter is None:
        raise probe.token.error(f"{resource.label} has no hidden counter")
    expected = int(probe.expected.value) % 2**32
    if counter == expected:
        return []
    details = [f"expected {expected}, got {counter}"]
    return [Failure.at(probe.token, f"{resource.label}: the hidden counter differs", details)]


# -- places ----------------------------------------------------------------------------------------


def _axes(resource: DeviceResource) -> list[str]:
    """The names of a probe's coordinates, in the order of the axes of the resource's array."""
    if resource.texture is None:
        return ["x"]
    return [_COORDINATES[axis] for axis in dimension_of_name(resource.texture.dimension).axis_names]


def _box(probe: Probe, axes: list[str], shape: tuple[int, ...]) -> list[slice]:
    """The start and end of the probe's place on each axis of the array.

    Raises ShaderTestError if the place is not in the array.
    """
    spans = _spans(probe, axes)
    if not spans:
        return [slice(0, length) for length in shape]
    names = sorted(axes, key=_ORDER.index)
    if len(spans) != len(names):
        wanted = ", ".join(names)
        raise probe.place.error(f"expected {len(names)} coordinates, ({wanted}), got {len(spans)}")
    by_name = dict(zip(names, spans, strict=True))
    box: list[slice] = []
    for name, length in zip(axes, shape, strict=True):
        first, end = by_name[name].start, by_name[name].stop
        if not first < (length if end is None else end) <= length:
            there = f"0 to {length - 1}" if length else "no elements"
            raise probe.place.error(f"{name} is {_text(first, end)}; there are {there}")
        box.append(slice(first, length if end is None else end))
    return box


def _spans(probe: Probe, axes: list[str]) -> tuple[slice, ...]:
    """The spans of a place, with the omitted coordinates; none for `all`."""
    spans, omitted = probe.spans, probe.omitted
    if len(spans) == _RECTANGLE and (axes == ["y", "x"] or (omitted is not None and axes == ["x"])):
        left, top, right, bottom = (span.start for span in spans)
        spans = (slice(left, right), slice(top, bottom))
    if not spans or omitted is None:
        return spans
    rest, more = slice(omitted, omitted + 1), len(spans) - len(axes)
    if more > 0 and all(span == rest for span in spans[-more:]):
        return spans[:-more]
    return (*spans, *[rest] * -more)


def _text(first: int, end: int | None) -> str:
    return str(first) if end == first + 1 else f"{first}:{'' if end is None else end}"


def _labels(box: Sequence[slice], axes: list[str]) -> Callable[[int], str]:
    """A function from the index of a chosen element to its coordinates, (x, y)."""
    lengths = [span.stop - span.start for span in box]
    order = sorted(range(len(axes)), key=lambda axis: _ORDER.index(axes[axis]))

    def label(index: int) -> str:
        places = np.unravel_index(index, lengths)
        return f"({', '.join(str(box[axis].start + int(places[axis])) for axis in order)})"

    return label


# -- numbers ---------------------------------------------------------------------------------------


def _leaves(probe: Probe, resource: DeviceResource) -> ElementType:
    """The resource's element, reduced to the numbers that the probe compares.

    They have the types in which the probe writes them.
    """
    element, kind = resource.element, probe.written_as
    if kind is not None and np.dtype(kind).itemsize == 8:
        element = _doubles(probe, element)
    leaves = element.leaves
    if probe.field is not None:
        leaves = element.field(probe.field.text)
        if not leaves:
            there = listed(element.field_names()[:16]) or "no fields"
            raise probe.field.error(f"{resource.label} has no {probe.field.text}; it has {there}")
    if probe.components is not None:
        if len(leaves) < probe.components:
            raise probe.place.error(f"{resource.label} has {len(leaves)} numbers in an element")
        leaves = leaves[: probe.components]
    if kind is not None:
        leaves = tuple(_retyped(probe, leaf, np.dtype(kind)) for leaf in leaves)
    return replace(element, leaves=leaves)


def _doubles(probe: Probe, element: ElementType) -> ElementType:
    """An untyped element, with pairs of dwords as numbers; a typed element stays unchanged."""
    if any(leaf.dtype is not None for leaf in element.leaves):
        return element
    if element.itemsize % 8:
        raise probe.place.error(
            f"an element has {element.itemsize} bytes: no doubles; say its type"
        )
    names = [leaf.name for leaf in element_of_dwords(element.itemsize // 8).leaves]
    leaves = tuple(Leaf(name, 8 * n, None) for n, name in enumerate(names))
    return replace(element, leaves=leaves)


def _retyped(probe: Probe, leaf: Leaf, wanted: np.dtype[np.generic]) -> Leaf:
    """The leaf with the type in which the probe writes its values, if it has the same size.

    A leaf of another size keeps its type, if both are integers or both floats, or if it is
    normalised.
    """
    own = leaf.dtype
    if own is None or own.itemsize == wanted.itemsize:
        return replace(leaf, dtype=wanted)
    if leaf.scale is not None or own.kind == wanted.kind or {own.kind, wanted.kind} == {"i", "u"}:
        return leaf
    raise probe.place.error(f"the numbers here are {own}, not {wanted}")


def _expected_element(probe: Probe, element: ElementType) -> ElementType:
    """The element in whose types the expected values are encoded.

    Where a normalised format is compared with floats, these are floats.
    """
    leaves = tuple(
        Leaf(leaf.name, leaf.offset, _FLOAT) if _as_floats(leaf, probe.values) else leaf
        for leaf in element.leaves
    )
    return replace(element, leaves=leaves)


def _as_floats(leaf: Leaf, values: Values) -> bool:
    if leaf.scale is None:
        return False
    numbers = values.numbers if isinstance(values, Pattern) else values
    return any(number is not None and number.is_float for number in numbers)


def _compared(numbers: Sequence[_Numbers], tolerance: Tolerance) -> list[Compared]:
    return [
        Compared(name, actual, wanted, differs(actual, wanted, tolerance) & known)
        for name, actual, wanted, known in numbers
    ]


def _numbers(leaf: Leaf, rows: Array, expected: Column, values: Values) -> Iterator[_Numbers]:
    """The numbers of one leaf: two parts if they are floats and integers."""
    if leaf.scale is not None and _as_floats(leaf, values):
        assert leaf.dtype is not None
        raw = leaf.numbers(rows, leaf.dtype)
        floats = np.maximum(raw.astype(np.float32) / np.float32(leaf.scale), np.float32(-1))
        yield leaf.name, floats, expected.bits.view(_FLOAT), expected.known
        return
    integer = leaf.dtype if leaf.dtype is not None and leaf.dtype.kind in "iu" else f"<u{leaf.size}"
    for part, kind in ((~expected.floats, integer), (expected.floats, f"<f{leaf.size}")):
        known = expected.known & part
        if known.any():
            actual, wanted = leaf.numbers(rows, kind), expected.bits.view(kind)
            yield leaf.name, actual, wanted, known
