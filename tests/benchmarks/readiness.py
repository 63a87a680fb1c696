"""CPU time that lavapipe takes for a pipeline and its first dispatch, compared with dxbc-spirv.

The dispatch has no groups, so that nothing but the compiler is measured (`tests/radv`). A figure
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

from ..radv.compiler import only
from ..radv.first_dispatch import FirstDispatches
from ..radv.modules import DXBC_SPIRV, missing_peers, of_peers, ours
from ..radv.process import DriverProcess, Measure, MissingDriver, Refused
from .figures import Row
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


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """Rows by set. Says on stderr what is missing."""
    rounds = max(1, round(_ROUNDS * scale))
    try:
        with DriverProcess(only("lvp"), _seconds) as driver:
            times = {path: _times(driver, path, rounds) for path in shaders.in_sets(scale)}
    except MissingDriver as error:
        print(f"not measured: {error}", file=sys.stderr)
        return []
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)
    return [*_rows(shaders, times)]


def _seconds() -> Measure:
    return FirstDispatches().seconds


def _times(driver: DriverProcess, path: Path, rounds: int) -> Times:
    modules = {form: words for form, words in ours(path, driver.info).items() if form in FORMS}
    modules |= {peer: words for peer, words in of_peers(path).items() if peer == DXBC_SPIRV}
    least: dict[str, float] = {}
    for number in range(rounds):
        if number and max(least.values(), default=0.0) > _SHORT:
            break
        for form, words in modules.items():
            try:
                took = sum(driver.measure(words).values())
            except Refused as error:
                print(f"{path.stem}, {form}: {error}", file=sys.stderr)
                continue
            least[form] = min(took, least.get(form, took))
    return Times(path.stem, samples(path), least)


def _rows(shaders: Shaders, times: Mapping[Path, Times]) -> Iterator[Row]:
    for name, paths in shaders.sets.items():
        found = [times[path] for path in paths if path in times]
        compared = [one for one in found if one.seconds.keys() >= {DXBC_SPIRV, *FORMS}]
        if compared:
            yield _row(name, compared)
        elif found:
            yield _row(name, [one for one in found if one.seconds.keys() >= {*FORMS}])
    compared = [one for one in times.values() if one.seconds.keys() >= {DXBC_SPIRV, "d3d"}]
    ratios = {one.name: one.seconds["d3d"] / one.seconds[DXBC_SPIRV] for one in compared}
    for one in sorted(compared, key=lambda one: -ratios[one.name]):
        if ratios[one.name] > _LONG:
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
