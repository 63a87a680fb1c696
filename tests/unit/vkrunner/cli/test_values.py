"""From the text of a value to the argument of a dispatch."""

import re
import struct
import sys
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from translate import Constant
from translate.interface import Binding
from vkrunner.cli.value_parser import parse_sampler, parse_value
from vkrunner.errors import (
    ArgumentError,
    FileError,
    FormatError,
    MissingError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.values.samplers import SamplerState

from ....dtype_data import data_of

CELL = np.dtype([("position", "<f4", (2,)), ("id", "<u4")])
MEMBERS = (Constant("position", 0, "float", (2,)), Constant("id", 8, "uint"))
SCENE = (
    Constant("a", 0, "float"),
    Constant("n", 4, "uint"),
    Constant("v", 8, "int", (2,)),
    Constant("cell", 16, "struct", members=MEMBERS),
    Constant("m", 32, "float", (2, 3), column_major=True),
    Constant("list", 80, "float", (2,), elements=3),
    Constant("on", 124, "bool"),
)
FLOATS = Binding("t0", "structured_buffer", 0, 0, "storage_buffer", "x", stride=4)
VECTORS = Binding("t3", "structured_buffer", 0, 0, "storage_buffer", stride=16)
COLOURS = replace(VECTORS, dtype_data=data_of(np.dtype(("<f4", (4,)))))
CELLS = replace(VECTORS, register="u0", stride=12, dtype_data=data_of(CELL))
CELLS_OF_FLOATS = replace(FLOATS, dtype_data=data_of(np.dtype("<f4")))
TYPED = Binding("t1", "typed_buffer", 0, 0, "uniform_texel_buffer", component="float")
COUNTER = Binding("u0.counter", "counter", 0, 0, "storage_buffer")
SCENE_CB = Binding("cb0", "constant_buffer", 0, 0, "uniform_buffer", "Scene", constants=SCENE)
CELLS_CB = replace(SCENE_CB, constants=(replace(SCENE[3], name="cells", elements=4),))
ONE_CB = Binding("cb0", "constant_buffer", 0, 0, "uniform_buffer", constants=SCENE[:1])
NAMELESS_CB = Binding("cb0", "constant_buffer", 0, 0, "uniform_buffer")
IMAGE = Binding("t2", "texture", 0, 0, "sampled_image", dimension="texture2d", component="float")
POINTS = SamplerState(("point", "point", "point"), ("wrap", "wrap", "wrap"))
SAMPLERS = Binding("s1", "sampler", 0, 0, "sampler", count=2)


def same(found: Any, expected: Any) -> None:
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("binding", "text", "expected"),
    [
        (FLOATS, "zeros:3:f4", np.zeros(3, "f4")),
        (FLOATS, "ones:2x3:i2", np.ones((2, 3), "i2")),
        (FLOATS, "arange:4:u8", np.arange(4, dtype="u8")),
        (FLOATS, "arange:2x2:float32", np.array([[0, 1], [2, 3]], "f4")),
        (FLOATS, "zeros:0", np.zeros(0, "u4")),
        (CELLS, "zeros:5", np.zeros(5, CELL)),
        (TYPED, "ones:2x4", np.ones((2, 4), "f4")),
        (VECTORS, "zeros:5", np.zeros((5, 4), "u4")),
        (VECTORS, "arange:2x3", np.arange(24, dtype="u4").reshape(2, 3, 4)),
        (VECTORS, "zeros:8:f4", np.zeros(8, "f4")),
        (COLOURS, "arange:2", np.arange(8, dtype="f4").reshape(2, 4)),
        (COLOURS, "ones:2", np.ones((2, 4), "f4")),
    ],
)
def test_generated_arrays(binding: Binding, text: str, expected: Any) -> None:
    same(parse_value(binding, text), expected)


