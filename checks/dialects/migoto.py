"""Listings in 3Dmigoto's dialect: masks in place of swizzles, bare constants, nine digits.

Its dumps are Microsoft's listings, but numbers that `%f` rounds have nine digits. In lines that
its users write by hand, a source may have any number of letters. Source: its assembler.
"""

from __future__ import annotations

import re
import struct

from translate.asm.literals import literal_kind, parse_dword
from translate.isa.instruction import Role, Scalar, Spec
from translate.isa.registers import COMPONENTS, Operand, RegisterFile
from translate.program import Statement

from .edit import in_place, read_slots, rewrite

_SWIZZLE = re.compile(r"\.[xyzw]{4}(?=\|?$)")
_BARE = (RegisterFile.CONSTANT_BUFFER, RegisterFile.IMMEDIATE_CONSTANT_BUFFER)
_VALUES = re.compile(r"(?<=l\()[^()]*(?=\))")


def migoto_listing(listing: str) -> str:
    """The listing with the fewest letters after each source that 3Dmigoto's assembler takes."""
    return rewrite(listing, migoto_operand)


def migoto_operand(statement: Statement, spec: Spec, operand: Operand, text: str) -> str | None:
    """The operand with the fewest letters, or None to keep it."""
    if operand.file is RegisterFile.IMMEDIATE32:
        if literal_kind(statement.row) is Scalar.U32:
            return None
        return _VALUES.sub(lambda match: ", ".join(map(_digits, match[0].split(","))), text)
    if spec.role not in (Role.SOURCE, Role.ADDRESS, Role.RESOURCE):
        return None
    places = in_place(operand)
    if len(places) == 4 and operand.file in _BARE:
        return _SWIZZLE.sub("", text)
    read = read_slots(statement, spec)
    if read is None or not places.issuperset(read) or not 1 < len(read) < 4:
        return None
    letters = "".join(COMPONENTS[c] for c in read)
    return _SWIZZLE.sub(f".{letters}", text)


def _digits(text: str) -> str:
    """Nine digits of a number whose bits are a normal float."""
    bits = parse_dword(text.strip())
    if not 1 <= bits >> 23 & 0xFF < 0xFF:
        return text.strip()
    (value,) = struct.unpack("<f", struct.pack("<I", bits))
    return f"{value:.9E}" if abs(value) < 1e-6 else f"{value:.14f}"
