"""Rewrite RenderDoc's disassembly into fxc's form, and its names of constants into registers.

    Shader hash 2b0a4f6e-...

    cs_5_0
          dcl_constantbuffer cb0[2] (Params), immediateIndexed
          dcl_resource_structured _data (t11), 224
       0: ld_structured_indexable(structured_buffer, stride=224)(mixed,mixed,mixed,mixed) r0.x,
          r0.x, l(0), _data.xxxx                                             (all in one line)
       1: mul r0.x, r0.x, abs(_scale.y)

Source: renderdoc/driver/shaders/dxbc (dxbc_bytecode_ops.cpp, dxbc_stringise.cpp), as of 2024.

For example, `g_View[2].x` becomes `cb0[6].x`. The definitions in the header comment give the
offsets. RenderDoc calls a variable's first component x, even if it is not the first of its
register. For an array of matrices it counts rows from the start of the array, minus one for each
preceding element (dxbc_bytecode_ops.cpp, `varOffset`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from translate.asm.lines import Fault
from translate.asm.operands import names_register
from translate.dataclass import dataclass, field
from translate.errors import shown
from translate.isa import BY_NAME
from translate.isa.registers import COMPONENTS
from translate.reflection import BufferDefinition, Type, size_of

_CONSTANTS = 0  # the kind of a constant buffer
_VECTOR = 16
_PATH = re.compile(r"([^\[\]]+)(?:\[(\d{1,9})\])?(?:\[(\d{1,9})\])?")
_STRUCTURE, _MATRICES = 5, (2, 3)
_HASH = "Shader hash "
_FIRST = re.compile(rf"\s*{_HASH}[0-9a-f]{{8}}(?:-[0-9a-f]{{8}}){{3}}\s*")
_PROFILE = re.compile(r"[a-z]{2}_\d_\d\s*")
_NUMBERED = re.compile(r"\s*\d+: ")
_NAMED = re.compile(r"(?<![\w.$\[\]])([\w.$\[\]]+) \(([tus]\d+)\)")
_BUFFER = re.compile(r"cb(\d{1,9})\[\d+\] \((\S+)\)")
_PLACE = re.compile(r" space=(\d+),regs?=(\d+)(?::(\d+|unbounded))?")
_RANGE = re.compile(r"\b([TUS]|CB)(\d+)(?:\[\d+:\w+\])?")
_MARKS = {
    ", hasOrderPreservingCounter": "_opc",
    ", globallyCoherant": "_glc",
    ", globallyCoherent": "_glc",
    ", rasterizerOrderedAccess": "_rov",
}
_FLAGS = {
    "doublePrecisionFloats": "enableDoublePrecisionFloatOps",
    "skipOptimisation": "skipOptimization",
    "enableMinPrecision": "enableMinimumPrecision",
    "doubleExtensions": "enable11_1DoubleExtensions",
    "shaderExtensions": "enable11_1ShaderExtensions",
    "d3d12AllResourcesBound": "allResourcesBound",
}
_HEAD = re.compile(r"([A-Za-z]\w*+)((?:\([^()]*+\))*+)(_\w++)?(\s*+\[precise[^\]]*+\])?")
_OFFSETS = re.compile(r"\(\s*-?\d+,\s*-?\d+,\s*-?\d+\s*\)")
_INDEXABLE = "_indexable"
_UNKNOWN = (
    "is not declared, and RenderDoc does not list the offsets of constants: put fxc's"
    " '// Buffer Definitions:' above the profile, or use the container"
)
_STATUS = re.compile(r"_statusk?$")
_SIGNS = re.compile(r"(-?)(abs\()?")
_NOTES = re.compile(r"(?:\s*+\{[^{}]*+\})*+")  # `{min16f}`, `{nonuniform}`
_REGISTER = re.compile(r"([A-Za-z_$][^\s|{}]*?)(\.[xyzw]{1,4})?")
_SINGLE = re.compile(r"([TUS]|CB)(\d+)(.*)")


@dataclass(slots=True)
class ConstantNames:
    """The variables of the constant buffers that a listing has declared so far.

    `found` maps a variable to the number of its cb#, its byte offset and its type.
    """

    definitions: Sequence[BufferDefinition]
    found: dict[str, tuple[int, int, Type]] = field(
        default_factory=dict[str, tuple[int, int, Type]]
    )

    def declare(self, number: int, buffer: str) -> None:
        """Declare `buffer` as cb`number`.

        If two variables have the same name, the first one keeps it.
        """
        for definition in self.definitions:
            if definition.kind == _CONSTANTS and definition.name == buffer:
                for variable in definition.variables:
                    for name, offset, kind in _leaves(
                        variable.name, variable.offset, variable.type
                    ):
                        self.found.setdefault(name, (number, offset, kind))

    def has(self, path: str) -> bool:
        """Whether the path names a known variable."""
        match = _PATH.fullmatch(path)
        return match is not None and match[1] in self.found

    def register(self, path: str, letters: str) -> str:
        """The register for a variable's name, such as `cb0[6].x`.

        Raises Fault at position 0 if the variable has no such element, row or component.
        """
        match = _PATH.fullmatch(path)
        assert match is not None, "it has been asked for"
        number, offset, kind = self.found[match[1]]
        indices = [int(index) for index in match.groups()[1:] if index is not None]
        vector = offset // _VECTOR + _vectors(kind, indices, path)
        first = offset % _VECTOR // 4
        named = [first + COMPONENTS.index(letter) for letter in letters.removeprefix(".")]
        if max(named, default=0) > 3:
            text = shown(path + letters)
            raise Fault(f"{text} reads past w, the last component of its vector", 0, len(path))
        return f"cb{number}[{vector}]" + "." * bool(named) + "".join(COMPONENTS[c] for c in named)


def _leaves(name: str, offset: int, kind: Type) -> Iterator[tuple[str, int, Type]]:
    """The name, offset (bytes) and type of a variable, or of each number in a structure.

    Of an array of structures only the first element is included.
    """
    if kind.klass != _STRUCTURE:
        yield name, offset, kind
        return
    for member in kind.members:
        yield from _leaves(f"{name}.{member.name}", offset + member.offset, member.type)


def _vectors(kind: Type, indices: list[int], path: str) -> int:
    """The number of registers between the variable's first one and the indexed one."""
    matrix = kind.klass in _MATRICES
    expected = (kind.elements > 1) + matrix
    if len(indices) != expected:
        plural = "index" if expected == 1 else "indices"
        raise Fault(f"{shown(path)} takes {expected} {plural}, found {len(indices)}", 0, len(path))
    if not matrix:
        return sum(indices)
    if expected == 1:
        return indices[0]
    step = -(-size_of(Type(kind.klass, kind.base, kind.rows, kind.columns), True) // _VECTOR)
    element, row = indices
    vector = row + -(-element // _VECTOR)
    return vector if vector // step == element else element * step + row


def is_renderdoc(lines: Sequence[str]) -> bool:
    """Whether the listing is RenderDoc's: its hash line stands above the profile."""
    for line in lines:
        if _HASH in line and _FIRST.fullmatch(line):
            return True
        if line[2:3] == "_" and _PROFILE.fullmatch(line):
            return False
    return False


def code_of(lines: Sequence[str]) -> list[str]:
    """The lines, with the shader's hash and embedded source replaced by empty lines.

    With debug information, RenderDoc prints source between instructions: a line with the file, then
    its text, without numbers.
    """
    kept: list[str] = []
    profile = declared = False
    for line in lines:
        if not profile:
            profile = _PROFILE.fullmatch(line) is not None
            kept.append("" if _FIRST.fullmatch(line) else line)
            continue
        numbered = _NUMBERED.match(line) is not None
        declared = declared or numbered or not line.strip()
        kept.append(line if numbered or not declared else "")
    return kept


@dataclass(slots=True)
class RenderDoc:
    """Rewrites lines and operands into fxc's form.

    `names` maps the names declared so far to registers. `singles` maps the cs_5_1 ranges of one
    register to its index, which RenderDoc leaves out of operands.
    """

    constants: ConstantNames
    names: dict[str, str] = field(default_factory=dict[str, str])
    singles: dict[str, str] = field(default_factory=dict[str, str])

    def declaration(self, text: str) -> str:
        """Rewrite a declaration, from its mnemonic on."""
        mnemonic, blank, rest = text.partition(" ")
        if mnemonic == "dcl_globalFlags":
            flags = [_FLAGS.get(flag.strip(), flag.strip()) for flag in rest.split(",")]
            return f"{mnemonic} {' | '.join(flags)}"
        if match := _BUFFER.search(rest):
            self.constants.declare(int(match[1]), match[2])
            rest = rest.replace(f" ({match[2]})", "", 1)
        if match := _NAMED.search(rest):
            self.names[match[1]] = match[2]
            rest = rest[: match.start()] + match[2] + rest[match.end() :]
        for mark, suffix in _MARKS.items():
            if mark in rest:
                mnemonic, rest = mnemonic + suffix, rest.replace(mark, "", 1)
        return mnemonic + blank + self._place(rest)

    def _place(self, text: str) -> str:
        """cs_5_1: rewrite `T0[2:4] space=1,regs=2:4` as `T0[2:4], space=1`."""
        place, register = _PLACE.search(text), _RANGE.search(text)
        if place is None or register is None:
            return text
        space, first, last = place.groups()
        if last is None:
            self.singles[register[1] + register[2]] = first
        upper = {None: first, "unbounded": "*"}.get(last, last)
        span = f"{register[1]}{register[2]}[{first}:{upper}]"
        text = text[: place.start()] + f", space={space}" + text[place.end() :]
        return text[: register.start()] + span + text[register.end() :]

    def head(self, text: str, start: int) -> tuple[str, int]:
        """Rewrite a mnemonic with its groups, and find the operands. Raises Fault."""
        match = _HEAD.match(text, start)
        if match is None:
            found = text[start:]
            raise Fault(f"expected an instruction, found {shown(found)}", start, len(found))
        word, groups, suffix, precise = match.groups()
        offsets = "".join(_OFFSETS.findall(groups)[:1])
        others = groups.removeprefix(offsets).replace("(rawbuffer)", "(raw_buffer)")
        name = _shown(_fxc_name(word))
        name += "_aoffimmi" if offsets else ""
        name += _INDEXABLE if others else ""
        return name + (precise or "") + offsets + others + _shown(suffix or ""), match.end()

    def operand(self, text: str) -> str:
        """Rewrite an operand. Raises Fault at position 0 for an undeclared name."""
        signs = _SIGNS.match(text)
        assert signs is not None, "it matches nothing too"
        end = ")" if signs[2] else ""
        body, brace, _ = text[signs.end() :].removesuffix(end).partition("{")
        body = body.rstrip() if brace else body
        tail = text[signs.end() + len(body) : len(text) - len(end)]
        if text.endswith(")") != bool(end) or "}" in body or not _NOTES.fullmatch(tail):
            return text
        bar = "|" if end else ""
        tail = tail.replace("min10f", "min2_8f")
        return f"{signs[1]}{bar}{self._register(body)}{tail}{bar}"

    def _register(self, text: str) -> str:
        match = _REGISTER.fullmatch(text)
        if match is None:
            return text
        name, letters = match[1], match[2] or ""
        if "(" in name:
            return text
        if name in self.names:
            return self.names[name] + letters
        if self.constants.has(name):
            return self.constants.register(name, letters)
        if single := _SINGLE.fullmatch(name):
            lower = self.singles.get(single[1] + single[2])
            return f"{single[1]}{single[2]}[{lower}]{single[3]}{letters}" if lower else text
        if not names_register(name):
            raise Fault(f"{shown(name)} {_UNKNOWN}", 0, len(text))
        return text


def _shown(text: str) -> str:
    """Remove the type `_float`, which fxc does not print."""
    return text.removesuffix("_float")


def _fxc_name(word: str) -> str:
    """fxc's mnemonic for RenderDoc's, such as `ldms` for `ld_ms` and `_s` for `_status`."""
    if word == "ld":
        return "ld_s"  # without status RenderDoc writes ld_indexable
    word = word.replace(_INDEXABLE, "", 1)
    word = word.replace("ld_ms", "ldms").replace("sample_info", "sampleinfo")
    name = _STATUS.sub("_s", word)
    clamped = _STATUS.sub("_cl_s", word)
    return clamped if name not in BY_NAME and clamped in BY_NAME else name
