"""`sm5vk run` shows messages on standard error, and exits with 1 after an abort."""

import json
import shlex
from pathlib import Path

import pytest

from vkrunner import Messages
from vkrunner.__main__ import main
from vkrunner.cli.results import print_messages

from .listings import shader

SHADERS = Path(__file__).parents[2] / "shaders"


@pytest.fixture
def listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    body = [
        'printf "x %d\\n", vThreadID.x',
        'errorf "bad"',
        "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, l(0), u0.xxxx",
        "if_nz r0.x",
        "abort",
        "endif",
    ]
    path = tmp_path / "shader.asm"
    path.write_text(shader(*body, threads=2))
    return path


def run(path: Path, *more: str) -> int:
    return main(["run", str(path), "--groups", "1,1,1", *more])


def test_messages(listing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(listing, "--u0", "zeros:1:u4") == 0
    out, err = capsys.readouterr()
    assert out == "u0: uint32[1] 0\n"
    assert err.splitlines() == [
        "thread 0,0,0: x 0",
        "thread 0,0,0: error: bad",
        "thread 1,0,0: x 1",
        "thread 1,0,0: error: bad",
    ]


def test_those_without_room(listing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(listing, "--u0", "zeros:1:u4", "--message-capacity", "1") == 0
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "sm5vk: warning: 1 messages were kept and 3 not: see --message-capacity"


def test_those_whose_text_is_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    print_messages(Messages([], total=3, too_long=2))
    expected = "0 messages were kept and 3 not: the text of all has more than 64 Mi characters"
    assert capsys.readouterr().err == f"sm5vk: warning: {expected}\n"


def test_an_abort(listing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(listing, "--u0", "ones:1:u4") == 1
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[:2] == ["thread 0,0,0: x 0", "thread 0,0,0: error: bad"]
    assert lines[-1].startswith("sm5vk: error: the shader aborted in thread (")
    assert lines[-1].endswith("line 11 (instruction 4); so did 1 other thread")


def test_as_json(listing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(listing, "--u0", "zeros:1:u4", "--json") == 0
    found = json.loads(capsys.readouterr().out)["messages"]
    assert found["total"] == 4
    first = found["records"][0]
    assert (first["name"], first["text"], first["values"]) == ("printf", "x 0\n", [0])
    assert (first["thread"], first["group"], first["line"]) == ([0, 0, 0], [0, 0, 0], 7)


def test_the_command_inspect_suggests(listing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The caller does not bind the message buffer."""
    assert main(["inspect", str(listing)]) == 0
    command = capsys.readouterr().out.splitlines()[-1]
    assert main([*shlex.split(command)[1:], "--device", "reference"]) == 0
    assert capsys.readouterr().err.startswith("thread 0,0,0: x 0\n")


def test_a_resource_that_is_called_messages(capsys: pytest.CaptureFixture[str]) -> None:
    """It can still be bound by its name."""
    words = "--Params count=1,length=3,words_per_message=1 --messages zeros:1 --digests zeros:8"
    assert run(SHADERS / "sha256.dxbc", *words.split()) == 0
    assert "digests" in capsys.readouterr().out
