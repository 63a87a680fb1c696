"""Registers to values, beyond the cases of tests/passes: input that the verifier would refuse."""

from __future__ import annotations

from translate.ir import ops
from translate.ir.row import Stage
from translate.ir.types import VOID
from translate.ir.verify import verify
from translate.passes.registers.promote import promote_registers

from ...ir.building import Small, code


def test_code_after_a_terminator_is_dropped() -> None:
    small = Small()
    b = small.b
    b.write_register(0, b.u32(1))
    b.emit(ops.RETURN, VOID, [])
    b.write_register(0, b.u32(2))
    module = small.finish()
    promote_registers(module)
    verify(module, Stage.PROMOTED)
    assert code(module) == "return\n"
