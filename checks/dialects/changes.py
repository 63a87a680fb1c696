"""Random changes of a listing that keep its meaning: spellings, blanks, numbers, comments.

RenderDoc writes numbers and declarations in one form only; its listings keep that form.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from translate.asm import parse_listing
from translate.isa.declarations import CUSTOM_DATA
from translate.isa.instruction import Spec
from translate.isa.registers import Operand, RegisterFile
from translate.program import Statement

from .edit import rewrite
from .migoto import migoto_operand
from .renderdoc import floats

_VALUES = re.compile(r"(?<=l\()[^()]*(?=\))")
_PLUS = re.compile(r"\s*\+\s*(\d+)(?=\])")
_INSTRUCTION = re.compile(r"\s*(?:\d+:)?\s*(?:\([^()]*\)|[^\s(])+")  # numbers, mnemonic, groups
_COMMA = re.compile(r"\s*,\s*")
_BLANKS = ("", " ", "  ", "\t", " \t ")
_COMMENTS = ("//", "// mov r0.x, l(1)", " // cs_5_0 {", "\t//// \u00e4 #line 1", "  // 0x10: ret")
_LINES_BETWEEN = (
    *("", "   ", "// dcl_temps 9", "#line 7", "  12:", "0x00000010: "),
    '#line 12 "C:\\shaders\\a.hlsl"',
)
_SOURCE_BETWEEN = ("", "      a.hlsl:7 - main()", "      float4 dcl_x = cs_5_0; // ret", "// ret")
_LINE_ENDS = ("\n", "\n", "\r\n", "\r")


def change_listing(listing: str, rng: random.Random, *, renderdoc: bool) -> str:
    """The listing, changed throughout."""
    changed = _change_operands(listing, rng, renderdoc)
    lines = _with_vectors(changed, rng).split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("cs_"))
    change_lines = _renderdoc_lines if renderdoc else _fxc_lines
    changed_lines = [*lines[: first + 1], *change_lines(lines[first + 1 :], rng)]
    mark = rng.choice(("", "\ufeff"))
    return mark + rng.choice(_LINE_ENDS).join(changed_lines)


def _fxc_lines(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Lines of fxc or 3Dmigoto: numbered as by /Ni and /No, or not numbered."""
    style = rng.choice(("", "{0:4}: ", "0x{1:08X}: ", "{0:4}  0x{1:08x}:   ", "{0}:"))
    count = 0
    for line in lines:
        if rng.random() < 0.1:
            yield rng.choice(_LINES_BETWEEN)
        code = line.partition("//")[0].strip()
        if not code:
            yield line
            continue
        number = "" if code[0] in "{}" else style.format(count, count * 28)
        count += bool(number)
        comment = rng.choice(_COMMENTS) if rng.random() < 0.1 else ""
        text = number + _with_blanks(code, rng)
        yield rng.choice(_BLANKS) + text + rng.choice(_BLANKS) + comment


def _renderdoc_lines(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Lines of RenderDoc: source lines between instructions; only instructions have numbers."""
    for line in lines:
        if not re.match(r"\s*\d+: ", line):
            yield line
            continue
        if rng.random() < 0.1:
            yield ""
            yield from rng.choices(_SOURCE_BETWEEN, k=rng.choice((1, 3)))
        comment = rng.choice(_COMMENTS) if rng.random() < 0.1 else ""
        yield rng.choice(_BLANKS) + _with_blanks(line, rng) + comment


def _with_blanks(line: str, rng: random.Random) -> str:
    """Other blanks around the commas that divide operands; in declarations only after them."""
    match = _INSTRUCTION.match(line)
    end = match.end() if match else 0

    def comma(match: re.Match[str]) -> str:
        if rng.random() < 0.7:
            return match[0]
        before = "" if line.startswith("dcl_") else rng.choice(_BLANKS)
        return f"{before},{rng.choice(_BLANKS)}"

    return line[:end] + _COMMA.sub(comma, line[end:])


def _change_operands(listing: str, rng: random.Random, renderdoc: bool) -> str:
    def change(statement: Statement, spec: Spec, operand: Operand, text: str) -> str | None:
        if rng.random() < 0.4:
            return None
        if operand.file is RegisterFile.IMMEDIATE32:
            values = ",".join(_spelled(bits, rng) for bits in operand.values)
            return _VALUES.sub(lambda match: values, text)
        if not renderdoc:
            text = migoto_operand(statement, spec, operand, text) or text
        return _PLUS.sub(lambda match: _sum(int(match[1]), rng), text)

    return rewrite(listing, change)


def _sum(number: int, rng: random.Random) -> str:
    blank, other = rng.choice(_BLANKS), rng.choice(_BLANKS)
    return f"{blank}+{other}{rng.choice((str(number), hex(number)))}"


def _spelled(bits: int, rng: random.Random) -> str:
    """A dword in one of the spellings that keep all of its bits."""
    signed = bits - (bits >> 31 << 32)
    forms = [f"0x{bits:x}", f"0X{bits:08X}", f"0x{bits:08x}", str(bits), str(signed)]
    if bits >> 23 & 0xFF != 0xFF:
        (value,) = floats([bits])
        forms += [repr(value), f"{value!r}f", f"{value:.8e}", f"{value:.8E}", f"{value:.149f}"]
    return rng.choice(_BLANKS[:3]) + rng.choice(forms) + rng.choice(_BLANKS[:3])


def _with_vectors(listing: str, rng: random.Random) -> str:
    """The immediate constant buffer's numbers in other spellings, in one line or in several."""
    program = parse_listing(listing, None)
    lines = listing.split("\n")
    for statement in program.statements:
        if statement.row is not CUSTOM_DATA or statement.where.line is None:
            continue
        numbers = [_spelled(bits, rng) for bits in statement.data]
        rows = [", ".join(numbers[i : i + 4]) for i in range(0, len(numbers), 4)]
        between = rng.choice((", ", ",\n", ",\n\t\t\t"))
        vectors = between.join(f"{{{row}}}" for row in rows)
        start = end = statement.where.line - 1
        depth = 0
        while end == start or depth:
            depth += lines[end].count("{") - lines[end].count("}")
            end += 1
        lines[start:end] = f"{statement.row.name} {{ {vectors} }}".split("\n")
    return "\n".join(lines)
