"""Messages: the arguments of `printf` and `errorf`, and the threads that `abort` ended.

Source: containers of fxc 10.1, where a 32-bit argument selects one component, and a double has a
swizzle of a pair or a 64-bit immediate; HLSL's `printf`, `errorf`, `abort`.
"""

from __future__ import annotations

import numpy as np

from translate.isa.instruction import Lanes, Scalar
from translate.isa.registers import Operand, RegisterFile, Selection
from translate.program import Statement
from translate.reference.findings import Message
from translate.reference.numbers import double_bits
from translate.reference.registers import Registers
from translate.reference.report import Reporter


def send(statement: Statement, registers: Registers, lanes: Lanes, reporter: Reporter) -> None:
    """Record a message for every lane in order, up to the limit."""
    arguments = [_argument(operand, registers, lanes) for operand in statement.operands]
    room = reporter.findings.room_for_messages(len(lanes))
    for position, lane in enumerate(lanes[:room].tolist()):
        dwords = [tuple(int(part[position]) for part in parts) for parts in arguments]
        reporter.findings.messages.append(
            Message(
                thread=reporter.batch.thread(lane),
                group=reporter.batch.group(lane),
                instruction=reporter.instruction,
                line=reporter.where.line,
                name=statement.row.name,
                text=statement.text,
                arguments=tuple(dwords),
            )
        )


def abort(lanes: Lanes, reporter: Reporter) -> None:
    """Record the threads that end here."""
    room = reporter.findings.room_for_aborts(len(lanes))
    for lane in lanes[:room].tolist():
        found = reporter.participant(lane, reporter.instruction)
        reporter.findings.aborts.append(found)


def _argument(operand: Operand, registers: Registers, lanes: Lanes) -> tuple[Lanes, ...]:
    """The dwords of an argument, u32[lanes] each."""
    if operand.file is RegisterFile.IMMEDIATE64:
        low, high = (np.full(len(lanes), bits, np.uint32) for bits in operand.values[:2])
        return low, high
    is_vector = operand.components == 4 and operand.selection is not Selection.SELECT
    if is_vector and not operand.file.is_immediate:
        return double_bits(registers.read_double(operand, 0, lanes))
    return (registers.read_bits(operand, 0, Scalar.BITS, lanes),)
