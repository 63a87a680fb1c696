"""Sessions within the session by pytester, and their environment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

_PLUGINS = ("-p", "vkrunner.pytest_plugin")

SAXPY = Path(__file__).parents[2] / "shaders" / "saxpy.dxbc"
PASSING = f"""
[shader]
file {SAXPY}
[srv x]
0 1 2 3
[uav y]
1 1 1 1
[cb 0]
2.0 4
[test]
dispatch 1 1 1
probe uav 0 all 1 3 5 7
"""


@pytest.fixture
def session(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., pytest.RunResult]:
    """Runs pytest in a process with this plugin alone, without the variables of CI."""
    for name in ("CI", "GITHUB_ACTIONS", "SM5VK_DEVICE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(*words: str) -> pytest.RunResult:
        allowed = f"--vulkan-allow-path={SAXPY.parent}"
        return pytester.runpytest_subprocess(*_PLUGINS, allowed, "-ra", *words)

    return run


@pytest.fixture
def no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide all Vulkan drivers from the loader."""
    for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES"):
        monkeypatch.setenv(name, "/nowhere.json")
