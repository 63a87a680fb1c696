"""fxc's code of every corpus shader, profile and form, run and compared with its HLSL in NumPy."""

from typing import Any

import pytest

import translate

from .cases import CASES, HERE, PROFILES, check_results


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_results(device: Any, shader: str, profile: str, form: str) -> None:
    check_results(device, shader, HERE / profile / f"{shader}.{form}")


@pytest.mark.parametrize("shader", CASES)
def test_results_without_optimisation(device: Any, shader: str) -> None:
    check_results(device, shader, HERE / "cs_5_0" / f"{shader}.dxbc", optimize=False)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_listing_describes_the_same_interface(shader: str, profile: str) -> None:
    container, listing = (
        translate.to_spirv(translate.load(HERE / profile / f"{shader}.{form}")).interface.to_dict()
        for form in ("dxbc", "asm")
    )
    assert container == listing
