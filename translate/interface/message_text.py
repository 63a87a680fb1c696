"""Format a message of `printf` or `errorf` from its format string and arguments.

Conversions are those of C: `%d %i` signed, `%u %o %x %X` unsigned, `%c` a character, `%f %F %e %E
%g %G` floats, `%p` eight or sixteen hexadecimal digits, with flags, width and precision, including
`*`. The shader decides the size of an argument: one dword is a 32-bit integer or a float, two are a
64-bit integer or a double; `l` and `I64` are ignored; `h` and `hh` cut to 16 and 8 bits. HLSL
cannot pass strings, so `%s` prints the bits like `%p`. Invalid conversions, and those without an
argument, are printed unchanged. Source: HLSL's `printf`; C17 §7.21.6.1.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*+)(?P<width>\d++|\*)?(?:\.(?P<precision>\d*|\*))?"
    r"(?P<size>hh|h|ll|l|L|I64|I32|j|z|t)?(?P<type>[diouxXcfFeEgGps%])"
)
_SIGNED, _UNSIGNED, _FLOATS, _BITS = "di", "ouxX", "fFeEgG", "ps"
_WIDEST = 1000  # the maximum of widths and precisions
_F32, _F64 = struct.Struct("<f"), struct.Struct("<d")
_NARROW = {"h": 16, "hh": 8}

Number = int | float


def format_message(text: str, arguments: Sequence[Sequence[int]]) -> tuple[str, tuple[Number, ...]]:
    """The formatted text, and the arguments as numbers of the types that the string gives them.

    `arguments` are the dwords of each argument, low one first. An argument without a conversion is
    an unsigned number.
    """
    rest = iter(arguments)
    values: list[Number] = []

    def replaced(match: re.Match[str]) -> str:
        if match["type"] == "%":
            return "%"
        shown = _shown(match, rest, values)
        return match[0] if shown is None else shown

    formatted = _CONVERSION.sub(replaced, text)
    values += [_unsigned(dwords) for dwords in rest]
    return formatted, tuple(values)


def _shown(match: re.Match[str], rest: Iterator[Sequence[int]], values: list[Number]) -> str | None:
    """Format one conversion; None if it has no argument."""
    flags, numbers = match["flags"], list[str]()
    for part in ("width", "precision"):
        given: str = match[part] or ""
        if given == "*":
            dwords = next(rest, None)
            if dwords is None:
                return None
            values.append(_signed(dwords, 32))
            given = str(values[-1])
        if given.startswith("-"):  # C's rules for negative numbers
            flags += "-" if part == "width" else ""
            given = given[1:] if part == "width" else ""
        leading = given.lstrip("0")[:5] or 0  # of more digits than Python reads
        numbers.append(given and str(min(int(leading), _WIDEST)))
    dwords = next(rest, None)
    if dwords is None:
        return None
    width, precision = numbers
    point = f".{precision}" if match["precision"] is not None else ""
    value, kind = _value(match["type"], match["size"], dwords)
    values.append(value)
    if kind in "ps":
        digits = f"{value:0{8 * len(dwords)}X}"
        return digits.ljust(int(width or 0)) if "-" in flags else digits.rjust(int(width or 0))
    if kind == "c":
        point, value = "", chr(int(value) & 0xFF)
    if kind == "o" or not value:
        flags = flags.replace("#", "")  # unlike C, Python prints 0o, and 0x before a zero
    return f"%{flags}{width}{point}{kind}" % value


def _value(kind: str, size: str | None, dwords: Sequence[int]) -> tuple[Number, str]:
    """The argument's value, and the conversion's letter in Python."""
    if kind in _FLOATS:
        return _float(dwords), kind
    bits = _NARROW.get(size or "", 32 * len(dwords))
    if kind in _SIGNED:
        return _signed(dwords, bits), "d"
    if kind in _BITS:
        return _unsigned(dwords), kind
    return _unsigned(dwords) & (1 << bits) - 1, "d" if kind == "u" else kind


def _unsigned(dwords: Sequence[int]) -> int:
    return sum(dword << 32 * place for place, dword in enumerate(dwords))


def _signed(dwords: Sequence[int], bits: int) -> int:
    value = _unsigned(dwords) & (1 << bits) - 1
    return value - (value >> bits - 1 << bits)


def _float(dwords: Sequence[int]) -> float:
    unpack = _F64 if len(dwords) == 2 else _F32
    return unpack.unpack(_unsigned(dwords).to_bytes(4 * len(dwords), "little"))[0]