@pytest.mark.parametrize("binding", [CELLS, COLOURS])
def test_zeros_are_as_many_elements_without_names(binding: Binding) -> None:
    stripped = parse_value(replace(binding, dtype_data=None), "zeros:7")
    assert stripped.nbytes == parse_value(binding, "zeros:7").nbytes == 7 * (binding.stride or 0)


def test_null_and_counters() -> None:
    assert parse_value(FLOATS, "null") is None
    assert parse_value(COUNTER, "0x10") == 16


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    array = np.arange(6, dtype="f2").reshape(2, 3)
    np.save(tmp_path / "a.npy", array)
    same(parse_value(FLOATS, str(tmp_path / "a.npy")), array)
    data = (tmp_path / "a.npy").read_bytes()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data)))
    same(parse_value(FLOATS, "-"), array)


def test_bytes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cells.raw"
    cells = np.array([((1, 2), 3), ((4, 5), 6)], CELL)
    path.write_bytes(cells.tobytes())
    np.testing.assert_array_equal(parse_value(CELLS, str(path)), cells)
    np.testing.assert_array_equal(
        parse_value(TYPED, f"{path}:r16g16b16a16_unorm").array, cells.view(np.uint16).reshape(-1, 4)
    )


def test_texels_of_a_file(tmp_path: Path) -> None:
    path, rows = tmp_path / "x.raw", np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    path.write_bytes(rows.tobytes())
    pairs, ones = (
        parse_value(IMAGE, f"{path}@{size}") for size in ("4x3:r32g32_float", "8x3:r32_float")
    )
    np.testing.assert_array_equal(pairs.array, rows)
    np.testing.assert_array_equal(ones.array, rows.reshape(3, 8))
    given = parse_value(IMAGE, f"{path}@4x6:r8g8b8a8_unorm")
    assert given.format == "r8g8b8a8_unorm"
    np.testing.assert_array_equal(given.array, rows.view(np.uint8).reshape(6, 4, 4))
    layers = replace(IMAGE, dimension="2dmsarray")
    path.write_bytes(np.arange(2 * 3 * 4 * 5, dtype=np.float32).tobytes())
    found = parse_value(layers, f"{path}@4x3x2x5:r32_float")  # the last axis has the samples
    np.testing.assert_array_equal(found.array, np.arange(120.0).reshape(2, 3, 4, 5))


def test_blocks_of_a_file(tmp_path: Path) -> None:
    path, blocks = tmp_path / "x.raw", np.arange(48, dtype=np.uint8).reshape(2, 3, 8)
    path.write_bytes(blocks.tobytes())
    given = parse_value(IMAGE, f"{path}@12x8:bc1_unorm")
    assert given.format == "bc1_unorm"
    np.testing.assert_array_equal(given.array, blocks)
    assert parse_value(IMAGE, "zeros@12x8:bc7_unorm").array.shape == (2, 3, 16)
    assert parse_value(IMAGE, "zeros@12x8:r8g8_b8g8_unorm").array.shape == (8, 6, 4)


def test_a_generated_texture_has_the_order_of_files() -> None:
    """The width comes first after an @, and the rows after a colon, as in NumPy."""
    made = parse_value(IMAGE, "ones@4x3:r8g8b8a8_unorm")
    assert made.format == "r8g8b8a8_unorm"
    assert (made.array.dtype, made.array.shape) == (np.uint8, (3, 4, 4))
    assert parse_value(IMAGE, "zeros@4x3:r32_float").array.shape == (3, 4)
    assert parse_value(IMAGE, "zeros:3x4:r32_float").array.shape == (3, 4)
    for wrong, named in (
        ("zeros@4x3", "zeros@4x3:r8g8b8a8_unorm"),
        ("zeros@4:r32_float", "zeros@64x64"),
    ):
        with pytest.raises(MissingError, match=named):
            parse_value(IMAGE, wrong)


