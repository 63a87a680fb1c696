"""Arithmetic, moves and dot products: apply the rows' `evaluate` to the lanes of a batch.

Source: FS §7, §22.9-22.17; reference "Model", "Double precision".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from translate.errors import ProgramError, UnsupportedError
from translate.isa.instruction import Kind, Lanes, Results, Scalar
from translate.isa.registers import Operand, RegisterFile
from translate.program import Statement
from translate.reference.numbers import as_bits, as_number, double_bits, saturated, with_one_nan
from translate.reference.registers import Registers

_FLOATS = (Scalar.F32, Scalar.F64)
_PAIRS = {0b0011: (0,), 0b1100: (1,), 0b1111: (0, 1)}


def written(operand: Operand) -> tuple[int, ...]:
    """The components that a destination writes; empty for `null`."""
    return () if operand.file is RegisterFile.NULL else operand.written()


def evaluate_of(statement: Statement) -> Callable[..., Results]:
    """The row's `evaluate`. Raises UnsupportedError if the row has none."""
    if statement.row.evaluate is None:
        raise UnsupportedError(
            f"the reference machine cannot execute {statement.row.name}", statement.where
        )
    return cast("Callable[..., Results]", statement.row.evaluate)


def execute_alu(statement: Statement, registers: Registers, lanes: Lanes) -> None:
    """Execute a row of kind ALU or MOVE. All sources are read before anything is written."""
    if any(spec.scalar is Scalar.F64 for spec in statement.row.operands):
        _execute_double(statement, registers, lanes)
        return
    evaluate = evaluate_of(statement)
    count = statement.row.destinations
    targets = statement.operands[:count]
    sources = list(zip(statement.operands[count:], statement.row.operands[count:], strict=True))
    results: dict[int, tuple[Lanes, ...]] = {}
    marks: dict[int, Lanes] = {}
    for component in sorted({c for target in targets for c in written(target)}):
        arguments = [registers.read(o, component, spec.scalar, lanes) for o, spec in sources]
        results[component] = _finished(statement, evaluate(*arguments))
        if registers.uses.is_active:
            marks[component] = registers.uses.of_component(component, arguments, lanes)
    for position, target in enumerate(targets):
        for component in written(target):
            bits = results[component][position]
            registers.write(target, component, bits, lanes, marks.get(component))


def execute_dot(statement: Statement, registers: Registers, lanes: Lanes) -> None:
    """Execute a dot product, and write its result to all written components."""
    target, *sources = statement.operands
    vectors = [
        tuple(registers.read(operand, slot, spec.scalar, lanes) for slot in range(spec.slots or 0))
        for operand, spec in zip(sources, statement.row.operands[1:], strict=True)
    ]
    (bits,) = _finished(statement, evaluate_of(statement)(*vectors))
    for component in written(target):
        registers.write(target, component, bits, lanes)


def _finished(statement: Statement, given: Results) -> tuple[Lanes, ...]:
    """Convert the results of `evaluate` to bits, saturated for `_sat`; always new arrays."""
    values = given if isinstance(given, tuple) else (given,)
    specs = statement.row.operands[: statement.row.destinations]
    moves = statement.row.kind is Kind.MOVE
    results: list[Lanes] = []
    for value, spec in zip(values, specs, strict=True):
        if spec.scalar in _FLOATS and not moves:
            value = with_one_nan(value)
        bits = as_bits(value, spec.scalar)
        if statement.saturate:
            number = saturated(as_number(bits, Scalar.F32))
            bits = as_bits(number, Scalar.F32)
        elif moves:
            bits = bits.copy()
        results.append(bits)
    return tuple(results)


def _execute_double(statement: Statement, registers: Registers, lanes: Lanes) -> None:
    """Execute an instruction on doubles, which occupy pairs of components.

    Pair k of a double destination uses letters 2k and 2k+1 of double sources, and letter k of other
    sources. The n-th written component of a 32-bit destination uses the n-th double.
    """
    target = statement.operands[0]
    wide = statement.row.operands[0].scalar is Scalar.F64
    places = _pairs(statement, target) if wide else written(target)
    results = [
        _double_element(statement, registers, lanes, place if wide else position)
        for position, place in enumerate(places)
    ]
    for place, value in zip(places, results, strict=True):
        if not wide:
            bits = as_bits(value, statement.row.operands[0].scalar)
            registers.write(target, place, bits, lanes)
            continue
        for half, bits in enumerate(double_bits(value)):
            registers.write(target, 2 * place + half, bits, lanes)


def _double_element(
    statement: Statement, registers: Registers, lanes: Lanes, element: int
) -> Lanes:
    arguments = [
        registers.read_double(operand, min(element, 1), lanes)
        if spec.scalar is Scalar.F64
        else registers.read(operand, element, spec.scalar, lanes)
        for operand, spec in zip(statement.operands[1:], statement.row.operands[1:], strict=True)
    ]
    value = np.asarray(evaluate_of(statement)(*arguments))
    if statement.saturate:
        return saturated(value)
    is_number = statement.row.operands[0].scalar in _FLOATS and statement.row.kind is not Kind.MOVE
    return with_one_nan(value) if is_number else value


def _pairs(statement: Statement, target: Operand) -> tuple[int, ...]:
    if target.file is RegisterFile.NULL:
        return ()
    if target.mask not in _PAIRS:
        raise ProgramError("a double is written to .xy, .zw or .xyzw", statement.where)
    return _PAIRS[target.mask]
