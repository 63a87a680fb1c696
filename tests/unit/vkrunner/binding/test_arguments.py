"""Names, registers and spaces to descriptors, and errors that name the fault."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from translate import Constant
from translate.interface import Binding, ShaderInterface
from vkrunner import errors
from vkrunner.binding.arguments import ArrayArgument, Filled
from vkrunner.binding.making import make_arguments
from vkrunner.binding.registers import match_keys
from vkrunner.reference.info import reference_info

T0 = Binding("t0", "structured_buffer", 0, 32, "storage_buffer", "source", stride=4)
T1 = Binding("t1", "typed_buffer", 0, 33, "uniform_texel_buffer", "texels", component="float")
U0 = Binding("u0", "raw_buffer", 0, 160, "storage_buffer", "target", written=True)
U1 = Binding("u1_space2", "structured_buffer", 2, 161, "storage_buffer", None, stride=8)
COUNTER = Binding("u1_space2.counter", "counter", 2, 225, "storage_buffer", None)


class Picture:
    """The part of Pillow's class that an error looks at."""

    mode = "RGB"

    def convert(self, mode: str) -> "Picture":
        return self


INTERFACE = ShaderInterface((1, 1, 1), (T0, T1, U0, U1, COUNTER))
LIMITS = reference_info().limits
ALL: dict[str, Any] = {
    "t0": np.zeros(4, "f4"),
    "t1": np.zeros((4, 2), "f2"),
    "u0": np.zeros(4, "u4"),
    "u1_space2": np.zeros(4, "V8"),
}


def arguments(formats: dict[str, str] | None = None, **changes: Any) -> dict[str, Any]:
    made = make_arguments(INTERFACE, {**ALL, **changes}, formats or {}, LIMITS)
    return {a.shown.binding.register: a for a in made}


def test_names_registers_and_spaces_are_the_same() -> None:
    keys = ["source", "t1", "target", ("u", 2, 1)]
    assert match_keys(INTERFACE, keys) == {
        "t0": "source",
        "t1": "t1",
        "u0": "target",
        "u1_space2": ("u", 2, 1),
    }


def test_all_that_is_missing_is_named_with_its_kind() -> None:
    with pytest.raises(errors.MissingError) as caught:
        match_keys(INTERFACE, ["t1", "u1_space2"])
    message = "missing: t0 (source), a structured buffer; u0 (target), a raw buffer"
    assert str(caught.value) == message


def test_control_characters_of_names_are_escaped() -> None:
    interface = replace(INTERFACE, bindings=(replace(T0, name="\x1b[2J\n\x9b"),))
    with pytest.raises(errors.MissingError) as caught:
        match_keys(interface, [])
    assert str(caught.value) == r"missing: t0 (\x1b[2J\n\x9b), a structured buffer"


def test_a_variable_is_passed_by_its_constant_buffer() -> None:
    size = Constant("count", 0, "uint")
    buffer = Binding("cb0", "constant_buffer", 0, 0, "uniform_buffer", "Params", constants=(size,))
    with pytest.raises(errors.UnknownNameError, match=r"'count'.*cb0: Params=\{'count'"):
        match_keys(replace(INTERFACE, bindings=(buffer,)), ["count"])


@pytest.mark.parametrize("key", ["t7", ("u", 0, 1), "sauce"])
def test_unknown_keys_are_refused_with_the_known_ones(key: Any) -> None:
    with pytest.raises(errors.UnknownNameError, match=r"there|has t0 \(source\), t1 \(texels\), u"):
        match_keys(INTERFACE, [key])


def test_the_same_register_twice() -> None:
    with pytest.raises(errors.DuplicateError, match="t0"):
        match_keys(INTERFACE, [*ALL, "source"])


def test_formats_of_typed_arrays_chosen_beforehand_and_of_null() -> None:
    assert arguments()["t1"].shown.format.name == "r16g16_float"
    found = arguments({"t1": "r8g8b8a8_unorm"}, t1=np.zeros(8, "u1"))["t1"]
    assert found.shown.format.name == "r8g8b8a8_unorm"
    null = arguments(t1=None)["t1"]
    assert not isinstance(null, Filled)
    assert null.shown.format.component == "float"


UNORM, WRONG_TYPE = "r8g8b8a8_unorm", errors.WrongTypeError
NORMALISED = (
    r"t1 \(texels\).*r16_sint.*device.kernel\(..., formats=\{'texels': 'r16_snorm'\}\).*"
    r"device.buffer\(array\).view\(format='r16_snorm'\) \(command.*:r16_snorm\)"
)
COUNTS = r"0.*4294967295"
NONE = np.zeros(4, None)  # NumPy makes float64 of it, which a shader with doubles accepts


