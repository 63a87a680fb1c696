"""The numbers of the grammar are those of SPIRV-Tools."""

import ctypes
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from translate.errors import VerifyError
from translate.spirv import grammar
from translate.spirv.grammar import Op
from translate.spirv.module import disassemble, library
from translate.spirv.sections import string_words

HEADER = [grammar.MAGIC, grammar.VERSIONS["vulkan1.3"], 0, 100, 0]
GLSL, DEBUG = "GLSL.std.450", "NonSemantic.Shader.DebugInfo.100"


def members(group: type) -> dict[str, int]:
    numbers = {name: number for name, number in vars(group).items() if isinstance(number, int)}
    return {name: number for name, number in numbers.items() if not name.startswith("__")}


def printed(opcode: int, *operands: int, after: Sequence[int] = ()) -> str:
    """An instruction as SPIRV-Tools print it, with the operands that its enumerant takes."""
    for more in range(16):
        words = [*HEADER, *after, (1 + len(operands) + more) << 16 | opcode, *operands, *[7] * more]
        try:
            return disassemble(np.array(words, "<u4").tobytes(), "vulkan1.3").splitlines()[-1]
        except VerifyError:
            continue
    raise AssertionError(f"SPIRV-Tools know no such operands: {opcode} {operands}")


def extended(instructions: str) -> Callable[[int], str]:
    name = string_words(instructions)
    known = [(2 + len(name)) << 16 | Op.ExtInstImport, 1, *name]
    return lambda number: printed(Op.ExtInst, 2, 3, 1, number, after=known)


PRINTED: dict[type, Callable[[int], str]] = {
    grammar.Std450: extended(GLSL),
    grammar.Debug: extended(DEBUG),
    grammar.Capability: lambda number: printed(Op.Capability, number),
    grammar.LoopControl: lambda number: printed(Op.LoopMerge, 1, 2, number),
    grammar.StorageClass: lambda number: printed(Op.TypePointer, 1, number, 2),
    grammar.Decoration: lambda number: printed(Op.Decorate, 1, number),
    grammar.BuiltIn: lambda number: printed(Op.Decorate, 1, grammar.Decoration.BuiltIn, number),
    grammar.Dim: lambda number: printed(Op.TypeImage, 1, 2, number, 0, 0, 0, 1, 0),
    grammar.ExecutionMode: lambda number: printed(Op.ExecutionMode, 1, number),
    grammar.ImageOperands: lambda number: printed(Op.ImageFetch, 2, 3, 4, 5, number),
    grammar.ImageFormat: lambda number: printed(Op.TypeImage, 1, 2, 1, 0, 0, 0, 1, number),
}


def word(group: type, name: str) -> str:
    """The name as SPIRV-Tools print it."""
    if group is grammar.Debug:
        return f"Debug{name}"
    return name.removeprefix("Dim") if group is grammar.Dim else name


@pytest.mark.parametrize("group", PRINTED)
def test_enumerants(group: type) -> None:
    lines = {name: PRINTED[group](number) for name, number in members(group).items()}
    wrong = [n for n in lines if not re.search(rf"\b{word(group, n)}\b", lines[n])]
    assert lines
    assert not wrong


def test_opcodes() -> None:
    tools = library("the test")
    tools.spvOpcodeString.restype = ctypes.c_char_p
    names = {name: tools.spvOpcodeString(number).decode() for name, number in members(Op).items()}
    assert names == {name: name for name in names}
