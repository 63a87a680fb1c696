"""What a message says: the format string of `printf` or `errorf` with its arguments.

Conversions are C's: `%d %i` signed, `%u %o %x %X` unsigned, `%c` a character, `%f %F %e %E %g %G`
floats, `%p` eight or sixteen hexadecimal digits; with flags, width and precision, `*` too. How wide
an argument is, the shader says and not the string: one dword is an integer of 32 bits or a float,
two are an integer of 64 bits or a double, whatever `l` or `I64` stands there; `h` and `hh` cut to
16 and 8 bits. HLSL passes no strings, so that `%s` shows the argument's bits as `%p` does. What is
no conversion, or has no argument, stays as it stands.
Source: HLSL's `printf`; C17 §7.21.6.1.
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
_WIDEST = 1000  # characters that a width or precision may ask for
_F32, _F64 = struct.Struct("<f"), struct.Struct("<d")
_NARROW = {"h": 16, "hh": 8}

Number = int | float


def format_message(text: str, arguments: Sequence[Sequence[int]]) -> tuple[str, tuple[Number, ...]]:
    """The text with its arguments, and these as the numbers that the string takes them for.

    `arguments` are the dwords of each, low one first. One that no conversion takes is an unsigned
    number.
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
    """One conversion; None where arguments lack."""
    flags, numbers = match["flags"], list[str]()
    for part in ("width", "precision"):
        given: str = match[part] or ""
        if given == "*":
            dwords = next(rest, None)
            if dwords is None:
                return None
            values.append(_signed(dwords, 32))
            given = str(values[-1])
        if given.startswith("-"):  # a negative width is a flag, a negative precision is none
            flags += "-" if part == "width" else ""
            given = given[1:] if part == "width" else ""
        numbers.append(given and str(min(int(given), _WIDEST)))
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
        flags = flags.replace("#", "")  # Python writes 0o, and 0x in front of a zero
    return f"%{flags}{width}{point}{kind}" % value


def _value(kind: str, size: str | None, dwords: Sequence[int]) -> tuple[Number, str]:
    """An argument as its conversion takes it, and Python's letter for that."""
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
