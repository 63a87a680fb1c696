"""CPU time that lavapipe takes for a pipeline and its first dispatch, compared with dxbc-spirv.

The dispatch has no groups, so that nothing but the compiler is measured (`tools/gpus`). A figure
is the total of a set's shaders for our modules, divided by that for dxbc-spirv's, which check no
bounds. Of each module it takes the least time of all rounds, or the only one where a module takes
long; tools take turns. The forms are those of `isa`. Shaders that take much longer than the peer's
have rows of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..gpus.compilers import driver_variables
from ..gpus.first_dispatch import first_dispatches
from ..gpus.modules import DXBC_SPIRV, missing_peers, of_peer, ours
from ..gpus.process import DriverProcess, MissingDriver
from .figures import Row, beyond
from .shaders import Shaders, samples

TITLE = "readiness on lavapipe"
FORMS = ("portable", "d3d", "off", "off, device")
_ROUNDS = 3
_SHORT = 0.5  # seconds; what takes longer is measured once
_LONG = 1.5  # times the peer's time


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds by form and for the peer, if the driver takes its module."""

    name: str
    samples: bool
    seconds: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """The time with guards over the peer's; 0 without one of them."""
        theirs = self.seconds.get(DXBC_SPIRV)
        return self.seconds.get("d3d", 0.0) / theirs if theirs else 0.0


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """Rows by set. Says on stderr what is missing."""
    rounds = max(1, round(_ROUNDS * scale))
    try:
        with DriverProcess(driver_variables("lvp"), first_dispatches) as driver:
            times = {path: _times(driver, path, rounds) for path in shaders.in_sets(scale)}
    except MissingDriver as error:
        print(f"not measured: {error}", file=sys.stderr)
        return []
    for reason in missing_peers([DXBC_SPIRV]):
        print(f"not measured: {reason}", file=sys.stderr)
    return [*_rows(shaders, times)]


def _times(driver: DriverProcess, path: Path, rounds: int) -> Times:
    modules: dict[str, Any] = {**ours(path, driver.info, FORMS)}
    theirs = of_peer(DXBC_SPIRV, path)
    if theirs is not None:
        modules[DXBC_SPIRV] = (theirs,)
    least: dict[str, float] = {}
    for number in range(rounds):
        if number and max(least.values(), default=0.0) > _SHORT:
            break
        for form, figures in driver.measure_all(path.stem, modules).items():
            took = sum(figures.values())
            least[form] = min(took, least.get(form, took))
    return Times(path.stem, samples(path), least)


def _rows(shaders: Shaders, times: Mapping[Path, Times]) -> Iterator[Row]:
    needed = {*FORMS} if missing_peers([DXBC_SPIRV]) else {*FORMS, DXBC_SPIRV}
    for name, found in shaders.by_set(times).items():
        compared = [one for one in found if one.seconds.keys() >= needed]
        if compared:
            yield _row(name, compared)
    for one in beyond(times.values(), lambda one: one.ratio, _LONG):
        yield _row(one.name, [one])


def _row(name: str, shaders: Sequence[Times]) -> Row:
    """Seconds, and their ratios to the peer's."""
    totals = {form: sum(one.seconds.get(form, 0.0) for one in shaders) for form in FORMS}
    theirs = sum(one.seconds.get(DXBC_SPIRV, 0.0) for one in shaders)
    figures: dict[str, float] = {
        "shaders": len(shaders),
        "that sample": sum(one.samples for one in shaders),
    }
    figures |= {f"{form}, s": seconds for form, seconds in totals.items()}
    if theirs:
        figures |= {f"{DXBC_SPIRV}, s": theirs}
        figures |= {form: seconds / theirs for form, seconds in totals.items()}
    return Row(name, figures)
