"""The fixture, its parameters, the marker, and sessions without a device."""

import re

import pytest

import vkrunner

from ..listings import blocks
from .conftest import DATA, PASSING, REFERENCE, Session

USES_IT = """
    def test_it(vulkan_device):
        assert vulkan_device.buffer(16).nbytes == 16
"""
NAMES = """
    def test_name(vulkan_device):
        print("on", vulkan_device.name)
"""


def test_the_best_device_is_the_default(session: Session) -> None:
    session("-v", python=USES_IT).stdout.fnmatch_lines(["*::test_it PASSED*"])


def test_a_parameter_for_each_of_several(session: Session) -> None:
    result = session("-s", "-v", "--vulkan-device", "0", *REFERENCE, python=NAMES)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_name[[]0]*on *"])
    result.stdout.fnmatch_lines(["*test_name[[]reference]*on reference machine*"])


def test_the_device_is_opened_once(session: Session) -> None:
    text = """
        seen = set()

        def test_first(vulkan_device):
            seen.add(id(vulkan_device))

        def test_second(vulkan_device):
            seen.add(id(vulkan_device))
            assert len(seen) == 1
    """
    session(*REFERENCE, python=text).assert_outcomes(passed=2)


def test_the_configuration_names_devices(session: Session) -> None:
    ini = "vulkan_devices =\n    reference machine"
    session("-s", python=NAMES, ini=ini).stdout.fnmatch_lines(["*on reference machine*"])


def test_the_variable_comes_first(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SM5VK_DEVICE", "reference")
    result = session("-s", python=NAMES, ini="vulkan_devices =\n    lavapipe")
    result.stdout.fnmatch_lines(["*on reference machine*"])


@pytest.mark.usefixtures("no_driver")
@pytest.mark.parametrize(
    ("value", "words"), [("", []), ("1", []), ("true", []), ("", ["--vulkan-require-device"])]
)
def test_without_a_device_tests_are_skipped_or_fail(
    session: Session, monkeypatch: pytest.MonkeyPatch, value: str, words: list[str]
) -> None:
    """They fail in CI, and where a device is required."""
    monkeypatch.setenv("CI", value)
    result = session(*words, python=USES_IT, test=PASSING)
    fails = bool(value or words)
    result.assert_outcomes(**{"errors" if fails else "skipped": 2})
    begin = "*a device is required: " if fails else "SKIPPED*"
    hidden = "no Vulkan device*names '/nowhere.json', which does not exist*"
    result.stdout.fnmatch_lines([f"{begin}{hidden}"])
    assert (result.ret == pytest.ExitCode.TESTS_FAILED) == fails


@pytest.mark.parametrize("name", ["", "voodoo2"])
@pytest.mark.usefixtures("no_driver")
def test_one_reason_is_shown(session: Session, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Once for a session, not twice for each test."""
    monkeypatch.setenv("CI", "true")
    twice = USES_IT + USES_IT.replace("test_it", "test_again")
    words = (*(["--vulkan-device", name] if name else []), "--tb=long", "-r", "N")
    result = session(*words, python=twice, test=PASSING)
    result.assert_outcomes(errors=3)
    text = result.stdout.str()
    assert text.count("unset it, or name the manifest of a driver") == 1
    shorter = re.findall("a device is required: .*; the first test without it has more", text)
    assert len(shorter) == 2
    assert "slow reference machine" not in text
    assert "During handling" not in text


@pytest.mark.usefixtures("no_driver")
def test_the_reference_machine_needs_no_driver(session: Session) -> None:
    session(*REFERENCE, "--vulkan-require-device", python=USES_IT).assert_outcomes(passed=1)


def test_an_unknown_device_names_those_there_are(session: Session, device: vkrunner.Device) -> None:
    result = session("--vulkan-device", "voodoo2", "--vulkan-require-device", python=USES_IT)
    result.stdout.fnmatch_lines([f"*no device 'voodoo2'; there are*{device.name}*"])


def test_a_named_device_has_to_be_there(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """By an option or the variable; the configuration may name one that few machines have."""
    monkeypatch.setenv("CI", "")
    missing = "*a device is required: no device 'voodoo2'; there are*"
    result = session("--vulkan-device", "voodoo2", python=USES_IT, test=PASSING)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines([missing])
    session(python=USES_IT, ini="vulkan_devices =\n    voodoo2").assert_outcomes(skipped=2)
    monkeypatch.setenv("SM5VK_DEVICE", "voodoo2")
    result = session(python=USES_IT)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines([missing])


def test_features_skip_by_name(session: Session) -> None:
    text = blocks(DATA / "sessions.txt")["features"]
    result = session(*REFERENCE, "--strict-markers", python=text)
    result.assert_outcomes(passed=1, skipped=2, errors=1)
    result.stdout.fnmatch_lines(["SKIPPED*reference machine lacks timestamps"])
    result.stdout.fnmatch_lines(["*no feature 'flux_capacitor'; the features are *float64*"])


def test_a_session_without_shaders_imports_nothing(session: Session) -> None:
    text = """
        import sys

        def test_it():
            assert not {"numpy", "vulkan", "cffi", "vkrunner.api.device"} & set(sys.modules)
    """
    session(python=text).assert_outcomes(passed=1)
