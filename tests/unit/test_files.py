"""Reading what users wrote: texts in UTF-16, missing files."""

import codecs
import errno
import glob
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from tests.commands import python
from translate.files import files_below, matching

HELD = """
import os, signal, subprocess, sys, threading, time
from translate.files import signals_held
"""
MANY_SIGNALS = """
stop = "import os, signal, time\\nfor _ in range(20_000): os.kill(%d, signal.SIGINT)"
try:
    with signals_held() as has_signal:
        subprocess.run([sys.executable, "-c", stop % os.getpid()])
        assert has_signal()
except KeyboardInterrupt:
    pass
assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
"""
CAUGHT = """
try:
    with signals_held():
        os.kill(os.getpid(), signal.SIGTERM)
except SystemExit:
    pass
"""
FORKED = """
def fork():
    global code
    process = os.fork()
    if not process:
        time.sleep(60)
        os._exit(0)
    time.sleep(0.5)  # Python drops signals that come during a fork
    os.kill(process, signal.SIGTERM)
    code = os.waitpid(process, 0)[1]
thread = threading.Thread(target=fork)
with signals_held():
    thread.start()
    thread.join()
assert code == signal.SIGTERM, code
"""
SHADERS = Path(__file__).parents[2] / "shaders"
LISTING = (SHADERS / "saxpy.asm").read_text()


def encodings() -> list[bytes]:
    return [
        codecs.BOM_UTF16_LE + LISTING.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + LISTING.encode("utf-16-be"),
        codecs.BOM_UTF16_LE + LISTING.replace("\n", "\r\n").encode("utf-16-le"),
    ]


@pytest.mark.parametrize("data", encodings(), ids=["little", "big", "lines of Windows"])
def test_a_listing_in_utf_16(data: bytes, tmp_path: Path) -> None:
    """As PowerShell writes one: `fxc ... > saxpy.asm`."""
    path = tmp_path / "saxpy.asm"
    path.write_bytes(data)
    expected = translate.to_spirv(translate.load(LISTING)).to_bytes()
    for source in (path, data):
        assert translate.to_spirv(translate.load(source)).to_bytes() == expected
    x = np.arange(4, dtype=np.float32)
    with vkrunner.open_device("reference") as machine:
        for source in (path, data):
            kernel = machine.kernel(source)
            result = kernel.dispatch(1, x=x, y=x, Params={"a": 2, "count": 4})
            np.testing.assert_array_equal(result["u0"], 3 * x)


def test_half_a_character() -> None:
    data = codecs.BOM_UTF16_LE + LISTING.encode("utf-16-le")[:-1]
    with pytest.raises(translate.DecodeError, match="nor a listing in UTF-8 or UTF-16"):
        translate.load(data)


def test_a_file_with_containers_in_it() -> None:
    """Such as an effect (`.fxo`) or an archive."""
    with pytest.raises(
        translate.DecodeError, match=r"UTF-16; `sm5vk extract` searches it for containers$"
    ):
        translate.load(b"\x01\x20\xff\xfe" + (SHADERS / "saxpy.dxbc").read_bytes())
    with pytest.raises(translate.DecodeError, match=r"or UTF-16$"):
        translate.load(b"\x01\x20\xff\xfe")


def test_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "saxpy.dxbc").write_bytes(b"")
    with pytest.raises(FileNotFoundError, match=r"; did you mean .*saxpy\.dxbc\?"):
        translate.load(tmp_path / "saxpi.dxbc")
    (tmp_path / "e.dxbc").write_bytes(b"")
    for missing in ("no folder/saxpi.dxbc", "nope.dxbc"):  # the suffix alone is not similar enough
        with pytest.raises(FileNotFoundError) as caught:
            translate.load(tmp_path / missing)
        assert "did you mean" not in str(caught.value)
    (tmp_path / ("a" * 120)).touch()  # the comparison of long names takes quadratic time
    with pytest.raises(FileNotFoundError) as caught:
        translate.load(tmp_path / ("a" * 119))
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "[numthreads(8, 1, 1)] void main() {}",
        "cs_5_0 dcl_thread_group 1, 1, 1 ret",
        f"[numthreads(8, 1, 1)] void main() {{ {'x = 1.5; ' * 600} }}",  # longer than a file's name
    ],
)
def test_a_shader_on_one_line_is_read_as_a_path(text: str) -> None:
    with pytest.raises(FileNotFoundError, match="; text of a shader needs a line break"):
        translate.load(text)


@pytest.mark.parametrize("name", ["my blur.dxbc", "blur.dxbc", "blur"])
def test_a_name_is_no_shader(name: str) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        translate.load(name)
    assert caught.value.strerror == os.strerror(errno.ENOENT)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    """Opening it would end the program that waits to write to it, and lose its text."""
    pipe = tmp_path / "pipe.dxbc"
    os.mkfifo(pipe)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(pipe)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    writer.stdout.readline()
    time.sleep(0.2)  # until it waits
    try:
        with pytest.raises(OSError, match="not a regular file"):
            translate.load(pipe)
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(0.2)
    finally:
        writer.kill()
        writer.communicate()


WRITER = "import sys; print(flush=True); open(sys.argv[1], 'w')"
FOLDERS = ("a/b/x.cso", "a/x.cso", "x.cso", ".h/x.cso", "a/.y/x.cso", "a/b/.z.cso", "q/a/b/a/y",
           "a/b/x.cso.d/y")  # fmt: skip
PARTS = ("**", "*", "a", "x.cso", "*.cso", "?", "[ab]", ".*")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FOLDERS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("hidden", [True, False])
def test_patterns_mean_what_they_do_in_glob(tree: Path, hidden: bool) -> None:
    count = 0
    for length in range(1, 5):
        for parts in itertools.product(PARTS, repeat=length):
            for pattern in ("/".join(parts), str(tree.joinpath(*parts))):
                wanted = glob.glob(pattern, recursive=True, include_hidden=hidden)
                found = matching(pattern, include_hidden=hidden)
                files = {path for path in wanted if os.path.isfile(path)}
                assert {path for path in found if os.path.isfile(path)} == files, pattern
                count += len(files)
    assert count > 1000


def test_a_pattern_enters_no_links(tree: Path) -> None:
    """Two links to their own folder: 2^40 paths."""
    for name in "lm":
        (tree / name).symlink_to(".")
    assert sorted(matching("**/*.cso")) == ["a/b/x.cso", "a/x.cso", "x.cso"]


@pytest.mark.parametrize("target", ["!", "x" * 300], ids=["itself", "too long"])
def test_a_link_that_leads_nowhere_hides_no_files(tree: Path, target: str) -> None:
    (tree / "!").symlink_to(target)  # the first name of the folder
    found = [os.path.relpath(path, tree) for path in files_below(str(tree))]
    assert sorted(found) == sorted(FOLDERS)


def test_a_folder_that_cannot_be_read_is_an_error(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files would be left out in silence."""
    list_ = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("b"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return list_(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(PermissionError, match="a/b"):
        list(files_below(str(tree)))


@pytest.mark.timeout(60)
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("code", "expected"), [(MANY_SIGNALS, 0), (CAUGHT, -15), (FORKED, 0)])
def test_held_signals(code: str, expected: int) -> None:
    """After the block they have their effect, not SystemExit's; at once after a fork."""
    assert python("-c", HELD + code).returncode == expected
