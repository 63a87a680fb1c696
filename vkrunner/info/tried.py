"""Tried: facts about a device that probes (small shaders) find out when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import TypeAlias

from translate import ExactSample, FloatControl
from vkrunner.info.faults import Faults, no_faults

ExactSamples: TypeAlias = Callable[[], Set[ExactSample]]
"""Returns the value of `Options.exact_samples` for a device; may run shaders, like `Faults`."""

NeedlessModes: TypeAlias = Callable[[], Set[FloatControl]]
"""Returns the value of `Device.needless_modes`; may run shaders."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Functions that return a device's faults, and the tests and modes that are needless there.

    Their first calls may run probes. By default a device has no faults, all operands of
    samples are tested, and all float modes are declared.
    """

    faults: Faults = no_faults
    exact_samples: ExactSamples = frozenset
    needless_modes: NeedlessModes = frozenset
