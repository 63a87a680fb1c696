"""Arrays that fit a structured buffer: the rules of strides and kinds, and native copies."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.format import write_array_header_1_0

from translate.interface import STRUCTURED_BUFFER, Binding
from vkrunner.errors import FileError, ShapeError, WrongTypeError
from vkrunner.values.numbers import as_array, bytes_of, check_structured, check_whole, read_npy

from ....dtype_data import data_of

CELL = np.dtype([("position", "<f4", (2,)), ("id", "<u4")])
FLOAT4, MATRIX = np.dtype(("<f4", (4,))), np.dtype(("<f4", (4, 4)))


def structured(stride: int, dtype: Any = None) -> Binding:
    kind = (STRUCTURED_BUFFER, 0, 0, "storage_buffer")
    data = None if dtype is None else data_of(np.dtype(dtype))
    return Binding("u0", *kind, stride=stride, dtype_data=data)


@pytest.mark.parametrize(
    ("stride", "dtype", "array"),
    [
        *((4, "f4", np.zeros(5, "f4")), (4, "f4", np.zeros((5, 7), "f4"))),
        *((4, "u4", np.zeros(5, "i4")), (4, "f4", np.zeros((), "f4"))),
        *((12, CELL, np.zeros(5, CELL)), (12, CELL, np.zeros((5, 3), "f4"))),
        *((12, CELL, np.zeros(15, "u4")), (12, CELL, np.zeros(5, "V12"))),
        *((16, FLOAT4, np.zeros((5, 4), "f4")), (16, FLOAT4, np.zeros(20, "f4"))),
        *((16, FLOAT4, np.zeros((5, 2, 2), "f4")), (64, MATRIX, np.zeros((5, 4, 4), "f4"))),
        *((8, "f8", np.zeros(5, "f8")), (8, None, np.zeros(5, "f8"))),
        *((8, None, np.zeros((5, 4), "f2")), (4, "f4", np.zeros(0, "f4"))),
    ],
)
def test_arrays_that_fit(stride: int, dtype: Any, array: Any) -> None:
    check_structured(structured(stride, dtype), array.dtype, array.shape, "u0")


@pytest.mark.parametrize(
    ("stride", "dtype", "array", "message"),
    [
        (4, "f4", np.zeros(5, "f8"), "u0 takes float32, not an array of float64"),
        (4, "f4", np.zeros(5, "i4"), "u0 takes float32, not an array of int32"),
        (4, "u4", np.zeros(5, "f4"), "u0 takes uint32, not an array of float32"),
        (4, "u4", np.zeros((5, 4), "u1"), "u0 takes uint32, not an array of uint8"),
        (12, CELL, np.zeros(5, "f4"), "structures of 12 bytes .*position.*float32\\[5\\]"),
        (12, CELL, np.zeros((5, 4), "f4"), "structures of 12 bytes"),
        (12, CELL, np.zeros(5), "float64.*pass .*zeros\\(n, kernel.interface\\['u0'\\].dtype"),
        (16, FLOAT4, np.zeros(6), "float64.*pass .*zeros\\(\\(n, 4\\), np.float32\\)"),
        (16, FLOAT4, np.zeros((6, 4)), "pass array.astype\\(np.float32\\)"),
        (16, FLOAT4, np.zeros(6, "f4"), "structures of 16 bytes"),
        (16, FLOAT4, np.zeros((8, 2), "f4"), "structures of 16 bytes"),
        (8, None, np.zeros(5, "f4"), "structures of 8 bytes, not an array of float32\\[5\\]"),
    ],
)
def test_arrays_that_do_not_fit(stride: int, dtype: Any, array: Any, message: str) -> None:
    with pytest.raises(WrongTypeError, match=message):
        check_structured(structured(stride, dtype), array.dtype, array.shape, "u0")


def test_bytes_have_to_be_whole_structures() -> None:
    check_whole(24, 12, "u0")
    with pytest.raises(ShapeError, match=r"12.*25"):
        check_whole(25, 12, "u0")


def test_arrays_are_made_native_and_contiguous_and_others_not_copied() -> None:
    big = np.arange(6, dtype=">u4").reshape(2, 3).T
    made = as_array(big, "u0")
    assert made.dtype == np.dtype("u4")
    assert made.dtype.isnative
    np.testing.assert_array_equal(made, big)
    assert bytes_of(made).tobytes() == np.array([0, 3, 1, 4, 2, 5], "u4").tobytes()
    native = np.arange(6, dtype=np.float32)
    assert np.shares_memory(bytes_of(as_array(native, "u0")), native)


def test_scalars_and_bytes_are_arrays() -> None:
    assert as_array(np.float32(2), "u0").shape == ()
    assert as_array(b"abc", "u0").tolist() == [97, 98, 99]
    assert as_array(bytearray(b"a"), "u0").tolist() == [97]
    assert bytes_of(np.zeros((0, 4), "f4")).shape == (0,)


@pytest.mark.parametrize("value", [[1, 2], "text", 5, 1.5, np.array([None]), np.zeros(3, "V0")])
def test_other_things_are_not(value: Any) -> None:
    with pytest.raises(WrongTypeError, match="u0"):
        as_array(value, "u0")


def test_a_header_of_more_than_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    with path.open("wb") as file:
        write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (2**59,)})
    with path.open("rb") as file, pytest.raises(FileError):
        read_npy(file, "a.npy")
