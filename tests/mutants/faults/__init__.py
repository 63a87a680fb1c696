"""All deliberate faults, by the part of the package they are made in."""

from __future__ import annotations

from ..fault import Fault
from . import instructions, lowering, passes, readers, reference, runner, spirv

FAULTS: tuple[Fault, ...] = (
    *instructions.FAULTS,
    *lowering.FAULTS,
    *passes.FAULTS,
    *spirv.FAULTS,
    *readers.FAULTS,
    *reference.FAULTS,
    *runner.FAULTS,
)
