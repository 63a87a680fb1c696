"""The choice of a compiler, and the error where there is none, or where it fails."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands import python
from translate import CompileError, HlslOptions, compile_hlsl

from .conftest import DATA, SCALE, STAND_IN, program

CONTAINER = (DATA / "scale-3-4.dxbc").read_bytes()
FXC = f'#!/bin/sh\nexec {STAND_IN} "$@"\n'

# A vkd3d-compiler that makes containers from HLSL, and counts lines without regard to #line; and an
# older one without these options.
VKD3D = (Path(__file__).parent / "data/finding.txt").read_text("utf-8")
OLD_VKD3D = '#!/bin/sh\necho "Invalid source type" >&2\nexit 1\n'


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first folder of a PATH that has only the shell's programs besides."""
    folder, system = tmp_path / "programs", tmp_path / "system"
    folder.mkdir()
    system.mkdir()
    for name in ("sh", "cp", "grep"):
        (system / name).symlink_to(str(shutil.which(name)))
    monkeypatch.delenv("SM5VK_FXC", raising=False)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{system}")
    monkeypatch.chdir(tmp_path)
    return folder


def message(source: str = SCALE, options: HlslOptions | None = None) -> str:
    with pytest.raises(CompileError) as caught:
        compile_hlsl(source, options, file="blur.hlsl")
    return str(caught.value)