@pytest.mark.parametrize("source", ["zeros@4x3", "zeros:3x4", "x.raw@4x3"])
@pytest.mark.parametrize("name", ["R8G8B8A8_UNORM", "r8g8b8a8_unrom"])
def test_an_unknown_format_is_named(source: str, name: str) -> None:
    with pytest.raises(UnknownNameError, match=f"{name}.*r8g8b8a8_unorm"):
        parse_value(IMAGE, f"{source}:{name}")


@pytest.mark.parametrize(
    ("binding", "size", "form", "reason"),
    [
        (CELLS, 25, "", "has 25 bytes, which are not whole elements of 12 bytes"),
        (SCENE_CB, 6, "", "has 6 bytes, which are not whole elements of 4 bytes"),
        (TYPED, 12, ":r16g16b16a16_unorm", "has 12 bytes, not whole texels"),
        (IMAGE, 16, "", "x.raw@64x64:r8g8b8a8_unorm"),
        (IMAGE, 16, "@4", "x.raw@64x64:r8g8b8a8_unorm"),
        (IMAGE, 16, "@4x-1", "x.raw@64x64:r8g8b8a8_unorm"),
        (IMAGE, 16, "@2x2", "x.raw@2x2:r8g8b8a8_unorm"),
        (IMAGE, 16, "@3x1:r32_float", "has 16 bytes, 3x1 texels of r32_float have 12"),
        (IMAGE, 8, "@1x1:r8g8b8a8_unorm", "has 8 bytes, 1x1 texels of r8g8b8a8_unorm have 4"),
        (IMAGE, 8, "@8x4:bc1_unorm", "has 8 bytes, 8x4 texels of bc1_unorm have 16"),
        (IMAGE, 16, "@5x4:bc1_unorm", "bc1_unorm has whole blocks of 4 by 4 texels, not 5x4"),
        (SCENE_CB, 124, "", "has 124 bytes, its variables 128"),
    ],
)
def test_bytes_that_do_not_fit(
    tmp_path: Path, binding: Binding, size: int, form: str, reason: str
) -> None:
    path = tmp_path / "x.raw"
    path.write_bytes(bytes(size))
    with pytest.raises(ArgumentError, match=re.escape(reason)):
        parse_value(binding, f"{path}{form}")


def test_a_missing_file_may_be_a_misspelt_format(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((2, 4), "u1"))
    with pytest.raises(UnknownNameError, match=r"'rgba8_unorm'.*r8g8b8a8_unorm"):
        parse_value(TYPED, f"{tmp_path / 'a.npy'}:rgba8_unorm")
    with pytest.raises(FileNotFoundError):
        parse_value(TYPED, f"{tmp_path / 'b.npy'}:rgba8_unorm")


def test_a_broken_picture(tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(b"\x89PNG")
    with pytest.raises(FileError, match=r"cat\.png"):
        parse_value(TYPED, str(tmp_path / "cat.png"))


def npy(header: str) -> bytes:
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.npy", b""),
        ("zip.npy", b"PK\3\4"),
        ("header.npy", npy("{'descr': (, 'fortran_order': False, 'shape': (1,)}")),
        ("huge.npy", npy(f"{{'descr': '<f4', 'fortran_order': False, 'shape': {2**63 - 1, 9}}}")),
        pytest.param("deep.npy", npy(f"{'1+1j+' * 1500}1"), id="deep"),
        ("several.npz", None),
    ],
    ids=str,
)
def test_files_that_are_not_arrays(tmp_path: Path, name: str, data: bytes | None) -> None:
    if data is None:
        np.savez(tmp_path / name, a=np.zeros(1))
    else:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(FileError, match=rf"{name} is not a (valid )?\.npy file"):
        parse_value(FLOATS, str(tmp_path / name))
    with pytest.raises(FileNotFoundError):
        parse_value(FLOATS, str(tmp_path / "missing.npy"))


