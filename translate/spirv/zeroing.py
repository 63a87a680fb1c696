"""Zero large x# arrays by a loop at the start, one loop for all arrays of a length.

The loop must not be unrolled, or it would be as large as the initialiser that it replaces. Source:
SPIR-V specification §2.11 "Structured Control Flow", §3.23 "Loop Control".
"""

from __future__ import annotations

from itertools import groupby

from translate.ir.memory import Resource
from translate.ir.tables import Start
from translate.ir.types import U32
from translate.spirv.code import Code
from translate.spirv.grammar import LoopControl, Op
from translate.spirv.memory import Memory


def store_zeros(code: Code, memory: Memory) -> None:
    """Emit the loops; call this at the start of the entry point."""
    layouts = code.tables.layouts
    arrays = [array for array, layout in layouts.items() if layout.start is Start.STORES]
    arrays.sort(key=_place)
    for length, same in groupby(arrays, key=lambda array: array.length):
        _loop(code, memory, length, [*same])


def _place(array: Resource) -> tuple[int, int]:
    return array.length, array.number


def _loop(code: Code, memory: Memory, length: int, arrays: list[Resource]) -> None:
    """`for (uint i = 0; i < length; i++) x0[i] = x1[i] = 0;`"""
    sections, uint, before = code.sections, code.type(U32), code.label
    header, body, following, after = (sections.id() for _ in range(4))
    code.effect(Op.Branch, header)
    code.begin(header)
    index = code.instruct(Op.Phi, uint, sections.u32(0), before, 0, following)
    next_index = len(code.body) - 2
    inside = code.instruct(Op.ULessThan, sections.bool, index, sections.u32(length))
    code.effect(Op.LoopMerge, after, following, LoopControl.DontUnroll)
    code.effect(Op.BranchConditional, inside, body, after)
    code.begin(body)
    for array in arrays:
        memory.store_zero(array, index)
    code.effect(Op.Branch, following)
    code.begin(following)
    code.body[next_index] = code.instruct(Op.IAdd, uint, index, sections.u32(1))
    code.effect(Op.Branch, header)
    code.begin(after)
