"""Files that have no end, and standard streams that are closed."""

import os
from pathlib import Path

import pytest

from tests.commands import ROOT, assert_refused, sm5vk

SAXPY = ROOT / "shaders" / "saxpy.dxbc"
VERBS = (
    *("inspect FILE", "disasm FILE", "asm FILE", "translate FILE", "test FILE", "extract FILE"),
    *(
        "run FILE --groups 1",
        "diff FILE FILE --groups 1",
        "translate FILE --output-dir out",
        "translate --from-ir FILE",
    ),
    *(f"run {SAXPY} --groups 1 --x FILE", f"translate {SAXPY} --for-profile FILE"),
)
EACH = pytest.mark.slow(reason="a process for each verb")
SEARCHED = pytest.mark.thorough(reason="gigabytes are searched for containers")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("verb", [VERBS[0], *(pytest.param(v, marks=EACH) for v in VERBS[1:])])
def test_pipes_and_devices_are_refused(tmp_path: Path, verb: str) -> None:
    os.mkfifo(tmp_path / "pipe.shader_test")
    assert_refused(sm5vk(verb.replace("FILE", "pipe.shader_test"), tmp_path), "not a regular file")
    assert_refused(sm5vk(verb.replace("FILE", "/dev/zero"), tmp_path), "not a regular file")


@pytest.mark.slow(reason="a process for each verb")
@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(verb, marks=SEARCHED if "--output-dir" in verb else [])
        for verb in VERBS
        if not verb.startswith("extract")
    ],
)
def test_files_of_gigabytes_are_refused(tmp_path: Path, verb: str) -> None:
    with (tmp_path / "large.shader_test").open("wb") as file:
        file.truncate(3 << 30)
    outcome = sm5vk(verb.replace("FILE", "large.shader_test"), tmp_path, "2>&1")
    assert outcome.returncode in (1, 2)
    assert "File too large" in outcome.stdout or "is not a .npy file" in outcome.stdout


def test_standard_input_without_end(tmp_path: Path) -> None:
    assert_refused(sm5vk("inspect -", tmp_path, "</dev/zero"), "standard input: File too large")
    words = f"run {SAXPY} --groups 1 --x -"
    assert_refused(sm5vk(words, tmp_path, "</dev/zero"), "is not a .npy file")


@pytest.mark.parametrize(
    ("verb", "redirect", "mention"),
    [
        ("inspect -", "<&-", "standard input: it is closed"),
        (f"run {SAXPY} --groups 1 --x -", "<&-", "standard input: it is closed"),
        (f"inspect {SAXPY}", ">&-", "standard output: it is closed"),
        (f"translate {SAXPY}", ">&-", "standard output: it is closed"),
        ("devices", ">&-", "standard output: it is closed"),
        (f"test {ROOT}/shaders/nowhere.shader_test", ">&-", "nowhere"),
        ("--version", ">&-", ""),
        ("inspect nowhere", "2>&-", ""),
    ],
)
def test_closed_streams(tmp_path: Path, verb: str, redirect: str, mention: str) -> None:
    done = sm5vk(verb, tmp_path, redirect)
    assert "Traceback" not in done.stderr
    assert mention in done.stderr
    assert done.returncode == (0 if verb == "--version" else 2), done


def test_closed_output_is_no_hindrance_to_a_file(tmp_path: Path) -> None:
    done = sm5vk(f"translate {SAXPY} -o made.spv", tmp_path, ">&- 2>&- <&-")
    assert done.returncode == 0
    assert (tmp_path / "made.spv").stat().st_size > 0
