"""Where something stands in an input, and the errors that point there.

Every instruction and IR value carries a `Where`, so a late stage can still name the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# C0 and C1 controls, DEL, separators of lines, marks that change the direction of text
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

_LONGEST = 2000  # characters of a message's line
_WINDOW = 200  # characters of a source line


def escaped(text: str, keep: str = "") -> str:
    """Text for a terminal: control characters as escapes, but for those of `keep`."""
    return _CONTROLS.sub(lambda match: _escape(match[0], keep), text)


def _escape(character: str, keep: str) -> str:
    return character if character in keep else repr(character)[1:-1]


def message_text(text: str) -> str:
    """A message for a terminal: control characters as escapes, and no line of great length."""
    return escaped("\n".join(map(_cut, text.split("\n"))), keep="\n\t")


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]}...{line[-_LONGEST // 2 :]}"


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a listing or in a container.

    Attributes
    ----------
    file : str or None
        The file, where it has a name.
    line : int or None
        The line of a listing, from 1.
    column : int or None
        The column of a listing, from 1.
    length : int
        How many characters the place covers.
    offset : int or None
        Of a container, in bytes.
    instruction : int or None
        Which instruction, from 0, declarations left out, as fxc's `-Ni` listing counts. None inside
        the declarations and outside the program.
    mnemonic : str or None
        The instruction's name.
    hlsl_file : str or None
        The file of the HLSL, where debug information has it.
    hlsl_line : int or None
        The line of the HLSL, likewise.
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


class TranslateError(Exception):
    """The shader, or what was asked of it, is at fault. Base of all errors of `translate`.

    Attributes
    ----------
    message : str
        What is wrong, without the place.
    where : Where
        The place in the input.
    source_line : str or None
        The listing's line that `where` points into, for the caret.
    """

    def __init__(self, message: str, where: Where = NOWHERE, source_line: str | None = None):
        super().__init__(message)
        self.message = message
        self.where = where
        self.source_line = source_line

    def __str__(self) -> str:
        return _with_place("error", self.message, self.where, self.source_line)


class DecodeError(TranslateError):
    """Malformed bytes of a container; `where` has the offset."""


class AssemblyError(TranslateError):
    """Malformed text of a listing; `where` has file, line, column and length."""


class ListingWarning(UserWarning):
    """A listing may not mean what was meant; strict reading makes an AssemblyError of it.

    Attributes
    ----------
    message : str
        What is doubtful, without the place.
    where : Where
        The first place that the warning is about.
    source_line : str or None
        The listing's line that `where` points into, for the caret.
    lines : tuple of int
        All lines, from 1, that the warning is about.
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
        """The same as an error.

        Returns
        -------
        AssemblyError
            With the same message, place and line.
        """
        return AssemblyError(self.message, self.where, self.source_line)


class UnsupportedError(TranslateError):
    """A valid shader uses something that is not translated; the message names it."""


class CompileError(TranslateError):
    """HLSL that its compiler refuses, or no compiler; `where` has file, line, column and length.

    Attributes
    ----------
    others : tuple of str
        The compiler's further messages, each with its place and line.
    refused : bool
        Whether the compiler found fault with the shader. False where there is no compiler, or it
        failed.
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
    """A fault of this project: the IR or the SPIR-V broke its own rules."""


class MissingToolsError(TranslateError):
    """SPIRV-Tools were asked for and not found; the shader is not at fault."""


def shown(text: str) -> str:
    """Text of an input for a message, shortened where it is long."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _with_place(kind: str, message: str, where: Where, source_line: str | None) -> str:
    """`file:line:column: kind: message`, with the source line and a caret where they are known."""
    text = message_text(message)
    head = f"{where}: {kind}: {text}" if where != NOWHERE else text
    caret = render_caret(where, source_line)
    return f"{head}\n{caret}" if caret else head


def render_caret(where: Where, source_line: str | None) -> str:
    """The source line with carets below the place, or '' when either is unknown.

    Of a long line it is the part around the place. Control characters, which a terminal would obey,
    are replaced one by one.
    """
    if source_line is None or where.line is None or where.column is None:
        return ""
    line, start = _window(source_line, where.column - 1)
    line = _CONTROLS.sub(lambda match: "\t" if match[0] == "\t" else "\ufffd", line)
    number = f"{where.line:4d} | "
    before = line[:start]
    pad = "".join("\t" if c == "\t" else " " for c in before)
    room = max(1, len(line) - len(before))
    carets = "^" * max(1, min(where.length, room))
    return f"{number}{line}\n{' ' * (len(number) - 2)}| {pad}{carets}"


def _window(line: str, start: int) -> tuple[str, int]:
    """The part of a line that is shown, and where `start` is in it."""
    if len(line) <= _WINDOW:
        return line, start
    first = max(0, min(start - _WINDOW // 4, len(line) - _WINDOW))
    part = line[first : first + _WINDOW]
    before = "..." if first else ""
    after = "..." if first + _WINDOW < len(line) else ""
    return before + part + after, start - first + len(before)
