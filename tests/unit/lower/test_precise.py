"""Which arithmetic may not be contracted: FS §13.1, `refactoringAllowed` and `[precise]`."""

import pytest

import translate
from translate.ir import ops
from translate.lower import lower_program

from .listing import HEADER

FREE = "dcl_globalFlags refactoringAllowed"


def precise(instruction: str, *, free: bool) -> list[bool]:
    """For each product and sum that the instruction becomes, whether it is precise."""
    header = [line for line in HEADER if free or line != FREE]
    module = lower_program(translate.load("\n".join((*header, instruction, "ret\n"))))
    arithmetic = (ops.FADD, ops.FMUL)
    return [bool(value.data) for value in module.walk() if value.op in arithmetic]


@pytest.mark.parametrize(
    "instruction", ["mad r0.xy, r1.xyxx, r2.xyxx, r3.xyxx", "dp2 r0.x, r1.xyxx, r2.xyxx"]
)
@pytest.mark.parametrize("free", [True, False])
def test_the_flag_of_the_program(instruction: str, free: bool) -> None:
    found = precise(instruction, free=free)
    assert len(found) >= 3
    assert set(found) == {not free}


def test_the_flag_of_components() -> None:
    found = precise("add [precise(y)] r0.xyz, r1.xyzx, r2.xyzx", free=True)
    assert found == [False, True, False]
