"""The function that makes a denormal a zero of its sign. Source: FS §3.1.3."""

from __future__ import annotations

from translate.ir.types import F32, U32
from translate.spirv.code import STD450, Code
from translate.spirv.grammar import Decoration, Op, Std450
from translate.spirv.sections import put

_NAME = "flush"
_SIGN = 0x80000000
_ONE, _SMALLEST_NORMAL = 0x3F800000, 0x00800000


def flush_function(code: Code) -> int:
    """The function's id; it is written when it is first asked for."""
    found = code.sections.shared_functions.get(_NAME)
    if found is None:
        found = code.sections.shared_functions[_NAME] = _write(code)
    return found


def _write(code: Code) -> int:
    sections, number = code.sections, code.type(F32)
    kind = sections.type(Op.TypeFunction, number, number)
    function, argument = sections.id(), sections.id()
    words = sections.functions
    put(words, Op.Function, number, function, 0, kind)
    put(words, Op.FunctionParameter, number, argument)
    put(words, Op.Label, sections.id())
    words += code.helper(function, _NAME)
    result = _product(code, argument) if code.flushes_results else _choice(code, argument)
    put(words, Op.ReturnValue, result)
    put(words, Op.FunctionEnd)
    sections.name(function, _NAME)
    return function


def _product(code: Code, argument: int) -> int:
    """Times 1, where the device flushes every product.

    NoContraction: a driver may take other products with 1 for superfluous, as Mesa does.
    """
    sections, number = code.sections, code.type(F32)
    product = sections.id()
    one = sections.ir_constant(F32, _ONE)
    put(sections.functions, Op.FMul, number, product, argument, one)
    sections.decorate(product, Decoration.NoContraction)
    return product


def _choice(code: Code, argument: int) -> int:
    """Of a number below the least normal one the sign, by a comparison that may flush or not.

    It is false for a NaN, which stays.
    """
    sections, number, uint = code.sections, code.type(F32), code.type(U32)
    size, tiny, bits, sign, zero, flushed = (sections.id() for _ in range(6))
    words = sections.functions
    extended, least = sections.extended(STD450), sections.ir_constant(F32, _SMALLEST_NORMAL)
    put(words, Op.ExtInst, number, size, extended, Std450.FAbs, argument)
    put(words, Op.FOrdLessThan, sections.bool, tiny, size, least)
    put(words, Op.Bitcast, uint, bits, argument)
    put(words, Op.BitwiseAnd, uint, sign, bits, sections.u32(_SIGN))
    put(words, Op.Bitcast, number, zero, sign)
    put(words, Op.Select, number, flushed, tiny, zero, argument)
    return flushed
