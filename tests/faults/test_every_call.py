"""Each function of Vulkan that the runner calls fails: one clear error, and nothing is left over.

The functions are those that the runner's source names and that return a VkResult, so that a new one
is tried too.
"""

import gc
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.driver import DEVICE_LOST, NOT_READY, OUT_OF_DEVICE_MEMORY, Driver, Layer
from checks.running.shaders import ADD, SAMPLED, SPIN, TYPED, slow, spun
from tests.faults.test_faults import INITIALIZATION_FAILED, OUT_OF_HOST_MEMORY, saxpy
from vkrunner import Device, RunnerError, VulkanError
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.machine_code import Entry, PipelineDevice, Slot

RUNNER = Path(vkrunner.__file__).parent
UNKNOWN, INCOMPLETE, COMPILE_REQUIRED = -13, 5, 1000297000  # VkResult
MORE = pytest.mark.slow(reason="more results")
EVENTS = {"vkCreateEvent", "vkGetEventStatus"}  # used with drivers on the CPU only
EXECUTABLES = {
    "vkGetPipelineExecutableStatisticsKHR",
    "vkGetPipelineExecutableInternalRepresentationsKHR",
}
# Results that are no errors in Vulkan; a runner that went on would use what is not there
UNDONE = {
    **dict.fromkeys(EXECUTABLES, INCOMPLETE),
    "vkGetQueryPoolResults": NOT_READY,
    "vkCreateComputePipelines": COMPILE_REQUIRED,
    "vkGetPipelineCacheData": INCOMPLETE,
    "vkEnumerateDeviceExtensionProperties": INCOMPLETE,
    "vkEnumerateInstanceExtensionProperties": INCOMPLETE,
    "vkEnumerateInstanceLayerProperties": INCOMPLETE,
    "vkEnumeratePhysicalDevices": INCOMPLETE,
}


def failing_functions() -> list[str]:
    """The functions that return a VkResult and that the runner's source names.

    `create_child` derives a function's name from the type of the object that it makes.
    """
    text = "\n".join(path.read_text("utf-8") for path in RUNNER.rglob("*.py"))
    made = {f"vkCreate{kind}" for kind in re.findall(r"\bVk([A-Z]\w+)", text)}
    return sorted(name for name in {*re.findall(r"\bvk[A-Z]\w+", text)} | made if _can_fail(name))


def _can_fail(name: str) -> bool:
    try:
        return str(vk.ffi().typeof(f"PFN_{name}").result.cname) == "enum VkResult"
    except vk.ffi().error:  # no function has this name
        return False


def use_all(index: int) -> None:
    """Work in which the runner calls all of these functions but those of EXECUTABLES."""
    options: dict[str, Any] = {"staged": True, "timestamps": True, "validation": True}
    with vkrunner.open_device(index, **options) as own:
        turns = slow(own, 20_000)  # so many that the runner waits
        future = own.kernel(SPIN).dispatch_async(40, u0=np.zeros(1, "u4"), cb0=turns)
        assert own.is_compiling in (True, False)
        assert future.result().u0[0] == spun(turns)
        assert future.result().duration_ns is not None
        assert own.kernel(TYPED).dispatch(1, u0=np.zeros(1, "u4")).u0[0] == 3
        texels = np.full((2, 2), 0.5, np.float32)
        assert own.kernel(SAMPLED).dispatch(1, t0=texels, u0=np.zeros(1, "f4")).u0[0] == 0.5
        assert saxpy(own) == [3, 3, 3, 1]


def read_machine_code() -> None:
    module = translate.to_spirv(translate.load(ADD))
    face = module.interface
    slots = [Slot(b.set, b.binding, b.descriptor_type.upper(), b.count) for b in face]
    device = PipelineDevice()
    try:
        device.code(module.words, Entry(face.entry_point, slots, 16))
    finally:
        device.close()


