"""Output: to standard output, or to files that are written whole or not at all."""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from io import RawIOBase
from typing import Any, BinaryIO, cast

from translate.errors import escaped, message_text, without_commands
from translate.files import errors_of, signals_held, temporary_name
from vkrunner import ArgumentError, DuplicateError

_NAMES = {"stdin": "standard input", "stdout": "standard output", "stderr": "standard error"}
STDOUT = "-"
# A backslash, a pair of surrogates, a lone one
_JSON_ESCAPE = re.compile(r"\\\\|\\u(d[89ab]..\\ud[c-f]..|d[89a-f]..)")
TAB = "\t"
_PERMISSIONS = 0o777  # without set-user-ID, set-group-ID and the sticky bit


class _Closed(io.TextIOBase):
    """A stream that raises OSError when it is used; Python's own None would crash the command."""

    def __init__(self, name: str):
        self._error = OSError(errno.EBADF, "it is closed", _NAMES[name])

    def write(self, _text: str, /) -> int:
        raise self._error

    @property
    def buffer(self) -> BinaryIO:
        raise self._error


def replace_closed_streams() -> None:
    """Replace closed standard streams. Text for a closed standard error is lost.

    Their file descriptors are opened on os.devnull. Otherwise the next opened file would get such a
    descriptor, and a driver that prints would write to that file.
    """
    for number, name in enumerate(_NAMES):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if name == "stderr":
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the end)
        else:
            setattr(sys, name, _Closed(name))


def write_text(text: str, target: str | None) -> None:
    """Print a text, or write it to a file."""
    place = STDOUT if target is None else target
    write_all({place: text.encode("utf-8", "backslashreplace")}, binary=False)


def write_lines(lines: Iterable[str]) -> None:
    """Print lines, with control characters as escape sequences."""
    write_text("".join(f"{escaped(line, keep=TAB)}\n" for line in lines), None)


def write_json(data: Any) -> None:
    """Print plain data as JSON.

    File names that are not UTF-8 have a backslash and `udcXX` for each other byte XX.
    """
    write_text(inert_json(json.dumps(data, indent=2)), None)


def inert_json(text: str) -> str:
    """A line of JSON, without lone surrogates and commands of GitHub's workflows."""
    return without_commands(_JSON_ESCAPE.sub(_json_escape, text)) + "\n"


def write_message(text: str) -> None:
    """Print a message to standard error, with control characters as escape sequences."""
    write_error(message_text(text))


def write_error(text: str) -> None:
    """Print a text to standard error.

    It is lost on a full disk, and where its reader is gone: results and exit codes do not depend
    on it.
    """
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        # Python would write it at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def write_all(contents: dict[str, bytes], *, binary: bool = True) -> None:
    """Write files together: they replace older ones only when all are complete.

    The target `-` is standard output; it accepts binary data only if it is not a terminal. Raises
    ArgumentError for that, and OSError with the target's name.
    """
    if "" in contents:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "")
    for target in contents:
        if not os.path.basename(target):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if binary and STDOUT in contents and sys.stdout.isatty():
        raise ArgumentError("binary data is not written to a terminal: name a file by -o")
    files = {target: data for target, data in contents.items() if target != STDOUT}
    places = {os.path.realpath(target): target for target in files}
    if len(places) < len(files):
        raise DuplicateError(f"{', '.join(files)} are one file: name two")
    hold = signals_held() if all(map(_is_file, places)) else nullcontext()  # a pipe may wait
    with hold, ExitStack() as undo:
        for finish in [_prepare(target, data, undo) for target, data in files.items()]:
            finish()
    if STDOUT in contents:
        _print(contents[STDOUT])


def output_folder(name: str) -> str:
    """The folder of an option. Raises FileNotFoundError for an empty name."""
    if not name:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return name


def report_file(name: str) -> str:
    """The file of an option for JUnit's XML. Raises ArgumentError for `-`."""
    if name == STDOUT:
        raise ArgumentError("--junit takes a file: standard output has the tests' outcomes")
    return name


def plain(value: Any) -> Any:
    """A value for JSON: NaN and infinities, which JSON lacks, become text."""
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in cast("Sequence[Any]", value)]
    if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def _json_escape(match: re.Match[str]) -> str:
    """A lone surrogate is no character: in JSON it becomes the text that is its escape."""
    is_lone = match[1] is not None and len(match[1]) == 4
    return "\\" + match[0] if is_lone else match[0]


def _prepare(target: str, data: bytes, undo: ExitStack) -> Callable[[], None]:
    """Write a temporary file beside the target. Returns the function that puts it in its place.

    A pipe or a device is opened instead, and written by that function.
    """
    try:
        if not _is_file(target):
            special = open(target, "wb", buffering=0)  # noqa: SIM115 (closed by `undo`)
            undo.callback(special.close)
            return partial(_write, special, data, target)
        return _prepare_file(os.path.realpath(target), data, undo)
    except OSError as error:
        folder = os.path.dirname(os.path.realpath(target))
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist", target) from None
        raise OSError(error.errno, error.strerror, target) from None


def _is_file(path: str) -> bool:
    """Whether a path is that of a file, or may become one."""
    return os.path.isfile(path) or not os.path.exists(path)


def _prepare_file(final: str, data: bytes, undo: ExitStack) -> Callable[[], None]:
    mode = _kept_mode(final)
    temporary = os.path.join(os.path.dirname(final), temporary_name())
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    descriptor = os.open(temporary, flags, 0o666 if mode is None else mode & 0o600)
    undo.callback(_remove, temporary)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        if mode is not None:  # others may have exchanged the name for a link
            os.chmod(descriptor if os.chmod in os.supports_fd else temporary, mode)
    return partial(_replace, temporary, final)


def _kept_mode(final: str) -> int | None:
    """The permissions of a file that this user has; None for a new file and another user's."""
    try:
        found = os.stat(final)
    except FileNotFoundError:
        return None
    is_own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return found.st_mode & _PERMISSIONS if is_own else None


def _replace(temporary: str, final: str) -> None:
    with errors_of(final):
        os.replace(temporary, final)


def _write(file: RawIOBase, data: bytes, target: str) -> None:
    left = memoryview(data)
    with errors_of(target):
        while left:
            left = left[file.write(left) :]


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.remove(path)


def _print(data: bytes) -> None:
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(data)
    else:  # a text stream in place of standard output
        sys.stdout.write(data.decode())
    sys.stdout.flush()
