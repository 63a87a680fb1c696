"""The cases of each corpus shader, and a check that a device computes their results."""

from pathlib import Path
from typing import Any

import pytest

import vkrunner
from checks.corpus import floats, integers, memory, textures
from checks.corpus.case import Case

CORPUS = Path(__file__).parents[2] / "tests/corpus"
PROFILES = ("cs_5_0", "cs_5_0_Od", "cs_5_1")
CASES = {
    "append_consume": memory.append_consume_cases,
    "atomic_float_max": floats.atomic_float_max_cases,
    "bounds": memory.bounds_cases,
    "branches": integers.branches_cases,
    "counters": memory.counters_cases,
    "double_precision": floats.double_precision_cases,
    "histogram": integers.histogram_cases,
    "particles": floats.particles_cases,
    "philox": integers.philox_cases,
    "raw_views": memory.raw_views_cases,
    "reduce": floats.reduce_cases,
    "resample": textures.resample_cases,
    "saxpy": floats.saxpy_cases,
    "sobel": textures.sobel_cases,
    "textures_typed": textures.textures_typed_cases,
}


def check_results(device: Any, shader: str, path: Path, **options: Any) -> None:
    if shader == "double_precision" and not device.features.float64:
        with pytest.raises(vkrunner.RunnerError, match="float64"):
            device.kernel(path, **options)
        return
    kernel = device.kernel(path, **options)
    failed = [text for case in CASES[shader]() if (text := failure(case, device, kernel))]
    assert not failed, "\n\n".join(failed)


def failure(case: Case, device: Any, kernel: Any) -> str:
    """The failure of a case as text, or ''."""
    try:
        case.run(device, kernel)
    except AssertionError as error:
        return f"{case}: {error}"
    return ""