class Fault:
    """A function that returns `result` after `good` calls; `count` is the number of its calls.

    A driver whose device is lost has ended all work: objects may be destroyed. The validation layer
    and the functions that return machine code are simulated.
    """

    def __init__(self, driver: Driver, name: str, result: int, good: int):
        self.count = 0
        self._driver, self._result, self._good = driver, result, good
        self._devices: list[Any] = []
        driver.replace("vkCreateDevice", self._note_device)
        driver.replace("vkDestroyDevice", self._note_end)
        Layer(driver)
        for function in EXECUTABLES:
            driver.replace_extension(function, lambda *_: 0)
        if name.endswith(("EXT", "KHR")):
            driver.replace_extension(name, lambda *_: self._answer(lambda: 0))
        else:
            driver.wrap(name, lambda call, *given: self._answer(partial(call, *given)))

    @property
    def came(self) -> bool:
        """Whether a call failed."""
        return self.count > self._good

    def _answer(self, call: Callable[[], int]) -> int:
        self.count += 1
        if not self.came:
            return call()
        if self._result == DEVICE_LOST:
            self.end_work()
        return self._result

    def end_work(self) -> None:
        """Wait for all work of all devices."""
        for device in self._devices:
            self._driver.vkDeviceWaitIdle(device)

    def _note_device(self, function: Callable[..., int], *given: Any) -> int:
        result = function(*given)
        if not result:
            self._devices.append(given[3][0])
        return result

    def _note_end(self, function: Callable[..., None], device: Any, *given: Any) -> None:
        if device in self._devices:
            self._devices.remove(device)
        function(device, *given)


class Attempts:
    """Lets functions fail, and collects complaints about the runner."""

    def __init__(self, device: Device, driver: Driver, patch: pytest.MonkeyPatch, folder: Path):
        self._info, self._driver, self._patch, self._folder = device.info, driver, patch, folder
        patch.setenv("SM5VK_CACHE", "1")
        saxpy(device)  # so that a device tried for faults before

    def complaints(self, results: Iterable[tuple[str, int]], good: int) -> list[str]:
        """The complaints; the functions return the results after some good calls."""
        return [
            f"{name}, VkResult {result}: {text}"
            for name, result in results
            for text in self._complaints(name, result, good)
        ]

    def _complaints(self, name: str, result: int, good: int) -> list[str]:
        driver, index = self._driver, self._info.index
        self._patch.setenv("SM5VK_CACHE_DIR", str(self._folder / name))  # is empty
        before, found = +driver.objects, list[str]()
        error: object = None
        fault = Fault(driver, name, result, good)
        try:
            read_machine_code() if name in EXECUTABLES else use_all(index)
        except VulkanError as raised:
            error = raised.call, raised.result
        except RunnerError as raised:
            error = raised
        driver.restore()
        fault.end_work()  # a device whose work may run is closed when another one is opened
        if fault.came and error != (name, result):
            found.append(f"the runner raised {error}")
        if not (fault.count or (name in EVENTS and not self._info.is_cpu)):
            found.append("the work does not call it: add to `use_all`")
        with vkrunner.open_device(index) as other:
            assert saxpy(other) == [3, 3, 3, 1]
        gc.collect()
        left = driver.objects - before
        return [*found, f"these are left: {dict(left)}"] if left else found


@pytest.fixture
def attempts(
    device: Device, driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Attempts:
    return Attempts(device, driver, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("result", "good"),
    [
        (OUT_OF_HOST_MEMORY, 0),
        (DEVICE_LOST, 1),
        pytest.param(OUT_OF_HOST_MEMORY, 3, marks=MORE),
        pytest.param(OUT_OF_DEVICE_MEMORY, 0, marks=MORE),
        pytest.param(INITIALIZATION_FAILED, 0, marks=MORE),
        pytest.param(DEVICE_LOST, 0, marks=MORE),
        pytest.param(UNKNOWN, 2, marks=MORE),
    ],
)
def test_every_call_that_fails(attempts: Attempts, result: int, good: int) -> None:
    names = failing_functions()
    assert len(names) > 40
    assert attempts.complaints([(name, result) for name in names], good) == []


def test_every_call_that_leaves_something_undone(attempts: Attempts) -> None:
    assert attempts.complaints(UNDONE.items(), 0) == []
