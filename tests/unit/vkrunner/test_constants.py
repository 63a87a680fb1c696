"""Constant buffers: bytes against HLSL's packing rules, written out by hand."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from translate.interface import CONSTANT_BUFFER, Binding
from vkrunner.constants import constant_bytes
from vkrunner.errors import ArgumentError

LIGHT = np.dtype([("colour", "<f4", (3,)), ("kind", "<i4")])
ROWS = np.dtype(
    {
        "names": ["r0", "r1"],
        "formats": [("<f4", (3,)), ("<f4", (3,))],
        "offsets": [0, 16],
        "itemsize": 28,
    }
)
SCENE = np.dtype(
    {
        "names": ["a", "n", "v", "lights", "m"],
        "formats": ["<f4", "<u4", ("<i4", (2,)), (LIGHT, (2,)), ROWS],
        "offsets": [0, 4, 8, 16, 48],
        "itemsize": 76,
    }
)
VALUES: dict[str, Any] = {
    "a": 0.5,
    "n": 7,
    "v": [-1, 2],
    "lights": [{"colour": [1, 2, 3], "kind": -4}, ([5.0, 6.0, 7.0], 8)],
    "m": [[1, 2, 3], [4, 5, 6]],
}
BYTES = (
    struct.pack("<fIii", 0.5, 7, -1, 2)
    + struct.pack("<fffi", 1, 2, 3, -4)
    + struct.pack("<fffi", 5, 6, 7, 8)
    + struct.pack("<fff4x", 1, 2, 3)
    + struct.pack("<fff4x", 4, 5, 6)
)


def pack(value: Any, dtype: np.dtype[Any] | None = SCENE, size: int | None = 80) -> bytes:
    kind = (CONSTANT_BUFFER, 0, 0, "uniform_buffer")
    binding = Binding("cb0", *kind, name="Scene", size_bytes=size, dtype=dtype)
    return constant_bytes(binding, value, "cb0 (Scene)").tobytes()


def test_dict_is_packed_by_the_dtype() -> None:
    assert pack(VALUES) == BYTES


def test_arrays_and_numpy_scalars_inside_a_dict() -> None:
    lights = np.zeros(2, LIGHT)
    lights["colour"] = [[1, 2, 3], [5, 6, 7]]
    lights["kind"] = [-4, 8]
    values = {
        "a": np.float64(0.5),
        "n": np.uint8(7),
        "v": np.array([-1, 2]),
        "lights": lights,
        "m": np.arange(1, 7).reshape(2, 3),
    }
    assert pack(values) == BYTES


def test_structured_array_and_bytes_are_taken_as_they_are() -> None:
    array = np.zeros((), SCENE)
    array["a"] = 0.5
    assert pack(array)[:8] == struct.pack("<fI", 0.5, 0)
    assert pack(BYTES) == BYTES


def test_short_values_are_filled_up_with_zeros_and_long_ones_cut() -> None:
    assert pack(b"\1\2\3\4") == b"\1\2\3\4" + bytes(76)
    assert pack(None) == bytes(80)
    assert pack(bytes(range(100))) == bytes(range(80))
    assert pack(b"\1", None, None) == b"\1" + bytes(15)


def test_single_numbers() -> None:
    one = np.dtype([("a", "<f4")])
    assert pack(2, one, 16) == struct.pack("<f12x", 2.0)
    assert pack(2, None, 16) == struct.pack("<i12x", 2)
    assert pack(2.5, None, 16) == struct.pack("<f12x", 2.5)
    with pytest.raises(ArgumentError, match="takes a dict with a, n, v, lights, m"):
        pack(2)


def test_integers_keep_their_range() -> None:
    edge = np.dtype([("u", "<u4"), ("i", "<i4")])
    assert pack({"u": 2**32 - 1, "i": -(2**31)}, edge, 16)[:8] == struct.pack(
        "<Ii", 2**32 - 1, -(2**31)
    )
    assert pack({"u": True, "i": 3.0}, edge, 16)[:8] == struct.pack("<Ii", 1, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": 1}, "cb0 \\(Scene\\) has no 'b'; it has a, n, v, lights, m"),
        ({"n": -1}, "n: -1 does not fit uint32"),
        ({"n": 2**32}, "does not fit uint32"),
        ({"n": 1.5}, "n takes whole numbers"),
        ({"n": float("nan")}, "n takes whole numbers"),
        ({"n": float("inf")}, "n takes whole numbers"),
        ({"n": 2**70}, "n takes a uint32"),
        ({"n": "7"}, "n takes a uint32, not '7'"),
        ({"n": [7]}, "n takes a uint32"),
        ({"v": [1, 2, 3]}, "v takes an array of int32\\[2\\]"),
        ({"v": [[1], [2, 3]]}, "v takes an array of int32\\[2\\]"),
        ({"lights": [LIGHT]}, "lights takes 2 elements, not 1"),
        ({"lights": 5}, "lights takes 2 elements, not 5"),
        ({"lights": [{"colour": [1, 2, 3]}] * 2}, "lights\\[0\\] lacks kind"),
        ({"m": np.zeros((3, 2))}, "m takes 2 elements, not 3"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        pack({**VALUES, **change})


def test_missing_variables_are_all_named() -> None:
    with pytest.raises(ArgumentError, match="lacks n, v, m"):
        pack({"a": 1, "lights": VALUES["lights"]})


def test_names_need_reflection() -> None:
    with pytest.raises(ArgumentError, match="no names"):
        pack({"a": 1}, None)


@pytest.mark.parametrize("value", [[1, 2], "text", object(), np.array([None])])
def test_other_things_are_no_constants(value: Any) -> None:
    with pytest.raises(ArgumentError, match="cb0 \\(Scene\\) takes"):
        pack(value)


def test_kind_of_a_plain_array_is_checked_where_there_is_one_kind() -> None:
    floats = np.dtype([("a", "<f4"), ("b", "<f4")])
    assert pack(np.float32([1, 2]), floats, 16) == struct.pack("<ff8x", 1, 2)
    with pytest.raises(ArgumentError, match="takes float32, not an array of float64"):
        pack(np.array([1.0, 2.0]), floats, 16)
