"""How fast the corpus' shaders compile and run, and what optimising them gives.

"Making ready" is the creation of the pipeline and the first dispatch, with the translation cached;
the figure is the least of all rounds. "Running" is the device's own time for the largest case of
the corpus' tests, whose results are checked; the figure is the lower quartile.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import vkrunner
from checks.corpus.case import Case, on_device
from checks.corpus.cases import CASES

from .figures import Row, lower_quartile

TITLE = "corpus"
_FOLDER = Path(__file__).parents[2] / "tests/corpus/cs_5_0"
_ROUNDS = 15
_FORMS: Mapping[str, Mapping[str, Any]] = {"d3d": {}, "not optimised": {"optimize": False}}


def measure(scale: float, device: str | None = None) -> list[Row]:
    """A row for each shader that the device runs. AssertionError where a result is wrong."""
    rounds = max(2, round(_ROUNDS * scale))
    with (
        mock.patch.dict(os.environ, MESA_SHADER_CACHE_DISABLE="true"),
        vkrunner.open_device(device, validation=False, timestamps=True) as opened,
    ):
        return [
            _row(opened, name, max(cases(), key=_threads), rounds)
            for name, cases in CASES.items()
            if opened.features.float64 or name != "double_precision"
        ]


def _threads(case: Case) -> int:
    x, y, z = case.groups
    return x * y * z


def _row(device: vkrunner.Device, name: str, case: Case, rounds: int) -> Row:
    """One shader's figures; the forms take turns."""
    ready: dict[str, list[float]] = {form: [] for form in _FORMS}
    ran: dict[str, list[float]] = {form: [] for form in _FORMS}
    for _ in range(rounds):
        for form, options in _FORMS.items():
            bound = _bound(device, case)
            start = time.perf_counter()
            kernel = device.kernel(_FOLDER / f"{name}.dxbc", **options)
            first = kernel.dispatch(case.groups, **bound)
            ready[form].append(1e3 * (time.perf_counter() - start))
            again = kernel.dispatch(case.groups, **_bound(device, case))
            for result in (first, again):
                case.check(result)
            ran[form].append((again.duration_ns or 1) / 1e3)  # some devices measure no time
            kernel.close()
    figures = {f"ready, {form}, ms": min(times[1:]) for form, times in ready.items()}
    figures |= {f"{form}, us": lower_quartile(times) for form, times in ran.items()}
    return Row(name, figures)


def _bound(device: vkrunner.Device, case: Case) -> dict[str, Any]:
    return {name: on_device(device, value) for name, value in case.arguments.items()}
