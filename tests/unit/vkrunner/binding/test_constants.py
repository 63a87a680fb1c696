"""Constant buffers: bytes, compared with HLSL's packing rules, written by hand."""

import struct
import warnings
from typing import Any

import numpy as np
import pytest

from translate import Constant
from translate.interface import CONSTANT_BUFFER, Binding
from translate.interface.binding import dtype_of
from vkrunner.binding.constants import constant_bytes
from vkrunner.errors import ArgumentError, MissingError, ShapeError, WrongTypeError

from ....dtype_data import data_of

Constants = tuple[Constant, ...]

LIGHT = np.dtype([("colour", "<f4", (3,)), ("kind", "<i4")])
LIGHTS = (Constant("colour", 0, "float", (3,)), Constant("kind", 12, "int"))
SCENE = (
    Constant("a", 0, "float"),
    Constant("n", 4, "uint"),
    Constant("v", 8, "int", (2,)),
    Constant("lights", 16, "struct", elements=2, members=LIGHTS),
    Constant("m", 48, "float", (2, 3)),
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


def pack(
    value: Any,
    constants: Constants | None = SCENE,
    size: int | None = 80,
    dtype: np.dtype[Any] | None = None,
) -> bytes:
    kind = (CONSTANT_BUFFER, 0, 0, "uniform_buffer")
    data = None if dtype is None else data_of(dtype)
    binding = Binding(
        "cb0", *kind, name="Scene", size_bytes=size, dtype_data=data, constants=constants
    )
    return constant_bytes(binding, value, "cb0 (Scene)").tobytes()


def one(type: str, shape: tuple[int, ...] = (), **fields: Any) -> Constants:
    return (Constant("a", 0, type, shape, **fields),)


def test_a_dict_is_packed_by_names() -> None:
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


def test_structures_by_their_names_and_bytes_as_they_are() -> None:
    """The user's structure may have another layout; one of the binding's dtype is used as it is."""
    own = np.dtype(
        [("lights", LIGHT, (2,)), ("m", "f8", (2, 3)), ("v", "i8", (2,)), ("a", "f8"), ("n", "u1")]
    )
    array = np.zeros(1, own)
    array["lights"]["colour"] = [[1, 2, 3], [5, 6, 7]]
    array["lights"]["kind"] = [[-4, 8]]
    array["m"], array["v"], array["a"], array["n"] = VALUES["m"], [-1, 2], 0.5, 7
    assert pack(array) == BYTES
    assert pack(array[0]) == BYTES
    assert pack(BYTES) == BYTES
    same = np.dtype([("x", "<f4"), ("y", "<u4")])
    assert pack(np.array((0.5, 7), same), dtype=same)[:8] == struct.pack("<fI", 0.5, 7)
    with pytest.raises(ShapeError, match=r"\[2\]"):
        pack(np.zeros(2, own))


def test_short_values_are_filled_up_with_zeros_and_long_ones_cut() -> None:
    assert pack(b"\1\2\3\4") == b"\1\2\3\4" + bytes(76)
    assert pack(None) == bytes(80)
    assert pack(bytes(range(100))) == bytes(range(80))
    assert pack(b"\1", None, None) == b"\1" + bytes(15)
    assert pack(VALUES, SCENE, 16) == BYTES[:16]


def test_single_numbers() -> None:
    assert pack(2, one("float"), 16) == struct.pack("<f12x", 2.0)
    assert pack(np.float64(2), one("float"), 16) == struct.pack("<f12x", 2.0)
    assert pack(2, None, 16) == struct.pack("<i12x", 2)
    assert pack(2**32 - 1, None, 16) == struct.pack("<I12x", 2**32 - 1)
    assert pack(2.5, None, 16) == struct.pack("<f12x", 2.5)
    assert pack(np.uint16(7), None, 16) == struct.pack("<i12x", 7)


@pytest.mark.parametrize(
    ("type", "value", "code"),
    [
        *(("uint", 2**32 - 1, "I"), ("int", -(2**31), "i"), ("uint", True, "I"), ("int", 3.0, "i")),
        *(("min16uint", 65535, "I"), ("min12int", -2048, "i"), ("min16float", 0.5, "f")),
        *(("float", 0.1, "f"), ("float", float("inf"), "f"), ("float", 2**24, "f")),
        *(("float", 2.0**127, "f"), ("double", 0.1, "d"), ("double", -(2**53), "d")),
        *(("bool", True, "I"), ("bool", 0, "I"), ("bool", 1.0, "I")),
    ],
)
def test_numbers_that_fit(type: str, value: float, code: str) -> None:
    number = value if code in "fd" else int(value)
    expected = struct.pack(f"<{code}", number)
    assert pack({"a": value}, one(type), 16)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("type", "value", "shown"),
    [
        ("uint", -1, "-1"),
        ("uint", 2**32, "4294967296"),
        ("int", 2**31, "2147483648"),
        ("int", 1.5, "1.5"),
        ("int", float("nan"), "nan"),
        ("uint", float("inf"), "inf"),
        ("uint", np.float32(4294967296.0), "4294967296.0"),
        ("float", 2**24 + 1, "16777217"),
        ("float", 1e300, r"1e\+300"),
        ("double", 2**53 + 1, "9007199254740993"),
        ("min16int", 2**40, "1099511627776"),
    ],
)
def test_numbers_that_a_type_cannot_hold(type: str, value: Any, shown: str) -> None:
    for given, constants in [(value, one(type)), ([0, value], one(type, elements=2))]:
        with pytest.raises(WrongTypeError, match=f"a is {type}, which cannot hold {shown}$"):
            pack({"a": given}, constants)


