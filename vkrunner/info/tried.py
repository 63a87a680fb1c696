"""Tried: facts about a device that small shaders find out, each when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import TypeAlias

from translate import ExactSample
from vkrunner.info.faults import Faults, no_faults

ExactSamples: TypeAlias = Callable[[], Set[ExactSample]]
"""Returns the value of `Options.exact_samples` for a device; may run shaders, like `Faults`."""


def _none() -> frozenset[ExactSample]:
    return frozenset()


@dataclass(frozen=True, slots=True)
class Tried:
    """The faults of a device, and the operands of samples that it gets right."""

    faults: Faults = no_faults
    exact_samples: ExactSamples = _none
