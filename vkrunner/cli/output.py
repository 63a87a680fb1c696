"""Output: to standard output, to files that are written whole or not at all, and to a terminal.

A terminal shows colours, unless NO_COLOR is set, pictures with two pixels in each character, and a
line of progress, so that long work is seen to go on: compiling, reading, running, writing.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from io import RawIOBase
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from translate.errors import escaped, message_text, without_commands
from translate.files import PROCESSES, errors_of, real_path, signals_held, temporary_name
from vkrunner import ArgumentError, DuplicateError, VulkanError

if TYPE_CHECKING:
    from vkrunner import Device
    from vkrunner.values.numbers import Array

_NAMES = {"stdin": "standard input", "stdout": "standard output", "stderr": "standard error"}
STDOUT = "-"
# A backslash, a pair of surrogates, a lone one
_JSON_ESCAPE = re.compile(r"\\\\|\\u(d[89ab]..\\ud[c-f]..|d[89a-f]..)")
TAB = "\t"
_ACCESS_LIST = "system.posix_acl_access"  # the group's bits are those of its mask (acl(5))
_PERMISSIONS = 0o777  # without set-user-ID, set-group-ID and the sticky bit
_RESET = "\x1b[0m"
_RED, _GREEN, _YELLOW, _BOLD = (f"\x1b[{code}m" for code in (31, 32, 33, 1))
_STATUS = {"FAILED": _RED, "ERROR": _RED, "PASSED": _GREEN, "SKIPPED": _YELLOW}
_PLACE = re.compile(r"^([^\n]*?): (error|warning): ")
_CARET = re.compile(r"^( *\| *)(\^+)$")
_HALF = "\u2580"  # the upper half of a character is in the text's colour
_MOST_LINES = 24
_XML_BYTES = 64  # enough to recognise it
_BEFORE_XML = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"  # byte order marks and blanks
Say = Callable[[str], None]
_SHOWN_AFTER_S = 1.0
_TOLD_AFTER_S = 60.0
_LOOK_EVERY_S = 0.2
_COMPILING = "the driver compiles a pipeline"
_TOLD = "sm5vk: the driver has compiled for {:.0f} s so far: docs/troubleshooting.md has causes"


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
        print(f"{text}\n", end="", file=sys.stderr, flush=True)  # at once, beside other processes
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
    """The file of an option for JUnit's XML.

    Raises ArgumentError for `-`, and for a file that is no XML, such as a test or what it reads.
    """
    if name == STDOUT:
        raise ArgumentError("--junit takes a file: standard output has the tests' outcomes")
    with suppress(OSError):
        if os.path.isfile(name):
            with open(name, "rb") as file:
                start = file.read(_XML_BYTES).lstrip(_BEFORE_XML)
            if start and not start.startswith(b"<"):
                raise ArgumentError(f"--junit would replace {escaped(name)}, which is no XML")
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
    with errors_of(target):
        final = real_path(target)
    try:
        if not _is_file(final):
            return partial(_write, _open_special(final, undo), data, target)
        return _prepare_file(final, data, undo)
    except OSError as error:
        if not os.path.isdir(os.path.dirname(final) or os.curdir):
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist", target) from None
        raise OSError(error.errno, error.strerror, target) from None


def _open_special(path: str, undo: ExitStack) -> RawIOBase:
    """A pipe or a device, open. Raises OSError for a link or file that has taken its name.

    With O_CREAT, Linux refuses other users' pipes as it does their links (protected_fifos).
    """
    is_open = path.startswith(PROCESSES)  # and may have no other name
    flags = os.O_WRONLY | os.O_CREAT | (0 if is_open else getattr(os, "O_NOFOLLOW", 0))
    descriptor = os.open(path, flags, 0o666)
    special = open(descriptor, "wb", buffering=0)  # noqa: SIM115 (closed by `undo`)
    undo.callback(special.close)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EAGAIN, "it changes while it is opened")
    return special


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
    """The permissions of a file that this user has; None for a new file and another user's.

    Also for a link, which came after those that lead to `final` were followed.
    """
    try:
        found = os.lstat(final)
    except FileNotFoundError:
        return None
    is_own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if not is_own or not stat.S_ISREG(found.st_mode):
        return None
    has_list = hasattr(os, "listxattr") and _ACCESS_LIST in _attributes(final)
    return found.st_mode & (_PERMISSIONS & ~stat.S_IRWXG if has_list else _PERMISSIONS)


def _attributes(path: str) -> Sequence[str]:
    with suppress(OSError):  # of file systems without any
        return os.listxattr(path)
    return ()


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


def has_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours (https://no-color.org)."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def coloured(text: str) -> str:
    """A test's outcome as coloured text: its status, `error:` and the caret stand out."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    status, space, rest = line.partition(" ")
    if status in _STATUS:
        return f"{_STATUS[status]}{status}{_RESET}{space}{rest}"
    if place := _PLACE.match(line):
        kind = _RED if place[2] == "error" else _YELLOW
        shown = f"{_BOLD}{place[1]}:{_RESET} {kind}{place[2]}:{_RESET} "
        return shown + line[place.end() :]
    return _CARET.sub(rf"\1{_GREEN}\2{_RESET}", line)


