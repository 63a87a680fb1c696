"""NumPy types from RDEF, compared with fxc's offsets and sizes, and HLSL's packing rules."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from translate.dxbc import decode_container
from translate.interface.binding import dtype_of
from translate.reflection import (
    BASE_TYPES,
    BufferDefinition,
    BufferTypes,
    Member,
    Reflection,
    ResourceBinding,
    Type,
    Variable,
    dtype_of_buffer,
)

from .dxbc.build import LISTINGS, held
from .dxbc.listing import listed_buffers

CBUFFER, STRUCTURED = 0, 3
FLOAT, DOUBLE = 3, 39
LISTED = [path for path in LISTINGS if path.stem != "interfaces"]


def reflection_of(stem: str) -> Reflection:
    reflection = decode_container(held(stem)).reflection
    assert reflection is not None
    return reflection


def dtype_in(stem: str, name: str) -> np.dtype[Any]:
    buffer = reflection_of(stem).buffer(name)
    assert buffer is not None
    data = dtype_of_buffer(buffer)
    assert data is not None
    return dtype_of(data)


def field(dtype: np.dtype[Any], name: str) -> np.dtype[Any]:
    assert dtype.fields is not None
    return {label: entry[0] for label, entry in dtype.fields.items()}[name]


@pytest.mark.parametrize("path", LISTED, ids=lambda path: path.stem)
def test_offsets_and_sizes_are_the_listed_ones(path: Path) -> None:
    reflection = reflection_of(path.stem)
    for name, variables in listed_buffers(path).items():
        buffer = reflection.buffer(name)
        assert buffer is not None
        data = dtype_of_buffer(buffer)
        assert data is not None, name
        dtype = dtype_of(data)
        if buffer.kind == STRUCTURED:
            assert dtype.itemsize == variables[0].size
            continue
        assert dtype.fields is not None
        found = [(n, int(at), kind.itemsize) for n, (kind, at, *_) in dtype.fields.items()]
        assert found == [tuple(variable) for variable in variables]


# Sizes that no listing has, of minimum precision too; matrices of whole rows are arrays.
TYPES: dict[tuple[str, str], dict[str, Any]] = {
    ("layouts", "P"): {
        **{"a": "<f4", "b": ("<f4", (3,)), "flag": "<u4", "u": ("<u4", (3,)), "dd": "<f8"},
        **{"d3": ("<f8", (3,)), "h": "<f4", "hu": "<u4", "hi": ("<i4", (2,)), "m": ("<f4", (4, 4))},
    },
    ("model_4_0", "C"): {"m": ("<f4", (3, 4)), "rm": ("<f4", (2, 4))},
    ("layouts", "t"): {"m": ("<f4", (2, 3)), "r": ("<f4", (3, 2)), "n": ("<i4", (3,))},
}


@pytest.mark.parametrize("place", TYPES, ids=" ".join)
def test_types_of_fields(place: tuple[str, str]) -> None:
    dtype = dtype_in(*place)
    for name, expected in TYPES[place].items():
        assert field(dtype, name) == np.dtype(expected), name


def test_structures_are_packed_tightly() -> None:
    """StructuredBuffer<T>: float2 a; S s[2]; float3x2 m; row_major float3x2 r; Inner; int n[3].

    S has a double, so it is filled up to 8 bytes.
    """
    dtype = dtype_in("layouts", "t")
    assert dtype.itemsize == 136
    assert dtype.fields is not None
    offsets = {name: int(at) for name, (_, at, *_) in dtype.fields.items()}
    assert offsets == {"a": 0, "s": 8, "m": 40, "r": 64, "inner": 88, "n": 120}
    sizes = [field(dtype, name).base.itemsize for name in ("inner", "s")]
    assert [*sizes, dtype_in("layouts", "ss").itemsize] == [16, 16, 16]
    assert field(dtype_in("layouts", "P"), "inners").shape == (2,)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[("mins", ("<f4", (3,))), ("f3", ("<f4", (3,))), ("f23", ("<f4", (3, 2)))],
        *[("ints", "<i4"), ("bs", ("<u4", (2,)))],
    ],
)
def test_simple_elements_are_no_structures(name: str, expected: Any) -> None:
    assert dtype_in("layouts", name) == np.dtype(expected)


def test_array_elements_of_constant_buffers_start_on_16_bytes() -> None:
    """arr[2] of `float arr[3]` at byte 48, and the last element without padding."""
    values = np.zeros(1, dtype_in("layouts", "P"))
    assert values.itemsize == 560
    values["arr"][0] = (1.0, 2.0, 3.0)
    values["g"] = 4.0
    words = values.view("<f4")
    assert words[[12, 16, 20, 21]].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_matrices_of_constant_buffers_start_each_row_on_16_bytes() -> None:
    """float3x3 is stored by columns, row_major float2x3 by rows."""
    values = np.zeros(1, dtype_in("layouts", "P"))
    values["n"][0] = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
    values["o"][0] = ((11, 12, 13), (14, 15, 16))
    words = values.view("<f4")
    assert words[40:51].tolist() == [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9]
    assert words[52:59].tolist() == [11, 12, 13, 0, 14, 15, 16]


def test_interfaces_have_no_type() -> None:
    buffer = reflection_of("interfaces").buffer("$ThisPointer")
    assert buffer is not None
    assert dtype_of_buffer(buffer) is None


def cbuffer(*variables: Variable, size: int = 16) -> BufferDefinition:
    return BufferDefinition("C", CBUFFER, size, variables)


def element(kind: Type, size: int) -> BufferDefinition:
    return BufferDefinition("s", STRUCTURED, size, (Variable("$Element", 0, size, kind),))


SCALAR = Type(0, FLOAT, 1, 1)


@pytest.mark.parametrize(
    "buffer",
    [
        cbuffer(),
        cbuffer(Variable("a", 16, 4, SCALAR)),
        cbuffer(Variable("a", 0, 4, SCALAR), Variable("a", 4, 4, SCALAR)),
        cbuffer(Variable("a", 0, 4, Type(4, 5, 1, 1))),
        cbuffer(Variable("a", 0, 4, Type(0, 99, 1, 1))),
        cbuffer(Variable("a", 0, 16, Type(1, FLOAT, 1, 5))),
        cbuffer(Variable("a", 0, 16, Type(2, FLOAT, 65535, 65535)), size=1 << 31),
        cbuffer(Variable("a", 0, 16, Type(0, FLOAT, 1, 1, 65535)), size=1 << 31),
        cbuffer(Variable("a", 0, 16, Type(5, 0, 1, 1)), size=16),
        cbuffer(Variable("a", (1 << 31) - 1, 4, SCALAR)),  # its end wraps in NumPy
        cbuffer(Variable("a", 0, 8, SCALAR), Variable("b", 0, 8, SCALAR), size=4),
        cbuffer(Variable("a", 0, 4, SCALAR), size=1 << 20),
        element(SCALAR, 8),
        element(Type(0, FLOAT, 1, 1, 65535), 65535 * 4),
        BufferDefinition("s", STRUCTURED, 4, ()),
    ],
)
def test_inconsistent_layouts_have_no_type(buffer: BufferDefinition) -> None:
    assert dtype_of_buffer(buffer) is None


def test_a_reflection_larger_than_its_shader_is_not_described_whole() -> None:
    """100 buffers of 4000 fields each; the first 64 are described."""
    array = Type(0, FLOAT, 1, 1, 4000)
    buffers = [
        BufferDefinition(f"C{i}", CBUFFER, 65536, (Variable("a", 0, 63988, array),))
        for i in range(100)
    ]
    types = BufferTypes(Reflection("", (), tuple(buffers)))
    found = [types.dtype(buffer.name) for buffer in buffers]
    assert [dtype is not None for dtype in found] == [True] * 64 + [False] * 36


def test_a_double_deep_inside_counts() -> None:
    inner = Type(5, 0, 1, 1, 0, (Member("d", 0, Type(0, DOUBLE, 1, 1)),))
    outer = Type(5, 0, 1, 1, 0, (Member("i", 0, inner), Member("f", 8, SCALAR)))
    data = dtype_of_buffer(element(outer, 16))
    assert data is not None
    assert dtype_of(data).itemsize == 16


@pytest.mark.parametrize(
    ("kind", "prefix"),
    [(0, "cb"), (1, "t"), (2, "t"), (3, "s"), (4, "u"), (5, "t"), (6, "u"), (7, "t"), (8, "u"),
     (9, "u"), (10, "u"), (11, "u")],
)  # fmt: skip
def test_registers_of_bindings(kind: int, prefix: str) -> None:
    """D3D_SHADER_INPUT_TYPE: cbuffer, tbuffer, texture, sampler, UAV typed, structured, ..."""
    binding = ResourceBinding("x", kind, 0, 0, 0, 3, 1)
    assert binding.register_prefix == prefix


def test_buffers_by_name() -> None:
    buffer = cbuffer(Variable("a", 0, 4, SCALAR))
    reflection = Reflection("", (), (buffer._replace(name="B"), buffer))
    assert reflection.buffer("C") is buffer
    assert reflection.buffer("D") is None


def test_base_types_are_32_bits_or_double() -> None:
    widths = {name: np.dtype(code).itemsize for code, name in BASE_TYPES.values()}
    assert {name for name, width in widths.items() if width != 4} == {"double"}