@pytest.mark.parametrize("path", [".", "", "programs", ".:{programs}"])
@pytest.mark.parametrize("name", ["fxc", "vkd3d-compiler"])
def test_no_program_of_the_working_folder_runs(
    empty: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    for folder in (empty.parent, empty):
        program(folder, name, f"#!/bin/sh\ntouch {empty.parent}/ran\necho dxbc-tpf\n")
    if "{" in path:  # the folder is in PATH by its whole name too
        (empty / name).unlink()
    system = empty.parent / "system"
    monkeypatch.setenv("PATH", f"{path.format(programs=empty)}{os.pathsep}{system}")
    assert "HLSL needs a compiler, and none was found" in message()
    assert not (empty.parent / "ran").exists()


@pytest.mark.parametrize("command", ["wine /opt/fxc/fxc.exe", "wine C:/fxc/fxc.exe", "wine"])
def test_a_folder_does_not_replace_the_named_compiler(
    empty: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """A name with a blank may be one path, but not one of the working folder."""
    here = empty.parent
    for name in ("wine /opt/fxc/fxc.exe", "C:/fxc/fxc.exe", "wine"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        program(here / Path(name).parent, Path(name).name, f"#!/bin/sh\ntouch {here}/ran\n")
    program(empty, "wine", '#!/bin/sh\n[ ! -e "$1" ] || touch ran\nexit 3\n')
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SM5VK_FXC", command)
    message()
    assert not (here / "ran").exists()


def test_a_folder_does_not_replace_a_program_that_another_one_runs(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name without a folder is that of a program, not of a file here."""
    program(empty.parent, "fxc", f"#!/bin/sh\ntouch {empty.parent}/ran\n")
    program(empty, "fxc", FXC)
    program(empty, "quietly", '#!/bin/sh\nexec "$@"\n')
    monkeypatch.setenv("SM5VK_FXC", "quietly fxc")
    assert compile_hlsl(SCALE).container == CONTAINER
    assert not (empty.parent / "ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a compiler of its own")
def test_without_a_compiler_the_error_says_what_to_do(empty: Path) -> None:
    said = message()
    assert said.startswith("blur.hlsl: error: HLSL needs a compiler, and none was found: ")
    for word in ("fxc", "PATH", "SM5VK_FXC", "wine", "vkd3d-compiler"):
        assert word in said
    for name in re.findall(r"\S+\.(?:sh|md)", said):
        assert (Path(__file__).parents[2] / name.strip("(")).is_file()
    assert "in the repository of sm5vk" in said


def test_fxc_on_the_path(empty: Path) -> None:
    path = program(empty, "fxc", FXC)
    made = compile_hlsl(SCALE)
    assert (made.container, made.compiler) == (CONTAINER, str(path))


def test_the_variable_comes_first(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(empty, "fxc", "#!/bin/sh\nexit 9\n")
    monkeypatch.setenv("SM5VK_FXC", f"  {STAND_IN} ")
    made = compile_hlsl(SCALE)
    assert (made.container, made.compiler) == (CONTAINER, STAND_IN)


def test_the_variable_may_be_one_path_with_blanks(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(tmp_path / "Windows Kits", "my fxc", FXC)
    monkeypatch.setenv("SM5VK_FXC", str(path))
    assert compile_hlsl(SCALE).compiler == shlex.quote(str(path))


@pytest.mark.parametrize("value", ["~/my fxc", "'~/my fxc'", "wine ~/fxc.exe"])
def test_the_home_folder_in_the_variable(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """A notebook and a configuration file have no shell that expands it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    program(tmp_path / "home", "my fxc", FXC)
    program(tmp_path / "home", "fxc.exe", "")
    wine = f'#!/bin/sh\ntest "$1" = {tmp_path}/home/fxc.exe || exit 53\nshift\n'
    program(empty, "wine", f'{wine}exec {STAND_IN} "$@"\n')
    monkeypatch.setenv("SM5VK_FXC", value)
    assert compile_hlsl(SCALE).container == CONTAINER


def test_words_of_the_variable_are_files_of_the_current_folder(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler runs in the source's folder."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "fxc.py").symlink_to(Path(__file__).with_name("fxc.py"))
    monkeypatch.setenv("SM5VK_FXC", f"{sys.executable} tools/fxc.py")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "blur.hlsl").write_text(SCALE)
    assert compile_hlsl("elsewhere/blur.hlsl").container == CONTAINER


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/no/such/fxc.exe -x", "program '/no/such/fxc.exe' not found"),
        ("/usr", "program '/usr' is a folder: name the program in it"),
        ("wine 'fxc.exe", "No closing quotation"),
    ],
)
def test_a_variable_that_is_wrong(
    empty: Path, monkeypatch: pytest.MonkeyPatch, value: str, expected: str
) -> None:
    monkeypatch.setenv("SM5VK_FXC", value)
    said = message()
    assert said.startswith("blur.hlsl: error: HLSL needs a compiler, but SM5VK_FXC is")
    assert repr(value) in said
    assert expected in said


def test_a_program_that_cannot_be_run(empty: Path) -> None:
    program(empty, "fxc", "#!/no/such/interpreter\n")
    assert "cannot be run: No such file or directory" in message()


@pytest.fixture
def vkd3d(empty: Path, tmp_path: Path) -> Path:
    """A file with the compiler's arguments; the file with `.text` appended has its input."""
    log = tmp_path / "log"
    container = tmp_path / "made.dxbc"
    container.write_bytes(CONTAINER)
    program(empty, "vkd3d-compiler", VKD3D.format(log=log, container=container))
    return log


def test_a_vkd3d_compiler(empty: Path, vkd3d: Path) -> None:
    options = HlslOptions(
        profile="cs_4_0", entry="main", defines={"N": 4, "FAST": None}, fxc_flags="-Od -Zpr /Zi"
    )
    made = compile_hlsl(SCALE, options, file="blur.hlsl")
    assert (made.container, made.compiler) == (CONTAINER, str(empty / "vkd3d-compiler"))
    words = vkd3d.read_text().split()
    expected = "-x hlsl -b dxbc-tpf -p cs_4_0 -e main --matrix-storage-order=row -o"
    assert words[:-2] == expected.split()
    head = "#define N 4\n#define FAST 1\n"
    assert Path(f"{vkd3d}.text").read_text() == head + SCALE


@pytest.mark.parametrize("macros", [[], ["N=4", "FAST"]], ids=str)
def test_errors_of_a_vkd3d_compiler(vkd3d: Path, macros: list[str]) -> None:
    """They have the lines of the source, without those that are inserted for macros."""
    said = message(SCALE.replace("* 3", "* wrong"), HlslOptions(defines=macros))
    assert said.splitlines() == [
        'blur.hlsl:5:35: error: E5005: No variable "wrong"; vkd3d-compiler compiles less of HLSL'
        " than fxc",
        "   5 |     values[id.x] = values[id.x] * wrong + 4;",
        "     |                                   ^",
    ]


def test_lines_after_an_include_of_a_vkd3d_compiler(vkd3d: Path, tmp_path: Path) -> None:
    """It counts the lines of included files, too."""
    (tmp_path / "common.hlsli").write_text("\n" * 9)
    text = SCALE.replace("* 3", "* wrong")
    said = message(text.replace("[numthreads", '#include "common.hlsli"\n[numthreads'))
    assert said.splitlines() == [
        'blur.hlsl: error: E5005: No variable "wrong". (line 6 of the text with its #include'
        " files); vkd3d-compiler compiles less of HLSL than fxc"
    ]
    assert "blur.hlsl:5:35: error: " in message(f'{text}\n#include "common.hlsli"\n')
    with pytest.raises(CompileError, match=r"^shader.hlsl: error: E5005") as caught:
        compile_hlsl(f'#include "common.hlsli"\n{text}')  # of no file
    assert "|" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("groupshared uint tile[2][8];", 1),
        ("/* a\nb */ groupshared\nfloat4 a[8],\nb[8] [ 8 ];", 2),
        ("struct S { uint a[4]; };\ngroupshared S all[2];", 2),
        ("groupshared uint tile[16]; uint other[2][8];", None),
        ("// groupshared uint tile[2][8];\ngroupshared uint tile[16];", None),
        ("struct S { uint a[4]; };\ngroupshared S one;", None),
        ("struct S { uint4 a; };\ngroupshared S all[2];", None),
    ],
)
def test_arrays_that_a_vkd3d_compiler_computes_wrongly(
    vkd3d: Path, tmp_path: Path, text: str, line: int | None
) -> None:
    (tmp_path / "common.hlsli").write_text(text)
    for source, file in (
        (f"{text}\n{SCALE}", "blur.hlsl"),
        (f'#include "common.hlsli"\n{SCALE}', "common.hlsli"),
    ):
        found = compile_hlsl(source, file="blur.hlsl").warnings
        assert len(found) == (line is not None)
        for warning in found:
            assert warning.startswith(f"{file}:{line}: warning: vkd3d-compiler loads from wrong")


