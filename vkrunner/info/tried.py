"""Tried: facts about a device that probes (small shaders) find out when they are asked for."""

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
    """Functions that return a device's faults, and the sample operands that need no tests there.

    The first call of each may run probes. By default a device has no faults, and all operands are
    tested.
    """

    faults: Faults = no_faults
    exact_samples: ExactSamples = _none
