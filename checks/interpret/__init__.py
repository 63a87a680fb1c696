"""An interpreter of the IR: a module's effect on memory, at any stage of the pipeline.

Pure operations are executed by their rows' `evaluate`; memory, texels and samplers are those of the
reference machine, which executes D3D's instructions. So a lowered module can be compared with the
reference machine, and the result of each pass with the module before it.
"""

from __future__ import annotations

from checks.interpret.denormals import ALWAYS_ZERO, D3D, KEPT, RESULTS_ZERO, Denormals
from checks.interpret.errors import EndlessError, InterpretError
from checks.interpret.machine import Machine, Outcome
from checks.interpret.messages import Sent
from checks.interpret.reports import Reported
from translate.ir.row import Stage
from translate.ir.values import Module
from translate.reference.resources import Resources
from translate.reference.storage import Storage
from translate.target_device import NONE, Robustness

__all__ = [
    "ALWAYS_ZERO",
    "D3D",
    "KEPT",
    "RESULTS_ZERO",
    "Denormals",
    "EndlessError",
    "InterpretError",
    "Outcome",
    "Reported",
    "Sent",
    "interpret",
]

MOST_ROUNDS = 1 << 16


def interpret(
    module: Module,
    stage: Stage,
    resources: Resources,
    groups: tuple[int, int, int],
    *,
    denormals: Denormals = KEPT,
    robustness: Robustness = NONE,
    rounds: int = MOST_ROUNDS,
) -> Outcome:
    """Execute thread groups (x, y, z) of a module that has reached `stage`.

    Groups run side by side, lanes in lockstep; the lanes of a store or atomic run in order. The
    resources are not modified. `denormals` says which denormals the device replaces by zeros.
    `robustness` lists the out-of-bounds accesses that the device makes harmless; if Vulkan does not
    define the result of one, it is an easily recognised number. `rounds` limits the iterations of a
    loop.

    Raises InterpretError if a thread does something that the IR leaves undefined: it breaks the
    precondition of an operation, makes an out-of-bounds access that should be in bounds, or reaches
    a barrier that other threads of its group do not reach. Raises EndlessError if a loop exceeds
    its limit.
    """
    return Machine(module, stage, Storage(resources), denormals, robustness, rounds).dispatch(
        groups
    )
