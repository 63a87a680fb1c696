"""Find a compiler, fxc, Direct3D's DLL on Windows, or vkd3d-compiler, and run it."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO

from translate.child import (
    TO_STDOUT,
    Process,
    end,
    exit_code,
    finish,
    path_folders,
    start,
)
from translate.dataclass import dataclass
from translate.errors import CompileError
from translate.hlsl.options import HlslOptions

VARIABLE = "SM5VK_FXC"
FXC, VKD3D = "fxc", "vkd3d-compiler"
DLL = "d3dcompiler_47.dll"

_DLL_COMMAND = Path(__file__).with_name("d3dcompiler.py")
_PROBE_TIMEOUT_S = 20.0
_MOST_HASHED_BYTES = 64 << 20  # compilers have 0.1 to 20 MB
_HOW_TO_GET_ONE = (
    f"put Microsoft's fxc on PATH, set {VARIABLE} to a command that runs it, such as"
    " 'wine /path/fxc.exe', or install a vkd3d-compiler of version 1.6 or newer; the"
    " script ci/user/fxc.sh in the repository of sm5vk sets up fxc on Linux (docs/hlsl.md there,"
    ' "HLSL on Linux")'
)
_WRONG = f"HLSL needs a compiler, but {VARIABLE} is"
# A flag without words changes no instruction, or chooses the single level of optimisation.
_VKD3D_FLAGS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("nologo", "Zi", "Zss", "Zsb", "Od", "O0", "O1", "O2", "O3"), ()),
    "Zpr": ("--matrix-storage-order=row",),
    "Zpc": ("--matrix-storage-order=column",),
}
_MOST_OUTPUT_BYTES = 16 << 20


@dataclass(frozen=True)
class Compiler:
    """A command that compiles HLSL, and the form of its command line: FXC or VKD3D."""

    command: tuple[str, ...]
    form: str = FXC

    def __str__(self) -> str:
        """The command for messages; only the DLL's path if this project's program runs it."""
        is_dll = str(_DLL_COMMAND) in self.command
        return self.command[-1] if is_dll else shlex.join(self.command)

    def missing_program(self) -> str | None:
        """The program's path in a command such as `wine PATH`, if that file does not exist.

        Wine also takes paths of Windows, so this is an error only if the command fails.
        """
        paths = [word for word in self.command[1:] if word.lower().endswith(".exe")]
        return next((path for path in paths if not os.path.isfile(path)), None)

    def identity(self) -> tuple[tuple[str, str], ...]:
        """The command, and the contents of its files: two equal ones make equal containers.

        Files of the compiler beside a script belong to it. Times do not count, since a job of CI
        sets up the compiler each time.
        """
        files = [word for word in self.command if os.path.isfile(word)]
        folders = [os.path.dirname(os.path.realpath(file)) for file in files]
        beside = [os.path.join(folder, name) for folder in folders for name in (DLL, "fxc.exe")]
        rows = [(word, "") for word in (self.form, *self.command)]
        for path in dict.fromkeys((*files, *beside)):
            if os.path.isfile(path):
                found = os.stat(path)
                rows.append((path, _digest(path, found.st_size, found.st_mtime_ns)))
        return tuple(rows)


def find_compiler() -> Compiler:
    """The compiler in SM5VK_FXC, else the first one found.

    Raises CompileError if none is found; the message tells how to get one.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return _named(named)
    fxc = _on_path("fxc")
    if fxc is not None:
        return Compiler((fxc,))
    if sys.platform == "win32" and (dll := _system_dll()) is not None:
        return _of_dll(dll)
    vkd3d = _on_path(VKD3D)
    if vkd3d is None:
        raise CompileError(f"HLSL needs a compiler, and none was found: {_HOW_TO_GET_ONE}")
    if not _makes_containers(vkd3d):
        raise CompileError(
            f"HLSL needs a compiler, and {vkd3d} is too old to make DXBC: {_HOW_TO_GET_ONE}"
        )
    return Compiler((vkd3d,), VKD3D)


def _on_path(name: str) -> str | None:
    """The path of a program in PATH's absolute folders.

    Windows looks in the working folder first, and a PATH may have it as `.`: nothing there runs.
    """
    ends = os.environ.get("PATHEXT", ".EXE").split(os.pathsep) if sys.platform == "win32" else [""]
    paths = (os.path.join(folder, name + end) for folder in path_folders() for end in ends)
    return next(filter(None, map(shutil.which, paths)), None)


def _named(text: str) -> Compiler:
    """Parse the variable: several words, or a single path that may contain spaces."""
    whole = os.path.expanduser(text)
    is_path = os.path.isabs(whole) and os.path.isfile(whole)
    words = [whole] if is_path else [*map(os.path.expanduser, _split(text))]
    program = shutil.which(words[0]) if os.path.dirname(words[0]) else _on_path(words[0])
    if program is None:
        kind = "is a folder: name the program in it" if os.path.isdir(words[0]) else "not found"
        raise CompileError(f"{_WRONG} {text!r}: program {words[0]!r} {kind}")
    # Paths must be absolute, as it runs in another folder.
    rest = [os.path.abspath(word) if _is_path(word) else word for word in words[1:]]
    program = os.path.abspath(program)
    form = VKD3D if VKD3D in os.path.basename(program) else FXC
    return Compiler((program, *rest), form)


def _is_path(word: str) -> bool:
    """Whether a word of a command is the path of a file; `C:/fxc.exe` is one of Windows.

    A name without a folder, as in `nice fxc`, is that of a program: no file here may replace it.
    """
    is_drive = os.name != "nt" and re.match("[A-Za-z]:", word)
    return bool(os.path.dirname(word)) and os.path.isfile(word) and not is_drive


