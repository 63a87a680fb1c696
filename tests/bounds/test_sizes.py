"""Sizes and hidden counters of views, wherever they lie: `bufinfo`, `alloc`, `consume`."""

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind

from ..conftest import needs
from ..listings import listing
from ..rows.case import Array
from ..rows.memory_cases import SHAPES, Shape, declaration, memory, named
from .places import PLACEMENTS, Placed, Placement

COUNTERS = [row for row in ROWS if row.kind is Kind.COUNTER]
_THREADS = 8
_BUFFER = "(buffer)(uint,uint,uint,uint)"


def measured(device: Any, placed: Placed, register: str, declared: str, kinds: str) -> list[int]:
    """The result of `bufinfo` for a view, in all components."""
    lines = [f"bufinfo_indexable{kinds} r0.xyzw, {register}.xyzw"]
    lines.append("store_raw u7.xyzw, l(0), r0.xyzw")
    source = listing(lines, [declared, "dcl_uav_raw u7"], group=(1, 1, 1))
    with closing(device.kernel(source)) as kernel:
        arguments = {register: placed.argument, "u7": np.full(4, 0xEE, np.uint32)}
        return kernel.dispatch(1, **arguments).u7.tolist()


@pytest.mark.parametrize("placement", PLACEMENTS, ids=lambda placement: placement.name)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: named(shape, "view"))
@pytest.mark.parametrize("register", ["t0", "u0"])
def test_bytes_structures(device: Any, register: str, shape: Shape, placement: Placement) -> None:
    stride = shape[0] if shape else 4
    placed = Placed(device, placement, memory(shape).array(), stride, stride=stride)
    kind = f"structured_buffer, stride={stride}" if shape else "raw_buffer"
    kinds = f"({kind})(mixed,mixed,mixed,mixed)"
    size = shape[1] if shape else 4 * len(memory(shape).dwords)
    found = measured(device, placed, register, declaration(register, shape), kinds)
    assert found == [0 if placement.shows_nothing else size] * 4


@pytest.mark.parametrize("placement", PLACEMENTS, ids=lambda placement: placement.name)
@pytest.mark.parametrize(("format", "dwords"), [("r32_uint", 1), ("r32g32b32a32_uint", 4)])
@pytest.mark.parametrize("register", ["t0", "u0"])
def test_texels(device: Any, register: str, format: str, dwords: int, placement: Placement) -> None:
    contents = np.arange(1, 6 * dwords + 1, dtype=np.uint32)
    placed = Placed(device, placement, contents, 4 * dwords, format=format)
    kind = "uav_typed" if register == "u0" else "resource"
    declared = f"dcl_{kind}_buffer (uint,uint,uint,uint) {register}"
    found = measured(device, placed, register, declared, _BUFFER)
    assert found == [0 if placement.shows_nothing else 6] * 4


def counting(row: Instruction) -> str:
    """Each thread counts, shows the number in u1, and stores 77 to the slot of that number."""
    lines = [f"{row.name} r0.x, u0", "store_structured u1.x, vThreadID.x, l(0), r0.x"]
    lines += ["store_structured u0.x, r0.x, l(0), l(77)"]
    declared = ["dcl_uav_structured_opc u0, 4", "dcl_uav_structured u1, 4"]
    return listing(lines, declared, group=(_THREADS, 1, 1))


@pytest.mark.parametrize("row", COUNTERS, ids=lambda row: row.name)
@pytest.mark.parametrize(
    ("start", "first", "count"),
    [(0, 7, 4), (5, 7, 4), (5, 7, 2 * _THREADS + 5), (2**32 - 3, 7, 4), (5, 0, 0), (5, 3, 0)],
)
def test_counted_slots(device: Any, row: Instruction, start: int, first: int, count: int) -> None:
    """A counter goes on past the end of its view, which may be empty; stores there are dropped."""
    whole = np.arange(1000, 1000 + count + 20, dtype=np.uint32)
    buffer = device.buffer(whole, counter=start)
    with closing(device.kernel(counting(row))) as kernel:
        view = buffer.view(first, count, stride=4)
        result = kernel.dispatch(1, u0=view, u1=np.zeros(_THREADS, np.uint32))
    numbers, left = _slots(row, start)
    assert sorted(result.u1.tolist()) == sorted(numbers)
    assert buffer.counter == left
    expected = whole.copy()
    expected[[first + number for number in numbers if number < count]] = 77
    np.testing.assert_array_equal(buffer.read(), expected)


def _slots(row: Instruction, start: int) -> tuple[list[int], int]:
    """The slots of all threads together, and the counter afterwards (FS §22.17.17-18)."""
    is_alloc = row.name.endswith("alloc")
    steps = range(_THREADS) if is_alloc else range(-1, -1 - _THREADS, -1)
    left = start + _THREADS if is_alloc else start - _THREADS
    return [(start + step) % 2**32 for step in steps], left % 2**32


@pytest.mark.parametrize("row", COUNTERS, ids=lambda row: row.name)
def test_counters_of_nothing(device: Any, row: Instruction) -> None:
    """A null UAV has no counter: it returns 0, and stores are dropped."""
    results: Array = np.full(_THREADS, 7, np.uint32)
    with closing(device.kernel(counting(row))) as kernel, needs(device, "null_descriptor"):
        assert kernel.dispatch(1, u0=None, u1=results).u1.tolist() == [0] * _THREADS
