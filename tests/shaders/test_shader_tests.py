"""The project's shader tests pass on the device and on the reference machine."""

from pathlib import Path
from typing import Any

import pytest

from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_file
from vkrunner.shadertest.outcome import SKIPPED

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for folder in ("shaders", "vkrunner/conformance")
    for path in sorted((ROOT / folder).rglob("*.shader_test"))
]


def test_cases_are_found() -> None:
    folders = {path.parent.name for path in FILES}
    assert folders >= {"bounds", "counters", "atomics", "conversions", "floats", "integers"}
    assert folders >= {"barriers", "typed", "textures", "control", "doubles", "refusals"}
    assert sum(len(read_file(path).cases) for path in FILES) >= 250


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("on", ["vulkan", "reference"])
def test_file(path: Path, on: str, device: Any, machine: Any) -> None:
    cases = read_file(path).cases
    outcomes = [run_case(machine if on == "reference" else device, case) for case in cases]
    assert outcomes
    failed = [outcome.text() for outcome in outcomes if outcome.failures]
    if failed and path.parent.name == "drivers" and path.stem in device.faults:
        assert on == "vulkan"
        pytest.skip(f"{device.name} has the fault {path.stem}, whose test this is")
    assert not failed, "\n" + "\n".join(failed)
    skipped = "\n".join(outcome.title for outcome in outcomes if outcome.status == SKIPPED)
    assert on == "vulkan" or not skipped, f"the reference machine can do all:\n{skipped}"
    if skipped:
        pytest.skip(skipped)