def _split(text: str) -> list[str]:
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise CompileError(f"{_WRONG} {text!r}: {error}") from None
    return [word.strip('"') for word in words] if os.name == "nt" else words


def _system_dll() -> str | None:
    """The DLL on PATH, else Windows' own."""
    system = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32")
    paths = [os.path.join(folder, DLL) for folder in (*path_folders(), system)]
    return next((path for path in paths if os.path.isfile(path)), None)


def _of_dll(path: str) -> Compiler:
    """A Compiler that runs the DLL in a separate process, so that its crashes end only that one."""
    return Compiler((sys.executable, "-I", str(_DLL_COMMAND), os.path.abspath(path)))


@cache
def _digest(path: str, size: int, time_ns: int) -> str:
    """The digest of a file's contents; of a very large file, its size and time."""
    if size > _MOST_HASHED_BYTES:
        return f"{size} bytes of {time_ns}"
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _makes_containers(program: str) -> bool:
    """Whether a vkd3d-compiler compiles HLSL to DXBC; older ones do not know these options."""
    try:
        done = finish([program, "-x", "hlsl", "--print-target-types"], _PROBE_TIMEOUT_S)
    except OSError:
        return False
    return done is not None and done.returncode == 0 and b"dxbc-tpf" in done.stdout + done.stderr


@dataclass(frozen=True)
class Ended:
    """The exit code of a compiler (negative: the signal that killed it), and its output."""

    code: int
    output: str

    @property
    def how(self) -> str:
        killed = f"it was killed by signal {-self.code}"
        return killed if self.code < 0 else f"its exit code is {self.code}"


def words_of(
    compiler: Compiler, options: HlslOptions, source: str, output: str, folders: list[str]
) -> list[str]:
    """The command line to compile the file `source` into the file `output`.

    Paths are relative to the working folder: fxc takes a word that begins with a slash for an
    option, and absolute paths differ between Wine and its host.
    """
    if compiler.form == VKD3D:
        return _vkd3d_words(compiler, options, source, output)
    words = [*compiler.command, "/nologo", "/T", options.profile, "/E", options.entry_name]
    for name, value in options.macros:
        words += ["/D", f"{name}={value}"]
    for folder in folders:
        words += ["/I", folder]
    return [*words, *options.flags, "/Fo", output, source]


def _vkd3d_words(compiler: Compiler, options: HlslOptions, source: str, output: str) -> list[str]:
    """The command line of vkd3d-compiler, which has no option for macros (see `head_of`)."""
    if options.folders:
        raise CompileError(
            "vkd3d-compiler has no option for folders of #include: it searches only the source's"
            " own folder; leave out `include`, or use fxc"
        )
    flags: list[str] = []
    for flag in options.flags:
        words = (flag,) if flag.startswith("--") else _VKD3D_FLAGS.get(flag[1:])
        if words is None:
            raise CompileError(
                f"vkd3d-compiler has no option like fxc's {flag}; leave it out, or use fxc"
            )
        flags += words
    words = [*compiler.command, "-x", "hlsl", "-b", "dxbc-tpf", "-p", options.profile]
    return [*words, "-e", options.entry_name, *flags, "-o", output, source]


def head_of(compiler: Compiler, options: HlslOptions, name: str) -> tuple[str, int]:
    """The lines to insert before the source `name`, and how many of them the compiler counts.

    vkd3d-compiler has no option for macros, and since version 2 ignores `#line`.
    """
    if compiler.form != VKD3D:
        return f'#line 1 "{name}"\n', 0
    head = "".join(f"#define {macro} {value}\n" for macro, value in options.macros)
    return head, head.count("\n")


def run(words: list[str], folder: str, timeout_s: float, is_stopped: Callable[[], bool]) -> Ended:
    """Run a command in a folder until it ends, or `is_stopped`.

    Raises CompileError if it cannot be started, or if it takes too long and is killed.
    """
    # Not a pipe: Wine's services would inherit it and keep it open for long.
    with tempfile.TemporaryFile() as output:
        process = _start(words, folder, output)
        try:
            code = exit_code(process, timeout_s, is_stopped)
        finally:
            end(process)
        if code is None and not is_stopped():
            raise CompileError(
                f"{os.path.basename(words[0])} took more than {timeout_s:g} s and was stopped"
            )
        output.seek(0)
        return Ended(code or 0, _decoded(output.read(_MOST_OUTPUT_BYTES)))


def _start(words: list[str], folder: str, output: IO[bytes]) -> Process:
    try:
        return start(words, folder=folder, variables=_variables(), stdout=output, stderr=TO_STDOUT)
    except OSError as error:
        wine = f"; try 'wine {words[0]}'" if words[0].lower().endswith(".exe") else ""
        raise CompileError(f"{words[0]} cannot be run: {error.strerror or error}{wine}") from None


def _variables() -> dict[str, str]:
    """Variables that keep Wine's messages out of the compiler's, and its names like Python's.

    In the locale C, Wine drops the highest bit of each byte of a file's name.
    """
    quiet = {} if "WINEDEBUG" in os.environ else {"WINEDEBUG": "-all"}
    has_none = sys.flags.utf8_mode or sys.getfilesystemencoding() == "ascii"
    return quiet | ({"LC_ALL": "C.UTF-8"} if has_none else {})


def _decoded(data: bytes) -> str:
    """Decode text; if it is not UTF-8, it is probably Windows-1252."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
