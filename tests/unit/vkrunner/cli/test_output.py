"""Files are written whole or not at all, all together or none."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.bulk.shaders import contents
from vkrunner.__main__ import main
from vkrunner.cli.output import write_all, write_text
from vkrunner.errors import ArgumentError

from .conftest import SAXPY, SHADERS, Call


def test_files_are_written(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    two.write_bytes(b"old and longer")
    write_all({str(one): b"1", str(two): b"2"})
    assert (one.read_bytes(), two.read_bytes()) == (b"1", b"2")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one", "two"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_all({str(tmp_path / "one"): b"1"})
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "one").stat().st_mode) == 0o640


def test_one_that_fails_stops_all(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_bytes(b"old")
    for bad in (tmp_path / "no" / "two", tmp_path):
        with pytest.raises(OSError) as caught:  # noqa: PT011 - of which kind is the system's affair
            write_all({str(one): b"new", str(bad): b"2"})
        assert caught.value.filename == str(bad)
        assert one.read_bytes() == b"old"
        assert [p.name for p in tmp_path.iterdir()] == ["one"]


def test_a_link_keeps_pointing(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_all({str(tmp_path / "link"): b"new"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(OSError, match="symbolic links"):
        write_all({str(tmp_path / "link/one"): b"1"})


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that all can write to, with another user's links `out` to a folder of this user, and
    `file` to the file there."""
    shared, private = tmp_path / "shared", tmp_path / "private"
    for folder in (shared, private):
        folder.mkdir()
    (private / "x.raw").write_bytes(b"<old/>")
    for name, target in (("out", private), ("file", private / "x.raw")):
        (shared / name).symlink_to(target)
        if not os.getuid():
            os.lchown(shared / name, 1, 1)
    shared.chmod(0o1777)
    if os.getuid():
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    return shared


@pytest.mark.parametrize("name", ["file", "out/x.raw", "out/../private/x.raw"])
@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_a_link_of_another_user_in_a_shared_folder(
    shared: Path, monkeypatch: pytest.MonkeyPatch, name: str, mode: int
) -> None:
    """It would lead the output over any file of this user. Root's are as good as this user's."""
    own, to_it = shared.parent / "private/x.raw", shared.parent / "to it"
    to_it.symlink_to(f"shared/{name}")
    shared.chmod(mode)
    for target in (shared / name, to_it):
        with pytest.raises(PermissionError, match="another user's link") as caught:
            write_all({str(target): b"new"})
        assert (caught.value.filename, own.read_bytes()) == (str(target), b"<old/>")
    shared.chmod(0o755)
    write_all({str(to_it): b"newer"})
    assert own.read_bytes() == b"newer"
    shared.chmod(mode)
    owner = os.lstat(shared / "out").st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    write_all({str(to_it): b"newest"})
    assert own.read_bytes() == b"newest"