def test_bools_are_no_numbers() -> None:
    with pytest.raises(WrongTypeError, match=r"True.*False.*2"):
        pack({"a": [1, 2, 0]}, one("bool", (3,)))


def test_axes_of_arrays() -> None:
    """float2 x[2][3] is an array of six in RDEF; float x[1] is no array in a listing."""
    six = one("float", (2,), elements=6)
    values = np.arange(12, dtype=np.float32)
    expected = np.pad(values.reshape(6, 2), ((0, 0), (0, 2))).tobytes()
    assert pack({"a": values.reshape(2, 3, 2)}, six, 96) == expected
    assert pack({"a": values.reshape(6, 2)}, six, 96) == expected
    assert pack({"a": [4]}, one("float"), 16) == pack({"a": 4}, one("float", elements=1), 16)
    for shape in [(2, 6), (12,), (5, 2), (3, 2, 2, 1), (2,)]:
        with pytest.raises(WrongTypeError, match=r"float\[6, 2\]"):
            pack({"a": np.resize(values, shape)}, six)


def test_majority_is_the_layout_alone() -> None:
    matrix = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    by_rows = pack({"a": matrix}, one("float", (2, 3)), 32)
    by_columns = pack({"a": matrix}, one("float", (2, 3), column_major=True), 48)
    assert by_rows == np.pad(matrix, ((0, 0), (0, 1))).tobytes()
    assert by_columns == np.pad(matrix.T, ((0, 0), (0, 2))).tobytes()
    with pytest.raises(WrongTypeError, match=r"float\[2, 3\].*\[3, 2\]"):
        pack({"a": matrix.T}, one("float", (2, 3), column_major=True))


def test_a_structure_as_in_memory_may_have_columns_as_rows() -> None:
    """It may have that layout by chance; who takes the interface's own dtype means it."""
    m = np.arange(16, dtype=np.float32).reshape(4, 4)
    square = one("float", (4, 4), column_major=True)
    dtype = dtype_of(data_of(np.dtype([("a", "<f4", (4, 4))])))  # as `Binding.dtype`
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pack(np.array((m,), dtype), square, 64, dtype) == m.tobytes()
    own = np.array((m,), np.dtype([("a", "<f4", (4, 4))]))
    with pytest.warns(RuntimeWarning, match="columns as rows: a; a dict has"):
        assert pack(own, square, 64, dtype) == m.tobytes()


