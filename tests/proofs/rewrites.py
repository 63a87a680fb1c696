"""Claims that a module does the same before and after a pass: those of `tests/passes`.

The proof is about the modules, not about the code of the pass: whatever it changed, the same
memory is left, for all contents, sizes and inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from translate.ir import ops
from translate.ir.parser import parse_module
from translate.target_device import device_of

from ..passes.cases import Case, cases
from .meaning import Term
from .memory import differences, is_supported
from .proving import Claim

# Their results differ on purpose: flushes, roundings, reports, faults of drivers
_OTHER_MEANING = (
    *("flush_denormals", "convert_texels", "limit_sample_operands", "declare_report"),
    *("write_reports", "mark_shared_writes", "write_messages", "apply_windows"),
    # It leaves a loop after so many rounds, and says so in a buffer
    "carry_exits/limit_",
    *("promote_registers", "scalarise_arrays", "resume_calls", "convert_numbers"),
)


def _same(case: Case) -> Iterator[Term]:
    before = parse_module(case.before, str(case.path))
    after = parse_module(case.before, str(case.path))
    case.step()[0].run(after)
    yield from differences(before, after, device_of(case.options).robustness)


def _is_subject(case: Case) -> bool:
    if case.name.startswith(_OTHER_MEANING) or case.options.guards != "d3d":
        return False
    module = parse_module(case.before, str(case.path))
    loose = (ops.READ_REGISTER, ops.WRITE_REGISTER, ops.CALL, ops.BARRIER, ops.CHECK, ops.REPORT)
    return is_supported(module) and not any(value.op in loose for value in module.walk())


def of_cases() -> Iterator[Claim]:
    for case in cases():
        if _is_subject(case):
            yield Claim(f"same after {case.name}", partial(_same, case))
