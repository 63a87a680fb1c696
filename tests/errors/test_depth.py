"""Calls that nest without bound, and numbers of any length."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from tests.commands import ROOT, assert_refused, sm5vk_here

HEAD = "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_thread_group 1, 1, 1\n"


@pytest.mark.parametrize("count", [40, 1500])
def test_subroutines_in_a_chain(count: int) -> None:
    bodies = "".join(f"label label{n}\ncall label{n + 1}\nret\n" for n in range(count))
    text = f"{HEAD}call label0\nret\n{bodies}label label{count}\nret\n"
    with pytest.raises(translate.ProgramError, match="32"):
        translate.to_spirv(translate.load(text))


def test_subroutines_that_call_each_other_in_a_long_circle() -> None:
    bodies = "".join(f"label label{n}\ncall label{(n + 1) % 1200}\nret\n" for n in range(1200))
    with pytest.raises(translate.ProgramError, match=r"calls (nest deeper|itself)"):
        translate.to_spirv(translate.load(f"{HEAD}call label0\nret\n{bodies}"))


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        (f"thread_group {'1' * 5000} 1 1", "a number of 5000 digits"),
        (f"thread_group 1 1 {'0' * 5000}", "a number of 5000 digits"),
        ('function main {\n} @0\n@0 file="\\q"', "is no string"),
        ("thread_group 007 1 x", "expected a number, found x"),
        (f"function main {{\n  %{'1' * 5000}: u32 = add 1, 2\n}}", "a number of 5001 digits"),
        (
            f"function main {{\n  %1: f32 = fadd 1.{'0' * 5000}f, 2.0f\n}}",
            "a number of 5003 digits",
        ),
        (
            f"function main {{\n  %1: u32 = read_register r{'2' * 5000}.x\n}}",
            "a number of 5000 digits",
        ),
        (
            f"resource u0: raw_buffer\nfunction main {{\n  load u0.{'1' * 5000}\n}}",
            "a number of 5000 digits",
        ),
        ("function main {\n" + "loop {\n" * 5000, "blocks nest too deep"),
    ],
)
def test_ir_text_without_bounds(tmp_path: Path, text: str, mention: str) -> None:
    path = tmp_path / "text.ir"
    path.write_text(f"module cs_5_0 after guard_bounds\n{text}\n")
    assert_refused(sm5vk_here("translate --from-ir text.ir", tmp_path), mention)


@pytest.mark.parametrize("timeout", ["1", None, b"1", 1j, float("nan"), 0, -1, "nan"])
def test_a_timeout_that_is_no_number_of_seconds(timeout: Any) -> None:
    with vkrunner.open_device("reference") as device:
        kernel = device.kernel(f"{HEAD}dcl_uav_raw u0\nstore_raw u0.x, l(0), l(1)\nret\n")
        with pytest.raises(vkrunner.InvalidValueError):
            kernel.dispatch(1, u0=np.zeros(1, np.uint32), timeout=timeout)


@pytest.mark.parametrize(
    "words",
    [
        "--x zeros:{}",
        "--x zeros:4x{}",
        "--x_space{} null",
        "--cb{} a=1",
        "--t{} null",
        "--groups {}",
    ],
)
def test_words_with_numbers_without_bounds(tmp_path: Path, words: str) -> None:
    given = words.format("1" * 5000)
    done = sm5vk_here(f"run {ROOT}/shaders/saxpy.dxbc --groups 1 {given}", tmp_path)
    assert_refused(done, "error: ")


def test_an_expression_that_nests_without_bound(tmp_path: Path) -> None:
    expression = "not " * 5000 + "a"
    done = sm5vk_here(f"test {ROOT}/vkrunner/conformance/bounds -k '{expression}'", tmp_path)
    assert_refused(done, "-k nests deeper than 50 levels")


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A shader and a test 1,200 folders deep, which `shutil.rmtree` could not remove."""
    folder = str(tmp_path / "top")
    os.mkdir(folder)
    for _ in range(1200):
        folder += "/a"
        os.mkdir(folder)
    shutil.copy(ROOT / "shaders" / "saxpy.dxbc", folder)
    shutil.copy(ROOT / "shaders" / "saxpy.shader_test", folder)
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path], check=True)


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("translate top --output-dir out", "translated                   1"),
        ("extract top --output-dir out", ".cs_5_0.dxbc"),
        ("test top", "1 passed"),
        ("translate 'top/**/*.dxbc' --output-dir out", "translated                   1"),
        ("test 'top/**'", "1 passed"),
    ],
)
def test_folders_that_nest_deep(deep: Path, words: str, output: str) -> None:
    done = sm5vk_here(words, deep)
    assert output in done.stdout + done.stderr, done
