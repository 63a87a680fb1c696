"""Running a compiler: its command line, its output, and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import IO

from translate.errors import CompileError
from translate.hlsl.find import VKD3D, Compiler
from translate.hlsl.options import HlslOptions

_VKD3D_FLAGS = {"Zpr": "--matrix-storage-order=row", "Zpc": "--matrix-storage-order=column"}


@dataclass(frozen=True)
class Ended:
    """The end of a compiler: its exit code, negative for a signal's number, and all it said."""

    code: int
    output: str

    @property
    def how(self) -> str:
        return f"signal {-self.code} ended it" if self.code < 0 else f"its exit code is {self.code}"


def words_of(
    compiler: Compiler, options: HlslOptions, source: str, output: str, folders: list[str]
) -> list[str]:
    """The command line that compiles the file `source` to the file `output`.

    Paths are relative to the folder that it is run in: fxc takes a word that begins with a slash
    for an option, and under Wine there are no other paths that mean the same on both sides.
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
    """vkd3d-compiler's form; macros are lines of the source, because it has no option for them."""
    if options.folders:
        raise CompileError(
            "vkd3d-compiler has no option for folders of #include: it looks in the source's own"
            " folder only; leave out `include`, or use fxc"
        )
    flags: list[str] = []
    for flag in options.flags:
        name = flag.lstrip("-/")
        if not name.startswith("O"):  # it has one level
            flags.append(_VKD3D_FLAGS.get(name, flag))
    words = [*compiler.command, "-x", "hlsl", "-b", "dxbc-tpf", "-p", options.profile]
    return [*words, "-e", options.entry_name, *flags, "-o", output, source]


def head_of(compiler: Compiler, options: HlslOptions) -> str:
    """Lines before the source, for a compiler without an option for macros."""
    if compiler.form != VKD3D:
        return ""
    return "".join(f"#define {name} {value}\n" for name, value in options.macros)


def run(words: list[str], folder: str, timeout_s: float) -> Ended:
    """Run a command in a folder, to its end.

    Raises CompileError when it cannot be started or takes too long; then it is ended.
    """
    # Not a pipe: Wine's services inherit it, and hold it open for long.
    with tempfile.TemporaryFile() as output:
        process = _start(words, folder, output)
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            _end(process)
            raise CompileError(
                f"{os.path.basename(words[0])} took more than {timeout_s:g} s, and was ended"
            ) from None
        except BaseException:
            _end(process)
            raise
        output.seek(0)
        return Ended(code, _decoded(output.read()))


def _start(words: list[str], folder: str, output: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a process, in a group of its own, which can be ended as one."""
    try:
        return subprocess.Popen(
            words,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise CompileError(f"{words[0]} cannot be run: {error.strerror or error}") from None


def _environment() -> dict[str, str]:
    return {"WINEDEBUG": "-all", **os.environ}  # else Wine's own messages are among the compiler's


def _end(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _decoded(data: bytes) -> str:
    """Text of any encoding; if it is not UTF-8, it is probably Windows' western one."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
