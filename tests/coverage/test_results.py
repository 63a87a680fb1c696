"""fxc's code of every buffer shader, run: each build of it, container and listing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from translate.errors import row_of

from ..complete import check_complete
from . import alu_checks, listing_checks, memory_checks
from .builds import BUILDS, LISTINGS, Build
from .choices import options

CHECKS = {**alu_checks.CHECKS, **memory_checks.CHECKS}
OF_SHADERS = "CHECKS of tests/coverage/alu_checks.py or memory_checks.py"
OF_LISTINGS = "CHECKS of tests/coverage/listing_checks.py"
# Shaders that sample and load textures are only translated here; other tests check their results.
TEXTURES = ("textures", "textures_status", "textures_model4")
RUN = [build for build in BUILDS if build.shader not in TEXTURES]
# Features that some devices lack, by their names in `device.features`.
NEEDS = {
    "doubles": "float64",
    "doubles_eleven_1": "float64",
}


def test_every_shader_has_a_check() -> None:
    shaders = {build.shader for build in RUN}
    check_complete(CHECKS, shaders, OF_SHADERS)


@pytest.mark.parametrize("form", ["container", "listing"])
@pytest.mark.parametrize("build", RUN, ids=str)
def test_results(device: Any, build: Build, form: str) -> None:
    path: Path = getattr(build, form)
    needed = NEEDS.get(build.shader)
    if needed is not None and not getattr(device.features, needed):
        with pytest.raises(vkrunner.FeatureError, match=needed):
            device.kernel(path)
        return
    kernel = device.kernel(path, **options(build.shader))
    row_of(CHECKS, build.shader, OF_SHADERS)(device, kernel)


def test_every_listing_has_a_check() -> None:
    check_complete(listing_checks.CHECKS, {path.stem for path in LISTINGS}, OF_LISTINGS)


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_results_of_listings(device: Any, path: Path) -> None:
    row_of(listing_checks.CHECKS, path.stem, OF_LISTINGS)(device, device.kernel(path))


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_results_of_assembled_listings(device: Any, path: Path) -> None:
    container = translate.assemble(path.read_text(encoding="utf-8"))
    row_of(listing_checks.CHECKS, path.stem, OF_LISTINGS)(device, device.kernel(container))