@pytest.mark.skipif(os.getuid() != 0, reason="makes links as root")
def test_a_link_of_root_in_a_shared_folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As /var/run is one, and /tmp on macOS."""
    (shared / "of root").symlink_to("../private")
    monkeypatch.setattr(os, "geteuid", lambda: 2)
    write_all({str(shared / "of root/x.raw"): b"new"})
    assert (shared.parent / "private/x.raw").read_bytes() == b"new"


@pytest.mark.parametrize(
    "words",
    [
        "translate {saxpy} -o {out}/x.raw",
        "translate {saxpy} -o module --interface {out}/x.raw",
        "translate {saxpy} -o module --depfile {out}/x.raw",
        "translate {saxpy} --output-dir {out} --jobs 1",
        "translate {saxpy} --output-dir {out}/new/below --jobs 1",
        "extract {saxpy} --output-dir {out}",
        "run {saxpy} --groups 1 --t0 ones:4 --u0 ones:4 --cb0 a=2,count=4 --save u0={out}/x.raw",
        "test {saxpy} --junit {out}/x.raw",
    ],
)
def test_outputs_in_a_folder_behind_a_link(
    shared: Path, monkeypatch: pytest.MonkeyPatch, call: Call, words: str
) -> None:
    monkeypatch.chdir(shared.parent)
    monkeypatch.setenv("SM5VK_DEVICE", "reference")
    saxpy = SAXPY.with_suffix(".shader_test") if words.startswith("test") else SAXPY
    before = contents(Path("private"))
    code, _, error = call(*words.format(saxpy=saxpy, out="shared/out").split())
    assert (code, contents(Path("private"))) == (2, before), error
    assert "shared/out" in error
    assert "another user's link, in a folder that all can write to" in error
    assert not os.path.exists("module")
    os.symlink("private", "link")
    code, _, error = call(*words.format(saxpy=saxpy, out="link").split())
    assert (code, os.path.islink("link")) == (0, True), error
    assert contents(Path("private")) != before


def test_a_link_that_is_exchanged_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user's link takes the place of this user's after the look at its owner."""
    shared, own, link = tmp_path / "shared", tmp_path / "own", tmp_path / "shared" / "out"
    shared.mkdir()
    shared.chmod(0o777)
    own.write_bytes(b"old")
    link.symlink_to("result")
    read = os.readlink

    def exchange(path: str, **more: Any) -> str:
        link.unlink()
        link.symlink_to(own)
        return read(path, **more)

    monkeypatch.setattr(os, "readlink", exchange)
    with pytest.raises(OSError, match="changes while it is read"):
        write_all({str(link): b"new"})
    assert own.read_bytes() == b"old"


def test_a_device_stays_a_device() -> None:
    write_all({os.devnull: b"gone"})
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_pipe_is_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_all({str(tmp_path / "pipe"): b"1" * 10_000, str(tmp_path / "two"): b"2"})
    assert os.read(reader, 20_000) == b"1" * 10_000
    os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert (tmp_path / "two").read_bytes() == b"2"


def after_the_second_look(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let another user act once the kind of a path is known; the first look is before its links."""
    exists, looks = os.path.exists, list[str]()

    def look(path: str) -> bool:
        found = exists(path)
        looks.append(path)
        if len(looks) == 2:
            act()
        return found

    monkeypatch.setattr(os.path, "exists", look)


@pytest.mark.parametrize("exchanged", ["link", "file"])
def test_a_pipe_that_is_exchanged_while_it_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchanged: str
) -> None:
    """Another user's pipe becomes a link to a file of this user after the look at its kind."""
    pipe, own = tmp_path / "pipe", tmp_path / "own"
    own.write_bytes(b"old")
    os.mkfifo(pipe)

    def exchange() -> None:
        pipe.unlink()
        pipe.symlink_to(own) if exchanged == "link" else pipe.hardlink_to(own)

    after_the_second_look(monkeypatch, exchange)
    with pytest.raises(OSError, match=r"symbolic links|it changes"):
        write_all({str(pipe): b"new"})
    assert own.read_bytes() == b"old"


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_an_open_pipe_by_its_number(folder: str) -> None:
    """As a shell's `-o >(COMMAND)` names it."""
    reader, writer = os.pipe()
    write_all({f"{folder}/{writer}": b"written"})
    assert os.read(reader, 100) == b"written"
    os.close(reader)
    os.close(writer)


def test_standard_output_by_its_name() -> None:
    """Its name leads to a pipe, which has no path."""
    code = "from vkrunner.cli.output import write_all; write_all({'/dev/stdout': b'1' * 100_000})"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"1" * 100_000


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o755, 0o4755, 0o2755, 0o1644, 0o7777])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    """But no rights of its owner: who runs the new file would act as the user who wrote it."""
    path = tmp_path / "one"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_all({str(path): b"new"})
    assert stat.S_IMODE(path.stat().st_mode) == mode & 0o777
    assert path.read_bytes() == b"new"


