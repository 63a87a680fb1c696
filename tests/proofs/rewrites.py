"""Claims that a module does the same before and after a pass: those of `tests/passes`.

The proof is about the modules, not about the code of the pass: whatever it changed, the same
memory is left, for all contents, sizes and inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from translate.ir.parser import parse_module
from translate.options import Options
from translate.target_device import device_of

from ..passes.cases import Case, cases
from .arithmetic import InD3D, OnDevice
from .formats import in_d3d, on_device
from .meaning import Term
from .proving import Claim
from .same import Rules, differences

_RECORD = 12  # at least the words of a record, which a loop stores
# What a pass may change besides the module's text, by its name or the beginning of a case's
_RULES: dict[str, dict[str, Any]] = {
    "flush_denormals": {"flushes": True},
    "apply_windows": {"moved": True},
    "convert_texels": {"stored_before": in_d3d, "stored_after": on_device},
    "limit_sample_operands": {"near": True},
    "guard_bounds": {"guarded": False, "logged": False},
    "write_reports": {"logged": False, "numbers": True, "rounds": _RECORD},
    "write_messages": {"logged": False, "numbers": True, "rounds": _RECORD},
}


def rules_of(name: str, options: Options) -> Rules:
    """The rules for a pass, which may run for the second time."""
    name, device = name.partition(".")[0], device_of(options)
    given = _RULES.get(name, {})
    if name in ("flush_denormals", "convert_numbers"):
        given = {**given, "before": InD3D, "after": partial(OnDevice, modes=device.float_modes)}
    trusted = options.guards in ("off", "robustness2")
    return Rules(device.robustness, trusted=trusted, **given)


def _same(case: Case) -> Iterator[Term]:
    before = parse_module(case.before, str(case.path))
    after = parse_module(case.before, str(case.path))
    case.step()[0].run(after)
    yield from differences(before, after, rules_of(case.path.parent.name, case.options))


def of_cases() -> Iterator[Claim]:
    for case in cases():
        yield Claim(f"same after {case.name}", partial(_same, case))
