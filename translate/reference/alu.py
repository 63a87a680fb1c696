"""Arithmetic, moves and dot products: apply the rows' `evaluate` to the lanes of a batch.

Source: FS §7, §22.9-22.17; reference "Model", "Double precision".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import cast

import numpy as np

from translate.errors import ProgramError, UnsupportedError
from translate.isa.instruction import Kind, Lanes, Results, Scalar, Spec
from translate.isa.registers import Operand, RegisterFile
from translate.program import Statement
from translate.reference.numbers import (
    as_bits,
    as_number,
    double_bits,
    integer_bits,
    saturated,
    with_one_nan,
)
from translate.reference.registers import Registers, Writer

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


def computation(statement: Statement, registers: Registers) -> Callable[[Lanes], None]:
    """The function of lanes that executes an instruction of kind ALU or MOVE."""
    if statement.row.has_doubles:
        return partial(_execute_double, statement, registers)
    return _Computation(statement, registers).execute


class _Computation:
    """An instruction of kind ALU or MOVE of a batch; its operands are looked up only once."""

    def __init__(self, statement: Statement, registers: Registers):
        row, count = statement.row, statement.row.destinations
        self._evaluate, self._uses = evaluate_of(statement), registers.uses
        targets = list(zip(statement.operands[:count], row.operands[:count], strict=True))
        sources = list(zip(statement.operands[count:], row.operands[count:], strict=True))
        self._has_pairs = count > 1
        self._components = [
            (
                component,
                [registers.reader(operand, component, spec.scalar) for operand, spec in sources],
                [
                    (position, _finisher(statement, spec), registers.writer(target, component))
                    for position, (target, spec) in enumerate(targets)
                    if component in written(target)
                ],
            )
            for component in sorted({c for target, _ in targets for c in written(target)})
        ]

    def execute(self, lanes: Lanes) -> None:
        """All sources are read before anything is written."""
        uses = self._uses
        results: list[tuple[int, Writer, Lanes, Lanes | None]] = []
        for component, readers, targets in self._components:
            arguments = [read(lanes) for read in readers]
            given = self._evaluate(*arguments)
            values = given if isinstance(given, tuple) else (given,)
            active = uses.is_active
            marks = uses.of_component(component, arguments, lanes) if active else None
            for position, finish, write in targets:
                results.append((position, write, finish(values[position]), marks))
        if self._has_pairs:
            results.sort(key=itemgetter(0))  # the first destination, then the second
        for _, write, bits, its in results:
            write(bits, lanes, its)


def execute_dot(statement: Statement, registers: Registers, lanes: Lanes) -> None:
    """Execute a dot product, and write its result to all written components."""
    target, *sources = statement.operands
    vectors = [
        tuple(registers.read(operand, slot, spec.scalar, lanes) for slot in range(spec.slots or 0))
        for operand, spec in zip(sources, statement.row.operands[1:], strict=True)
    ]
    value = cast("Lanes", evaluate_of(statement)(*vectors))
    bits = _finisher(statement, statement.row.operands[0])(value)
    for component in written(target):
        registers.write(target, component, bits, lanes)


def _finisher(statement: Statement, spec: Spec) -> Callable[[Lanes], Lanes]:
    """The conversion of a result of `evaluate` to bits, saturated for `_sat`, in a new array."""
    moves = statement.row.kind is Kind.MOVE
    if statement.saturate:
        return lambda value: _saturated(value if moves else with_one_nan(value), spec.scalar)
    if moves:
        return lambda value: as_bits(value, spec.scalar).copy()
    if spec.scalar in _FLOATS:
        return lambda value: as_bits(with_one_nan(value), spec.scalar)
    return integer_bits


def _saturated(value: Lanes, scalar: Scalar) -> Lanes:
    return as_bits(saturated(as_number(as_bits(value, scalar), Scalar.F32)), Scalar.F32)


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