def test_permissions_of_a_link_that_comes_meanwhile_are_not_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leads to a file of this user that all can write to."""
    path, open_to_all = tmp_path / "one", tmp_path / "all"
    open_to_all.touch()
    open_to_all.chmod(0o666)
    after_the_second_look(monkeypatch, lambda: path.symlink_to(open_to_all))
    mask = os.umask(0o077)
    try:
        write_all({str(path): b"new"})
    finally:
        os.umask(mask)
    assert (path.is_symlink(), path.read_bytes()) == (False, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_access_list_gives_the_group_no_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bits of a group are those of the list's mask (acl(5))."""
    path = tmp_path / "one"
    path.touch()
    path.chmod(0o664)
    monkeypatch.setattr(os, "listxattr", lambda path: ["system.posix_acl_access"])
    write_all({str(path): b"new"})
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_permissions_of_another_user_are_not_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would let that user, or all, change the new file."""
    path = tmp_path / "one"
    path.write_bytes(b"old")
    path.chmod(0o666)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    mask = os.umask(0o027)
    try:
        write_all({str(path): b"new"})
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_files_that_a_killed_process_left_do_not_matter(tmp_path: Path) -> None:
    """Names of temporary files are random: another process may have this one's number."""
    (tmp_path / f".one.{os.getpid()}").write_bytes(b"left")
    write_all({str(tmp_path / "one"): b"1"})
    assert (tmp_path / "one").read_bytes() == b"1"


def test_errors_of_writing_name_the_target(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="/dev/full") as caught:
        write_all({"/dev/full": b"1"})
    assert caught.value.errno == errno.ENOSPC
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(OSError, match="one") as caught:
            write_all({str(tmp_path / "one"): b"1" * 100})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == str(tmp_path / "one")
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long") as caught:
        write_all({str(tmp_path / ("n" * 256)): b"1"})
    assert caught.value.filename == str(tmp_path / ("n" * 256))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["./one", "link", "folder/../one"])
def test_two_names_of_one_file(tmp_path: Path, name: str) -> None:
    """The second would replace the first."""
    (tmp_path / "link").symlink_to("one")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ArgumentError, match="are one file"):
        write_all({str(tmp_path / "one"): b"1", f"{tmp_path}/{name}": b"2"})
    assert not (tmp_path / "one").exists()


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_all({"-": b"\0\xff"})
    assert capfdbinary.readouterr().out == b"\0\xff"


def test_text_goes_to_a_terminal_and_binary_data_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(ArgumentError, match="not written to a terminal"):
        write_all({"-": b"\0", str(tmp_path / "one"): b"1"})
    assert not list(tmp_path.iterdir())
    write_text("text\n", None)
    assert capsys.readouterr().out == "text\n"


ENDED = """
import os, signal, sys
from vkrunner.__main__ import main
replace = os.replace
def ended(*words, **options):
    os.kill(os.getpid(), signal.SIGTERM)
    replace(*words, **options)
os.replace = ended
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "words", [["extract", "{}", "--output-dir", "."], ["disasm", "{}", "-o", "out"]]
)
def test_a_command_that_is_ended_leaves_no_temporary_file(tmp_path: Path, words: list[str]) -> None:
    command = [word.format(SHADERS / "saxpy.dxbc") for word in words]
    done = subprocess.run([sys.executable, "-c", ENDED, *command], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGTERM
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_name_with_a_slash_at_its_end(tmp_path: Path) -> None:
    """It is a folder's, which the user expects to be there."""
    with pytest.raises(IsADirectoryError) as caught:
        write_all({f"{tmp_path}/new/": b"1"})
    assert caught.value.filename == f"{tmp_path}/new/"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("verb", ["extract", "translate"])
def test_an_output_folder_without_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([verb, str(SHADERS / "saxpy.dxbc"), "--output-dir", ""]) == 2
    assert "No such file or directory" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
