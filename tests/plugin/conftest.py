"""Sessions within the session by pytester, and their environment."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ..hlsl.conftest import stand_in as stand_in  # a fixture

Session = Callable[..., pytest.RunResult]
REFERENCE = ("--vulkan-device", "reference")
_PLUGINS = ("-p", "vkrunner.pytest_plugin")

DATA = Path(__file__).parent / "data"
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
def session(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Runs pytest in a process with this plugin alone, without the variables of CI.

    It writes the given texts: of a Python file, of scale.shader_test, and of pytest.ini.
    """
    for name in ("CI", "GITHUB_ACTIONS", "SM5VK_DEVICE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(*words: str, python: str = "", test: str = "", ini: str = "") -> pytest.RunResult:
        if python:
            pytester.makepyfile(python)
        if test:
            pytester.makefile(".shader_test", scale=test)
        if ini:
            pytester.makeini(f"[pytest]\n{ini}\n")
        allowed = f"--vulkan-allow-path={SAXPY.parent}"
        in_process = {*REFERENCE} <= {*words}  # which takes a fifth of the time
        start = pytester.runpytest_inprocess if in_process else pytester.runpytest_subprocess
        return start(*_PLUGINS, allowed, "-ra", *words)

    return run


@pytest.fixture
def no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide all Vulkan drivers from the loader."""
    for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES"):
        monkeypatch.setenv(name, "/nowhere.json")
