"""fxc's code, run: each build of the shaders about memory and control flow, in both forms."""

from pathlib import Path
from typing import Any

import pytest

import translate
from translate.errors import row_of

from ..complete import check_complete
from . import flow_checks, listing_checks, memory_checks
from .builds import BUILDS, LISTINGS, Build, options

CHECKS = {**flow_checks.CHECKS, **memory_checks.CHECKS}
OF_SHADERS = "CHECKS of tests/coverage/flow_checks.py or memory_checks.py"
OF_LISTINGS = "CHECKS of tests/coverage/listing_checks.py"
# Only translated here: tests/rows runs their instructions over edge values, tests/bounds and
# tests/corpus on every kind of memory, tests/textures on textures.
TRANSLATED = (
    *("float_alu", "integer_alu", "bits", "doubles", "doubles_eleven_1", "buffers", "counters"),
    *("atomics_raw", "atomics_structured", "atomics_typed", "atomics_shared"),
    *("textures", "textures_status", "textures_model4"),
)
RUN_LISTINGS = [path for path in LISTINGS if path.stem != "wide_integers"]
RUN = [build for build in BUILDS if build.shader not in TRANSLATED]


def test_every_shader_has_a_check() -> None:
    shaders = {build.shader for build in RUN}
    check_complete(CHECKS, shaders, OF_SHADERS)


@pytest.mark.parametrize("form", ["container", "listing"])
@pytest.mark.parametrize("build", RUN, ids=str)
def test_results(device: Any, build: Build, form: str) -> None:
    kernel = device.kernel(getattr(build, form), **options(build.shader))
    row_of(CHECKS, build.shader, OF_SHADERS)(device, kernel)


def test_every_listing_has_a_check() -> None:
    check_complete(listing_checks.CHECKS, {path.stem for path in RUN_LISTINGS}, OF_LISTINGS)


@pytest.mark.parametrize("assembled", [False, True])
@pytest.mark.parametrize("path", RUN_LISTINGS, ids=lambda path: path.stem)
def test_results_of_listings(device: Any, path: Path, assembled: bool) -> None:
    source = translate.assemble(path.read_text(encoding="utf-8")) if assembled else path
    row_of(listing_checks.CHECKS, path.stem, OF_LISTINGS)(device, device.kernel(source))