def test_constants_by_name() -> None:
    text = "a=2.5,n=0xff,v=-1:2,cell.position=1:2,cell.id=7,m=1:2:3:4:5:6,list=1:2:3:4:5:6,on=true"
    assert parse_value(SCENE_CB, text) == {
        "a": 2.5,
        "n": 255,
        "v": [-1, 2],
        "cell": {"position": [1, 2], "id": 7},
        "m": [[1, 2, 3], [4, 5, 6]],
        "list": [[1, 2], [3, 4], [5, 6]],
        "on": True,
    }
    assert parse_value(SCENE_CB, "n=0x10,v=-0x1:0X20") == {"n": 16, "v": [-1, 32]}
    assert parse_value(SCENE_CB, "cell=1:2:3, a=1") == {"cell": [[1, 2], 3], "a": 1}
    with pytest.raises(ShapeError, match=r"6.*3"):
        parse_value(SCENE_CB, "list=1:2:3,on=false")


def test_integers_where_the_shader_reads_floats() -> None:
    for text in ("0:2", "2"):
        with pytest.raises(WrongTypeError, match=r"cb0: 2.*2\.0.*2i"):
            parse_value(NAMELESS_CB, text, floats=frozenset([0, 1]))


@pytest.mark.parametrize("binding", [SCENE_CB, ONE_CB, NAMELESS_CB])
def test_a_file_of_bytes_for_constants_of_any_type(binding: Binding, tmp_path: Path) -> None:
    path, numbers = tmp_path / "p.raw", np.arange(32, dtype=np.float32)
    numbers.tofile(path)
    assert parse_value(binding, str(path)) == numbers.tobytes()


def test_constants_without_names() -> None:
    assert parse_value(NAMELESS_CB, "1i:-2i:0.5") == struct.pack("<iif", 1, -2, 0.5)
    assert parse_value(NAMELESS_CB, "0.5:0:-0:0x7") == struct.pack("<fiii", 0.5, 0, 0, 7)
    assert parse_value(NAMELESS_CB, "3") == 3
    floats = frozenset([4, 5, 6])
    assert parse_value(NAMELESS_CB, "1:2:3:4:0:2i:0x3", floats=floats) == struct.pack(
        "<7i", 1, 2, 3, 4, 0, 2, 3
    )
    assert parse_value(NAMELESS_CB, "011:0x11") == struct.pack("<ii", 11, 17)
    assert parse_value(ONE_CB, "1e-3") == {"a": 0.001}
    assert np.isnan(parse_value(ONE_CB, "nan")["a"])
    assert parse_value(ONE_CB, "-inf") == parse_value(ONE_CB, "-Infinity") == {"a": -np.inf}