@pytest.mark.parametrize("line", ['#include ""', "#include <>", "#include NAME", "#include"])
def test_includes_without_a_name(vkd3d: Path, line: str) -> None:
    assert compile_hlsl(f"{line}\n{SCALE}", file="blur.hlsl").warnings == ()


def test_a_vkd3d_compiler_has_no_folders(vkd3d: Path) -> None:
    said = message(options=HlslOptions(include="programs"))
    assert "vkd3d-compiler has no option for folders" in said


@pytest.mark.parametrize("flag", ["-Gis", "/Zpr2", "-enable_unbounded_descriptor_tables"])
def test_a_vkd3d_compiler_has_few_options_of_fxc(vkd3d: Path, flag: str) -> None:
    said = message(options=HlslOptions(fxc_flags=["-Zi", flag]))
    assert f"vkd3d-compiler has no option like fxc's {flag}; leave it out, or use fxc" in said
    assert not vkd3d.exists()


def test_an_option_of_a_vkd3d_compiler_itself(vkd3d: Path) -> None:
    compile_hlsl(SCALE, HlslOptions(fxc_flags="--formatting=none"), file="blur.hlsl")
    assert " -e main --formatting=none -o " in vkd3d.read_text()


def test_an_old_vkd3d_compiler(empty: Path) -> None:
    path = program(empty, "vkd3d-compiler", OLD_VKD3D)
    said = message()
    assert f"HLSL needs a compiler, and {path} is too old to make DXBC" in said
    assert "SM5VK_FXC" in said


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("die", "failed: it was killed by signal 6, without any output"),
        ("say nothing", "failed: its exit code is 3, without any output"),
        ("make nothing", "failed: it wrote no container and reported no error, without any output"),
        ("say something", "its exit code is 7\nthe licence of this program has ended"),
        ("speak latin", "blur.hlsl: error: X9999: élément inattendu"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_compiler_that_fails(stand_in: str, word: str, expected: str) -> None:
    assert expected in message(f"// stand-in: {word}\n{SCALE}")


def test_a_program_of_wine_that_is_missing(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question is asked only if the command fails: Wine takes paths of Windows too."""
    program(empty, "wine", f'#!/bin/sh\nshift\nexec {STAND_IN} "$@"\n')
    monkeypatch.setenv("SM5VK_FXC", "wine C:/fxc/fxc.exe")
    assert compile_hlsl(SCALE).container == CONTAINER
    program(empty, "wine", "#!/bin/sh\nexit 53\n")
    assert "53, without any output; does C:/fxc/fxc.exe exist?" in message()
    (empty / "fxc.exe").write_text("")
    monkeypatch.setenv("SM5VK_FXC", f"wine {empty}/fxc.exe")
    assert message().endswith("its exit code is 53, without any output")


def test_an_option_that_the_compiler_does_not_know(stand_in: str) -> None:
    said = message(options=HlslOptions(fxc_flags="-Qnothing"))
    assert "its exit code is 1\nUnknown or invalid option -Qnothing" in said


def test_a_compiler_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes that it started are ended too, here the one that a script started."""
    mark = f"600.{time.monotonic_ns()}"
    path = program(tmp_path / "programs", "fxc", f"#!/bin/sh\nsleep {mark}\nexit 0\n")
    monkeypatch.setenv("SM5VK_FXC", str(path))
    said = message(options=HlslOptions(compile_timeout=1))
    assert said == "blur.hlsl: error: fxc took more than 1 s and was stopped"
    found = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True)
    assert mark not in found.stdout


@pytest.mark.parametrize("more", [".:{}::sub/folder", "sub", ".", ""])
def test_a_compiler_finds_no_program_in_the_folder_of_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    """It may run in that folder, where relative folders of these variables would lead."""
    text = f'#!/bin/sh\necho "$PATH:$LD_LIBRARY_PATH" >{tmp_path}/path\nexit 1\n'
    script = program(tmp_path, "fxc.sh", text)
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}/libraries:{more}")
    monkeypatch.setenv("SM5VK_FXC", str(script))
    monkeypatch.setenv("PATH", more.format(os.environ["PATH"]))
    with pytest.raises(CompileError):
        compile_hlsl("[numthreads(1, 1, 1)]\nvoid main() {}\n")
    folders = (tmp_path / "path").read_text().strip().split(":")
    assert folders
    assert all(map(os.path.isabs, folders))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_command_ends_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """As `timeout`, systems for CI and a closed terminal end it."""
    script = program(tmp_path, "fxc.sh", f"#!/bin/sh\necho $$ >{tmp_path}/id\nexec sleep 600\n")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "a.hlsl").write_text("[numthreads(1, 1, 1)]\nvoid main() {}\n")
    monkeypatch.setenv("SM5VK_FXC", str(script))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    command = [sys.executable, "-m", "vkrunner", "inspect", str(tmp_path / "a.hlsl")]
    null = subprocess.DEVNULL
    previous = signal.signal(number, signal.SIG_DFL)  # nohup, which may run the tests, ignores one
    try:
        process = subprocess.Popen(command, stdout=null, stderr=null)
    finally:
        signal.signal(number, previous)
    started = tmp_path / "id"
    while not (started.exists() and started.read_text().strip()):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(30) == -number
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    assert not list((tmp_path / "temporary").iterdir())


