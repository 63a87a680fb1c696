"""Every module has tests, and the tests that the table names exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from .suites import FOLDERS, suite_of

ROOT = Path(__file__).parents[2]
PACKAGES = ("translate", "vkrunner")


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_and_their_tests_are_there(folder: str) -> None:
    assert (ROOT / folder).exists()
    assert [path for path in FOLDERS[folder] if not (ROOT / path).exists()] == []


def test_every_module_has_tests() -> None:
    modules = [path.relative_to(ROOT) for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    assert [str(module) for module in modules if not suite_of(ROOT, module.as_posix())] == []


def test_the_nearest_tests_come_first() -> None:
    found = suite_of(ROOT, "translate/passes/fold.py")
    assert found[:3] == ("tests/unit/passes/test_fold.py", "tests/unit/passes", "tests/passes")
    assert suite_of(ROOT, "vkrunner/values/formats.py")[:2] == (
        "tests/unit/vkrunner/values/test_formats.py",
        "tests/unit/vkrunner/values",
    )


@pytest.mark.parametrize(
    ("module", "proofs"),
    [
        ("translate/passes/fold.py", "tests/proofs"),
        ("translate/passes/guards/facts.py", "tests/proofs/test_ranges.py"),
        ("translate/passes/floats/flush.py", "tests/proofs/test_floats.py"),
        ("translate/spirv/arrays.py", "tests/proofs/test_decorations.py"),
    ],
)
def test_the_proofs_that_concern_a_module(module: str, proofs: str) -> None:
    assert proofs in suite_of(ROOT, module)
