"""Without guards a load happens only where the shader has it: its address may be anything else."""

from contextlib import closing
from typing import Any

import numpy as np
import pytest

import translate
from checks.interpret import interpret
from translate.ir.row import Stage
from translate.options import Options
from translate.passes.pipeline import run_passes
from translate.pipeline import lowered
from translate.reference.resources import Buffer

from ..listings import listing

LENGTH = 64
# t1 is read at an index that the loop's second way out keeps inside
LISTING = listing(
    ["ld_structured r0.x, vThreadID.x, l(0), t0.xxxx", "mov r1.xy, l(0, 0, 0, 0)", "loop",
     "uge r0.y, r1.x, l(4)", "breakc_nz r0.y", f"uge r0.y, r0.x, l({LENGTH})", "breakc_nz r0.y",
     "ld_structured r0.z, r0.x, l(0), t1.xxxx", "iadd r1.y, r1.y, r0.z", "iadd r1.x, r1.x, l(1)",
     "endloop", "store_structured u0.x, vThreadID.x, l(0), r1.y"],
    ["dcl_resource_structured t0, 4", "dcl_resource_structured t1, 4", "dcl_uav_structured u0, 4"],
    group=(8, 1, 1),
)  # fmt: skip
INDICES = [0, 1, 2, LENGTH - 1, LENGTH, 0x10000000, 0x3FFFFFFF, 0xFFFFFFFF]
GIVEN = {
    "t0": np.array(INDICES, np.uint32),
    "t1": np.arange(1, LENGTH + 1, dtype=np.uint32),
    "u0": np.zeros(8, np.uint32),
}
SUMS = [4 * (n + 1) if n < LENGTH else 0 for n in INDICES]


@pytest.mark.parametrize("optimize", [True, False])
def test_a_load_stays_after_the_way_out_that_keeps_its_index_inside(
    device: Any, optimize: bool
) -> None:
    """A device may end the process for an address so far outside."""
    with closing(device.kernel(LISTING, guards="off", optimize=optimize)) as kernel:
        assert kernel.dispatch(1, **GIVEN).u0.tolist() == SUMS


def test_the_optimised_module_has_no_access_outside() -> None:
    """The interpreter raises an error for one."""
    options = Options(guards="off")
    module = lowered(translate.load(LISTING), options)
    run_passes(module, options)
    resources = {name: Buffer(words.copy().view(np.uint8)) for name, words in GIVEN.items()}
    outcome = interpret(module, Stage.WINDOWED, resources, (1, 1, 1))
    assert outcome.written.buffers["u0"].view(np.uint32).tolist() == SUMS
