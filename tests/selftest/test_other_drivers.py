"""Drivers beside the session's, where they are installed. CI installs SwiftShader.

Threads may index different elements of a range on SwiftShader, which lavapipe of Mesa 22.3 refuses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vkrunner.info.faults import FAULTS, SWIFTSHADER

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".venv/swiftshader/vk_swiftshader_icd.json"
NO_REMEDY = {
    row.name
    for row in FAULTS.values()
    if row.remedy == "none" and any(one.name == SWIFTSHADER for one in row.drivers)
}
# Ranges of resources, null views, loops that threads leave at different times
FILES = ("bounds/test_range_formats.py", "bounds/test_range_sizes.py", "loops")

pytestmark = pytest.mark.skipif(
    not MANIFEST.is_file(), reason="no SwiftShader: sh ci/swiftshader.sh"
)


def on_swiftshader(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python's path with SwiftShader as the only driver."""
    chosen = {"VK_DRIVER_FILES": str(MANIFEST), "VK_ICD_FILENAMES": str(MANIFEST)}
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, **chosen, "SM5VK_DEVICE": "SwiftShader", "SM5VK_VALIDATION": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_self_test_on_swiftshader() -> None:
    """Only tests of faults without a remedy may be wrong."""
    done = on_swiftshader("vkrunner", "selftest", "--json")
    (report,) = json.loads(done.stdout)
    assert "SwiftShader" in report["device"]["device"]
    bad = [test for test in report["tests"] if test["verdict"] in ("wrong", "error")]
    assert {test["fault"] for test in bad} <= NO_REMEDY
    assert report["summary"]["exact"] > 200


@pytest.mark.slow(reason="twenty seconds of tests on another driver")
@pytest.mark.parametrize("path", FILES)
def test_tests_on_swiftshader(path: str) -> None:
    words = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"tests/{path}")
    done = on_swiftshader("pytest", *words)
    assert done.returncode == 0, done.stdout[-5000:]
