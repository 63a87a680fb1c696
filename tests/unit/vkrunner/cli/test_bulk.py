"""`sm5vk translate --output-dir` and `sm5vk extract`, from command lines to streams and files."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import translate
from tests.unit.bulk.files import COMPUTE, OLDER, header_file, name_of, noise
from tests.unit.bulk.shaders import container, contents, make_cache, refused
from translate.dxbc.container import build_container
from translate.program import Chunk

from .conftest import ROOT, Call, on_a_terminal

MORE = pytest.mark.thorough(reason="more moments")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    make_cache(tmp_path / "cache", 5)
    return tmp_path / "cache"


def test_push_constants_of_many_shaders(call: Call, tmp_path: Path) -> None:
    """Of those that have the register; one has a larger buffer, one has none."""
    names = ("saxpy", "gaussian_blur", "sobel")
    paths = [ROOT / f"shaders/{name}.dxbc" for name in names]
    flags = ("--output-dir", tmp_path, "--interfaces", "-j", 1, "--push-constants", "cb0=128")
    assert call("translate", *paths, *flags)[::2] == (0, "")
    rows = [json.loads((tmp_path / f"{path.name}.json").read_text())["bindings"] for path in paths]
    found = [[b.get("push_offset") for b in row if b["register"] == "cb0"] for row in rows]
    assert found == [[0], [None], []]


def test_a_folder(call: Call, cache: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    flags = ("-j", 1, "--interfaces", "--guards", "off")
    code, text, messages = call("translate", cache, "--output-dir", out, *flags)
    assert (code, messages) == (0, "")
    options = translate.Options(guards="off")
    module = translate.to_spirv(translate.load(container(4)), options)
    files = contents(out)
    assert files["1/0004.cso.spv"] == module.to_bytes()
    assert json.loads(files["1/0004.cso.json"]) == module.interface.to_dict()
    figures = dict(line.rsplit(maxsplit=1) for line in text.splitlines())
    assert figures["translated"] == "5"
    assert figures["words"] == str(sum(len(f) for n, f in files.items() if n[-4:] == ".spv") // 4)


def test_refused_shaders_are_reported(call: Call, cache: Path, tmp_path: Path) -> None:
    (cache / "bad.cso").write_bytes(refused())
    (cache / "copy.cso").write_bytes(container(1))
    words = ("translate", cache, "--output-dir", tmp_path / "out", "-j", 1)
    code, text, messages = call(*words)
    with pytest.raises(translate.DecodeError) as caught:
        translate.load(cache / "bad.cso")
    assert (code, messages) == (1, f"{caught.value}\n")
    assert f"      1  {caught.value.message}\n" in text
    code, text, _ = call(*words, "--json")
    report = json.loads(text)
    assert (code, report["translated"], report["refused"], report["kept"]) == (1, 6, 1, 7)
    assert report["reasons"] == {caught.value.message: 1}
    assert [row["name"] for row in report["shaders"] if "reason" in row] == ["bad.cso"]
    code, text, _ = call(*words, "--json", "--force")
    report = json.loads(text)
    assert (code, report["kept"], report["duplicates"]) == (1, 0, 1)


def test_one_file_may_go_to_a_folder(call: Call, cache: Path, tmp_path: Path) -> None:
    words = ("translate", cache / "0/0003.cso", "--output-dir", tmp_path / "out")
    code, _, err = call(*words, "--max-words", 9)
    assert (code, "than Options.max_words=9 (--max-words) allows" in err) == (1, True)
    assert call(*words, "-S")[0] == 0
    assert "0003.cso.spvasm" in contents(tmp_path / "out")


def test_progress_is_shown_on_a_terminal(cache: Path, tmp_path: Path) -> None:
    """Without a terminal nothing is shown: the tests above would see it in their messages."""
    words = ("translate", cache, "-j", "1", "--output-dir", tmp_path / "out")
    code, shown = on_a_terminal(*words)
    assert (code, b"0/5" in shown) == (0, True)


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
    places = zip(EXPECTED, (50, 50 + len(COMPUTE)), strict=True)
    lines = "".join(f"{name}  {pak}: byte {at:#x}\n" for name, at in places)
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


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_pak_that_begins_with_a_container(call: Call, tmp_path: Path, is_folder: bool) -> None:
    pak = tmp_path / "files" / "game.pak"
    pak.parent.mkdir()
    pak.write_bytes(COMPUTE + noise(5) + OLDER + noise(5))
    source = pak.parent if is_folder else pak
    words = ("translate", source, "-j", "1", "--output-dir")
    assert call(*words, tmp_path / "out")[0::2] == (0, "")
    assert contents(tmp_path / "out").keys() - {"sm5vk-manifest.jsonl"} == {
        f"game.pak.{name}.spv" for name in EXPECTED
    }
    pak.write_bytes(COMPUTE + noise(5) + OLDER[:-4])  # a damaged one
    code, out, err = call(*words, tmp_path / "damaged")
    assert (code, "skipping a damaged container" in err, out.split()[:2]) == (
        *(1, True),
        ["translated", "1"],
    )
    pak.write_bytes(COMPUTE + noise(5) + COMPUTE)  # the same shader
    code, _, err = call(*words, tmp_path / "alone")
    assert (code, f"{5 + len(COMPUTE)} bytes after the container are ignored" in err) == (0, True)
    assert "game.pak.spv" in contents(tmp_path / "alone")


def test_a_shader_behind_a_container_without_a_program(call: Call, tmp_path: Path) -> None:
    empty = build_container([Chunk(b"RTS0", bytes(24))])
    pak = tmp_path / "game.pak"
    pak.write_bytes(empty + COMPUTE)
    assert call("translate", pak, "-j", "1", "--output-dir", tmp_path / "out")[0] == 0
    assert f"game.pak.{name_of(COMPUTE)}.spv" in contents(tmp_path / "out")


def test_nothing_is_an_error(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(noise(1000))
    message = f"sm5vk: error: no DXBC container with a program is in {path}\n"
    assert call("extract", path, "--output-dir", tmp_path / "out") == (2, "", message)
    assert not (tmp_path / "out").exists()
    message = f"sm5vk: error: {tmp_path}/none: No such file or directory\n"
    assert call("extract", tmp_path / "none") == (2, "", message)


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
@pytest.mark.parametrize(
    "moments",
    [
        pytest.param((1.5, 0.1), marks=pytest.mark.slow(reason="seconds until an interrupt")),
        *(pytest.param(each, marks=MORE) for each in ((0.5,), (1.0,), (2.0, 0.5))),
    ],
)
def test_interrupts_end_all_processes(tmp_path: Path, moments: tuple[float, ...]) -> None:
    """A second one too. A terminal sends them to the workers as well, which print no tracebacks."""
    make_cache(tmp_path / "cache", 3000)
    words = ["translate", str(tmp_path / "cache"), "--output-dir", str(tmp_path / "out"), "-j", "2"]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "vkrunner", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    for moment in moments:
        time.sleep(moment)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
    _, messages = process.communicate(timeout=30)
    assert process.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in messages, messages.decode()


_INTERRUPTED = """
import concurrent.futures.process as process
import os, signal, sys, threading, time
from multiprocessing import util
from vkrunner.__main__ import command

