"""Pure operations as calls of a function, which is written once, at its first use.

Its body consists of other pure operations of the IR. All drivers inline the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.errors import NOWHERE, row_of
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import Type
from translate.ir.values import Block, Value
from translate.spirv.code import Code
from translate.spirv.grammar import Op
from translate.spirv.sections import put

Emit = Callable[[Code, Value], int]
Emitters = Mapping[ops.Op, Emit]
Body = Callable[..., Value]  # takes a builder and the parameters, returns the result


def called(body: Body, emitters: Emitters) -> Emit:
    """An emitter of calls of a function with this body; `emitters` emit the body's operations."""

    def emit(code: Code, value: Value) -> int:
        functions, name = code.sections.shared_functions, value.op.name
        if name not in functions:
            functions[name] = _write(code, name, value, body, emitters)
        return code.instruct(
            Op.FunctionCall, code.type(value.type), functions[name], *map(code.use, value.args)
        )

    return emit


def _write(code: Code, name: str, call: Value, body: Body, emitters: Emitters) -> int:
    """Write the function that `call` needs, and return its id."""
    sections, types = code.sections, [code.type(arg.type) for arg in call.args]
    result = code.type(call.type)
    kind = sections.type(Op.TypeFunction, result, *types)
    function, parameters = sections.id(), [sections.id() for _ in types]
    label, inner = sections.id(), Code(sections, code.tables, code.device)
    returned = _write_body(inner, body, [arg.type for arg in call.args], parameters, emitters)
    words = sections.functions
    put(words, Op.Function, result, function, 0, kind)
    for number, type_ in zip(parameters, types, strict=True):
        put(words, Op.FunctionParameter, type_, number)
    put(words, Op.Label, label)
    words += code.helper(function, name)
    words += inner.body
    put(words, Op.ReturnValue, returned)
    put(words, Op.FunctionEnd)
    sections.name(function, name)
    return function


def _write_body(
    code: Code, body: Body, types: list[Type], parameters: list[int], emitters: Emitters
) -> int:
    """Write the instructions of a body, and return the id of its result."""
    block = Block()
    block.params = [Value(ops.PARAM, type_, [], None, NOWHERE) for type_ in types]
    result = body(Builder(block), *block.params)
    code.ids.update(zip(block.params, parameters, strict=True))
    for value in block:
        emit = row_of(emitters, value.op, "_INSTRUCTIONS of translate/spirv/arithmetic.py")
        code.ids[value] = emit(code, value)
    return code.use(result)
