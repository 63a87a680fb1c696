"""Run a compiler: its command line, its output and its exit code."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import IO

from translate.child import TO_STDOUT, Process, end, exit_code, exit_on_terminate, start
from translate.errors import CompileError
from translate.hlsl.find import VKD3D, Compiler
from translate.hlsl.options import HlslOptions

# A flag without words changes no instruction, or chooses the single level of optimisation.
_VKD3D_FLAGS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("nologo", "Zi", "Zss", "Zsb", "Od", "O0", "O1", "O2", "O3"), ()),
    "Zpr": ("--matrix-storage-order=row",),
    "Zpc": ("--matrix-storage-order=column",),
}
_MOST_OUTPUT_BYTES = 16 << 20


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


def run(words: list[str], folder: str, timeout_s: float) -> Ended:
    """Run a command in a folder until it ends.

    Raises CompileError if it cannot be started, or if it takes too long and is killed.
    """
    # Not a pipe: Wine's services would inherit it and keep it open for long.
    with tempfile.TemporaryFile() as output, exit_on_terminate() as terminated:
        process = _start(words, folder, output)
        try:
            code = exit_code(process, timeout_s, terminated)
        finally:
            end(process)
        if code is None and not terminated.is_set():
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
    """The variable that keeps Wine's messages out of the compiler's, unless the caller set it."""
    return {} if "WINEDEBUG" in os.environ else {"WINEDEBUG": "-all"}


def _decoded(data: bytes) -> str:
    """Decode text; if it is not UTF-8, it is probably Windows-1252."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
