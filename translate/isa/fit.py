"""Checks of an instruction's operands, which the decoder and the parser share.

Source: FS §7.3, §22.3. Lowering checks the kinds of resources.
"""

from __future__ import annotations

from translate.isa.instruction import Instruction, Role, Spec
from translate.isa.registers import Operand, RegisterFile

_NAMED_BY_REGISTERS = (RegisterFile.IMMEDIATE_CONSTANT_BUFFER, RegisterFile.THIS_POINTER)
# For classes; cs_5_1 has ranges instead
_NAMED_BY_CLASSES = (RegisterFile.CONSTANT_BUFFER, RegisterFile.RESOURCE, RegisterFile.SAMPLER)
_DESTINATION, _DECLARED = Role.DESTINATION, Role.DECLARED
_LARGEST_INDEX = 0xFFFFFFFF  # 64-bit indices have an encoding, but no use


def misfit(row: Instruction, spec: Spec, operand: Operand, ranges: bool) -> str | None:
    """The reason why an operand is not valid in its place, or None if it is valid.

    `ranges`: cs_5_1, where resource operands have a range and an index.
    """
    file = operand.file
    if spec.files and file not in spec.files:
        expected = " or ".join(one.prefix for one in spec.files)
        return f"{row.name} takes {expected}, found {file.prefix}"
    role = spec.role
    if role is _DESTINATION and not operand.mask and file is not RegisterFile.NULL:
        return f"{row.name} needs a write mask on {file.prefix}"
    if role is _DECLARED and any(index.relative for index in operand.indices):
        return f"{row.name} takes numbers as indices"
    return _index_misfit(operand, ranges) if operand.indices else None


def _index_misfit(operand: Operand, ranges: bool) -> str | None:
    """The first fault of an operand's indices, or of registers in them; None if all are valid."""
    for position, index in enumerate(operand.indices):
        register = index.relative
        if index.immediate is not None and index.immediate > _LARGEST_INDEX:
            return f"an index has 32 bits, found {index.immediate}"
        if register is None:
            continue
        if position == 0 and not _is_named_by_registers(operand.file, ranges):
            return f"{operand.file.prefix} takes a number as its first index"
        expected = register.file.indices_in(ranges)
        if len(register.indices) != expected:
            return f"{register.file.prefix} takes {expected} indices, found {len(register.indices)}"
        fault = _index_misfit(register, ranges)
        if fault is not None:
            return fault
    return None


def _is_named_by_registers(file: RegisterFile, ranges: bool) -> bool:
    return file in _NAMED_BY_REGISTERS or (not ranges and file in _NAMED_BY_CLASSES)