@pytest.mark.parametrize(
    ("binding", "text", "message"),
    [
        (FLOATS, "zeros:many", r"t0 \(x\): a shape is 1024 or 64x4, not 'many'"),
        (FLOATS, "zeros::f4", "a shape is"),
        (FLOATS, f"zeros:{2**40}x{2**40}:f4", "t0 .*: 1099511627776x1099511627776: "),
        (FLOATS, f"arange:{2**70}:f4", "t0 .*: 1180591620717411303424: "),
        (FLOATS, "zeros:4:f3", "'f3' is not a type of numbers"),
        (
            FLOATS,
            "zeros:4:r32_float",
            "structured buffer, not a texture or typed buffer: write a type",
        ),
        (FLOATS, "zeros:4:r32_flaot", r"'r32_flaot' is not a type of numbers .*\)$"),
        (FLOATS, "ones@8x1:r32_float", "structured buffer, not a texture: write ones:N"),
        (FLOATS, f"{__file__}:r32_float", r"^t0 \(x\) is a structured buffer, not a texture or"),
        (FLOATS, "1,2,3", r"^1,2,3: no such file; values are a file, zeros:8, ones:8 or arange:8"),
        (FLOATS, "10", r"; numpy\.save\('numbers\.npy', numpy\.array\(\[10\], 'uint32'\)\) writes"),
        (CELLS, "-1:2", r"numpy\.array\(\[-1, 2\], 'int32'\)\) writes a file of these numbers$"),
        (FLOATS, "1,,2", r"arange:8 \(sm5vk run --help\)$"),
        (FLOATS, "rand:8", r"^rand:8: no such file; values are a file, zeros:8, "),
        (FLOATS, "zeros:4:O", "'O' is not a type of numbers"),
        (FLOATS, "zeros:4:f4,f4", "is not a type of numbers"),
        (
            CELLS,
            "ones:4",
            "ones: cannot fill structures; write ones:12:f4, or take zeros:N or a file",
        ),
        (FLOATS, "zeros", "^zeros needs a shape: zeros:1024$"),
        (FLOATS, "arange:8:", r"^arange:8:: no such file, and no arange:SHAPE\[:DTYPE\], such as"),
        (FLOATS, "arrange:8:f4", "^arrange:8:f4: no such file; did you mean arange:8:f4?"),
        (COUNTER, "many", "'many' is not a number"),
        (NAMELESS_CB, "0.0625:0.0625:2:0", r"2 is an integer beside floats: write 2\.0 for"),
        (NAMELESS_CB, "-30:1e3", "-30 is an integer"),
        (NAMELESS_CB, "2j:1", "'2j' is not a number"),
        (SCENE_CB, "a=2,b", r"cb0 \(Scene\): 'b' is not NAME=VALUE"),
        (SCENE_CB, "a=2,a=3", "a is given twice"),
        (SCENE_CB, "cell=1:2:3,cell.id=3", "cell.id is given twice"),
        (SCENE_CB, "v=1:2:3", "v takes 2 numbers, not 3"),
        (SCENE_CB, "a=0x40000000", "a is a float, 0x40000000 the number 1073741824 or bits"),
        (SCENE_CB, "cell=1:0X2:3", "cell is a float, 0X2 the number 2 or bits"),
        (SCENE_CB, "a=-1e400", "a: '-1e400' exceeds all floats; write inf for"),
        (NAMELESS_CB, "1e309", "'1e309' exceeds all floats"),
        (SCENE_CB, "a=two", "a: 'two' is not a number"),
        (SCENE_CB, "two", r"cb0 \(Scene\) has names: write a=\.\.\.,n=\.\.\.,.*, not 'two'$"),
        (SCENE_CB, "2:8", "has names: write a=.*, not '2:8'$"),
        (SCENE_CB, "2.5:1.5", "has names: write a="),
        (SCENE_CB, "3:1:2", "has names: write a="),
        (SCENE_CB, "2:8i", "has names: write a="),
        (SCENE_CB, "256", "has names: write a="),
        (SCENE_CB, "ones:8:f4", r"names: write a=\.\.\.,.*, not an array of float32\[8\]$"),
        (CELLS_OF_FLOATS, "arange:8:i4", "takes float32, not int32: write arange:8:f4$"),
        (ONE_CB, "1:2", "a takes 1 number, not 2"),
        (
            CELLS_CB,
            "cells.id=3",
            r"cb0 \(Scene\): cells takes 12 numbers in order: write cells=0:0:",
        ),
        (CELLS_CB, "cells[1].id=3", "cells takes 12 numbers in order"),
        (SCENE_CB, "cell.position[1]=3", r"cell\.position takes 2 numbers in order: .*=0:0$"),
        (SCENE_CB, "v.x=3", "v takes 2 numbers in order: write v=0:0$"),
        (SCENE_CB, "a.x=3", "a takes 1 number in order: write a=0$"),
        (ONE_CB, "two", "a: 'two' is not a number"),
        (SCENE_CB, __file__, "constants are read from .npy, .raw, .bin and .buf"),
    ],
)
def test_invalid_values(binding: Binding, text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        parse_value(binding, text)


def test_a_hint_names_a_file_that_is_read(tmp_path: Path) -> None:
    for name in ("x.npy", "x.npz"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(FileNotFoundError, match=r"did you mean .*x\.npy\?"):
        parse_value(FLOATS, str(tmp_path / "x.nyp"))


def test_advice_about_files_is_for_the_command_line(tmp_path: Path) -> None:
    np.save(tmp_path / "p.npy", np.ones(2))
    with pytest.raises(WrongTypeError, match=r"names: write a=\.\.\.,.* array of float64\[2\]$"):
        parse_value(SCENE_CB, str(tmp_path / "p.npy"))
    np.save(tmp_path / "rgb.npy", np.zeros((4, 3, 3), np.uint8))
    with pytest.raises(FormatError, match=r"a fourth, alpha, into the file, or give .* as \.png$"):
        parse_value(IMAGE, str(tmp_path / "rgb.npy"))


@pytest.mark.parametrize(
    ("binding", "text", "format", "expected"),
    [
        (IMAGE, "zeros:3x4:r32_float", "r32_float", np.zeros((3, 4), "f4")),
        (IMAGE, "ones:3x4:r8g8b8a8_unorm", "r8g8b8a8_unorm", np.ones((3, 4, 4), "u1")),
        (IMAGE, "arange:3x4:u4:r8g8b8a8_unorm", "r8g8b8a8_unorm", np.arange(12).reshape(3, 4)),
        (TYPED, "zeros:5:r16g16_float", "r16g16_float", np.zeros((5, 2), "f2")),
    ],
)
def test_formats_after_values(binding: Binding, text: str, format: str, expected: Any) -> None:
    found = parse_value(binding, text)
    assert found.format == format
    np.testing.assert_array_equal(found.array, expected)
    assert found.array.dtype == (np.uint32 if ":u4:" in text else expected.dtype)


def test_a_file_in_a_format(tmp_path: Path) -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    np.save(tmp_path / "image.npy", image)
    found = parse_value(IMAGE, f"{tmp_path / 'image.npy'}:b8g8r8a8_unorm")
    assert found.format == "b8g8r8a8_unorm"
    same(found.array, image)
    same(parse_value(IMAGE, str(tmp_path / "image.npy")), image)


def test_lists_for_arrays_of_resources() -> None:
    found = parse_value(SAMPLERS, "point,wrap;null", several=True)
    assert found == [POINTS, None]
    assert parse_value(SAMPLERS, "linear") == SamplerState()


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("linear", SamplerState()),
        ("clamp,linear", SamplerState()),
        ("point,wrap", POINTS),
        ("point:linear:point", SamplerState(("point", "linear", "point"))),
        ("wrap:mirror:border,border=0:0:0:1", SamplerState(
            addresses=("wrap", "mirror", "border"), border=(0.0, 0.0, 0.0, 1.0))),
        ("less_equal,min_lod=1,max_lod=2.5,lod_bias=-1", SamplerState(
            comparison="less_equal", min_lod=1.0, max_lod=2.5, lod_bias=-1.0)),
    ],
)  # fmt: skip
def test_words_in_any_order(text: str, state: SamplerState) -> None:
    assert parse_sampler(text, "s0") == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "s0: '' is no word of a sampler; there are point, linear, wrap"),
        ("linear,warp", "s0: 'warp' is no word of a sampler"),
        ("linear,point", "s0: filter is given twice"),
        ("linear:point", "filter is one name or three"),
        ("min_lod=low", "s0: 'low' is not a number"),
        ("min_lod=true", "min_lod is a number, not True"),
        ("border=1" + "0" * 400, "border is out of the range of floats"),
        ("border=0:1", "a border has one number or four"),
        ("colour=1", "s0: 'colour=1' is no word of a sampler"),
    ],
)
def test_invalid_samplers(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        parse_sampler(text, "s0")
