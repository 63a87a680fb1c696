"""The cases of passes (`tests/passes`) do the same before and after their pass."""

import pytest

from checks.interpret import EndlessError
from checks.passes.cases import Case, cases
from translate.ir.parser import parse_module
from translate.passes.pipeline import passes

from . import inputs
from .passes import Check

_ENDLESS = (
    *("promote_registers/after_a_terminator", "promote_registers/loop_without_a_way_out"),
    *("simplify/endless_loop_that_is_taken", "simplify/loop_that_nothing_leaves"),
)
_HALF_A_FORMAT = "convert_texels/float_without_a_sign"  # r11_float, which is no resource's format


def _problem_of(case: Case, seed: int) -> str | None:
    """The change of the module's behaviour by the pass, or None."""
    one, stage = case.step()
    names = [p.name for p in passes(case.options)]
    done = names[: names.index(one.name)]
    module = parse_module(case.before)
    resources = inputs.bindings(module, seed)
    check = Check(module, case.options, resources, (2, 1, 1), stage, done, rounds=200)
    one.run(module)
    return check.problem_after(one)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_case(case: Case) -> None:
    if case.name == _HALF_A_FORMAT:
        assert "format=r11_float" in case.before
        return
    for seed in range(3):
        if case.name in _ENDLESS:
            with pytest.raises(EndlessError):
                _problem_of(case, seed)
        else:
            assert _problem_of(case, seed) is None