def test_initialisers_and_unused_variables() -> None:
    constants = (
        Constant("a", 0, "float", default=struct.pack("<f", 2.5)),
        Constant("b", 4, "uint", used=False),
        Constant("c", 8, "uint", used=False, default=struct.pack("<I", 9)),
        Constant("d", 12, "int"),
    )
    assert pack({"d": -1}, constants, 16) == struct.pack("<fIIi", 2.5, 0, 9, -1)
    given = {"a": 1, "b": 2, "c": 3, "d": 4}
    assert pack(given, constants, 16) == struct.pack("<fIIi", 1, 2, 3, 4)
    with pytest.raises(MissingError, match=r"d$"):
        pack({}, constants, 16)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": 1}, r"cb0 \(Scene\) has no variable 'b'; it has a, n, v, lights, m"),
        ({"light": 1}, r"has no variable 'light'; did you mean 'lights'\? It has a, n, v, lig"),
        ({1: 1}, "has no variable 1; it has"),
        ({"n": 2**70}, "n takes a uint, not 1180591620717411303424"),
        ({"n": "7"}, "n takes a uint, not '7'"),
        ({"n": 1j}, "n takes a uint, not 1j"),
        ({"n": None}, "n takes a uint, not None"),
        ({"n": [7, 8]}, r"n takes a uint, not an array of int64\[2\]"),
        ({"v": [1, 2, 3]}, r"v takes an array of int\[2\], not an array of int64\[3\]"),
        ({"v": 1}, r"v takes an array of int\[2\], not 1"),
        ({"v": [[1], [2, 3]]}, r"v takes an array of int\[2\]: "),
        ({"lights": [LIGHT]}, "lights takes 2 elements, not 1"),
        ({"lights": 5}, "lights takes 2 elements, not 5"),
        ({"lights": [7, 8]}, r"lights\[0\] takes 2 members, not 7"),
        ({"lights": np.zeros(2, "f4")}, r"lights\[0\] takes 2 members, not "),
        ({"lights": [{"colour": [1, 2, 3]}] * 2}, r"lights\[0\] lacks kind"),
        (
            {"lights": [{"color": 1, "kind": 2}] * 2},
            r"lights\[0\] has no variable 'color'; did you mean 'colour'\? It has colour, kind",
        ),
        ({"m": np.zeros((3, 2))}, r"m takes an array of float\[2, 3\], not an array of float64\[3"),
    ],
)
def test_values_that_do_not_fit_are_named(change: dict[Any, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        pack({**VALUES, **change})


OTHERS = (
    r"cb0 \(Scene\) takes a dict of a, n, v, lights, m \(or a NumPy structure, or bytes\), not "
)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        *(([1, 2], f"{OTHERS}list"), ("text", f"{OTHERS}str"), (object(), f"{OTHERS}object")),
        *((np.array([0.5, 7]), f"{OTHERS}an array"), (np.ones(2, "f4"), f"{OTHERS}an array")),
        *((np.ones((4, 4, 3), "u1"), f"{OTHERS}an array"), (np.array([None]), r"cb0 \(Scene\)")),
        (2, r"n, v.*m"),
    ],
)
def test_values_of_other_types_are_refused_with_the_variables(value: Any, message: str) -> None:
    with pytest.raises(WrongTypeError, match=message):
        pack(value)


def test_missing_variables_are_all_named() -> None:
    with pytest.raises(MissingError, match="n, v, m"):
        pack({"a": 1, "lights": VALUES["lights"]})


def test_names_need_reflection() -> None:
    with pytest.raises(WrongTypeError):
        pack({"a": 1}, None)


def test_kind_of_a_plain_array_is_checked_where_there_is_one_kind() -> None:
    floats = np.dtype([("a", "<f4"), ("b", "<f4")])
    assert pack(np.float32([1, 2]), None, 16, floats) == struct.pack("<ff8x", 1, 2)
    with pytest.raises(WrongTypeError, match=r"float32.*float64"):
        pack(np.array([1.0, 2.0]), None, 16, floats)
