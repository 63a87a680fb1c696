"""Values given by name arrive where fxc's code reads that name."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate import Constant
from vkrunner import Device, MissingError

from ..conftest import needs

DATA = Path(__file__).parent
SHADERS = sorted(path.stem for path in DATA.glob("*.dxbc"))
READ_WHOLE = ("arrays", "doubles", "matrices_columns", "matrices_rows", "minimum", "structures",
              "vectors")  # fmt: skip
KINDS = {"double": np.float64, "bool": np.bool_}
KINDS |= {"float": np.float32, "int": np.int32, "uint": np.uint32}


def kind_of(constant: Constant) -> Any:
    return KINDS[re.sub(r"^min\d+", "", constant.type)]


def written_of(constant: Constant) -> Any:
    """The dtype in which the shader writes such a number: bools as 0 and 1."""
    return np.uint32 if constant.type == "bool" else kind_of(constant)


def random_value(constant: Constant, random: np.random.Generator) -> Any:
    """A value as a user passes it: arrays, dicts for structures, lists of dicts."""
    if constant.members:
        rows = [
            {member.name: random_value(member, random) for member in constant.members}
            for _ in range(max(1, constant.elements))
        ]
        return rows if constant.elements else rows[0]
    shape = (*([constant.elements] if constant.elements else []), *constant.shape)
    low = 0 if constant.type in ("bool", "uint", "min16uint") else -100
    return random.integers(low, 2 if constant.type == "bool" else 100, shape).astype(
        kind_of(constant)
    )


def words_of(constant: Constant, value: Any) -> Iterator[bytes]:
    """The bytes of each number in HLSL's order: elements, rows, columns; members in order."""
    if not constant.members:
        yield np.ascontiguousarray(value).astype(written_of(constant)).tobytes()
        return
    for row in value if constant.elements else [value]:
        for member in constant.members:
            yield from words_of(member, row[member.name])


