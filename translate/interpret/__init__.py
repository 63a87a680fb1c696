"""An interpreter of the IR: what a module does to memory, at any stage of the pipeline.

What pure operations compute is their rows' `evaluate`; memory, texels and samplers are those of the
reference machine, which reads the *instructions* by itself. A module that was lowered can so be
compared with the reference machine, and every pass with the module before it.
"""

from __future__ import annotations

from translate.interpret.denormals import ALWAYS_ZERO, D3D, KEPT, RESULTS_ZERO, Denormals
from translate.interpret.errors import EndlessError, InterpretError
from translate.interpret.machine import Machine, Outcome
from translate.interpret.messages import Sent
from translate.interpret.reports import Reported
from translate.ir.robustness import NONE, Robustness
from translate.ir.row import Stage
from translate.ir.values import Module
from translate.reference.resources import Resources
from translate.reference.storage import Storage

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
    """Execute thread groups (x, y, z) of a module that has come to `stage`.

    Groups run side by side, lanes in lockstep, and of a store or atomic the lanes in order. The
    resources are not modified. `robustness` says which accesses outside of memory the device makes
    harmless; what it reads there is a number that shows where Vulkan says no more. `rounds` is how
    often a loop may begin again.

    Raises InterpretError where a thread does what the IR leaves undefined: an operation whose
    precondition does not hold, an access outside of memory that is said to be in bounds, a barrier
    that a part of a group comes to. EndlessError for loops that take too long.
    """
    return Machine(module, stage, Storage(resources), denormals, robustness, rounds).dispatch(
        groups
    )
