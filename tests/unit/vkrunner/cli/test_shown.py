"""The presentation of results and facts, and colours for failures of tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner.__main__ import main
from vkrunner.cli.arrays import array_lines

ROOT = Path(__file__).parents[4]
SAXPY = ROOT / "shaders/saxpy.dxbc"
ROUNDED = "cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nmov r0.x, l(0.000000)\nret\n"
Outcome = tuple[int, str, str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*words: Any) -> Outcome:
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


def test_structures_are_shown_by_their_variables(
    call: Callable[..., Outcome], device: vkrunner.Device
) -> None:
    words = ("--points", "ones:2:f4", "--kept", "zeros:9", "--dropped", "zeros:1")
    params = ("--Params", "centre=0:0,radius=5,count=1")
    shader = ROOT / "shaders/compact.dxbc"
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


def test_asm_as_json(call: Callable[..., Outcome], tmp_path: Path) -> None:
    listing, container = tmp_path / "a.asm", tmp_path / "a.dxbc"
    listing.write_text(ROUNDED)
    code, out, err = call("asm", listing, "-o", container, "--json")
    facts = json.loads(out)
    assert (code, err.count("warning: ")) == (0, 1)
    assert facts["output"] == str(container)
    assert facts["bytes"] == len(container.read_bytes())
    assert (facts["profile"], facts["checksum"]) == ("cs_5_0", "right")
    assert (facts["instructions"], facts["declarations"]) == (2, 2)
    assert [w.startswith(f"{listing}:4:13: ") for w in facts["warnings"]] == [True]


def test_disasm_as_json(call: Callable[..., Outcome], tmp_path: Path) -> None:
    text = translate.disassemble(translate.load(SAXPY))
    code, out, _ = call("disasm", SAXPY, "--json")
    facts = json.loads(out)
    assert (code, facts["listing"].rstrip("\n")) == (0, text.rstrip("\n"))
    assert facts["mnemonics"]["mad"] == 1
    path = tmp_path / "a.asm"
    facts = json.loads(call("disasm", SAXPY, "--json", "-o", path)[1])
    assert (facts["output"], "listing" in facts) == (str(path), False)
    assert path.read_text().rstrip("\n") == text.rstrip("\n")


FAILING = """[shader]
cs_5_0
dcl_uav_raw u0
dcl_thread_group 1, 1, 1
store_raw u0.x, l(0), l(3)
ret

[uav 0]
size (raw_buffer, 1)

[test]
dispatch 1 1 1
probe uav 0 all 4
"""


def on_a_terminal(folder: Path, **variables: str) -> bytes:
    """The output of a failing test."""
    ours, theirs = os.openpty()
    words = [sys.executable, "-m", "vkrunner", "test", str(folder), "--device", "reference"]
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    with open(ours, "rb", buffering=0) as shown:
        done = subprocess.run(
            words, stdout=theirs, stderr=theirs, env={**environment, **variables}, check=False
        )
        os.write(theirs, b"end")
        text = b""
        while not text.endswith(b"end"):
            text += shown.read(4096)
        os.close(theirs)
    assert done.returncode == 1, text
    return text.replace(b"\r\x1b[K", b"")


def test_failures_have_colours_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.shader_test").write_text(FAILING)
    text = on_a_terminal(tmp_path)
    assert b"\x1b[31mFAILED\x1b[0m " in text
    assert b"\x1b[31merror:\x1b[0m " in text
    assert re.search(rb"\x1b\[32m\^+\x1b\[0m", text), text


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_are_wanted(tmp_path: Path, variable: dict[str, str]) -> None:
    (tmp_path / "a.shader_test").write_text(FAILING)
    text = on_a_terminal(tmp_path, **variable)
    assert b"error: " in text
    assert not re.search(rb"\x1b\[\d+m", text)


def test_no_colours_in_a_pipe(call: Callable[..., Outcome], tmp_path: Path) -> None:
    (tmp_path / "a.shader_test").write_text(FAILING)
    code, out, err = call("test", tmp_path, "--device", "reference")
    assert (code, "error: " in out + err) == (1, True)
    assert "\x1b" not in out + err
