"""The presentation of results and facts, and colours for failures of tests."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner.cli.results import array_lines

from ..shadertest.cases import VIOLATES
from .conftest import SAXPY, SHADERS, Call, on_a_terminal


def test_structures_are_shown_by_their_variables(call: Call, device: vkrunner.Device) -> None:
    words = ("--points", "ones:2:f4", "--kept", "zeros:9", "--dropped", "zeros:1")
    params = ("--Params", "centre=0:0,radius=5,count=1")
    shader = SHADERS / "compact.dxbc"
    code, out, _ = call("run", shader, "--groups", "1", *words, *params)
    assert code == 0
    first, *rest = out.splitlines()
    assert first == "u0 (kept): {position: float32[2], index: uint32}[9]"
    assert rest[0] == "  [0] position=1.0:1.0, index=0"
    assert rest[8] == "  ..."


def test_structures_within_structures() -> None:
    inner = np.dtype([("n", "i4"), ("m", "f4", (2, 2))])
    dtype = np.dtype([("a", "f4"), ("s", inner), ("many", inner, (2,))])
    array = np.zeros((1, 2), dtype)
    array["s"]["m"][0, 1] = [[1, 2], [3, 4]]
    array["many"]["n"][0, 1] = [5, 6]
    lines = list(array_lines("u0", array, 8))
    zeros = "0.0:0.0:0.0:0.0"
    assert lines[2] == (
        f"  [0, 1] a=0.0, s.n=0, s.m=1.0:2.0:3.0:4.0, many[0].n=5, many[0].m={zeros},"
        f" many[1].n=6, many[1].m={zeros}"
    )
    assert len(lines) == 3


def test_floats_are_shown_with_the_digits_of_their_type() -> None:
    """As NumPy prints them: the shortest text that reads as the same number of that type."""
    third = np.array([1 / 3, 1e20], "f4")
    assert list(array_lines("u0", third, 8)) == ["u0: float32[2] 0.33333334 1e+20"]
    assert list(array_lines("u0", third.view([("a", "f4")]), 8))[1] == "  [0] a=0.33333334"


def test_disasm_as_json(call: Call, tmp_path: Path) -> None:
    text = translate.disassemble(translate.load(SAXPY), exact=True)
    code, out, _ = call("disasm", SAXPY, "--json")
    facts = json.loads(out)
    assert (code, facts["listing"].rstrip("\n")) == (0, text.rstrip("\n"))
    assert facts["mnemonics"]["mad"] == 1
    path = tmp_path / "a.asm"
    facts = json.loads(call("disasm", SAXPY, "--json", "-o", path)[1])
    assert (facts["output"], "listing" in facts) == (str(path), False)
    assert path.read_text().rstrip("\n") == text.rstrip("\n")


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """The words that run a failing test, on a terminal with colours."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    (tmp_path / "a.shader_test").write_text(f"{VIOLATES}probe uav 0 all 9\n")
    return "test", tmp_path, "--device", "reference"


def test_failures_have_colours_on_a_terminal(failing: tuple[object, ...]) -> None:
    code, text = on_a_terminal(*failing, both=True)
    assert code == 1
    assert b"\x1b[31mFAILED\x1b[0m " in text
    assert b"\x1b[31merror:\x1b[0m " in text
    assert re.search(rb"\x1b\[32m\^+\x1b\[0m", text), text


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colours_are_wanted(
    failing: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    code, text = on_a_terminal(*failing, both=True)
    assert (code, b"error: " in text) == (1, True)
    assert not re.search(rb"\x1b\[\d+m", text)


def test_no_colours_in_a_pipe(call: Call, failing: tuple[object, ...]) -> None:
    code, out, err = call(*failing)
    assert (code, "error: " in out + err) == (1, True)
    assert "\x1b" not in out + err


def test_nans_and_infinities_of_a_result(call: Call, tmp_path: Path) -> None:
    """How many there are, and where the first one is: in arrays, and in variables of structures."""
    path = tmp_path / "y.npy"
    array = np.arange(64, dtype="f4")
    array[[13, 40]], array[[3, 50, 60]] = np.nan, [np.inf, -np.inf, np.inf]
    np.save(path, array)
    words = ("--groups", 1, "--x", "zeros:64", "--y", path, "--Params", "a=1,count=0")
    words = ("run", SAXPY, *words, "--device", "reference")
    code, out, _ = call(*words)
    shown = "u0 (y): float32[64] 0.0 1.0 2.0 inf 4.0 5.0 6.0 7.0 ..."
    assert (code, out) == (0, f"{shown}; 2 NaN, first at [13]; 3 infinite, first at [3]\n")
    (row,) = json.loads(call(*words, "--json")[1])["results"].values()
    assert (row["nan"], row["infinite"]) == (
        {"count": 2, "first": [13]},
        {"count": 3, "first": [3]},
    )
    np.save(path, np.arange(64, dtype="f4"))
    (row,) = json.loads(call(*words, "--json")[1])["results"].values()
    assert row["nan"] == row["infinite"] == {"count": 0, "first": None}


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_nans_of_structures_and_textures(dtype: str) -> None:
    texels = np.zeros((2, 3, 4), dtype)
    texels[1, 0, 2] = texels[1, 2, 3] = np.nan
    assert next(array_lines("u0", texels, 1)).endswith(" 0.0 ...; 2 NaN, first at [1, 0, 2]")
    inner = np.dtype([("n", "i4"), ("m", dtype, (2, 2))])
    array = np.zeros(7, [("a", dtype), ("s", inner)])
    array["s"]["m"][5, 1, 0] = array["s"]["m"][4, 1, 1] = array["a"][4] = np.nan
    array["a"][6] = -np.inf
    array["s"]["n"] = -1  # the bits of a NaN
    head = next(array_lines("u0", array, 8))
    assert head.endswith("[7]; 3 NaN, first at [4]; 1 infinite, first at [6]")
    assert ";" not in next(array_lines("u0", np.full(3, -1, "i4"), 8))
    assert ";" not in next(array_lines("u0", np.zeros(0, dtype), 8))
    assert next(array_lines("u0", np.array(np.nan, dtype), 8)).endswith("nan; 1 NaN")
