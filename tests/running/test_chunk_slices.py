"""map_chunks refuses slices that it did not ask for, and outputs in memory that it still reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checks.running.shaders import ADD, NEXT, listing
from vkrunner import Chunk, Device, Kernel, OverlapError, ShapeError, map_chunks

HUNDRED = np.arange(100, dtype=np.uint32)

TWO = listing((Path(__file__).parent / "data/chunk_slices.asm").read_text("utf-8"))


@pytest.fixture(scope="module")
def add(device: Device) -> Kernel:
    return device.kernel(ADD)


class Sliced:
    """A hundred numbers whose slices from the 50th on are what `change` makes of them."""

    shape: tuple[int, ...] = (100,)
    dtype = np.dtype(np.uint32)

    def __init__(self, change: Callable[[Any], Any]):
        self._change = change

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("an array that may not fit into memory is read as a whole")

    def __getitem__(self, rows: slice) -> Any:
        found = HUNDRED[rows]
        return self._change(found) if rows.stop > 50 else found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda rows: rows[:-1], r"uint32\[9\]"),
        (lambda rows: np.append(rows, rows[-1:]), r"uint32\[11\]"),
        (lambda rows: rows[:0], r"uint32\[0\]"),
        (lambda rows: rows[0], r"uint32\[\]"),
        (lambda rows: rows[:, None], r"uint32\[10, 1\]"),
        (lambda rows: rows.astype(np.float32), r"float32\[10\]"),
        (lambda rows: rows.view(">u4"), r">u4\[10\]"),
        (lambda rows: rows.tolist(), r"int64\[10\]"),
    ],
)
@pytest.mark.parametrize("name", ["u0", "t0"])
def test_slices_that_do_not_fit(device: Device, name: str, change: Any, found: str) -> None:
    kernel = device.kernel(ADD if name == "u0" else NEXT)
    arguments, out = {"cb0": 1} if name == "u0" else None, np.zeros(100, np.uint32)
    message = rf"{name}\[50:60\] is an array of {found}, not of uint32\[10\]"
    arrays: dict[str, Any] = {"inputs": {name: Sliced(change)}, "outputs": {"u0": out}}
    with pytest.raises(ShapeError, match=message) as caught:
        map_chunks(kernel, **arrays, arguments=arguments, rows=10)
    assert "in chunk 5, rows 50 to 60" in caught.value.__notes__[0]
    assert not out[50:].any()


def test_an_array_that_changes_its_shape(add: Kernel) -> None:
    """The number of rows and the row's shape are those of the beginning."""
    wide = Sliced(lambda rows: np.repeat(rows[:, None], 2, axis=1))

    def note(chunk: Chunk) -> None:
        wide.shape = (100, 2)

    arrays: dict[str, Any] = {"inputs": {"u0": wide}, "outputs": {"u0": np.zeros(100, np.uint32)}}
    with pytest.raises(ShapeError, match=r"uint32\[10, 2\].*uint32\[10\]"):
        map_chunks(add, **arrays, arguments={"cb0": 1}, rows=10, progress=note)


def test_outputs_that_share_memory(device: Device) -> None:
    kernel = device.kernel(TWO)
    both = np.zeros(100, np.uint32)
    for second in (both, both[::-1]):
        with pytest.raises(OverlapError, match=r"u0.*u1"):
            map_chunks(kernel, inputs={"t0": HUNDRED}, outputs={"u0": both, "u1": second})
    columns = np.zeros((100, 2), np.uint32)
    outputs = {"u0": columns[:, 0], "u1": columns[:, 1]}
    map_chunks(kernel, inputs={"t0": HUNDRED}, outputs=outputs, rows=9)
    np.testing.assert_array_equal(columns, np.stack([HUNDRED, HUNDRED + 1], axis=1))


@pytest.mark.parametrize("dtype", ["<u4", ">u4"])
def test_strides_and_byte_orders(add: Kernel, dtype: str) -> None:
    numbers = np.arange(300, dtype=dtype)
    for rows in (numbers[::3], numbers[-1:-300:-3], numbers.reshape(100, 3)[:, 1]):
        out = np.zeros(100, dtype)[::-1]
        arrays: dict[str, Any] = {"inputs": {"u0": rows}, "outputs": {"u0": out}}
        map_chunks(add, **arrays, arguments={"cb0": 5}, rows=7)
        np.testing.assert_array_equal(out, rows + 5)
