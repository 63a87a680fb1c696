"""Which compiler there is: fxc, Direct3D's own DLL on Windows, or vkd3d-compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from translate.errors import CompileError

VARIABLE = "SM5VK_FXC"
FXC, VKD3D = "fxc", "vkd3d-compiler"
DLL = "d3dcompiler_47.dll"

_DLL_COMMAND = Path(__file__).with_name("d3dcompiler.py")
_PROBE_TIMEOUT_S = 20.0
_HOW_TO_GET_ONE = (
    f"put Microsoft's fxc on PATH, or set {VARIABLE} to a command that runs it, as"
    " 'wine /path/fxc.exe'; a vkd3d-compiler on PATH that makes dxbc-tpf of hlsl will do, too"
)
_WRONG = f"this is HLSL, and {VARIABLE}, which names its compiler, is"


@dataclass(frozen=True)
class Compiler:
    """A command that compiles HLSL, and the form of its command line, FXC's or VKD3D's."""

    command: tuple[str, ...]
    form: str = FXC

    def __str__(self) -> str:
        """As it is shown: the command, or the DLL where that is used without another program."""
        is_dll = str(_DLL_COMMAND) in self.command
        return self.command[-1] if is_dll else shlex.join(self.command)

    def identity(self) -> tuple[tuple[str, int, int], ...]:
        """What identifies the compiler and its version: its files, with size and time."""
        files = [word for word in self.command if os.path.isfile(word)]
        beside = [os.path.join(os.path.dirname(os.path.realpath(file)), DLL) for file in files]
        rows = [(word, 0, 0) for word in (self.form, *self.command)]
        for path in dict.fromkeys((*files, *beside)):
            if os.path.isfile(path):
                found = os.stat(path)
                rows.append((path, found.st_size, found.st_mtime_ns))
        return tuple(rows)


def find_compiler() -> Compiler:
    """The compiler that SM5VK_FXC names, else the first that is found.

    Raises CompileError, which says what to install or to set, where there is none.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return _named(named)
    fxc = shutil.which("fxc")
    if fxc is not None:
        return Compiler((os.path.abspath(fxc),))
    if sys.platform == "win32" and (dll := _system_dll()) is not None:
        return _of_dll(dll)
    vkd3d = shutil.which(VKD3D)
    if vkd3d is None:
        raise CompileError(f"this is HLSL, and no compiler for it is found: {_HOW_TO_GET_ONE}")
    if not _makes_containers(vkd3d):
        raise CompileError(
            f"this is HLSL, of which {vkd3d} makes no DXBC (a newer version does):"
            f" {_HOW_TO_GET_ONE}"
        )
    return Compiler((os.path.abspath(vkd3d),), VKD3D)


def _named(text: str) -> Compiler:
    """The command of the variable: words, or one path that may have blanks."""
    words = [text] if os.path.isfile(text) else _split(text)
    program = shutil.which(words[0])
    if program is None:
        raise CompileError(f"{_WRONG} {text!r}: there is no program {words[0]!r}")
    # It runs in the source's folder.
    rest = [os.path.abspath(word) if os.path.isfile(word) else word for word in words[1:]]
    program = os.path.abspath(program)
    form = VKD3D if VKD3D in os.path.basename(program) else FXC
    return Compiler((program, *rest), form)


def _split(text: str) -> list[str]:
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise CompileError(f"{_WRONG} {text!r}: {error}") from None
    return [word.strip('"') for word in words] if os.name == "nt" else words


def _system_dll() -> str | None:
    """The DLL on PATH, else Windows' own."""
    system = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32")
    folders = [*os.environ.get("PATH", "").split(os.pathsep), system]
    paths = [os.path.join(folder, DLL) for folder in folders if folder]
    return next((path for path in paths if os.path.isfile(path)), None)


def _of_dll(path: str) -> Compiler:
    """The DLL in a process of its own: what goes wrong in it does not end this one."""
    return Compiler((sys.executable, "-I", str(_DLL_COMMAND), os.path.abspath(path)))


@cache
def _makes_containers(program: str) -> bool:
    """Whether a vkd3d-compiler makes DXBC of HLSL; older ones do not know the words."""
    command = [program, "-x", "hlsl", "--print-target-types"]
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_PROBE_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and b"dxbc-tpf" in done.stdout + done.stderr
