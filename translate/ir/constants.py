"""Constants as text: `7`, `0x10000`, `-0.5f`, `1.0d`, `true`, and `f32:0x7fc00001` by bits."""

from __future__ import annotations

import math
import struct

from translate.ir.reader import Reader, Token, integer
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Value

_FLOATS = {F32: ("<f", "<I", "f"), F64: ("<d", "<Q", "d")}
_TYPES = {type_.text: type_ for type_ in Type}
_DECIMAL = 65536  # integers below it are written as decimals


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
