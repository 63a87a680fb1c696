"""The programs that call d3dcompiler_47.dll, here with a C library in place of the DLL.

One is for Windows, in Python. The other is ci/user/fxc.c, for Wine.
"""

import functools
import operator
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from translate import CompileError, HlslOptions, compile_hlsl
from translate.hlsl.d3dcompiler import FLAGS

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "translate" / "hlsl" / "d3dcompiler.py"
FXC = ROOT / "ci" / "user" / "fxc.c"
SOURCE = Path(__file__).with_name("dll.c")
HEADERS = '#include "factor.h"\n#include "inner.h"\n'
MINGW = "x86_64-w64-mingw32-gcc"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="gcc's options are used")


@pytest.fixture(scope="session")
def wine_command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The command of fxc.exe, which is next to the library."""
    for program, package in ("wine", "wine, wine64"), (MINGW, "gcc-mingw-w64-x86-64-win32"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program} (Debian: {package})")
    folder = tmp_path_factory.mktemp("wine")
    library, program = folder / "d3dcompiler_47.dll", folder / "fxc.exe"
    subprocess.run([MINGW, "-shared", "-o", library, SOURCE], check=True)
    options = ["-municode", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([MINGW, *options, "-o", program, FXC], check=True)
    variables = {
        "WINEPREFIX": str(folder / "prefix"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree=;winemenubuilder.exe=",
    }
    words = ["env", "-u", "DISPLAY", *(f"{name}={text}" for name, text in variables.items())]
    subprocess.run([*words, "wine", "wineboot", "-i"], check=True, timeout=300)
    yield [*words, "wine", str(program)]
    subprocess.run([*words, "wineserver", "-k"], check=False, timeout=60)
    shutil.rmtree(folder, ignore_errors=True)  # 700 MB


@pytest.fixture(
    params=[
        "python",
        pytest.param("wine", marks=pytest.mark.slow(reason="Wine's first start takes 10 s")),
    ]
)
def project(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    require: Callable[[str], None],
) -> str:
    """The compiler's name in messages. The working folder has headers."""
    library = tmp_path / "d3dcompiler_47.dll"
    if request.param == "wine":
        words = request.getfixturevalue("wine_command")
    else:
        require("" if shutil.which("cc") else "no C compiler (Debian: gcc, libc6-dev)")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        words = [sys.executable, "-I", str(PROGRAM), str(library)]
    monkeypatch.setenv("SM5VK_FXC", shlex.join(words))
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "factor.h").write_text("outer")
    (tmp_path / "include" / "inner.h").write_text("inner")  # next to the header that includes it
    monkeypatch.chdir(tmp_path)
    return str(library) if request.param == "python" else words[-1]


def test_arguments_of_the_dll(project: str) -> None:
    text = f"first\nsecond\n{HEADERS}"
    options = HlslOptions(
        entry="blur", defines={"N": 4, "FAST": None}, include="include", fxc_flags="-O3 /Zi -Gis"
    )
    made = compile_hlsl(text, options, file="scale.hlsl")
    length = len('#line 1 "scale.hlsl"\n') + len(text)
    flags = 1 << 15 | 1 << 0 | 1 << 13  # D3DCOMPILE_OPTIMIZATION_LEVEL3, _DEBUG, _IEEE_STRICTNESS
    asked = f"DXBC {length} scale.hlsl blur cs_5_0 {flags:x} 0 outer inner N=4 FAST=1"
    assert re.sub(r"\S*/scale", "scale", made.container.decode()) == asked
    assert made.compiler.endswith(project)
    (warning,) = made.warnings
    assert warning == "scale.hlsl:2:1: warning: X1: beware\n   2 | second\n     | ^"


def test_errors_of_the_dll(project: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_hlsl("wrong\n", HlslOptions(include="include"), file="scale.hlsl")
    assert str(caught.value).splitlines() == [
        "scale.hlsl:1:1: error: X3004: undeclared identifier 'wrong'",
        "   1 | wrong",
        "     | ^^^^^",
    ]


def test_all_flags(project: str) -> None:
    """Both programs have the same options."""
    every = functools.reduce(operator.or_, FLAGS.values())
    for flags, bits in ([f"-{name}" for name in FLAGS], every), (["-Od"], FLAGS["Od"]):
        made = compile_hlsl(f"fine\n{HEADERS}", HlslOptions(include="include", fxc_flags=flags))
        assert f" {bits:x} 0 outer inner" in made.container.decode()


def test_without_messages_the_result_is_named(project: str) -> None:
    with pytest.raises(CompileError, match="D3DCompile returned 0xfffffffe"):
        compile_hlsl("fine\n")


def test_an_unknown_flag(project: str) -> None:
    with pytest.raises(CompileError, match=" -Qstrip_debug; it has "):
        compile_hlsl("fine\n", HlslOptions(include="include", fxc_flags="-Qstrip_debug"))


@pytest.mark.slow(reason="Wine's first start takes 10 s")
@pytest.mark.parametrize("word", ["/?", "-?", "--help"])
def test_the_program_for_wine_lists_its_options(wine_command: list[str], word: str) -> None:
    done = subprocess.run([*wine_command, word], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    options = set(re.findall(r"/\w+", done.stdout))
    assert options >= {f"/{name}" for name in (*FLAGS, "T", "E", "Fo", "D", "I")}
    assert "There is no /Fc and no /Lx" in done.stdout
