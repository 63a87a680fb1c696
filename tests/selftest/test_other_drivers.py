"""Drivers beside the session's, where they are installed. CI installs them.

They have other faults and features than lavapipe of Mesa 22.3: threads may index different elements
of a range, and loops have no limit.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from vkrunner.info.faults import FAULTS, LAVAPIPE, SWIFTSHADER

ROOT = Path(__file__).parents[2]
# Ranges of resources, null views, loops that threads leave at different times, results of drivers
# that docs/drivers.md shows
FILES = (
    "bounds/test_range_formats.py",
    "bounds/test_range_sizes.py",
    "docs/test_drivers.py",
    "loops",
)


class Other(NamedTuple):
    """A driver: its script in ci/, its manifest in .venv, its names in Vulkan and in reports.

    Without a manifest the script runs commands itself. `unsupported` tests of the self-test need
    more than the driver has.
    """

    script: str
    manifest: str
    name: str
    reported: str
    unsupported: int

    @property
    def path(self) -> Path:
        return ROOT / ".venv" / self.script / self.manifest

    @property
    def no_remedy(self) -> set[str]:
        """The faults with which results may be wrong."""
        return {
            row.name
            for row in FAULTS.values()
            if row.remedy == "none" and any(one.name == self.name for one in row.drivers)
        }

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a module of Python's path with this driver only."""
        chosen = {"VK_DRIVER_FILES": str(self.path), "VK_ICD_FILENAMES": str(self.path)}
        python = (sys.executable,)
        if not self.manifest:
            chosen, python = {}, ("sh", f"ci/{self.script}.sh", ".venv/bin/python")
        return subprocess.run(
            [*python, "-m", *words],
            cwd=ROOT,
            env={**os.environ, **chosen, "SM5VK_DEVICE": "0", "SM5VK_VALIDATION": ""},
            capture_output=True,
            text=True,
            check=False,
        )


OTHERS = (
    Other("swiftshader", "vk_swiftshader_icd.json", SWIFTSHADER, "SwiftShader", 22),
    Other("lavapipe25", "lvp_icd.json", LAVAPIPE, "Mesa 25.", 1),
    Other("mesa26", "", LAVAPIPE, "Mesa 26.", 1),
)


def others(*scripts: str) -> pytest.MarkDecorator:
    """Tests on these drivers are slow, on others thorough: CI runs them in a job of the driver."""
    slow = pytest.mark.slow(reason="ten seconds on each driver")
    thorough = pytest.mark.thorough(reason="CI has a job on this driver")
    marks = [slow if one.script in scripts else thorough for one in OTHERS]
    rows = zip(OTHERS, marks, strict=True)
    params = [pytest.param(one, id=one.script, marks=mark) for one, mark in rows]
    return pytest.mark.parametrize("driver", params, indirect=True)


@pytest.fixture
def driver(request: pytest.FixtureRequest) -> Other:
    if not request.param.path.exists():
        pytest.skip(f"not installed: sh ci/{request.param.script}.sh")
    return request.param


@others("swiftshader", "lavapipe25")
def test_the_self_test(driver: Other) -> None:
    """Only tests of faults without a remedy may be wrong."""
    done = driver.run("vkrunner", "selftest", "--json")
    (report,) = json.loads(done.stdout)
    assert driver.reported in report["device"]["driver"]
    bad = [test for test in report["tests"] if test["verdict"] in ("wrong", "error")]
    assert {test["fault"] for test in bad} <= driver.no_remedy
    assert report["summary"]["unsupported"] <= driver.unsupported
    assert report["summary"]["exact"] > 200


@others("lavapipe25")
def test_tests(driver: Other) -> None:
    paths = [f"tests/{path}" for path in FILES]
    words = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths)
    done = driver.run("pytest", *words)
    assert done.returncode == 0, done.stdout[-5000:]
