"""The function that makes a denormal a zero of its sign. Source: FS §3.1.3."""

from __future__ import annotations

from translate.ir.types import F32, U32
from translate.spirv.code import Code
from translate.spirv.grammar import Op
from translate.spirv.sections import put

_NAME = "flush"
_SIGN, _EXPONENT = 0x80000000, 0x7F800000


def flush_function(code: Code) -> int:
    """The function's id; it is written when it is first asked for."""
    found = code.sections.shared_functions.get(_NAME)
    if found is None:
        found = code.sections.shared_functions[_NAME] = _write(code)
    return found


def _write(code: Code) -> int:
    """In integers, so that no driver takes it for superfluous: an exponent of 0 leaves the sign."""
    sections, number, uint = code.sections, code.type(F32), code.type(U32)
    kind = sections.type(Op.TypeFunction, number, number)
    function, argument, bits, exponent, tiny, zero, flushed, result = (
        sections.id() for _ in range(8)
    )
    words = sections.functions
    put(words, Op.Function, number, function, 0, kind)
    put(words, Op.FunctionParameter, number, argument)
    put(words, Op.Label, sections.id())
    words += code.helper(function, _NAME)
    put(words, Op.Bitcast, uint, bits, argument)
    put(words, Op.BitwiseAnd, uint, exponent, bits, sections.u32(_EXPONENT))
    put(words, Op.IEqual, sections.bool, tiny, exponent, sections.u32(0))
    put(words, Op.BitwiseAnd, uint, zero, bits, sections.u32(_SIGN))
    put(words, Op.Select, uint, flushed, tiny, zero, bits)
    put(words, Op.Bitcast, number, result, flushed)
    put(words, Op.ReturnValue, result)
    put(words, Op.FunctionEnd)
    sections.name(function, _NAME)
    return function
