"""`sm5vk extract`, from command lines to files, streams and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.bulk.files import COMPUTE, OLDER, header_file, name_of, noise
from tests.unit.bulk.shaders import contents
from vkrunner.__main__ import main

Outcome = tuple[int, list[str], list[str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*words: object) -> Outcome:
        code = main(["extract", *map(str, words)])
        out, messages = capsys.readouterr()
        return code, out.splitlines(), messages.splitlines()

    return run


@pytest.fixture
def pak(tmp_path: Path) -> Path:
    made = tmp_path / "files" / "game.pak"
    made.parent.mkdir()
    made.write_bytes(noise(50) + COMPUTE + OLDER + noise(5) + COMPUTE)
    return made


EXPECTED = {name_of(COMPUTE): COMPUTE, name_of(OLDER, "cs_5_1"): OLDER}


def test_equal_containers_are_written_once(
    call: Callable[..., Outcome], pak: Path, tmp_path: Path
) -> None:
    header = pak.with_name("saxpy.h")
    header.write_text(header_file(COMPUTE))
    out = tmp_path / "made" / "out"
    code, lines, messages = call(pak, header, "--output-dir", out)
    assert (code, messages) == (0, [])
    assert lines == [f"{name}  {pak}" for name in EXPECTED]
    assert contents(out) == EXPECTED


def test_into_the_current_folder(
    call: Callable[..., Outcome], pak: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is searched, and searched again with the written files."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for sources in ([pak.parent], [pak.parent, "."]):
        assert call(*sources)[0] == 0
        assert contents(tmp_path / "here") == EXPECTED


def test_damaged_containers_are_left_out(
    call: Callable[..., Outcome], pak: Path, tmp_path: Path
) -> None:
    pak.write_bytes(pak.read_bytes()[:-8])
    code, _, messages = call(pak, "--output-dir", tmp_path / "out")
    at = 50 + len(COMPUTE) + len(OLDER) + 5
    reason = f"the container has {len(COMPUTE)} bytes, but only {len(COMPUTE) - 8} are left"
    assert code == 1
    assert messages == [f"{pak}: byte {at:#x}: warning: skipping a damaged container: {reason}"]
    assert contents(tmp_path / "out") == EXPECTED


def test_nothing_is_an_error(call: Callable[..., Outcome], tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(noise(1000))
    code, lines, messages = call(tmp_path / "noise", "--output-dir", tmp_path / "out")
    assert (code, lines) == (2, [])
    assert messages == [f"sm5vk: error: no DXBC container with a program is in {tmp_path}/noise"]
    assert not (tmp_path / "out").exists()


def test_a_missing_file(call: Callable[..., Outcome], tmp_path: Path) -> None:
    code, _, messages = call(tmp_path / "none")
    assert code == 2
    assert messages == [f"sm5vk: error: {tmp_path}/none: No such file or directory"]


def test_a_translation_of_a_pak_reports_damage(
    pak: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pak.write_bytes(pak.read_bytes()[:-8])
    words = ["translate", str(pak), "--output-dir", str(tmp_path / "out"), "-j", "1"]
    assert main(words) == 1
    out, messages = capsys.readouterr()
    assert "skipping a damaged container" in messages
    figures = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
    assert (figures["translated"], figures["refused"]) == ("2", "0")
