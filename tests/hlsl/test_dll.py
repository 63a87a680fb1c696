"""The program that calls d3dcompiler_47.dll, here with a C library in place of the DLL."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from translate import CompileError, HlslOptions, compile_hlsl

PROGRAM = Path(__file__).parents[2] / "translate" / "hlsl" / "d3dcompiler.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="gcc's options are used")


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require: Callable[[str], None]
) -> Path:
    """The working folder, with headers; SM5VK_FXC is the program with the library."""
    require("" if shutil.which("cc") else "no C compiler (Debian: gcc, libc6-dev)")
    library = tmp_path / "d3dcompiler_47.dll"
    source = Path(__file__).with_name("dll.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    words = [sys.executable, "-I", str(PROGRAM), str(library)]
    monkeypatch.setenv("SM5VK_FXC", shlex.join(words))
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "factor.h").write_text("outer")
    (tmp_path / "include" / "inner.h").write_text("inner")  # next to the header that includes it
    monkeypatch.chdir(tmp_path)
    return library


def test_arguments_of_the_dll(project: Path) -> None:
    text = "first\nsecond\n"
    options = HlslOptions(
        entry="blur", defines={"N": 4, "FAST": None}, include="include", fxc_flags="-O3 /Zi -Gis"
    )
    made = compile_hlsl(text, options, file="scale.hlsl")
    length = len('#line 1 "scale.hlsl"\n') + len(text)
    flags = 1 << 15 | 1 << 0 | 1 << 13  # D3DCOMPILE_OPTIMIZATION_LEVEL3, _DEBUG, _IEEE_STRICTNESS
    asked = f"DXBC {length} scale.hlsl blur cs_5_0 {flags:x} 0 outer inner N=4 FAST=1"
    assert made.container.decode() == asked
    assert made.compiler == str(project)
    (warning,) = made.warnings
    assert warning == "scale.hlsl:2:1: warning: X1: beware\n   2 | second\n     | ^"


def test_errors_of_the_dll(project: Path) -> None:
    with pytest.raises(CompileError) as caught:
        compile_hlsl("wrong\n", HlslOptions(include="include"), file="scale.hlsl")
    assert str(caught.value).splitlines() == [
        "scale.hlsl:1:1: error: X3004: undeclared identifier 'wrong'",
        "   1 | wrong",
        "     | ^^^^^",
    ]


def test_without_messages_the_result_is_named(project: Path) -> None:
    with pytest.raises(CompileError, match="D3DCompile returned 0xfffffffe"):
        compile_hlsl("fine\n")


@pytest.mark.parametrize(
    ("flag", "expected"),
    [("-Qstrip_debug", "the compiler's DLL has no flag for -Qstrip_debug"), ("-Od", "DXBC")],
)
def test_flags(project: Path, flag: str, expected: str) -> None:
    options = HlslOptions(include="include", fxc_flags=flag)
    try:
        said = compile_hlsl("fine\n", options).container.decode()
    except CompileError as error:
        said = str(error)
    assert expected in said
