"""Claims that a module does the same before and after a pass: those of `tests/passes`.

The proof is about the modules, not about the code of the pass: whatever it changed, the same
memory is left, for all contents, sizes and inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import z3

from checks.passes.cases import Case, cases
from translate.ir.parser import parse_module
from translate.options import EXACT_FUNCTIONS, Options
from translate.target_device import device_of

from .arithmetic import InD3D, OnDevice
from .formats import in_d3d, on_device
from .meaning import Term
from .proving import Claim
from .same import Rules, differences

_RECORD = 12  # at least the words of a record, which a loop stores
# The cases in which a pass relies on the bounds of threads' places; in others inputs are any words
_PLACED = (
    "carry_exits/limit_moved",
    "simplify/difference_from_a_constant",
    "simplify/differences",
    "simplify/inserted_bits",
    "simplify/part_of_a_group",
    "simplify/range_of_a_thread",
    "simplify/signed_order_of_two_numbers",
    "simplify/smaller_than_a_dispatch_reaches",
)
# What `convert_numbers`, which comes after `flush_denormals`, makes of conversions on any device
_EXACT_CONVERSIONS = {
    *("rounding_mode_rte_32", "rounding_mode_rtz_16"),
    *("denorm_preserve_16", "signed_zero_inf_nan_preserve_16"),
}
# What a pass may change besides the module's text, by its name or a case's
_RULES: dict[str, dict[str, Any]] = {
    "enclose_bodies": {"placed": True},  # by a group's number that no group has
    "scalarise_arrays": {"registers": True},
    # A call takes two rounds, so that calls in loops take more than z3 decides
    "resume_calls": {"registers": True, "more_rounds": None},
    **{f"resume_calls/{name}": {"more_rounds": 4} for name in ("branches", "switch", "two_calls")},
    "flush_denormals": {"flushes": True},
    "convert_numbers": {"halves": True, "placed": True},  # by a number of groups that D3D allows
    "apply_windows": {"moved": True},
    "convert_texels": {"stored_before": in_d3d, "stored_after": on_device},
    "limit_sample_operands": {"near": True},
    "guard_bounds": {"guarded": False, "logged": False},
    "write_reports": {"logged": False, "numbers": True, "rounds": _RECORD},
    "write_messages": {"logged": False, "numbers": True, "rounds": _RECORD},
}


def rules_of(name: str, options: Options) -> Rules:
    """The rules for a case, or for any module and a pass, which may run for the second time."""
    name, device = name.partition(".")[0], device_of(options)
    pass_name = name.partition("/")[0]
    placed = any(one.startswith(name) for one in _PLACED)
    given: dict[str, Any] = {"placed": placed, **_RULES.get(pass_name, {}), **_RULES.get(name, {})}
    if pass_name in ("flush_denormals", "convert_numbers"):
        modes = device.float_modes
        if pass_name == "flush_denormals":
            modes |= _EXACT_CONVERSIONS
        exact = {name: z3.Bool(f"exact_{name}") for name in EXACT_FUNCTIONS if options.specialize}
        exact |= dict.fromkeys(options.exact_functions, z3.BoolVal(True))
        given |= {"before": InD3D, "after": partial(OnDevice, modes=modes, exact=exact)}
    trusted = options.guards in ("off", "robustness2")
    return Rules(device.robustness, trusted=trusted, **given)


def _same(case: Case) -> Iterator[Term]:
    before = parse_module(case.before, str(case.path))
    after = parse_module(case.before, str(case.path))
    case.step()[0].run(after)
    yield from differences(before, after, rules_of(case.name, case.options))


def of_cases() -> Iterator[Claim]:
    for case in cases():
        yield Claim(f"same after {case.name}", partial(_same, case))
