"""`sm5vk translate --output-dir`, from command lines to streams and exit codes."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import translate
from tests.unit.bulk.shaders import container, contents, make_cache, refused
from vkrunner.__main__ import main

ROOT = Path(__file__).parents[4]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    make_cache(tmp_path / "cache", 5)
    return tmp_path / "cache"


def call(*words: object) -> int:
    return main(["translate", *(str(word) for word in words)])


def test_a_folder(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert call(cache, "--output-dir", out, "-j", 1, "--interfaces", "--guards", "off") == 0
    options = translate.Options(guards="off")
    module = translate.to_spirv(translate.load(container(4)), options)
    files = contents(out)
    assert files["1/0004.cso.spv"] == module.to_bytes()
    assert json.loads(files["1/0004.cso.json"]) == module.interface.to_dict()
    text, messages = capsys.readouterr()
    assert messages == ""
    figures = dict(line.rsplit(maxsplit=1) for line in text.splitlines())
    assert figures["translated"] == "5"
    assert figures["words"] == str(sum(len(f) for n, f in files.items() if n[-4:] == ".spv") // 4)


def test_refused_shaders_are_reported(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (cache / "bad.cso").write_bytes(refused())
    (cache / "copy.cso").write_bytes(container(1))
    words = (cache, "--output-dir", tmp_path / "out", "-j", 1)
    assert call(*words) == 1
    text, messages = capsys.readouterr()
    with pytest.raises(translate.DecodeError) as caught:
        translate.load(cache / "bad.cso")
    assert messages == f"{caught.value}\n"
    assert f"      1  {caught.value.message}\n" in text
    assert call(*words, "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["translated"], report["refused"], report["kept"]) == (6, 1, 7)
    assert report["reasons"] == {caught.value.message: 1}
    assert [row["name"] for row in report["shaders"] if "reason" in row] == ["bad.cso"]
    assert call(*words, "--json", "--force") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["kept"], report["duplicates"]) == (0, 1)


def test_limits_are_for_each_shader(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = cache / "0/0003.cso"
    assert call(file, "--output-dir", tmp_path / "out", "--max-words", 9) == 1
    assert "more than Options.max_words=9 (--max-words) allows" in capsys.readouterr().err


def test_one_file_may_go_to_a_folder(cache: Path, tmp_path: Path) -> None:
    assert call(cache / "0/0003.cso", "--output-dir", tmp_path / "out", "-S") == 0
    assert "0003.cso.spvasm" in contents(tmp_path / "out")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{cache}"], "is a folder, whose shaders go with --output-dir"),
        (["a.dxbc", "b.dxbc"], "more than one shader goes with --output-dir"),
        (["a.dxbc", "--json"], "--json goes with --output-dir"),
        (["a.dxbc", "-j", "2"], "--jobs goes with --output-dir"),
        (["a.dxbc", "--interfaces"], "--interfaces goes with --output-dir"),
        (["{cache}", "--output-dir", "{out}", "-o", "x"], "-o and --output-dir"),
        (["{cache}", "--output-dir", "{out}", "--interface", "x"], "--interfaces writes them all"),
        (["{cache}", "--output-dir", "{out}", "--bind", "t0=0:1"], "--bind is for one shader"),
        (["{cache}", "--output-dir", "{out}", "-j", "0"], "-j takes a number of processes, not 0"),
        (["{cache}/none*", "--output-dir", "{out}"], "nothing to translate"),
        (
            ["{cache}", "--output-dir", "{out}", "--guards", "x"],
            "argument --guards: invalid choice: 'x'",
        ),
    ],
)
def test_wrong_usage(
    cache: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    assert call(*(word.format(cache=cache, out=tmp_path / "out") for word in words)) == 2
    text, messages = capsys.readouterr()
    assert message in messages
    assert text == ""
    assert not (tmp_path / "out").exists()


def test_progress_is_shown_on_a_terminal(cache: Path, tmp_path: Path) -> None:
    """Without a terminal nothing is shown: the tests above would see it in their messages."""
    words = [sys.executable, "-m", "vkrunner", "translate", str(cache), "-j", "1"]
    words += ["--output-dir", str(tmp_path / "out")]
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    subprocess.run(words, cwd=ROOT, stderr=theirs, stdout=subprocess.PIPE, check=True, timeout=60)
    shown = os.read(ours, 4096)
    os.close(theirs)
    os.close(ours)
    assert b"0/5" in shown
