"""Wrong options show the verb's usage, and shells complete right ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import vkrunner
from translate.options import GUARDS
from vkrunner.__main__ import VERBS, main

ROOT = Path(__file__).parents[4]
SAXPY = ROOT / "shaders/saxpy.dxbc"
Outcome = tuple[int, str, str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*words: Any) -> Outcome:
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_option_shows_the_verbs_usage(call: Callable[..., Outcome], verb: str) -> None:
    words = {"run": [SAXPY, "--groups", "1", "--", "a", "b"], "completion": ["bash", "--nix"]}
    code, out, err = call(verb, *words.get(verb, [SAXPY, "--nix"]))
    assert (code, out) == (2, "")
    assert err.startswith(f"usage: sm5vk {verb} ")
    assert f"\nsm5vk {verb}: error: " in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["translate", SAXPY, "--bind", "t0"], "--bind takes REG=SET:BINDING"),
        (["translate", SAXPY, SAXPY], "more than one shader goes with --output-dir"),
        (["run", SAXPY, "--groups", "1,2,3,4"], "--groups takes X, X,Y or X,Y,Z"),
        (["run", SAXPY, "--groups", "1", "--t0"], "--t0 needs a value"),
        (["test", ROOT / "shaders/tests", "-j", "0"], "-j takes a number from 1 on"),
        (["asm", ROOT / "shaders/saxpy.asm", "--json"], "--json prints on standard output"),
        (["disasm", SAXPY, "--json", "-o", "-"], "--json has the listing"),
    ],
)
def test_wrong_values_show_it_too(
    call: Callable[..., Outcome], words: list[Any], message: str
) -> None:
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert err.startswith(f"usage: sm5vk {words[0]} ")
    assert f"\nsm5vk {words[0]}: error: {message}" in err


def test_errors_of_a_shader_show_no_usage(call: Callable[..., Outcome]) -> None:
    code, _, err = call("translate", SAXPY, "--bind", "t9=0:0")
    assert (code, "usage" in err) == (2, False)


def test_groups_of_one_number(call: Callable[..., Outcome], device: vkrunner.Device) -> None:
    words = ("run", SAXPY, "--x", "ones:200:f4", "--y", "zeros:200:f4", "--Params", "a=3,count=200")
    for groups in ("4", "4,1", "4,1,1"):
        code, out, _ = call(*words, "--groups", groups)
        assert (code, out) == (0, "u0 (y): float32[200] 3.0 3.0 3.0 3.0 3.0 3.0 3.0 3.0 ...\n")


def test_one_set_for_several_shaders(call: Callable[..., Outcome], device: vkrunner.Device) -> None:
    """A file for a resource that the shader lacks need not exist."""
    words = ("run", SAXPY, "--groups", "1", "--x", "zeros:4", "--y", "ones:4", "--Params", "a=2")
    unused = ("--t7", "nothing.npy", "--lights=zeros:4")
    code, out, err = call(*words, *unused)
    assert (code, out) == (2, "")
    assert "no resource 't7'; the shader has" in err
    assert call(*words, *unused, "--ignore-unused") == call(*words)
    code, _, err = call(*words[:-2], *unused, "--ignore-unused")
    message = f"missing: cb0 (Params), a constant buffer; `sm5vk inspect {SAXPY}` prints"
    assert (code, err) == (2, f"sm5vk: error: {message} a command with all resources\n")


@pytest.fixture
def script(call: Callable[..., Outcome]) -> str:
    """The script for bash. Without shtab the tests are skipped, but in CI they fail."""
    if find_spec("shtab") is None and not os.environ.get("CI"):
        pytest.skip("the package shtab is not installed")
    code, out, err = call("completion", "bash")
    assert (code, err) == (0, "")
    return out


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("tra", ["translate"]),
        ("translate --guards ", [*GUARDS]),
        ("translate --size", ["--size-tables"]),
        ("run --dev", ["--device"]),
    ],
)
def test_bash_completes(script: str, line: str, wanted: list[str], tmp_path: Path) -> None:
    words = ["sm5vk", *line.split(" ")]
    (tmp_path / "complete").write_text(script)
    quoted = " ".join(f"'{word}'" for word in words)
    commands = (
        f"source {tmp_path}/complete; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1};"
        ' $(complete -p sm5vk | sed "s/.*-F \\([^ ]*\\).*/\\1/"); printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, check=True)
    assert done.stdout.split() == wanted


def test_completion_names_what_it_takes(tmp_path: Path) -> None:
    """The error in an environment without shtab."""
    code = "import sys; sys.modules['shtab'] = None; from vkrunner.__main__ import main; "
    words = [sys.executable, "-c", code + "sys.exit(main(['completion', 'bash']))"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("sm5vk: error: completion needs the Python package shtab: pip")


def test_a_misspelt_verb(call: Callable[..., Outcome]) -> None:
    assert call("transalte", SAXPY) == (
        2,
        "",
        "sm5vk: error: no verb 'transalte'; did you mean translate?\n",
    )
    assert call("xyz")[2] == "sm5vk: error: no verb 'xyz'; sm5vk --help lists them\n"


@pytest.mark.parametrize(
    ("format", "meant"),
    [
        ("u0=r32_sfloat", "r32_float"),
        ("u0=VK_FORMAT_R32_SFLOAT", "r32_float"),
        ("t0=bgra8_unorm", "b8g8r8a8_unorm"),
        ("t0=rgba8", "r8g8b8a8_unorm"),
    ],
)
def test_names_of_formats_elsewhere(
    call: Callable[..., Outcome], tmp_path: Path, format: str, meant: str
) -> None:
    sobel = ROOT / "shaders/sobel.dxbc"
    code, out, err = call("translate", sobel, "-o", tmp_path / "a.spv", "--format", format)
    assert (code, out) == (2, "")
    assert f"; did you mean {meant}?" in err
