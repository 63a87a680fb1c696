"""Listings as RenderDoc's disassembler writes them (renderdoc/driver/shaders/dxbc, of 2024).

Declarations name resources, with the register in parentheses. Operands use these names and the
names of constants. fxc's buffer definitions precede the listing; RenderDoc does not print them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from translate.asm.operand_text import format_declaration
from translate.isa.declarations import CUSTOM_DATA, GLOBAL_FLAGS
from translate.isa.instruction import Flow
from translate.isa.registers import COMPONENTS, Index, Modifier, Operand, RegisterFile, Selection
from translate.program import Program, Statement
from translate.reflection import Type, size_of

HASH = "Shader hash 01234567-89abcdef-01234567-89abcdef"
FLAGS = {
    "enableDoublePrecisionFloatOps": "doublePrecisionFloats",
    "skipOptimization": "skipOptimisation",
    "enableMinimumPrecision": "enableMinPrecision",
    "enable11_1DoubleExtensions": "doubleExtensions",
    "enable11_1ShaderExtensions": "shaderExtensions",
    "allResourcesBound": "d3d12AllResourcesBound",
}
MARKS = {
    "opc": "hasOrderPreservingCounter",
    "glc": "globallyCoherant",
    "rov": "rasterizerOrderedAccess",
}
NAMES = {"ldms": "ld_ms", "sampleinfo": "sample_info", "ld_s": "ld"}
ALWAYS = ("ld", "sample", "resinfo")  # always printed as _indexable
NAMED = {RegisterFile.RESOURCE: "t", RegisterFile.UAV: "u", RegisterFile.SAMPLER: "s"}


class Writer:
    """Writes listings; `digits` of each number's fraction, or None for all of them."""

    def __init__(self, program: Program, digits: int | None = None, source: Sequence[str] = ()):
        self.program = program
        self.digits = digits
        self.source = source
        self.ranges = program.version >= (5, 1)
        self.singles: dict[tuple[RegisterFile, int], bool] = {}
        bindings = program.reflection.bindings if program.reflection else ()
        self.names = {(b.register_prefix, b.bind_point): b.name for b in bindings if not b.space}
        buffers = program.reflection.buffers if program.reflection else ()
        self.buffers = {b.name: b for b in buffers if b.kind == 0}

    def listing(self, header: Iterable[str] = ()) -> str:
        statements = self.program.statements
        lines = [HASH, "", *header, self.program.profile]
        lines += ["      " + self.declaration(s) for s in statements if s.row.is_declaration]
        depth = 0
        for number, s in enumerate(s for s in statements if not s.row.is_declaration):
            if self.source and number % 3 == 0:
                lines += ["", "      a.hlsl:7 - main()", *self.source]
            depth -= s.row.flow in (Flow.ENDIF, Flow.ENDLOOP)
            indent = depth - (s.row.flow is Flow.ELSE)
            lines.append(f"{number:4}: {'  ' * indent}{self.instruction(s)}")
            depth += s.row.flow in (Flow.IF, Flow.LOOP)
        return "\n".join([*lines, ""])

    # --- declarations -------------------------------------------------------------------------

    def declaration(self, s: Statement) -> str:
        name, extra = s.row.name, list(s.extra)
        if s.row is CUSTOM_DATA:
            vectors = [self.numbers([x]) for x in s.data]
            rows = [", ".join(vectors[i : i + 4]) for i in range(0, len(vectors), 4)]
            return name + " {" + ", ".join(f"\n\t\t\t{{ {row}}}" for row in rows) + " }"
        if name == "dcl_globalFlags":
            flags = [flag for bit, flag in GLOBAL_FLAGS if s.controls >> bit & 1]
            return f"{name} {', '.join(FLAGS.get(flag, flag) for flag in flags)}"
        plain = format_declaration(s, self.ranges)
        if not s.operands:
            return plain
        operand = s.operands[0]
        files = (*NAMED, RegisterFile.CONSTANT_BUFFER)
        place = self.place(operand, extra) if self.ranges and operand.file in files else ""
        register = self.declared(operand)
        if operand.file is RegisterFile.CONSTANT_BUFFER:
            if self.ranges:
                register += f"[{extra[0]}]"
            elif ("cb", operand.number) in self.names:
                register += f" ({self.names['cb', operand.number]})"
            return f"{name} {register}, {s.row.controls[0].suffixes[s.control('access')]}{place}"
        if name == "dcl_sampler":
            mode = ("mode_default", "mode_comparison", "mode_mono")[s.controls >> 11 & 15]
            return f"{name} {register}, {mode}{place}"
        if "{returns}" in s.row.syntax:
            name = plain[: plain.index(")", plain.rindex("(")) + 1].replace("_rov", "")
        sizes = [part.strip() for part in plain.split(",")[1:] if part.strip().isdecimal()]
        here = [c.name for c in s.row.controls if c.name in MARKS and s.control(c.name)]
        marks = [MARKS[mark] for mark in here if not (mark == "glc" and "_glc" in name)]
        return ", ".join([f"{name} {register}", *sizes, *marks]) + place

    def declared(self, operand: Operand) -> str:
        file, numbers = operand.file, [index.base for index in operand.indices]
        if self.ranges and len(numbers) == 3:
            number, first, last = numbers
            self.singles[file, number] = first == last
            upper = "unbound" if last == 0xFFFFFFFF else last
            span = "" if first == last else f"[{first}:{upper}]"
            return f"{file.prefix.upper()}{number}{span}"
        if file is RegisterFile.CONSTANT_BUFFER:
            return f"cb{numbers[0]}[{numbers[1]}]"
        register = file.prefix + "".join(map(str, numbers[:1]))
        name = self.names.get((NAMED.get(file, ""), operand.number))
        return f"{name} ({register})" if name else register + self.letters(operand)

    def place(self, operand: Operand, extra: list[int]) -> str:
        first, last = operand.indices[1].base, operand.indices[2].base
        space = extra[-1]
        if first == last:
            return f" space={space},reg={first}"
        return f" space={space},regs={first}:{'unbounded' if last == 0xFFFFFFFF else last}"

    # --- instructions -------------------------------------------------------------------------

    def instruction(self, s: Statement) -> str:
        text = NAMES.get(s.row.name, s.row.name)
        text += "_indexable" if s.row.name in ALWAYS else ""
        if s.offsets is not None:
            text += "({},{},{})".format(*s.offsets)
        if s.dimension is not None:
            dimension = s.dimension.printed.replace("raw_buffer", "rawbuffer")
            structured = dimension == "structured_buffer"
            text += (
                f"_indexable({dimension}, stride={s.stride})" if structured else f"({dimension})"
            )
        if s.returns is not None:
            text += f"({','.join(r.printed.strip('<>') for r in s.returns)})"
        for control in s.row.controls:
            suffix = control.suffixes[control.read(s.controls)]
            text += "_float" if control.name == "returns" and not suffix else suffix
        if s.precise:
            text += f" [precise({''.join(COMPONENTS[c] for c in range(4) if s.precise >> c & 1)})] "
        operands = [self.operand(o) for o in s.operands]
        return text + (" " + ", ".join(operands) if operands else "")

    def operand(self, o: Operand) -> str:
        text = self.register(o)
        text = f"abs({text})" if o.modifier & Modifier.ABS else text
        text = f"-{text}" if o.modifier & Modifier.NEG else text
        return text + (" { nonuniform }" if o.non_uniform else "")

    def register(self, o: Operand) -> str:
        file, indices = o.file, o.indices
        if file is RegisterFile.IMMEDIATE32:
            return f"l({self.numbers(o.values)})"
        if file is RegisterFile.IMMEDIATE64:
            values = struct.unpack("<2d", struct.pack("<4I", *(*o.values, *(0, 0))[:4]))
            return f"d({', '.join(self.fraction(v) + 'l' for v in values)})"
        name = self.names.get((NAMED.get(file, ""), o.number))
        if name and len(indices) == 1 and indices[0].relative is None:
            return name + self.letters(o)
        if file is RegisterFile.CONSTANT_BUFFER and (named := self.constant(o)):
            return named
        prefix = file.prefix.upper() if len(indices) > file.index_count else file.prefix
        kept = [*indices]
        if len(indices) > file.index_count and self.singles[file, indices[0].base]:
            del kept[1]
        text = prefix + "".join(self.index(i, n == 0) for n, i in enumerate(kept))
        return text + self.letters(o)

    def index(self, index: Index, first: bool) -> str:
        if index.relative is not None:
            return f"[{self.operand(index.relative)} + {index.base}]"
        return str(index.base) if first else f"[{index.base}]"

    def letters(self, o: Operand) -> str:
        if o.components != 4:
            return ""
        if o.selection is Selection.MASK:
            return "." + "".join(COMPONENTS[c] for c in o.written())
        return "." + "".join(COMPONENTS[c] for c in self.swizzle(o))

    def swizzle(self, o: Operand) -> tuple[int, ...]:
        return o.swizzle[:1] if o.selection is Selection.SELECT else o.swizzle

    # --- constants ----------------------------------------------------------------------------

    def constant(self, o: Operand) -> str | None:
        """The variable that holds all components of a swizzle; None for a register."""
        if self.ranges:
            return None
        number, vector = o.indices
        buffer = self.buffers.get(self.names.get(("cb", number.base), ""))
        if buffer is None or vector.relative is not None or number.relative is not None:
            return None
        letters = self.swizzle(o)
        low, high = (vector.base * 16 + 4 * edge(letters) for edge in (min, max))
        variables = [(v.name, v.offset, v.type) for v in buffer.variables]
        found = find(low, high, variables, 0, "")
        if found is None:
            return None
        name, start, offset, kind = found
        beyond = (low & ~15) - start
        if kind.elements > 1:
            step = -(-size_of(kind, True) // 16) * 16 // kind.elements
            name += f"[{beyond // step}]"
            beyond -= beyond // step
        if (kind.klass == 2 and kind.columns > 1) or (kind.klass == 3 and kind.rows > 1):
            name += f"[{beyond // 16}]"
        return name + "." + "".join(COMPONENTS[c - (offset & 15) // 4] for c in letters)

    # --- numbers ------------------------------------------------------------------------------

    def numbers(self, values: Sequence[int]) -> str:
        """All numbers as floats where one is a normal float."""
        if any(0 < v >> 23 & 255 < 255 for v in values):
            return ", ".join(self.fraction(v) for v in floats(values))
        return ", ".join(map(integer, values))

    def fraction(self, value: float) -> str:
        return repr(value) if self.digits is None else f"{value:.{self.digits}f}"


def integer(bits: int) -> str:
    signed = bits - (bits >> 31 << 32)
    return str(signed) if -10000 <= signed <= 10000 else f"0x{bits:08x}"


def floats(values: Sequence[int]) -> tuple[float, ...]:
    return struct.unpack(f"<{len(values)}f", struct.pack(f"<{len(values)}I", *values))


def find(
    low: int, high: int, variables: Iterable[tuple[str, int, Type]], base: int, prefix: str
) -> tuple[str, int, int, Type] | None:
    """A variable's name, first byte, own offset, and type."""
    for name, offset, kind in variables:
        start = base + offset
        if start <= low and start + size_of(kind, True) > high:
            if not kind.members:
                return prefix + name, start, offset, kind
            members = [(m.name, m.offset, m.type) for m in kind.members]
            return find(low, high, members, start, f"{prefix}{name}.")
    return None
