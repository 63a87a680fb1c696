"""The project's shader tests pass on the device and on the reference machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from vkrunner.shadertest.cases import Case
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_file
from vkrunner.shadertest.outcome import SKIPPED

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("shaders", "vkrunner/conformance")
    for path in sorted((ROOT / folder).rglob("*.shader_test"))
]
CASES = [
    pytest.param(case, id=f"{path.stem}::{case.name}")
    for path in FILES
    for case in read_file(path).cases
]


def test_cases_are_found() -> None:
    folders = {path.parent.name for path in FILES}
    assert folders >= {"bounds", "counters", "atomics", "conversions", "floats", "integers"}
    assert folders >= {"barriers", "typed", "textures", "control", "doubles", "refusals"}
    assert len(CASES) >= 250


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("on", ["vulkan", "reference"])
def test_case(case: Case, on: str, device: Any, machine: Any) -> None:
    outcome = run_case(machine if on == "reference" else device, case)
    if outcome.status == SKIPPED:
        assert on == "vulkan", f"the reference machine can do all: {outcome.reason}"
        pytest.skip(outcome.reason)
    assert not outcome.failures, f"\n{outcome.text()}"
