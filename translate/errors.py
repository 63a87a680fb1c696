"""The errors, and the places in the input (`Where`) that they point to.

Every instruction and IR value carries a `Where`, so that a late stage can still name the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from translate.dataclass import dataclass

# C0 and C1 controls, DEL, line separators, marks that change the direction of text, and surrogates,
# which stand for bytes of file names that are not UTF-8
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
# GitHub takes a line of a log for a command if it begins with `::`, or has `##[` in it; Azure's
# pipelines if it has `##vso[`, TeamCity `##teamcity[`
HASH_OF_COMMAND = re.compile(r"#(?=#\w*+\[)")
_COMMAND = re.compile(rf"^([^\S\n]*):(?=:)|{HASH_OF_COMMAND.pattern}", re.MULTILINE)

_SIMILAR = 0.65  # of difflib's ratio, for suggestions
_LONGEST_NAME, _MOST_NAMES = 100, 1000  # that are compared for suggestions
_LONGEST = 2000  # characters; longer lines of a message are cut
_WINDOW = 200  # characters; of a longer source line, the part around the place is shown

_K = TypeVar("_K")
_V = TypeVar("_V")


def row_of(rows: Mapping[_K, _V], key: _K, place: str) -> _V:
    """The row of a key in a table that needs one for every key; `place` is its name and file."""
    try:
        return rows[key]
    except KeyError:
        raise LookupError(f"{key} has no row in {place}") from None


def escaped(text: str, keep: str = "") -> str:
    """Make text safe for a terminal and a log.

    Control characters, except those in `keep`, and the characters that begin a command of GitHub
    and of other systems for CI are escaped.
    """
    shown = _CONTROLS.sub(lambda match: _escape(match[0], keep), text)
    return _COMMAND.sub(lambda m: r"\x23" if m[1] is None else rf"{m[1]}\x3a", shown)


def listed(names: Iterable[str]) -> str:
    """Names that an input may have chosen, safe within a line of a message."""
    return ", ".join(map(escaped, names))


def without_commands(json_text: str) -> str:
    """Escape the characters in JSON that begin a command of CI anywhere in a line."""
    return HASH_OF_COMMAND.sub(r"\\u0023", json_text)


def _escape(character: str, keep: str) -> str:
    return character if character in keep else repr(character)[1:-1]


def did_you_mean(word: str, names: Iterable[str], show: Callable[[str], str] = str) -> str:
    """`; did you mean saxpy?` with the most similar name, or "" if none is similar enough.

    A name that differs only in case comes first. `show` makes the shown text of a name.
    """
    from difflib import get_close_matches  # only errors need it

    known = [*names]
    close = [name for name in known if name.lower() == word.lower()]
    if not close and len(word) <= _LONGEST_NAME:  # of longer ones it may take minutes
        short = [name for name in known if len(name) <= _LONGEST_NAME][:_MOST_NAMES]
        close = get_close_matches(word, short, n=1, cutoff=_SIMILAR)
    return f"; did you mean {escaped(show(close[0]))}?" if close else ""


def file_name(path: str) -> str:
    """The name of an HLSL file without its folders, which may be those of any system."""
    return path.replace("\\", "/").rpartition("/")[2]


def hlsl_place(path: str | None, line: int) -> str:
    """A place in HLSL, safe for a terminal: `blur.hlsl:12`."""
    return escaped(f"{file_name(path or '')}:{line}")


def message_text(text: str) -> str:
    """Make a message safe for a terminal: escape control characters and cut very long lines."""
    return escaped("\n".join(map(_cut, text.split("\n"))), keep="\n\t")


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]}...{line[-_LONGEST // 2 :]}"


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a listing, a container or HLSL.

    Attributes
    ----------
    file : str or None
        The file name; None for text or bytes without one.
    line : int or None
        The line of a listing, from 1.
    column : int or None
        The column of a listing, from 1.
    length : int
        The number of characters at that place.
    offset : int or None
        The byte offset in a container.
    instruction : int or None
        The number of the instruction, from 0, as in fxc's `-Ni` listing: declarations do not count.
        None for a declaration, or outside the program.
    mnemonic : str or None
        The name of the instruction.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    length: int = 1
    offset: int | None = None
    instruction: int | None = None
    mnemonic: str | None = None
    hlsl_file: str | None = None
    hlsl_line: int | None = None

    def __str__(self) -> str:
        parts = [
            escaped(self.file or "") or ("<listing>" if self.line is not None else "<container>")
        ]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        text = ":".join(parts)
        if self.offset is not None:
            text += f" at byte {self.offset:#x}"
        if self.line is None and self.instruction is not None:
            text += f" (instruction {self.instruction})"
        return text


NOWHERE = Where()


class SourcePlace(Protocol):
    """Something with the place of an instruction in the sources."""

    @property
    def instruction(self) -> int | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def hlsl_file(self) -> str | None: ...
    @property
    def hlsl_line(self) -> int | None: ...


def place_text(instruction: int | None, line: int | None) -> str:
    """The place of an instruction: its number, after the listing's line if that is known."""
    place = f"instruction {instruction}"
    return place if line is None else f"line {line} ({place})"


