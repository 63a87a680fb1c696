"""Messages to the host: `abort`, `printf`, `errorf`. Source: isa.message.

fxc writes a 32-bit argument as an operand with one component, and a double as an operand with a
swizzle of four components or a 64-bit immediate.
"""

from __future__ import annotations

from dataclasses import replace

from translate.ir.builder import Builder
from translate.ir.float_bits import SIGN
from translate.ir.memory import Message
from translate.ir.values import Module, Value
from translate.isa.instruction import Flow, Scalar
from translate.isa.registers import Modifier, Operand, RegisterFile, Selection
from translate.lower.flow import FlowDriver
from translate.lower.operands import Operands
from translate.program import Statement


class MessageDriver:
    """Lowers messages; the host finds the types of arguments in the format string."""

    def __init__(self, builder: Builder, operands: Operands, flow: FlowDriver, module: Module):
        self.b = builder
        self.operands = operands
        self.flow = flow
        self.messages = module.messages
        self.numbers: dict[int, int] = {}  # by instruction, which may be lowered repeatedly

    def lower(self, statement: Statement) -> None:
        """Lower one message; an `abort` ends the thread."""
        number = self.numbers.setdefault(id(statement), len(self.messages))
        arguments = [self._dwords(operand) for operand in statement.operands]
        if number == len(self.messages):
            widths = tuple(len(dwords) for dwords in arguments)
            name, text = statement.row.name, text_of(statement.text)
            self.messages.append(Message(name, text, widths, statement.where))
        self.b.message(number, [dword for dwords in arguments for dword in dwords])
        if statement.row.flow is Flow.ABORT:
            self.flow.abort()

    def _dwords(self, operand: Operand) -> list[Value]:
        if not is_double(operand):
            return [self.operands.read(operand, 0, Scalar.BITS)]
        if operand.file is RegisterFile.IMMEDIATE64:
            return [self.b.u32(bits) for bits in operand.values[:2]]
        plain, b = replace(operand, modifier=Modifier.NONE), self.b
        low, high = (self.operands.read(plain, slot, Scalar.BITS) for slot in (0, 1))
        if operand.modifier & Modifier.ABS:
            high = b.iand(high, b.u32(~SIGN))
        if operand.modifier & Modifier.NEG:
            high = b.ixor(high, b.u32(SIGN))
        return [low, high]


def is_double(operand: Operand) -> bool:
    """Whether a message's argument is a double, by the form of its operand (see above)."""
    if operand.file.is_immediate:
        return operand.file is RegisterFile.IMMEDIATE64
    return operand.components == 4 and operand.selection is not Selection.SELECT


def text_of(text: bytes) -> str:
    """The characters of a format string: UTF-8, else one character for each byte."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")
