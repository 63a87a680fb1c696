"""`sm5vk extract`, from command lines to files, streams and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.bulk.files import COMPUTE, OLDER, header_file, name_of, noise
from tests.unit.bulk.shaders import contents

from .conftest import Call


@pytest.fixture
def pak(tmp_path: Path) -> Path:
    made = tmp_path / "files" / "game.pak"
    made.parent.mkdir()
    made.write_bytes(noise(50) + COMPUTE + OLDER + noise(5) + COMPUTE)
    return made


EXPECTED = {name_of(COMPUTE): COMPUTE, name_of(OLDER, "cs_5_1"): OLDER}


def test_equal_containers_are_written_once(call: Call, pak: Path, tmp_path: Path) -> None:
    header = pak.with_name("saxpy.h")
    header.write_text(header_file(COMPUTE))
    out = tmp_path / "made" / "out"
    lines = "".join(f"{name}  {pak}\n" for name in EXPECTED)
    assert call("extract", pak, header, "--output-dir", out) == (0, lines, "")
    assert contents(out) == EXPECTED


def test_into_the_current_folder(
    call: Call, pak: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is searched, and searched again with the written files."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for sources in ([pak.parent], [pak.parent, "."]):
        assert call("extract", *sources)[0] == 0
        assert contents(tmp_path / "here") == EXPECTED


def test_damaged_containers_are_left_out(call: Call, pak: Path, tmp_path: Path) -> None:
    pak.write_bytes(pak.read_bytes()[:-8])
    code, _, messages = call("extract", pak, "--output-dir", tmp_path / "out")
    at = 50 + len(COMPUTE) + len(OLDER) + 5
    reason = f"the container has {len(COMPUTE)} bytes, but only {len(COMPUTE) - 8} are left"
    assert code == 1
    assert messages == f"{pak}: byte {at:#x}: warning: skipping a damaged container: {reason}\n"
    assert contents(tmp_path / "out") == EXPECTED
    code, out, err = call("translate", pak, "--output-dir", tmp_path / "modules", "-j", "1")
    assert (code, "skipping a damaged container" in err) == (1, True)
    figures = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
    assert (figures["translated"], figures["refused"]) == ("2", "0")


def test_nothing_is_an_error(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(noise(1000))
    message = f"sm5vk: error: no DXBC container with a program is in {path}\n"
    assert call("extract", path, "--output-dir", tmp_path / "out") == (2, "", message)
    assert not (tmp_path / "out").exists()
    message = f"sm5vk: error: {tmp_path}/none: No such file or directory\n"
    assert call("extract", tmp_path / "none") == (2, "", message)
