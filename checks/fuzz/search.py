"""The search for a case that fails, and its reduction, both by Hypothesis."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity

from vkrunner import DispatchTimeout

from .case import Case
from .compare import FORMS, DifferenceError, check
from .known import known
from .program import programs
from .scope import Abilities


@dataclass(frozen=True)
class Failure:
    """The smallest failing case that was found, and its problem."""

    case: Case
    problem: str


def abilities_of(device: Any, only: Iterable[str] = ()) -> Abilities:
    """What can be drawn for a device: not what it lacks, nor what shows a known difference."""
    features = device.features
    mixed = features.storage_image_read_without_format
    return Abilities(
        only=frozenset(only),
        doubles=features.float64,
        gather_offsets=features.image_gather_extended,
        null_textures=features.null_descriptor,
        null_counters=features.null_descriptor,
        null_elements=features.null_descriptor,
        mixed_images=mixed and features.storage_image_write_without_format,
        cube_arrays=features.image_cube_array,
        mirror_once=features.sampler_mirror_clamp_to_edge,
        **{name: value for one in known(device) for name, value in one.abilities.items()},
    )


# No database and no clock: the cases depend on the seed alone.
SETTINGS = hypothesis.settings(
    database=None,
    deadline=None,
    derandomize=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
    verbosity=Verbosity.quiet,
)


class Search:
    """Cases on one device, compared by `compare`. `seen` is called with each before it runs.

    After a case that does not end the device is not used again: `reopen` opens another.
    """

    def __init__(
        self,
        machine: Any,
        device: Any,
        seen: Callable[[Case], None] = lambda case: None,
        reopen: Callable[[], Any] | None = None,
        only: Iterable[str] = (),
        compare: Callable[[Any, Any, Case, tuple[str, ...]], object] = check,
    ):
        self.machine, self.device, self.seen = machine, device, seen
        self.reopen, self.compare = reopen, compare
        self.programs = programs(abilities_of(device, only))
        self.count = 0

    def run(self, seed: int, examples: int, until: float = math.inf) -> Failure | None:
        """Try so many cases of a seed; returns the smallest failing one.

        From `until` (of `time.monotonic`) on, no new case is tried after the first; a failing one
        is still reduced.
        """
        failed: list[Failure] = []
        forms = dict.fromkeys(FORMS)
        before = self.count

        @hypothesis.seed(seed)
        @hypothesis.settings(SETTINGS, max_examples=examples)
        @hypothesis.given(self.programs)
        def attempt(case: Case) -> None:
            if self.count > before and not failed and time.monotonic() >= until:
                return
            self.count += 1
            self.seen(case)
            try:
                self.compare(self.machine, self.device, case, tuple(forms))
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
                _keep_form(forms, error)
                failed.append(Failure(case, problem))
                if isinstance(error, DispatchTimeout) and self.reopen is not None:
                    self.device = self.reopen()
                raise DifferenceError(problem) from None

        try:
            attempt()
        except Exception as error:
            if not failed:
                raise
            if not isinstance(error, DifferenceError):
                return Failure(failed[-1].case, f"{failed[-1].problem} ({type(error).__name__})")
        return failed[-1] if failed else None


def _keep_form(forms: dict[str, Any], error: Exception) -> None:
    """While a case is reduced only the form that failed needs to run."""
    form = str(error).partition(":")[0]
    if isinstance(error, DifferenceError) and form in forms:
        for other in [name for name in forms if name != form]:
            del forms[other]
