"""Files of arrays that buffers cannot hold, or that hold nothing."""

import struct
from pathlib import Path

import pytest

from checks.running.shaders import ONE

from .conftest import SAXPY, Call

TYPES = {
    "text": "'<U1'",
    "bytes": "'|S4'",
    "a time without a unit": "'<M8'",
    "a name that is not Unicode": r"[('\ud800', '<f4')]",
    "text in a structure": "[('a', '<f4'), ('b', [('c', '<U1')])]",
    "no bytes in a structure": "[('a', '|S0'), ('b', '<f4')]",
}


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    path = tmp_path / "raw.asm"
    path.write_text(ONE)
    return path


def npy(dtype: str, padding: int = 0) -> bytes:
    header = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': (2,)}}{' ' * padding}\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + b"\xff" * 32


def error_of(call: Call, shader: Path, folder: Path, data: bytes, *more: str) -> str:
    """The line of the error of a run with this file for u0."""
    path = folder / "in.npy"
    path.write_bytes(data)
    words = ("run", shader, "--groups", "1,1,1", "--u0", path, "--device", "reference", *more)
    code, out, err = call(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


@pytest.mark.parametrize("more", [[], ["--json"], ["--save", "u0=/dev/null"]])
@pytest.mark.parametrize("dtype", TYPES.values(), ids=TYPES)
def test_types_that_are_no_numbers(
    call: Call, shader: Path, tmp_path: Path, dtype: str, more: list[str]
) -> None:
    assert "takes numbers" in error_of(call, shader, tmp_path, npy(dtype), *more)


@pytest.mark.parametrize("data", [npy("'<f4'", 10_000), b"\x93NUMPY", b"\x93NUMPY\1"])
def test_headers(call: Call, shader: Path, tmp_path: Path, data: bytes) -> None:
    """NumPy's error for a long one has three lines, with advice to trust the file."""
    assert ("10000" in error_of(call, shader, tmp_path, data)) == (len(data) > 100)


@pytest.mark.parametrize("name", ["=1+A1", "+1+A1", "-1+A1", "@SUM1", "\t=1+1"])
def test_a_name_in_a_table_is_no_formula(call: Call, tmp_path: Path, name: str) -> None:
    """OWASP, CSV injection: an apostrophe makes it text; the names are a shader's."""
    path, out = tmp_path / "a.dxbc", tmp_path / "out.csv"
    shader = SAXPY.with_name("compact.dxbc").read_bytes()
    path.write_bytes(shader.replace(b"index\0", name.encode() + b"\0"))
    given = "--points zeros:3 --dropped zeros:1 --kept zeros:1 --u1.counter 0"
    words = f"--groups 1 {given} --Params centre=-2:0,radius=1,count=1".split()
    assert call("run", path, *words, "--save", f"kept={out}", "--device", "reference")[0] == 0
    first, second = out.read_text().splitlines()
    assert first == f"position.x,position.y,'{name}"
    assert second == "0.0,0.0,0"


@pytest.mark.parametrize("value", ["zeros:0:u4", "zeros:0x4:f4"])
def test_an_empty_table(call: Call, shader: Path, tmp_path: Path, value: str) -> None:
    path = tmp_path / "out.csv"
    words = ("run", shader, "--groups", "1,1,1", "--u0", value, "--device", "reference")
    assert call(*words, "--save", f"u0={path}")[0] == 0
    assert path.read_bytes() == b""