threading.Thread(target=time.sleep, args=(600,), daemon=True).start()  # may get the signal
place, times = sys.argv.pop(1), 0
owner, name = {
    "worker": (util, "spawnv_passfds"),
    "manager": (threading.Thread, "start"),
    "end": (process.ProcessPoolExecutor, "shutdown"),
}[place]
real = getattr(owner, name)


def interrupted(*arguments, **named):
    global times
    times += 1
    done = real(*arguments, **named) if place == "worker" else None
    if times >= (2 if place == "worker" else 1):  # the tracker of resources is the first process
        os.kill(os.getpid(), signal.SIGINT)
    return done if place == "worker" else real(*arguments, **named)


setattr(owner, name, interrupted)
command()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals to a process")
@pytest.mark.parametrize("place", ["worker", "manager", "end"])
def test_interrupts_while_a_pool_starts_and_ends(tmp_path: Path, cache: Path, place: str) -> None:
    """Also by a thread other than that which starts it, which blocks them for itself only."""
    words = ["translate", str(cache), "--output-dir", str(tmp_path / "out"), "-j", "2"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", _INTERRUPTED, place, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,  # until no worker has the pipes
        timeout=60,
    )
    assert done.returncode in (130, -signal.SIGINT), done.stderr.decode()
    assert b"Traceback" not in done.stderr, done.stderr.decode()


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_warnings_about_shaders(call: Call, cache: Path, tmp_path: Path, jobs: int) -> None:
    """Those that the same shader gives alone, about each of its copies, in each run."""
    data = bytearray(container(1))
    data[5] ^= 1  # in the checksum
    (cache / "wrong.cso").write_bytes(data)
    (cache / "copy.cso").write_bytes(data)
    listing = translate.disassemble(translate.load(container(1))).replace("l(1)", "l(0.333333)")
    (cache / "rounded.asm").write_text(listing)
    words = ("translate", cache, "--output-dir", tmp_path / "out", "-j", jobs)
    alone = call("translate", cache / "rounded.asm", "-o", tmp_path / "x.spv")[2]
    reason = "the container's checksum does not match its contents"
    told = [f"{cache}/{name}: warning: {reason}\n" for name in ("copy.cso", "wrong.cso")]
    expected = f"{told[0]}{alone}{told[1]}"
    assert ": warning: '0.333333' may be rounded" in alone
    for kept in ("0", "8"):
        code, text, messages = call(*words)
        assert (code, messages) == (0, expected)
        figures = dict(line.rsplit(maxsplit=1) for line in text.splitlines())
        assert (figures["warnings"], figures["  as before"]) == ("3", kept)
    report = json.loads(call(*words, "--json")[1])
    rows = {row["name"]: row["warnings"] for row in report["shaders"] if row["warnings"]}
    assert report["warnings"] == 3
    assert [*rows] == ["copy.cso", "rounded.asm", "wrong.cso"]
    assert rows["copy.cso"] == [told[0].removesuffix("\n")]
    code, _, messages = call(*words, "--strict")
    assert (code, messages.count("error:"), "warning:" in messages) == (1, 3, False)
