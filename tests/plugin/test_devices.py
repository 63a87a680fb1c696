"""The fixture, its parameters, the marker, and sessions without a device."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import vkrunner

from .conftest import PASSING

Session = Callable[..., pytest.RunResult]

USES_IT = """
    def test_it(vulkan_device):
        assert vulkan_device.buffer(16).nbytes == 16
"""
NAMES = """
    def test_name(vulkan_device):
        print("on", vulkan_device.name)
"""


def test_the_best_device_is_the_default(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(USES_IT)
    session("-v").stdout.fnmatch_lines(["*::test_it PASSED*"])


def test_a_parameter_for_each_of_several(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(NAMES)
    result = session("-s", "-v", "--vulkan-device", "0", "--vulkan-device", "reference")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_name[[]0]*on *"])
    result.stdout.fnmatch_lines(["*test_name[[]reference]*on reference machine*"])


def test_the_device_is_opened_once(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        seen = set()

        def test_first(vulkan_device):
            seen.add(id(vulkan_device))

        def test_second(vulkan_device):
            seen.add(id(vulkan_device))
            assert len(seen) == 1
    """)
    session("--vulkan-device", "reference").assert_outcomes(passed=2)


def test_the_configuration_names_devices(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nvulkan_devices =\n    reference machine\n")
    pytester.makepyfile(NAMES)
    session("-s").stdout.fnmatch_lines(["*on reference machine*"])


def test_the_variable_is_above_the_configuration(
    session: Session, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SM5VK_DEVICE", "reference")
    pytester.makeini("[pytest]\nvulkan_devices =\n    lavapipe\n")
    pytester.makepyfile(NAMES)
    session("-s").stdout.fnmatch_lines(["*on reference machine*"])


@pytest.mark.usefixtures("no_driver")
def test_without_a_device_tests_are_skipped(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(USES_IT)
    result = session()
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(
        ["SKIPPED*no Vulkan device*names '/nowhere.json', which does not exist*"]
    )


@pytest.mark.usefixtures("no_driver")
def test_required_it_fails(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(USES_IT)
    result = session("--vulkan-require-device")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*a device is required: no Vulkan device*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.usefixtures("no_driver")
@pytest.mark.parametrize(
    ("value", "outcome"), [("1", "errors"), ("true", "errors"), ("", "skipped")]
)
def test_in_ci_it_fails(
    session: Session,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    value: str,
    outcome: str,
) -> None:
    monkeypatch.setenv("CI", value)
    pytester.makepyfile(USES_IT)
    session().assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize("name", ["", "voodoo2"])
@pytest.mark.usefixtures("no_driver")
def test_the_reason_is_shown_once(
    session: Session, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Once for a session, not twice for each test."""
    monkeypatch.setenv("CI", "true")
    pytester.makepyfile(USES_IT + USES_IT.replace("test_it", "test_again"))
    pytester.makefile(".shader_test", also=PASSING)
    result = session(*(["--vulkan-device", name] if name else []), "--tb=long", "-r", "N")
    result.assert_outcomes(errors=3)
    text = result.stdout.str()
    assert text.count("unset it, or name the manifest of a driver") == 1
    assert (
        len(re.findall("a device is required: .*; the first test without it has more", text)) == 2
    )
    assert "slow reference machine" not in text
    assert "During handling" not in text


@pytest.mark.usefixtures("no_driver")
def test_the_reference_machine_needs_no_driver(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(USES_IT)
    session("--vulkan-device", "reference", "--vulkan-require-device").assert_outcomes(passed=1)


def test_an_unknown_device_names_those_there_are(
    session: Session, pytester: pytest.Pytester, device: vkrunner.Device
) -> None:
    pytester.makepyfile(USES_IT)
    result = session("--vulkan-device", "voodoo2", "--vulkan-require-device")
    result.stdout.fnmatch_lines([f"*no device 'voodoo2'; there are*{device.name}*"])


def test_features_skip_by_name(session: Session, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import dataclasses, pytest, vkrunner

        @pytest.fixture(scope="session")
        def vulkan_device(vulkan_device):
            yield vulkan_device

        @pytest.mark.vulkan_features("float64", "int16")
        def test_there(vulkan_device):
            pass

        @pytest.mark.vulkan_features("float64", "timestamps")
        def test_lacking(vulkan_device):
            raise AssertionError("not to be run")

        @pytest.mark.vulkan_features("timestamps")
        def test_without_the_fixture():
            raise AssertionError("not to be run")

        @pytest.mark.vulkan_features("flux_capacitor")
        def test_unknown(vulkan_device):
            raise AssertionError("not to be run")
    """)
    result = session("--vulkan-device", "reference", "--strict-markers")
    result.assert_outcomes(passed=1, skipped=2, errors=1)
    result.stdout.fnmatch_lines(["SKIPPED*reference machine lacks timestamps"])
    result.stdout.fnmatch_lines(["*no feature 'flux_capacitor'; the features are *float64*"])


def test_a_session_without_shaders_imports_nothing(
    session: Session, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile("""
        import sys

        def test_it():
            assert not {"numpy", "vulkan", "cffi", "vkrunner.api.device"} & set(sys.modules)
    """)
    session().assert_outcomes(passed=1)
