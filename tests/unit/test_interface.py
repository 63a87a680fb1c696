"""ShaderInterface: looking bindings up, and plain data for JSON."""

import json
from dataclasses import replace

import numpy as np
import pytest

from translate import interface
from translate.interface.binding import ArrayType

from ..dtype_data import data_of

PARTICLE = np.dtype({"names": ["p", "w"], "formats": [("<f4", (3,)), "<u4"], "offsets": [0, 12]})
CB0 = interface.Binding(
    "cb0", interface.CONSTANT_BUFFER, 0, 0, "uniform_buffer", name="Params", size_bytes=32
)
T0 = interface.Binding("t0", interface.RAW_BUFFER, 0, 1, "storage_buffer", name="u0", read=True)
U0 = interface.Binding(
    "u0", interface.STRUCTURED_BUFFER, 0, 2, "storage_buffer", name="out", written=True, stride=16,
    dtype_data=data_of(PARTICLE),
)  # fmt: skip
U0_COUNTER = interface.Binding(
    "u0.counter", interface.COUNTER, 0, 3, "storage_buffer", name="out", atomic=True
)
INTERFACE = interface.ShaderInterface((64, 2, 1), (CB0, T0, U0_COUNTER, U0), 1024, ("float64",))


@pytest.mark.parametrize(
    ("name", "binding"),
    [
        *(("cb0", CB0), ("Params", CB0), ("u0.counter", U0_COUNTER)),
        ("u0", U0),  # a register goes before a name: t0 is called u0
        ("out", U0),  # not its counter
    ],
)
def test_by_register_and_by_name(name: str, binding: interface.Binding) -> None:
    assert INTERFACE[name] is binding


def test_errors_for_unknown_resources_list_the_known_ones() -> None:
    with pytest.raises(KeyError) as caught:
        INTERFACE["t7"]
    assert caught.value.args[0] == (
        "no resource 't7'; the shader has cb0 (Params), t0 (u0), u0.counter (out), u0 (out)"
    )
    with pytest.raises(KeyError, match="no resources"):
        interface.ShaderInterface((1, 1, 1), ())["t0"]


def test_an_error_for_a_variable_names_its_constant_buffer() -> None:
    cb0 = replace(CB0, constants=(interface.Constant("count", 0, "uint"),))
    with pytest.raises(KeyError) as caught:
        interface.ShaderInterface((1, 1, 1), (cb0,))["count"]
    assert caught.value.args[0] == (
        "no resource 'count'; the shader has cb0 (Params);"
        " 'count' is a variable of cb0: Params={'count': ...}"
    )


def test_membership_and_order() -> None:
    assert "Params" in INTERFACE
    assert "u0.counter" in INTERFACE
    assert "s0" not in INTERFACE
    assert 7 not in INTERFACE
    assert [binding.register for binding in INTERFACE] == ["cb0", "t0", "u0.counter", "u0"]


@pytest.mark.parametrize(
    ("binding", "letters"), [(CB0, "cb"), (T0, "t"), (U0, "u"), (U0_COUNTER, "u.counter")]
)
def test_register_class(binding: interface.Binding, letters: str) -> None:
    assert binding.register_class == letters


def test_plain_data() -> None:
    data = json.loads(INTERFACE.to_json())
    assert data == INTERFACE.to_dict()
    assert data["thread_group"] == [64, 2, 1]
    assert data["shared_memory_bytes"] == 1024
    assert data["features"] == ["float64"]
    assert (data["profile"], data["target"], data["entry_point"]) == ("cs_5_0", "vulkan1.1", "main")
    constants, _, _, structured = data["bindings"]
    assert constants["size_bytes"] == 32
    assert (constants["set"], constants["binding"]) == (0, 0)
    assert "stride" not in constants  # absent facts are left out
    assert structured["stride"] == 16
    assert structured["written"] is True


def test_dtypes_as_data() -> None:
    assert INTERFACE.to_dict()["bindings"][3]["dtype"] == [
        {"name": "p", "offset": 0, "type": {"type": "<f4", "shape": [3]}},
        {"name": "w", "offset": 12, "type": "<u4"},
    ]
    plain = interface.ShaderInterface((1, 1, 1), (replace(T0, dtype_data="<i4"),))
    assert plain.to_dict()["bindings"][0]["dtype"] == "<i4"


def test_an_array_of_vectors_has_one_dtype_of_several_axes() -> None:
    """NumPy's `base` of an array of arrays is an array."""
    nested = replace(CB0, dtype_data=ArrayType(ArrayType("<f4", (4,)), (16,)))
    assert nested.dtype == np.dtype(("<f4", (16, 4)))
    assert nested.dtype.base == np.dtype("<f4")
    assert " float32[16, 4] " in str(nested)


def test_json_on_one_line() -> None:
    assert "\n" not in INTERFACE.to_json(indent=None)


def test_for_people() -> None:
    lines = str(INTERFACE).splitlines()
    assert lines[0] == "cs_5_0, thread group 64 x 2 x 1"
    assert len(lines) == 1 + len(INTERFACE.bindings)
    assert lines[4].startswith(f"{INTERFACE.bindings[3].register} ")
    assert "stride 16 {p: float32[3], w: uint32}" in lines[4]


def test_control_characters_of_names_are_escaped() -> None:
    binding = replace(U0, name="\x1b[2J\r\n\x9b")
    assert r" \x1b[2J\r\n\x9b " in str(binding)
    assert len(str(binding).splitlines()) == 1
