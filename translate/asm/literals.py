r"""Immediate values and format strings: from bits to text in fxc's form, and from text to bits.

An immediate's bits have no type. Microsoft's disassembler prints a float or an integer depending on
the instruction; if the instruction only moves bits, depending on the value. When text is read, the
spelling alone decides: with a point, an exponent or a name (such as inf) it is a float, otherwise
an integer. Source: listings of fxc 10.1 (d3dcompiler_47); the C runtime's `%f`.

`%f` rounds floats to six digits after the point. `Literals.EXACT` prints as many digits as the bits
need; it prints bits in hexadecimal where a float is expected but the bits are a denormal, which is
rather an integer, or a NaN other than the indefinite one.

fxc does not escape quotation marks, so a string ends at the last one of its line. Bytes that cannot
be printed, for which fxc prints a point, are printed and read as `\xNN`.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from enum import Enum

from translate.asm.lines import Fault
from translate.errors import HASH_OF_COMMAND, shown
from translate.isa.instruction import Instruction, Role, Scalar

_U32 = struct.Struct("<I")
_F32 = struct.Struct("<f")
_F64 = struct.Struct("<d")
_F64_WORDS = struct.Struct("<2I")

_LARGEST_DECIMAL = 10000  # integers of larger magnitude are printed in hexadecimal
_SIGN = 0x80000000
_EXPONENT = 0x7F800000
_EXPONENT_64 = 0x7FF00000  # in the high dword of a double
_INFINITY = _EXPONENT
_INDEFINITE = 0xFFC00000  # the NaN that x86 returns for an invalid operation

_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<hex>0[xX][0-9A-Fa-f]+)|(?P<integer>\d+)"
    r"|(?P<float>(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)[fF]?"
    r"|1\.\#(?P<named>INF|IND|QNAN|SNAN)0*|(?P<word>inf(?:inity)?|nan)(?:\((?:ind|snan)\))?)"
)
_DECIMAL = re.compile(r"-?\d{1,320}\.\d{1,9}")  # the longest output of `%f` has 317 digits
_BITS_OF_NANS = ("1.#QNAN", "1.#SNAN")
_MAX_INTEGER_DIGITS = 10
_MANY = 5  # digits from which on a number that ends in 0 may be a rounded one
_MAX_HEX_DIGITS = 8
_FLOAT_DIGITS = (6, 7, 8, 9)  # each number of 6 digits has a float of its own; 9 suffice for all
_LONG_INTEGER = 1e10  # below, integers are printed with all digits: 4294967296.0
_MAX_FLOAT_LENGTH = 400  # longer than any output of `%f`; the time to convert grows with it
_NAMED = {"b": 8, "t": 9, "n": 10, "r": 13, "\\": 92}
_ESCAPED = {code: f"\\{letter}" for letter, code in _NAMED.items()}
_PRINTABLE = range(0x20, 0x7F)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|(.)|$)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_QUOTE = '"'


class Literals(Enum):
    """How immediates are printed: rounded as by fxc, exact, or as bits (fxc's option `/Lx`)."""

    FXC = "fxc"
    EXACT = "exact"
    HEXADECIMAL = "hexadecimal"


class LiteralError(ValueError):
    """The text is not a number, or the number has no 32-bit form."""


def format_integer(bits: int) -> str:
    """Print integers near 0 as signed decimals, others as hexadecimal bits."""
    signed = bits - 2 * (bits & _SIGN)
    return str(signed) if -_LARGEST_DECIMAL <= signed <= _LARGEST_DECIMAL else format_bits(bits)


def format_bits(bits: int) -> str:
    """Print all 32 bits in hexadecimal, as fxc does with `/Lx`."""
    return f"0x{bits:08x}"


def format_float(bits: int) -> str:
    """Print as `%f`; infinities and NaNs have the names of Microsoft's C runtime."""
    if bits & _EXPONENT == _EXPONENT:
        return _format_special(bits >> 31, bits & 0x7FFFFF, 0x400000, quiet_only=True)
    return f"{_F32.unpack(_U32.pack(bits))[0]:.6f}"


def format_untyped(bits: int) -> str:
    """Print bits of unknown type: a normal float or -0 as a float, others as an integer."""
    exponent = bits & _EXPONENT
    if exponent == _EXPONENT or (exponent == 0 and bits != _SIGN):
        return format_integer(bits)
    return format_float(bits)


def format_double(low: int, high: int) -> str:
    """Print the double in two dwords as `%f`, with `l` at the end."""
    if high & _EXPONENT_64 == _EXPONENT_64:
        mantissa = (high & 0xFFFFF) << 32 | low
        return _format_special(high >> 31, mantissa, 1 << 51, quiet_only=False) + "l"
    return f"{_F64.unpack(_F64_WORDS.pack(low, high))[0]:.6f}l"


def format_exact_float(bits: int) -> str:
    """Print a float such that `parse_dword` returns its bits."""
    exponent, mantissa = bits & _EXPONENT, bits & 0x7FFFFF
    if exponent == _EXPONENT and (mantissa == 0 or bits == _INDEFINITE):
        return format_float(bits)
    if exponent == _EXPONENT or (exponent == 0 and mantissa):
        return format_bits(bits)
    value: float = _F32.unpack(_U32.pack(bits))[0]
    if value.is_integer() and abs(value) < _LONG_INTEGER:
        return repr(value)
    texts = (repr(float(f"{value:.{digits}g}")) for digits in _FLOAT_DIGITS)
    return _without_doubt(next(t for t in texts if _float_bits(t, t) == bits), Scalar.F32)


def format_exact_untyped(bits: int) -> str:
    """Print bits of unknown type like `format_untyped`, but floats exactly."""
    text = format_untyped(bits)
    return format_exact_float(bits) if "." in text else text


def format_doubles(dwords: tuple[int, ...], literals: Literals) -> str:
    """Print one double or two; exact denormals and NaNs as the dwords of all."""
    pairs = [*zip(dwords[::2], dwords[1::2], strict=True)]
    form = format_double
    if literals is not Literals.FXC:
        form = _format_exact_double
        if literals is Literals.HEXADECIMAL or any(_needs_bits(*pair) for pair in pairs):
            return ", ".join(map(format_bits, dwords))
    return ", ".join(form(low, high) for low, high in pairs)


def _needs_bits(low: int, high: int) -> bool:
    """Whether a double is a denormal or a NaN."""
    mantissa = (high & 0xFFFFF) << 32 | low
    return mantissa != 0 and high & _EXPONENT_64 in (0, _EXPONENT_64)


def _format_exact_double(low: int, high: int) -> str:
    if high & _EXPONENT_64 == _EXPONENT_64:
        return format_double(low, high)
    value: float = _F64.unpack(_F64_WORDS.pack(low, high))[0]
    return _without_doubt(repr(value), Scalar.F64) + "l"


def _without_doubt(text: str, kind: Scalar) -> str:
    """Exact text with one more digit if it looks like a number that fxc has rounded."""
    return f"{text}0" if is_rounded(text, kind) else text


def _format_special(negative: int, mantissa: int, quiet: int, *, quiet_only: bool) -> str:
    """Print an infinity or a NaN.

    `quiet_only` (for floats) prints a signalling NaN as a quiet one: `%f` takes a double, and the
    conversion makes the NaN quiet.
    """
    sign = "-" if negative else ""
    if mantissa == 0:
        return f"{sign}1.#INF00"
    if negative and mantissa == quiet:
        return "-1.#IND00"
    return f"{sign}1.#QNAN0" if quiet_only or mantissa & quiet else f"{sign}1.#SNAN0"


def parse_dword(text: str) -> int:
    """The 32 bits of a literal. Raises LiteralError."""
    match = _match(text)
    if match["hex"] or match["integer"]:
        return _integer(match, text)
    if match["float"]:
        return _float_bits(match["sign"] + match["float"], text)
    return _special_bits(match)


def parse_integer(text: str) -> int:
    """The 32 bits of an integer. Raises LiteralError."""
    match = _match(text)
    if match["hex"] or match["integer"]:
        return _integer(match, text)
    raise LiteralError(f"{shown(text)} is not an integer")


def parse_double(text: str) -> tuple[int, int]:
    """The two dwords of a double, low one first; a final `l` is ignored."""
    match = _match(text.removesuffix("l").removesuffix("L"))
    if match["named"] or match["word"]:
        bits = _special_bits(match)
        mantissa = 0 if bits & 0x7FFFFF == 0 else (bits & 0x7FFFFF) << 29
        if (match["named"] or "") == "SNAN":
            mantissa = 1
        whole = (bits >> 31) << 63 | 0x7FF << 52 | mantissa
        return whole & 0xFFFFFFFF, whole >> 32
    number = match["hex"] or match["integer"] or match["float"]
    if match["hex"] or len(number) > _MAX_FLOAT_LENGTH:
        raise LiteralError(f"{text!r} is not a double")
    value = float(match["sign"] + number)
    if math.isinf(value):
        raise LiteralError(f"{shown(text)} is out of a double's range")
    low, high = _F64_WORDS.unpack(_F64.pack(value))
    return low, high


def _match(text: str) -> re.Match[str]:
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise LiteralError(f"{shown(text)} is not a number")
    return match


def _integer(match: re.Match[str], text: str) -> int:
    digits = (match["hex"] or match["integer"]).lower().removeprefix("0x").lstrip("0") or "0"
    if len(digits) > (_MAX_HEX_DIGITS if match["hex"] else _MAX_INTEGER_DIGITS):
        raise LiteralError(f"{shown(text)} does not fit into 32 bits")
    value = int(digits, 16 if match["hex"] else 10)
    value = -value if match["sign"] == "-" else value
    if not -_SIGN <= value <= 0xFFFFFFFF:
        raise LiteralError(f"{shown(text)} does not fit into 32 bits")
    return value & 0xFFFFFFFF


def _special_bits(match: re.Match[str]) -> int:
    """The bits of an infinity or a NaN.

    fxc does not print the payload of a NaN; only the indefinite NaN has a name of its own.
    """
    name = (match["named"] or match["word"]).upper()
    sign = _SIGN if match["sign"] == "-" else 0
    if name.startswith("INF"):
        return sign | _INFINITY
    if name == "IND":
        return _INDEFINITE
    if name == "SNAN":
        return sign | _EXPONENT | 1
    # -1.#QNAN is not the indefinite NaN, which has its own name. Its most common bits are all ones.
    return 0xFFFFFFFF if sign and name == "QNAN" else sign | 0x7FC00000


def _float_bits(number: str, text: str) -> int:
    """The nearest float, rounded once, ties to even."""
    if len(number) > _MAX_FLOAT_LENGTH:
        raise LiteralError(f"{shown(text)} is too long")
    value = float(number)
    try:
        bits: int = _U32.unpack(_F32.pack(value))[0]
    except OverflowError:
        raise LiteralError(f"{shown(text)} is out of a float's range") from None
    if math.isinf(value):
        raise LiteralError(f"{shown(text)} is out of a float's range")
    nearest: float = _F32.unpack(_U32.pack(bits))[0]
    return bits if nearest == value else _undo_double_rounding(number, value, nearest, bits)


def _undo_double_rounding(number: str, value: float, nearest: float, bits: int) -> int:
    """Correct a float that was rounded twice: the text to a double, and that to a float.

    A double halfway between two floats may come from a number that is not halfway.
    """
    away = abs(value) > abs(nearest)
    other_bits = bits + 1 if away else bits - 1
    other: float = _F32.unpack(_U32.pack(other_bits))[0] if other_bits >= 0 else nearest
    if math.isinf(other) or value - nearest != other - value:
        return bits
    from decimal import Decimal  # rarely needed, and slow to load

    # `abs` would round to the context's precision.
    exact, halfway = Decimal(number).copy_abs(), Decimal(value).copy_abs()
    if exact == halfway:
        return bits
    return other_bits if (exact > halfway) == away else bits


def is_rounded(text: str, kind: Scalar, digits: int = 6) -> bool:
    """Whether fxc may have printed this text for a number with more digits.

    fxc prints `digits` digits after the point; a number with fewer, and with fewer than five from
    its first on, is taken as exact, because 0.1 is more likely than 0.10000002. For floats 0 is
    exact, too; for Scalar.BITS it is not, because fxc prints an exact 0 as an integer there. The
    bits of a NaN are never printed.
    """
    text = text.removesuffix("l") if kind is Scalar.F64 else text
    if text.lstrip("-").startswith(_BITS_OF_NANS):
        return True
    if len(text.rpartition(".")[2]) != digits or _DECIMAL.fullmatch(text) is None:
        return False
    value = float(text)
    if value == 0:
        return kind is Scalar.BITS or text[0] == "-"
    numerator, denominator = value.as_integer_ratio()
    exact = int(text.replace(".", "")) * denominator == numerator * 10**digits
    written = len(text.lstrip("-").replace(".", "").strip("0"))
    is_full = text[-1] != "0" or written >= _MANY
    return not exact and is_full and text in _neighbours(value, text, kind, digits)


def _neighbours(value: float, text: str, kind: Scalar, digits: int) -> tuple[str, ...]:
    """The texts that fxc prints for the next smaller and the next larger number."""
    if kind is Scalar.F64:
        near = [math.nextafter(value, end) for end in (-math.inf, math.inf)]
    else:
        bits = _float_bits(text, text)
        near = [_F32.unpack(_U32.pack(bits + step))[0] for step in (-1, 1)]
    return tuple(f"{number:.{digits}f}" for number in near)


def literal_style(
    row: Instruction, literals: Literals = Literals.FXC
) -> tuple[Callable[[int], str], str]:
    """How a row's immediates are printed, and the separator between their components."""
    kind = literal_kind(row)
    return format_of(kind, literals), "," if kind is Scalar.BITS else ", "


def format_of(kind: Scalar, literals: Literals) -> Callable[[int], str]:
    """How 32 bits of type F32, U32 or BITS are printed."""
    if literals is Literals.HEXADECIMAL:
        return format_bits
    exact = literals is Literals.EXACT
    if kind is Scalar.BITS:
        return format_exact_untyped if exact else format_untyped
    if kind is Scalar.F32:
        return format_exact_float if exact else format_float
    return format_integer


def literal_kind(row: Instruction) -> Scalar:
    """The type of an instruction's printed immediates: F32, U32, or BITS if values decide."""
    if row.literals is not None:
        return row.literals
    sources = source_types(row)
    if Scalar.BITS in sources:
        return Scalar.BITS
    if Scalar.F64 in sources:
        return Scalar.F32
    return Scalar.F32 if sources == {Scalar.F32} else Scalar.U32


def source_types(row: Instruction) -> set[Scalar]:
    """The types of an instruction's sources and addresses."""
    return {s.scalar for s in row.operands if s.role in (Role.SOURCE, Role.ADDRESS)}


def format_string(text: bytes) -> str:
    """Print a string with its quotation marks; no command of a system for CI is in it."""
    shown = HASH_OF_COMMAND.sub(r"\\x23", "".join(map(_shown, text)))
    return f"{_QUOTE}{shown}{_QUOTE}"


def _shown(code: int) -> str:
    if code in _ESCAPED:
        return _ESCAPED[code]
    return chr(code) if code in _PRINTABLE else f"\\x{code:02x}"


def read_string(line: str, position: int) -> tuple[bytes, int]:
    """The next string in a line, and the position after it. Raises Fault."""
    start = position + len(line[position:]) - len(line[position:].lstrip())
    end = line.rfind(_QUOTE)
    if not line.startswith(_QUOTE, start) or end == start:
        raise Fault("expected a string in quotation marks", min(start, len(line) - 1))
    return _unescaped(line[start + 1 : end], start + 1), end + 1


def _unescaped(text: str, start: int) -> bytes:
    """Resolve escapes; other characters become UTF-8, as in the container. Raises Fault."""
    surrogate = _SURROGATE.search(text)
    if surrogate is not None:
        code = ord(surrogate[0])
        raise Fault(
            f"U+{code:04X} is no character: write bytes as \\x..", start + surrogate.start(), 1
        )
    parts: list[bytes] = []
    done = 0
    for match in _ESCAPE.finditer(text):
        parts.append(text[done : match.start()].encode())
        done = match.end()
        parts.append(bytes([_code(match, start)]))
    return b"".join([*parts, text[done:].encode()])


def _code(match: re.Match[str], start: int) -> int:
    if match[1]:
        return int(match[1], 16)
    letter: str = match[2] or ""
    if letter == _QUOTE:
        return ord(_QUOTE)
    if letter not in _NAMED:
        known = "".join(f"\\{name} " for name in (*_NAMED, _QUOTE))
        message = f"unknown escape \\{letter}; there are {known}and \\x with two digits"
        raise Fault(message, start + match.start(), len(match[0]))
    return _NAMED[letter]
