"""Sections: the order of a module's parts, and that equal declarations are one."""

import numpy as np
import pytest

from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.spirv.grammar import Capability, Op
from translate.spirv.sections import Sections, put, string_words

VERSION_1_3 = 0x00010300


@pytest.mark.parametrize(
    ("string", "words"),
    [("", [0]), ("abc", [0x00636261]), ("main", [0x6E69616D, 0]), ("é", [0x0000A9C3])],
)
def test_string_words(string: str, words: list[int]) -> None:
    """UTF-8, little-endian, zero-terminated (§2.2.1)."""
    assert string_words(string) == words


def test_equal_declarations_are_one() -> None:
    s = Sections()
    assert s.uint == s.uint
    assert s.u32(7) == s.u32(7) != s.u32(8)
    assert s.vector(s.uint, 2) == s.vector(s.uint, 2) != s.vector(s.uint, 3)
    assert s.ir_constant(F32, 1) != s.ir_constant(U32, 1)
    assert s.pointer(1, s.uint) != s.pointer(2, s.uint)
    assert s.ir_constant(BOOL, 1) != s.ir_constant(BOOL, 0)


def test_decorated_types_are_not_shared() -> None:
    s = Sections()
    assert s.unique_type(Op.TypeRuntimeArray, s.uint) != s.unique_type(Op.TypeRuntimeArray, s.uint)


def test_types_precede_their_uses() -> None:
    s = Sections()
    s.ir_constant(U32, 5)
    assert [word & 0xFFFF for word in (s.globals[0], s.globals[4])] == [Op.TypeInt, Op.Constant]
    assert s.globals[:4] == [4 << 16 | Op.TypeInt, s.uint, 32, 0]
    assert s.globals[4:] == [4 << 16 | Op.Constant, s.uint, s.u32(5), 5]


def test_double_constants_have_their_low_word_first() -> None:
    s = Sections()
    s.ir_constant(F64, 0x3FF80000_DEADBEEF)
    assert s.globals[-2:] == [0xDEADBEEF, 0x3FF80000]
    assert Capability.Float64 in s.capabilities


def test_texels_are_vectors_of_four() -> None:
    s = Sections()
    assert s.ir_type(Type.TEXEL_I32) == s.vector(s.sint, 4)
    assert s.ir_type(Type.TEXEL_F32) == s.vector(s.float, 4)
    assert s.ir_type(Type.TEXEL_U32) == s.vector(s.uint, 4)


def test_parts_stand_in_the_order_of_the_layout() -> None:
    """§2.4: capabilities, extensions, imports, memory model, entry points, modes, debug strings,
    names, decorations, declarations, functions."""
    s = Sections()
    put(s.functions, Op.Function, s.void, s.id(), 0, s.type(Op.TypeFunction, s.void))
    s.decorate(3, 4)
    s.name(3, "x")
    put(s.strings, Op.String, s.id(), *string_words("f"))
    put(s.modes, Op.ExecutionMode, 1, 17, 1, 1, 1)
    put(s.entry, Op.EntryPoint, 5, 1, *string_words("main"))
    s.extended("GLSL.std.450")
    s.extensions.add("SPV_KHR_x")
    words = np.frombuffer(s.data(VERSION_1_3), "<u4").tolist()
    assert words[:5] == [0x07230203, VERSION_1_3, 0, s.id(), 0]
    assert _opcodes(words[5:]) == [
        Op.Capability, Op.Extension, Op.ExtInstImport, Op.MemoryModel, Op.EntryPoint,
        Op.ExecutionMode, Op.String, Op.Name, Op.Decorate, Op.TypeVoid, Op.TypeFunction,
        Op.Function,
    ]  # fmt: skip


def test_imports_and_strings_are_made_once() -> None:
    s = Sections()
    assert s.extended("GLSL.std.450") == s.extended("GLSL.std.450")
    assert s.string("a") == s.string("a")


def _opcodes(words: list[int]) -> list[int]:
    found: list[int] = []
    while words:
        found.append(words[0] & 0xFFFF)
        words = words[words[0] >> 16 :]
    return found