def shows_pictures() -> bool:
    """Whether standard output is a terminal with colours and Unicode."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return has_colour(sys.stdout) and encoding == "utf8"


def picture_text(texels: Array) -> str:
    """A picture, u8[height, width, 3], in lines of coloured characters, as large as fits."""
    import shutil  # pictures on a terminal only

    from vkrunner.values.pictures import fitted

    columns, lines = shutil.get_terminal_size()
    shown = fitted(texels, columns, 2 * min(max(lines - 4, 1), _MOST_LINES)).tolist()
    rows = (
        _row(upper, lower) for upper, lower in zip(shown[::2], [*shown[1::2], []], strict=False)
    )
    return "".join(rows)


def _row(upper: list[list[int]], lower: list[list[int]]) -> str:
    """A line of the upper and the lower row of pixels; the last row has none below it."""
    cells = [_colour(38, pixel) for pixel in upper]
    below = [_colour(48, pixel) for pixel in lower] or [""] * len(cells)
    return "".join(f"{a}{b}{_HALF}" for a, b in zip(cells, below, strict=True)) + f"{_RESET}\n"


def _colour(ground: int, pixel: list[int]) -> str:
    """The escape sequence for a colour; of terminals with 256 colours, the nearest of its cube."""
    red, green, blue = pixel
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return f"\x1b[{ground};2;{red};{green};{blue}m"
    r, g, b = (max(0, (value - 35) // 40) for value in pixel)  # levels 0, 95, 135, 175, 215, 255
    return f"\x1b[{ground};5;{16 + 36 * r + 6 * g + b}m"


@contextmanager
def show_work(device: Device) -> Generator[Say]:
    """Within the `with`, show the current work on standard error if it takes over a second.

    The yielded function sets the text; "" means none. While the device's driver compiles, the line
    says so. The line is erased for the next text, and at the end. If standard error is not a
    terminal, only a driver that compiles for a minute is told, once.
    """
    line, ended, is_terminal = _Line(device), Event(), sys.stderr.isatty()
    watch = line.watch if is_terminal else line.watch_compiler
    thread = Thread(target=watch, args=(ended,), daemon=True)
    thread.start()
    try:
        yield line.say if is_terminal else _nothing
    finally:
        ended.set()
        thread.join()


def clear_line() -> None:
    """Erase the cursor's line on standard error, which is a terminal."""
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_line(text: str) -> None:
    """Replace the cursor's line by a text."""
    print(f"\r\x1b[K{escaped(text)[:79]}", end="", file=sys.stderr, flush=True)


def _nothing(text: str) -> None:
    """Show no text."""


class _Line:
    """The line of `show_work`: its text, the time since it was set, and whether it is shown."""

    def __init__(self, device: Device):
        self._device = device
        self._lock = Lock()
        self._said = self._text = ""
        self._begun = time.monotonic()
        self._is_shown = False

    def say(self, text: str) -> None:
        with self._lock:
            self._said = text
            self._change(text)

    def watch(self, ended: Event) -> None:
        while not ended.wait(_LOOK_EVERY_S):
            with self._lock:
                seconds = self._look()
                if seconds >= _SHOWN_AFTER_S:
                    show_line(f"{self._text}: {seconds:.0f} s")
                    self._is_shown = True
        with self._lock:
            self._change("")

    def watch_compiler(self, ended: Event) -> None:
        while not ended.wait(_LOOK_EVERY_S):
            if self._look() >= _TOLD_AFTER_S:
                write_message(_TOLD.format(_TOLD_AFTER_S))
                return

    def _look(self) -> float:
        """The seconds since the text, which may be of the driver, was set; 0 without a text."""
        text = self._said
        with suppress(VulkanError):  # the work that fails tells
            text = _COMPILING if self._device.is_compiling else text
        if text != self._text:
            self._change(text)
        return time.monotonic() - self._begun if text else 0.0

    def _change(self, text: str) -> None:
        if self._is_shown:
            clear_line()
        self._text, self._begun, self._is_shown = text, time.monotonic(), False
