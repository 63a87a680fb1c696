"""A message of the validation layer fails the test that caused it, and no other."""

import pytest

from vkrunner.vulkan.loader.instance import validation_layer

from ..listings import blocks
from .conftest import DATA, Session

SESSIONS = blocks(DATA / "sessions.txt")


def test_the_layer_itself(session: Session) -> None:
    if validation_layer() is None:
        pytest.skip("the validation layer is not installed")
    result = session("--vulkan-validation", "--vulkan-device", "0", python=SESSIONS["a bad buffer"])
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["FAILED *::test_bad - *Vulkan validation*"])
    result.stdout.fnmatch_lines(["*VUID-VkBufferCreateInfo-size-00912*"])


def test_every_phase(session: Session) -> None:
    result = session(python=SESSIONS["messages"])
    result.assert_outcomes(passed=1, failed=2, errors=2)
    result.stdout.fnmatch_lines(["ERROR *::test_fixture - *", "FAILED *::test_call - *"])
    result.stdout.fnmatch_lines(["*Vulkan validation*", "besides"])
    assert "\x1b[31m" not in result.stdout.str()


@pytest.mark.parametrize("name", [(), ("--vulkan-device", "0")])
def test_no_layer(session: Session, monkeypatch: pytest.MonkeyPatch, name: tuple[str, ...]) -> None:
    """The tests run, on the Vulkan device, and the summary says that nothing is validated."""
    monkeypatch.setenv("VK_LAYER_PATH", "/nowhere")
    text = "def test_one(vulkan_device): assert vulkan_device.info.index >= 0"
    result = session("--vulkan-validation", *name, python=text)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*validation was asked for, but * is not installed*"])
