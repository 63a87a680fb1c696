"""The block of push constants: the view ranges of single registers, then constant buffers.

An entry point uses at most one block (VUID-StandaloneSpirv-OpEntryPoint-06674), so it has a member
for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from translate.ir.memory import Resource
from translate.spirv.code import Code
from translate.spirv.grammar import Op, StorageClass

RANGE_WORDS: Final = 2
_WORD_BYTES, _VECTOR_BYTES = 4, 16


class PushConstants:
    """The variable of the block, which is declared at its first use.

    `windows` are the registers with a view range, in this order from the first byte on; `offsets`
    has the first byte of each constant buffer.
    """

    def __init__(self, code: Code, windows: tuple[str, ...], offsets: Mapping[Resource, int]):
        self.code = code
        self.windows = windows
        self.offsets = offsets
        self._variable = 0

    def module_variables(self) -> list[int]:
        return [self._variable] if self._variable else []

    def variable(self) -> int:
        if not self._variable:
            self._variable = self._declare()
        return self._variable

    def member(self, buffer: Resource) -> int:
        """The number of a constant buffer's member; that of the view ranges is 0."""
        return [*self.offsets].index(buffer) + bool(self.windows)

    def _declare(self) -> int:
        """The variable: `struct { uint windows[]; vec4 cb0[]; ... }`."""
        sections, members, names = self.code.sections, dict[int, int](), list[str]()
        if self.windows:
            count = sections.u32(RANGE_WORDS * len(self.windows))
            members[0] = sections.strided(_WORD_BYTES, Op.TypeArray, sections.uint, count)
            names.append("windows")
        for buffer, offset in self.offsets.items():
            vector = self.code.type(self.code.tables.layouts[buffer].vector)
            count = sections.u32(buffer.length)
            members[offset] = sections.strided(_VECTOR_BYTES, Op.TypeArray, vector, count)
            names.append(sections.name_of(buffer.register))
        block = sections.structure(members)
        variable = sections.variable(StorageClass.PushConstant, block)
        if not self.offsets:
            sections.name(variable, *names)
            return variable
        sections.name(variable, "push_constants")
        for number, name in enumerate(names):
            sections.name_member(block, number, name)
        return variable