def hlsl_place_text(place: SourcePlace) -> str:
    """`file:line` of the HLSL, "" without debug information."""
    return "" if place.hlsl_line is None else hlsl_place(place.hlsl_file, place.hlsl_line)


def located_text(place: SourcePlace) -> str:
    """The place of an instruction, after that in the HLSL if it is known."""
    where, hlsl = place_text(place.instruction, place.line), hlsl_place_text(place)
    return f"{hlsl}, {where}" if hlsl else where


class TranslateError(Exception):
    """The base class of all errors of `translate`: the shader or an argument is at fault.

    Attributes
    ----------
    message : str
        The problem, without its place.
    where : Where
        The place in the input.
    source_line : str or None
        The line of the listing at `where`, printed above the caret.
    """

    def __init__(self, message: str, where: Where = NOWHERE, source_line: str | None = None):
        super().__init__(message)
        self.message = message
        self.where = where
        self.source_line = source_line

    def __str__(self) -> str:
        return _with_place("error", self.message, self.where, self.source_line)


class OptionError(TranslateError):
    """An option or another argument is no valid value, or does not fit the shader."""


class ProgramError(TranslateError):
    """A program breaks a rule of D3D; `where` has the instruction."""


class DecodeError(TranslateError):
    """A container is malformed; `where` has the byte offset."""


class AssemblyError(TranslateError):
    """A listing is malformed; `where` has file, line, column and length."""


class ListingWarning(UserWarning):
    """A listing may mean something else than its author intended.

    With `strict`, it becomes an AssemblyError.

    Attributes
    ----------
    message : str
        The problem, without its place.
    where : Where
        The first affected place.
    source_line : str or None
        The line of the listing at `where`, printed above the caret.
    lines : tuple of int
        All affected lines, from 1.
    """

    def __init__(
        self,
        message: str,
        where: Where = NOWHERE,
        source_line: str | None = None,
        lines: tuple[int, ...] = (),
    ):
        super().__init__(message)
        self.message = message
        self.where = where
        self.source_line = source_line
        self.lines = lines

    def __str__(self) -> str:
        return _with_place("warning", self.message, self.where, self.source_line)

    def error(self) -> AssemblyError:
        """The equivalent error, which strict reading raises.

        Returns
        -------
        AssemblyError
            An error with the same message, place and line.
        """
        return AssemblyError(self.message, self.where, self.source_line)


class UnsupportedError(TranslateError):
    """A valid shader uses a feature that is not translated; the message names the feature."""


class CompileError(TranslateError):
    """The HLSL compiler failed or was not found; `where` has file, line, column and length.

    Attributes
    ----------
    others : tuple of str
        The compiler's further messages, each with its place and source line.
    refused : bool
        True if the compiler reported an error in the shader; False if no compiler was found, or if
        the compiler itself failed.
    """

    def __init__(
        self,
        message: str,
        where: Where = NOWHERE,
        source_line: str | None = None,
        others: tuple[str, ...] = (),
        refused: bool = False,
    ):
        super().__init__(message, where, source_line)
        self.others = others
        self.refused = refused

    def __str__(self) -> str:
        return "\n".join((super().__str__(), *self.others))


class VerifyError(TranslateError):
    """The IR or the SPIR-V is invalid. This is a bug of sm5vk, not of the shader."""


class MissingToolsError(TranslateError):
    """SPIRV-Tools are required but not installed."""


def shown(text: str) -> str:
    """Quote a piece of the input for a message, shortened to 40 characters."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _with_place(kind: str, message: str, where: Where, source_line: str | None) -> str:
    """`file:line:column: kind: message`, then the source line and a caret if both are known."""
    text = message_text(message)
    head = f"{where}: {kind}: {text}" if where != NOWHERE else text
    caret = render_caret(where, source_line)
    return f"{head}\n{caret}" if caret else head


def render_caret(where: Where, source_line: str | None) -> str:
    """The source line with carets below the place; '' if either is unknown.

    A long line is cut to the part around the place. Control characters, which would affect the
    terminal, are each replaced by one character.
    """
    if source_line is None or where.line is None or where.column is None:
        return ""
    line, start = _window(source_line, where.column - 1)
    line = _CONTROLS.sub(lambda match: "\t" if match[0] == "\t" else "\ufffd", line)
    line = HASH_OF_COMMAND.sub("\ufffd", line)
    number = f"{where.line:4d} | "
    before = line[:start]
    pad = "".join("\t" if c == "\t" else " " for c in before)
    room = max(1, len(line) - len(before))
    carets = "^" * max(1, min(where.length, room))
    return f"{number}{line}\n{' ' * (len(number) - 2)}| {pad}{carets}"


def _window(line: str, start: int) -> tuple[str, int]:
    """The part of a line to show, and the position of `start` in that part."""
    if len(line) <= _WINDOW:
        return line, start
    first = max(0, min(start - _WINDOW // 4, len(line) - _WINDOW))
    part = line[first : first + _WINDOW]
    before = "..." if first else ""
    after = "..." if first + _WINDOW < len(line) else ""
    return before + part + after, start - first + len(before)