@pytest.mark.parametrize("name", READ_WHOLE)
def test_every_variable_by_its_name(device: Device, name: str) -> None:
    random = np.random.default_rng(len(name))
    path = DATA / f"{name}.dxbc"
    features = translate.to_spirv(translate.load(path)).interface.features
    with needs(device, *features):
        kernel = device.kernel(path)
        constants = kernel.interface["Constants"].constants
        assert constants is not None
        values = {constant.name: random_value(constant, random) for constant in constants}
        expected = b"".join(w for c in constants for w in words_of(c, values[c.name]))
        written = np.zeros(len(expected) // 4, np.uint32)
        result = kernel.dispatch(1, Constants=values, written=written)
        assert result.written.tobytes() == expected


@pytest.mark.parametrize("name", SHADERS)
def test_a_listing_gives_the_same_layout(name: str) -> None:
    """Except for arrays of one element, which fxc prints like the element."""
    modules = [translate.to_spirv(translate.load(DATA / f"{name}{s}")) for s in (".dxbc", ".asm")]
    for container, listing in zip(*(module.interface for module in modules), strict=True):
        if container.constants is None:
            assert listing.constants is None
            continue
        assert listing.constants is not None
        shapes = [
            [
                (c.name, c.offset, c.type, c.shape, c.size_bytes, c.column_major, c.used, c.default)
                for c in row
            ]
            for row in (container.constants, listing.constants)
        ]
        assert shapes[0] == shapes[1]


@pytest.mark.parametrize("name", SHADERS)
def test_offsets_and_sizes_are_within_the_buffer(name: str) -> None:
    """The sizes that fxc's listing prints are those of the layout."""
    program = translate.load(DATA / f"{name}.dxbc")
    interface = translate.to_spirv(program).interface
    assert program.reflection is not None
    compared = 0
    for binding in interface:
        constants = {c.name: c for c in binding.constants or ()}
        definition = program.reflection.buffer(binding.name or "")
        for variable in definition.variables if definition and constants else ():
            if variable.name in constants:
                constant = constants[variable.name]
                assert (constant.offset, constant.size_bytes) == (variable.offset, variable.size)
                compared += 1
    assert compared or name == "buffers_51"


def test_initialisers(device: Device) -> None:
    """Matrices have none: fxc writes them column by column, whatever the source says."""
    kernel = device.kernel(DATA / "initialisers.dxbc")
    rows, columns = np.float32([[1, 2], [3, 4]]), np.float32([[1, 2, 3], [4, 5, 6]])
    written = np.zeros(20, np.uint32)
    seen = kernel.dispatch(1, Constants={"c": 0.5, "d": rows, "e": columns}, written=written)
    floats = seen.written.view(np.float32)
    assert floats[0] == 2.5
    assert seen.written[1:4].view(np.int32).tolist() == [1, -2, 3]
    assert floats[4:5].tolist() == [0.5]
    assert floats[5:15].tolist() == [1, 2, 3, 4, 1, 2, 3, 4, 5, 6]
    assert seen.written[15] == 1
    assert floats[16:19].tolist() == [7, 8, 9]
    with pytest.raises(MissingError, match=r"cb0 \(Constants\).*c, d, e$"):
        kernel.dispatch(1, Constants={}, written=written)


def test_variables_where_the_source_put_them(device: Device) -> None:
    kernel = device.kernel(DATA / "offsets.dxbc")
    values = {"a": [1, 2, 3, 4], "b": [5, 6], "c": 7}
    written = np.zeros(7, np.float32)
    assert kernel.dispatch(1, cb2=values, written=written).written.tolist() == [*range(1, 8)]


def test_variables_outside_of_every_buffer(device: Device) -> None:
    kernel = device.kernel(DATA / "globals.dxbc")
    values = {"scale": 4, "steps": [-1, 2, 3]}
    result = kernel.dispatch(1, bindings={"$Globals": values}, written=np.zeros(4, np.int32))
    assert result.written[:1].view(np.float32) == 4
    assert result.written[1:].tolist() == [-1, 2, 3]
    assert kernel.dispatch(1, cb0=values, written=np.zeros(4, np.int32)).written[1] == -1


def test_constant_buffers_of_a_structure(device: Device) -> None:
    """ConstantBuffer<Light> takes the structure itself; an array of them takes a list."""
    kernel = device.kernel(DATA / "buffers_51.dxbc")
    views = np.arange(48, dtype=np.float32).reshape(3, 4, 4)
    lights = [{"colour": [n, n + 1, n + 2], "kind": -n, "view": views[n]} for n in range(3)]
    written = np.zeros(14, np.uint32)
    seen = kernel.dispatch(1, one=lights[0], several=lights[1:], written=written).written
    assert seen[[3, 8, 12]].view(np.int32).tolist() == [0, -1, -2]
    colours = seen[[0, 1, 2, 5, 6, 7, 9, 10, 11]].view(np.float32)
    assert colours.tolist() == [0, 1, 2, 1, 2, 3, 2, 3, 4]
    assert seen[[4, 13]].view(np.float32).tolist() == [views[0, 1, 2], views[2, 3, 0]]


def test_json_has_the_layout() -> None:
    module = translate.to_spirv(translate.load(DATA / "initialisers.dxbc"))
    row = next(row for row in module.interface.to_dict()["bindings"] if row["register"] == "cb0")
    found = {constant["name"]: constant for constant in row["constants"]}
    assert found["a"] == {
        "name": "a",
        "offset": 0,
        "type": "float",
        "shape": [],
        "size_bytes": 4,
        "default": "00002040",
    }
    assert found["e"] == {
        "name": "e",
        "offset": 128,
        "type": "float",
        "shape": [2, 3],
        "size_bytes": 40,  # three columns, the last one not filled up
        "order": "column_major",
        "row_stride": 16,
        "column_major": True,
    }
    assert found["g"]["elements"] == 3
    assert found["unused"]["used"] is False
    structure = translate.to_spirv(translate.load(DATA / "structures.dxbc"))
    (constants,) = [r for r in structure.interface.to_dict()["bindings"] if "constants" in r]
    outer = constants["constants"][1]
    members = [member["name"] for member in outer["members"]]
    assert members == ["a", "inner", "rows", "columns", "flag"]
