"""Tokens and constants of the IR's text, and errors that point at them.

Constants are `7`, `0x10000`, `-0.5f`, `1.0d`, `true`, and `f32:0x7fc00001` by bits.
"""

from __future__ import annotations

import math
import re
import struct

from translate.dataclass import dataclass
from translate.errors import AssemblyError, Where, shown
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Value

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+|;.*)
    |(?P<float>-?(?:inf|\d+(?:\.\d+)?(?:e[+-]?\d+)?)[fd]\b)
    |(?P<number>-?0x[0-9a-f]+\b|-?\d+\b)
    |(?P<value>%\d+)
    |(?P<place>@\d+)
    |(?P<string>"(?:[^"\\]|\\.)*+")
    |(?P<word>[A-Za-z_][\w.$]*)
    |(?P<sign>->|[{}()\[\],:=])
    """,
    re.VERBOSE,
)
_END = "end of line"
_NUMBERS = ("float", "number", "value", "place")
_MOST_DIGITS = 400  # no float needs more
_DIGITS = re.compile(r"\d++")
_FLOATS = {F32: ("<f", "<I", "f"), F64: ("<d", "<Q", "d")}
_TYPES = {type_.text: type_ for type_ in Type}
_DECIMAL = 65536  # integers below it are written as decimals


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the text; `kind` is its group in `_TOKEN`, or "end" at the end of a line."""

    kind: str
    text: str
    line: int
    column: int


def integer(token: Token) -> int:
    """The integer that a token of the kind "number" spells."""
    return int(token.text, 16 if "x" in token.text else 10)


def _digits(kind: str, text: str) -> int:
    """The length of a number, or of the longest one within a word, as in r1.x."""
    if kind in _NUMBERS:
        return len(text)
    numbers = _DIGITS.findall(text) if kind == "word" and len(text) > _MOST_DIGITS else []
    return max(map(len, numbers), default=0)


class Reader:
    """A cursor over the tokens of a text; lines end with a token of their own.

    The lines that begin with @ are the table of places. They stand last, but are read first.
    """

    def __init__(self, text: str, file: str | None = None):
        self.file = file
        self.lines = text.split("\n")
        self.tokens: list[Token] = []
        self.position = 0
        numbered = [*enumerate(self.lines, 1)]
        for number, line in sorted(numbered, key=lambda pair: not pair[1].startswith("@")):
            self._scan(number, line)
        self.tokens.append(Token("end", "end of text", max(len(self.lines), 1), 1))

    def _scan(self, number: int, line: str) -> None:
        column, first = 0, len(self.tokens)
        while column < len(line):
            match = _TOKEN.match(line, column)
            if match is None:
                token = Token("", line[column], number, column + 1)
                raise self.fault(f"{shown(token.text)} begins nothing", token)
            kind = match.lastgroup or ""
            digits = _digits(kind, match[0])
            if digits > _MOST_DIGITS:
                token = Token(kind, match[0], number, column + 1)
                raise self.fault(f"a number of {digits} digits", token)
            if kind != "space":
                self.tokens.append(Token(kind, match[0], number, column + 1))
            column = match.end()
        if len(self.tokens) > first:
            self.tokens.append(Token("end", _END, number, len(line) + 1))

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    @property
    def at_end(self) -> bool:
        return self.position == len(self.tokens) - 1

    def take(self) -> Token:
        token = self.next
        self.position += not self.at_end
        return token

    def accept(self, text: str) -> bool:
        """Take the word or sign `text` if it is next; return whether it was."""
        found = self.next.kind in ("word", "sign") and self.next.text == text
        if found:
            self.take()
        return found

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.expected(repr(text))

    def of_kind(self, kind: str, name: str) -> Token:
        """Take a token of this kind; an error for another one says that `name` was expected."""
        if self.next.kind != kind:
            raise self.expected(name)
        return self.take()

    def word(self, name: str = "a word") -> str:
        return self.of_kind("word", name).text

    def number(self) -> int:
        return integer(self.of_kind("number", "a number"))

    def end_line(self) -> None:
        if self.next.kind != "end":
            raise self.expected("the end of the line")
        self.take()

    def expected(self, name: str) -> AssemblyError:
        return self.fault(f"expected {name}, found {self.next.text}", self.next)

    def fault(self, message: str, token: Token) -> AssemblyError:
        """An error at a token."""
        length = len(token.text) if token.kind != "end" else 1
        where = Where(self.file, token.line, token.column, length)
        return AssemblyError(message, where, self.lines[token.line - 1])


def constant_text(value: Value) -> str:
    """The text of a constant: floats in the fewest digits that identify them, NaNs as bits."""
    bits: object = value.data
    if not isinstance(bits, int) or not 0 <= bits < 1 << max(value.type.bits, 1):
        return f"{value.type.text}:{bits!r}"  # it is wrong, and shown in an error
    if value.type is BOOL:
        return "true" if bits else "false"
    if value.type is U32:
        return str(bits) if bits < _DECIMAL else hex(bits)
    if value.type in _FLOATS:
        form, of_bits, suffix = _FLOATS[value.type]
        number: float = struct.unpack(form, struct.pack(of_bits, bits))[0]
        if not math.isnan(number):
            return f"{number!r}{suffix}"
    return f"{value.type.text}:{bits:#x}"


def starts_constant(reader: Reader) -> bool:
    """Whether the next token begins a constant."""
    token = reader.next
    if token.kind == "word":
        return token.text in ("true", "false") or token.text in _TYPES
    return token.kind in ("number", "float")


def read_constant(reader: Reader) -> tuple[Type, int]:
    """Read a constant: its type and its bits."""
    token = reader.take()
    if token.kind == "float":
        return _float(reader, token)
    if token.text in ("true", "false"):
        return BOOL, int(token.text == "true")
    type_, digits = U32, token
    if token.kind == "word":
        reader.expect(":")
        type_, digits = _TYPES[token.text], reader.of_kind("number", "the bits of a constant")
    bits, limit = integer(digits), 1 << max(type_.bits, 1)
    if not 0 <= bits < limit:
        raise reader.fault(f"{digits.text} is no {type_.text}", digits)
    return type_, bits


def _float(reader: Reader, token: Token) -> tuple[Type, int]:
    type_ = F32 if token.text[-1] == "f" else F64
    form, of_bits, _ = _FLOATS[type_]
    try:
        packed = struct.pack(form, float(token.text[:-1]))
    except OverflowError:
        raise reader.fault(f"{token.text} is too large for {type_.text}", token) from None
    return type_, struct.unpack(of_bits, packed)[0]
