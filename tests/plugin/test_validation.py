"""A message of the validation layer fails the test that caused it, and no other."""

import pytest

from vkrunner.vulkan.loader.instance import validation_layer

from .conftest import Session

# Its size is 0, which VUID-VkBufferCreateInfo-size-00912 forbids.
BAD_BUFFER = """
    from checks.driver import replaced

    def make(device, size, nbytes):
        def create(function, handle, info, allocator, place):
            info.size, real = size, info.size
            function(handle, info, allocator, place)
            driver.vkDestroyBuffer(handle, place[0], allocator)
            info.size = real
            return function(handle, info, allocator, place)

        with replaced() as driver:
            driver.replace("vkCreateBuffer", create)
            device.buffer(nbytes)
            assert driver.calls["vkDestroyBuffer"] == 1

    def test_before(vulkan_device):
        make(vulkan_device, 16, 1 << 20)

    def test_bad(vulkan_device):
        make(vulkan_device, 0, 4 << 20)

    def test_after(vulkan_device):
        make(vulkan_device, 16, 16 << 20)
"""
# A layer that sends a message on request.
MESSAGES = """
    import pytest
    import vkrunner
    from checks.driver import Layer, replaced

    @pytest.fixture(scope="session")
    def layer():
        with replaced() as driver:
            layer = Layer(driver)
            with vkrunner.open_device(0, validation=True):
                yield layer

    @pytest.fixture
    def loud(layer):
        layer.say("set up")
        yield
        layer.say("torn down")

    def test_call(layer):
        layer.say("called\\x1b[31m by a shader's name")

    def test_fixture(loud):
        pass

    def test_fails(layer):
        layer.say("besides")
        assert 1 == 2

    def test_silent():
        pass
"""


def test_the_layer_itself(session: Session) -> None:
    if validation_layer() is None:
        pytest.skip("the validation layer is not installed")
    result = session("--vulkan-validation", "--vulkan-device", "0", python=BAD_BUFFER)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["FAILED *::test_bad - *Vulkan validation*"])
    result.stdout.fnmatch_lines(["*VUID-VkBufferCreateInfo-size-00912*"])


def test_every_phase(session: Session) -> None:
    result = session(python=MESSAGES)
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
