"""Output: to standard output, or to files that are written whole or not at all."""

from __future__ import annotations

import errno
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import Any, cast

from translate.errors import escaped, message_text
from vkrunner import ArgumentError

STDOUT = "-"
TAB = "\t"


def write_text(text: str, target: str | None) -> None:
    """Print a text, or write it to a file."""
    write_all({target or STDOUT: text.encode()}, binary=False)


def write_lines(lines: Iterable[str]) -> None:
    """Print lines, with control characters as escape sequences."""
    write_text("".join(f"{escaped(line, keep=TAB)}\n" for line in lines), None)


def write_json(data: Any) -> None:
    """Print plain data as JSON."""
    write_text(json.dumps(data, indent=2) + "\n", None)


def write_message(text: str) -> None:
    """Print a message to standard error, with control characters as escape sequences."""
    print(message_text(text), file=sys.stderr, flush=True)


def write_all(contents: dict[str, bytes], *, binary: bool = True) -> None:
    """Write files together: they replace older ones only when all are complete.

    The target `-` is standard output; it accepts binary data only if it is not a terminal. Raises
    ArgumentError for that, and OSError with the target's name.
    """
    if binary and STDOUT in contents and sys.stdout.isatty():
        raise ArgumentError("binary data is not written to a terminal: name a file by -o")
    with ExitStack() as undo:
        files = {target: data for target, data in contents.items() if target != STDOUT}
        for temporary, final in [_prepare(t, data, undo) for t, data in files.items()]:
            _finish(temporary, final)
    if STDOUT in contents:
        _print(contents[STDOUT])


def plain(value: Any) -> Any:
    """A value for JSON: NaN and infinities, which JSON lacks, become text."""
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in cast("Sequence[Any]", value)]
    if isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def _prepare(target: str, data: bytes, undo: ExitStack) -> tuple[str, str]:
    """Write a temporary file beside the target. Returns it and its final name."""
    final = os.path.realpath(target)
    if os.path.isdir(final):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    special = os.path.exists(final) and not os.path.isfile(final)
    folder = _temporary_folder() if special else os.path.dirname(final)
    temporary = os.path.join(folder, f".{os.path.basename(final)}.{os.getpid()}")
    try:
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except OSError as error:
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist", target) from None
        raise OSError(error.errno, error.strerror, target) from None
    undo.callback(_remove, temporary)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    return temporary, final


def _temporary_folder() -> str:
    from tempfile import gettempdir  # rarely needed

    return gettempdir()


def _finish(temporary: str, final: str) -> None:
    if os.path.exists(final) and not os.path.isfile(final):
        from shutil import copyfile  # rarely needed

        copyfile(temporary, final)  # a pipe or a device is written, not replaced
    else:
        os.replace(temporary, final)


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
