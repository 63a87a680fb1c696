"""The cases of passes (`tests/passes`) do the same before and after their pass."""

from __future__ import annotations

import pytest

from translate.interpret import EndlessError, interpret
from translate.ir.parser import parse_module
from translate.passes.pipeline import passes
from translate.target_device import device_of

from ..passes.cases import Case, cases
from . import inputs
from .compare import difference, reports_differ
from .passes import FILTERED, FLUSH, MARKS, SAMPLES, denormals

ROUNDS = 200
SEEDS = range(3)
GROUPS = (2, 1, 1)
ENDLESS = (
    *("promote_registers/after_a_terminator", "promote_registers/loop_without_a_way_out"),
    *("simplify/endless_loop_that_is_taken", "simplify/loop_that_nothing_leaves"),
)
HALF_A_FORMAT = "convert_texels/float_without_a_sign"  # r11_float, which is no resource's format


def problem_of(case: Case, seed: int) -> str | None:
    """The change of the module's behaviour by the pass, or None."""
    one, stage = case.step()
    names = [p.name for p in passes(case.options)]
    done = names[: names.index(one.name)]
    module = parse_module(case.before)
    resources = inputs.bindings(module, seed)
    how = denormals(case.options, FLUSH in done)
    robust = device_of(case.options).robustness
    before = interpret(
        module, stage, resources, GROUPS, denormals=how, robustness=robust, rounds=ROUNDS
    )
    one.run(module)
    done.append(one.name)
    how = denormals(case.options, FLUSH in done)
    after = interpret(
        module, one.stage, resources, GROUPS, denormals=how, robustness=robust, rounds=ROUNDS
    )
    places = FILTERED if one.name == SAMPLES else 0.0
    problem = difference(resources, before.written, after.written, places)
    marked = bool(module.written_marks) or MARKS not in done
    return problem or reports_differ(before, after, marked)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_case(case: Case) -> None:
    if case.name == HALF_A_FORMAT:
        assert "format=r11_float" in case.before
        return
    for seed in SEEDS:
        if case.name in ENDLESS:
            with pytest.raises(EndlessError):
                problem_of(case, seed)
        else:
            assert problem_of(case, seed) is None