TERMINATED = """
import os, shutil, signal, sys
number = int(sys.argv[2])
made, removed = os.makedirs, shutil.rmtree
def makedirs(*words, **options):
    os.kill(os.getpid(), number)
    made(*words, **options)
def rmtree(*words, **options):
    os.kill(os.getpid(), number)
    removed(*words, **options)
os.makedirs, shutil.rmtree = makedirs, rmtree
from vkrunner.__main__ import main
sys.exit(main(["inspect", sys.argv[1]]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_ended_before_the_compiler_starts(
    project: Path, stand_in: str, tmp_path: Path, number: signal.Signals
) -> None:
    """Twice: impatient users press Ctrl-C again while it removes its files."""
    (tmp_path / "temporary").mkdir()
    (project / "a.hlsl").write_text("[numthreads(1, 1, 1)]\nvoid main() {}\n")
    words = (project / "a.hlsl", str(int(number)))
    done = python("-c", TERMINATED, *words, TMPDIR=str(tmp_path / "temporary"))
    assert done.returncode == (130 if number == signal.SIGINT else -number), done
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize("unknown", ["", "#if 0\n#include MACRO\n#endif\n"])
def test_a_compiler_is_not_sought_beside_the_source(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unknown: str
) -> None:
    """Wine and shells look for a relative name in the working folder."""
    text = '#if 0\n#include "fxc.sh"\n#endif\n[numthreads(1, 1, 1)]\nvoid main() {}\n'
    (project / "a.hlsl").write_text(unknown + text)
    program(project, "fxc.sh", f"touch {tmp_path}/ran\n")
    (tmp_path / "user").mkdir()
    monkeypatch.chdir(tmp_path / "user")
    monkeypatch.setenv("SM5VK_FXC", "sh fxc.sh")
    with pytest.raises(CompileError, match="failed"):
        compile_hlsl(project / "a.hlsl")
    assert not (tmp_path / "ran").exists()


def test_workers_of_an_ended_command_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With their compilers."""
    script = program(tmp_path, "fxc.sh", f"#!/bin/sh\ntouch {tmp_path}/$$.id\nexec sleep 600\n")
    text = "[compute shader]\n[numthreads(1, 1, 1)]\nvoid main() {}\n[test]\ndispatch 1 1 1\n"
    for name in "ab":
        (tmp_path / f"{name}.shader_test").write_text(text)
    monkeypatch.setenv("SM5VK_FXC", str(script))
    words = ["test", str(tmp_path), "-j", "2", "--device", "reference"]
    process = subprocess.Popen(
        [sys.executable, "-m", "vkrunner", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while len(ids := [int(path.stem) for path in tmp_path.glob("*.id")]) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.terminate()
    process.wait(30)
    end = time.monotonic() + 30
    while any(map(_is_there, ids)):
        assert time.monotonic() < end, "a compiler goes on"
        time.sleep(0.05)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