@pytest.mark.parametrize(
    ("register", "value", "format", "error", "message"),
    [
        ("t0", NONE, None, WRONG_TYPE, r"t0 \(source\) takes no float64.* np.zeros\(n, np.float32"),
        ("t1", NONE, None, WRONG_TYPE, r"t1 \(texels\) takes no float64.* array.astype\(np.flo"),
        ("u0", NONE, None, WRONG_TYPE, r"u0 \(target\) takes no float64.* np.zeros\(n, np.float32"),
        ("u1_space2", NONE, None, WRONG_TYPE, r"no float64.* np.zeros\(\(n, 2\), np.float32\)"),
        ("t0", bytes(6), None, errors.ShapeError, "t0"),
        ("t1", np.zeros(4, "i2"), None, errors.FormatError, NORMALISED),
        # Their bits are other numbers in a format of floats
        ("t1", np.zeros(4, "u4"), None, errors.FormatError, r"r32_uint.*astype\(np\.float32\)$"),
        ("t1", np.zeros(6, "u1"), UNORM, errors.FormatError, f"6.*{UNORM}"),
        ("t1", np.zeros(1, "f4"), UNORM, WRONG_TYPE, r"t1 .* takes uint8 .*astype\(np.uint8\)"),
        ("t1", np.zeros(4, bool), UNORM, WRONG_TYPE, r"t1 .* takes uint8 .*astype\(np.uint8\)"),
        ("t1", np.zeros(4, "i8"), "r32_float", WRONG_TYPE, r"takes float32 .*astype\(np.float32\)"),
        ("t1", np.zeros(4, bool), None, WRONG_TYPE, r"pass array\.astype\(np\.float32\)"),
        ("t1", np.zeros(4, "i8"), None, WRONG_TYPE, r"pass array\.astype\(np\.float32\)"),
        ("t1", (4, 3), None, WRONG_TYPE, r"numpy\.zeros\(\(4, 3\), numpy\.float32\)"),
        ("t1", [4, 3], None, WRONG_TYPE, r"numpy\.asarray\(value, dtype\)"),
        ("t1", Picture(), None, WRONG_TYPE, r"numpy\.asarray\(image\.convert\(\"RGBA\"\)\)"),
        ("u1_space2.counter", -1, None, errors.InvalidValueError, COUNTS),
        ("u1_space2.counter", 2**32, None, errors.InvalidValueError, COUNTS),
        ("u1_space2.counter", 1.5, None, errors.InvalidValueError, COUNTS),
        ("u1_space2.counter", "7", None, errors.InvalidValueError, COUNTS),
    ],
)
def test_values_that_are_refused(
    register: str, value: Any, format: str | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        arguments({register: format} if format else {}, **{register: value})


def test_doubles_where_the_shader_has_them() -> None:
    assert {INTERFACE[name].dtype for name in ALL} == {None}
    doubles = replace(INTERFACE, features=("float64",))
    shown: Any = make_arguments(doubles, {**ALL, "u1_space2": np.zeros(4)}, {}, LIMITS)[3].shown
    assert (shown.offset, shown.size) == (0, 32)


def test_raw_bytes_are_filled_up_to_dwords() -> None:
    found = arguments(u0=b"\1\2\3\4\5")["u0"]
    assert (found.shown.offset, found.shown.size) == (0, 8)
    assert found.contents.tobytes() == b"\1\2\3\4\5\0\0\0"
    assert isinstance(arguments(t0=bytes(8))["t0"], ArrayArgument)


@pytest.mark.parametrize(("changes", "start"), [({}, 0), ({"u1_space2.counter": 5}, 5)])
def test_a_counter_beside_an_array(changes: dict[str, Any], start: int) -> None:
    found = arguments(**changes)["u1_space2.counter"]
    assert found.array.tolist() == [start]


def test_a_counter_of_a_null_buffer_is_null() -> None:
    null = arguments(u1_space2=None)["u1_space2.counter"]
    assert not isinstance(null, Filled)
    assert null.shown.binding.kind == "counter"


def test_an_array_in_a_format_of_other_numbers() -> None:
    """Bytes, words and views of an array are meant so; other arrays are refused."""
    for meant in (bytes(4), np.zeros(4, "u1"), np.zeros(1, "u4"), np.zeros(1, "f4").view("u4")):
        assert arguments({"t1": UNORM}, t1=meant)["t1"].shown.place == ("t1", 0)
