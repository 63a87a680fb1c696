"""A short search with fixed seeds, and every input that was once a finding."""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.bytes.__main__ import NAMES
from checks.bytes.targets import FINDINGS, TARGETS

_COUNTS = {
    "container": 600,
    "program": 300,
    "reflection": 3000,
    "linkage": 3000,
    "debug": 1000,
    "listing": 1000,
    "shader_test": 2000,
    "grown_listing": 60,
    "grown_dialect": 60,
    "grown_test": 80,
    "hlsl": 200,
    "ir": 60,
    "profile": 100,
    "manifest": 200,
}
_PARTS = 4
_MEMORY_EVERY = 20
_LONG = pytest.mark.thorough(reason="a long random run")


def test_findings_import_nothing_of_the_package() -> None:
    """The search that coverage guides imports the package through atheris."""
    command = "import sys, checks.bytes.kept; print('translate' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert run.stdout == "False\n", run.stderr


def test_every_target_is_searched() -> None:
    assert set(NAMES) == set(TARGETS) == set(_COUNTS)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=_LONG) for part in range(1, _PARTS))]
)
@pytest.mark.parametrize("name", NAMES)
def test_mutations(name: str, part: int) -> None:
    target = TARGETS[name]
    inputs = islice(target.mutations(part), _COUNTS[name] // _PARTS)
    for number, data in enumerate(inputs):
        try:
            target.run(data, memory=number % _MEMORY_EVERY == 0)
        except Exception as error:
            raise AssertionError(f"{name}, seed {part}, input {number}: {error!r}") from error


@given(st.text())
@settings(max_examples=250, deadline=None, derandomize=True)
def test_any_text(text: str) -> None:
    for listing in (text, f"cs_5_0\n{text}"):
        TARGETS["listing"].run(listing.encode())


@pytest.mark.slow(reason="every listing and container of the repository")
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=_LONG) for part in range(1, _PARTS))]
)
@pytest.mark.parametrize("name", NAMES)
def test_seeds(name: str, part: int) -> None:
    """All seeds pass the checks, and there are enough of them."""
    seeds = TARGETS[name].seeds()
    assert seeds
    for data in seeds[part::_PARTS]:
        TARGETS[name].run(data)


@pytest.mark.parametrize("path", sorted(FINDINGS.iterdir()), ids=lambda path: path.name)
def test_findings(path: Path) -> None:
    """The files are named `target-what.suffix`; the history of each file says what it did."""
    TARGETS[path.name.partition("-")[0]].run(path.read_bytes(), memory=True)
