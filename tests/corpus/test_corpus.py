"""Microsoft's compiler's output, run: every shader, profile and form against its HLSL in NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner

from . import floats, integers, memory, textures
from .case import Case
from .spirv_words import instructions, same_but_for_rounding

HERE = Path(__file__).parent
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


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_results(device: Any, shader: str, profile: str, form: str) -> None:
    check_results(device, shader, HERE / profile / f"{shader}.{form}")


@pytest.mark.parametrize("shader", CASES)
def test_results_without_optimisation(device: Any, shader: str) -> None:
    check_results(device, shader, HERE / "cs_5_0" / f"{shader}.dxbc", optimize=False)


def check_results(device: Any, shader: str, path: Path, **options: Any) -> None:
    if shader == "double_precision" and not device.features.float64:
        with pytest.raises(vkrunner.RunnerError, match="float64"):
            device.kernel(path, **options)
        return
    kernel = device.kernel(path, **options)
    failed = [text for case in CASES[shader]() if (text := failure(case, device, kernel))]
    assert not failed, "\n\n".join(failed)


def failure(case: Case, device: Any, kernel: Any) -> str:
    """What went wrong in a case, or ''."""
    try:
        case.run(device, kernel)
    except AssertionError as error:
        return f"{case}: {error}"
    return ""


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_container_and_listing_translate_alike(shader: str, profile: str) -> None:
    container, listing = (
        translate.to_spirv(translate.load(HERE / profile / f"{shader}.{form}"))
        for form in ("dxbc", "asm")
    )
    ours, theirs = instructions(container.words), instructions(listing.words)
    assert len(ours) == len(theirs)
    different = [
        pair for pair in zip(ours, theirs, strict=True) if not same_but_for_rounding(*pair)
    ]
    assert not different


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_listing_describes_the_same_interface(shader: str, profile: str) -> None:
    container, listing = (
        translate.to_spirv(translate.load(HERE / profile / f"{shader}.{form}")).interface.to_dict()
        for form in ("dxbc", "asm")
    )
    assert container == listing
