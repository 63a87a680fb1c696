"""Barriers are between steps of which one writes what the other uses, and nowhere else."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from checks.running.devices import opened
from checks.running.shaders import ADD, NEXT
from vkrunner import Device
from vkrunner.vulkan.device.commands import COPY, INDIRECT, SHADER, Hazards, ResourceUse
from vkrunner.vulkan.loader.instance import validation_layer

COMPUTE, TRANSFER, HOST = 0x800, 0x1000, 0x4000  # VkPipelineStageFlagBits
SHADER_WRITE, TRANSFER_READ, TRANSFER_WRITE, HOST_READ = (
    0x40,
    0x800,
    0x1000,
    0x2000,
)  # VkAccessFlagBits


def use(token: int, first: int, end: int, *, writes: bool, stage: str = SHADER) -> ResourceUse:
    return ResourceUse(token, ((first, end),), writes, stage)


READ, WRITE = use(1, 0, 8, writes=False), use(1, 0, 8, writes=True)


@pytest.mark.parametrize(
    ("first", "second", "needed"),
    [
        (READ, READ, False),
        (READ, WRITE, True),
        (WRITE, READ, True),
        (WRITE, WRITE, True),
        (WRITE, use(2, 0, 8, writes=True), False),
        (WRITE, use(1, 8, 16, writes=True), False),
        (use(1, 8, 16, writes=True), READ, False),
        (WRITE, use(1, 7, 16, writes=False), True),
        (ResourceUse(1, ((0, 1), (0, 2)), True), ResourceUse(1, ((0, 1), (2, 4)), True), False),
        (ResourceUse(1, ((0, 2), (0, 2)), True), ResourceUse(1, ((1, 2), (1, 4)), False), True),
    ],
)
def test_conflicts(first: ResourceUse, second: ResourceUse, needed: bool) -> None:
    hazards = Hazards()
    assert hazards.barrier_before([first]) is None
    assert (hazards.barrier_before([second]) is not None) == needed


def test_a_barrier_covers_all_that_came_before() -> None:
    hazards = Hazards()
    other = use(2, 0, 4, writes=True, stage=COPY)
    assert hazards.barrier_before([WRITE, other]) is None
    found = hazards.barrier_before([use(1, 4, 16, writes=False, stage=INDIRECT)])
    assert found == ((SHADER, COPY), ("SHADER_WRITE", "TRANSFER_WRITE"))
    assert hazards.barrier_before([other]) is None, "the first barrier covers it"
    after_read = hazards.barrier_before([WRITE])
    assert after_read == ((INDIRECT, COPY), ("TRANSFER_WRITE",))


def numbers(*values: int) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    return np.array(values, np.uint32)


def record(own: Device) -> vkrunner.Recording:
    """Three dispatches that depend on each other, and copies between them."""
    add, following = own.kernel(ADD), own.kernel(NEXT)
    a, b = own.buffer(np.zeros(256, np.uint32)), own.buffer(np.zeros(256, np.uint32))
    with own.record() as work:
        work.clear(a, 1)
        work.dispatch(add, 256, u0=a, cb0=1)
        work.dispatch(following, 256, t0=a, u0=b)
        work.copy(b, a)
        work.dispatch(add, 256, u0=a, cb0=1)
        work.copy(a.view(0, 8), b.view(8, 8))
    return work


LETTERS = {
    "vkCmdPipelineBarrier": "|",
    "vkCmdDispatch": "d",
    "vkCmdCopyBuffer": "c",
    "vkCmdFillBuffer": "f",
}


def commands(driver: Driver, work: vkrunner.Recording) -> str:
    """The commands of a submission, a letter each, without dispatches of no groups."""
    found: list[str] = []

    def noted(name: str, function: Callable[..., None], *arguments: Any) -> None:
        function(*arguments)
        if name != "vkCmdDispatch" or arguments[1:] != (0, 0, 0):
            found.append(LETTERS[name])

    for name in LETTERS:
        driver.replace(name, partial(noted, name))
    work.submit().wait()
    driver.restore()
    return "".join(found)


def test_dependent_dispatches(driven: Device, driver: Driver) -> None:
    assert "f|d|d|c|d|c" in commands(driver, record(driven))


def test_independent_dispatches(driven: Device, driver: Driver) -> None:
    following = driven.kernel(NEXT)
    source = driven.buffer(np.arange(256, dtype=np.uint32))
    target = driven.buffer(np.zeros(256, np.uint32))
    with driven.record() as work:
        for part in range(4):
            work.dispatch(following, 64, t0=source, u0=target.view(64 * part, 64))
            work.dispatch(following, 1, t0=numbers(part), u0=numbers(0))
        work.copy(source, driven.buffer(np.zeros(256, np.uint32)))
    assert "ddddddddc" in commands(driver, work)
    np.testing.assert_array_equal(target.read(), [*(3 * np.arange(64) + 1)] * 4)


def barriers(driver: Driver, act: Callable[[], object]) -> list[list[int]]:
    """The barriers of the first command buffer that `act` records: [stages, accesses] twice.

    lavapipe has a second command buffer, for its compilation.
    """
    found: dict[Any, list[list[int]]] = {}  # by VkCommandBuffer

    def noted(function: Callable[..., None], commands: Any, *arguments: Any) -> None:
        after, before, _, _, made, *_ = arguments
        sides = [after, made[0].srcAccessMask, before, made[0].dstAccessMask]
        found.setdefault(commands, []).append(sides)
        function(commands, *arguments)

    driver.replace("vkCmdPipelineBarrier", noted)
    act()
    driver.restore()
    return next(iter(found.values()))


def test_the_host_waits_for_results(driven: Device, driver: Driver) -> None:
    """Where it maps the memory that a shader wrote, no copy is between shader and host."""
    kernel, copies = driven.kernel(ADD), driver.calls["vkCmdCopyBuffer"]
    with driven.record() as work:
        work.dispatch(kernel, 1, u0=numbers(0), cb0=1)
    stages, accesses, *host = barriers(driver, lambda: work.submit().wait())[-1]
    is_copied = driver.calls["vkCmdCopyBuffer"] > copies
    stage, access = (TRANSFER, TRANSFER_WRITE) if is_copied else (COMPUTE, SHADER_WRITE)
    assert stages & stage
    assert accesses & access
    assert host == [HOST, HOST_READ]


def test_barriers_around_copies(driven: Device, driver: Driver) -> None:
    texture = driven.texture(np.zeros((4, 4), np.uint32))
    (stages, accesses, *copy), *_, last = barriers(driver, texture.read)
    assert stages & COMPUTE
    assert accesses & SHADER_WRITE
    assert copy[0] == TRANSFER
    assert copy[1] & TRANSFER_READ
    assert last == [TRANSFER, TRANSFER_WRITE, HOST, HOST_READ]


def record_two(own: Device) -> vkrunner.Recording:
    """One dispatch writes what the next reads; newer layers check shaders only on request."""
    middle = own.buffer(numbers(0))
    with own.record() as work:
        work.dispatch(own.kernel(ADD), 1, u0=middle, cb0=1)
        work.dispatch(own.kernel(NEXT), 1, t0=middle, u0=own.buffer(numbers(0)))
    return work


@pytest.mark.parametrize(
    ("make", "hazard"), [(record, "SYNC-HAZARD"), (record_two, "SYNC-HAZARD-READ-AFTER-WRITE")]
)
def test_a_missing_barrier_is_detected(
    driven: Device, driver: Driver, make: Callable[[Device], vkrunner.Recording], hazard: str
) -> None:
    """The other tests rely on this: synchronisation validation reports a missing barrier."""
    work = make(driven)
    driver.replace("vkCmdPipelineBarrier", lambda *_: None)
    work.submit().wait()
    driver.restore()
    assert_seen(hazard)


def test_the_first_barrier_is_needed(device: Device, driver: Driver) -> None:
    """It orders uploads before dispatches: without it the layer reports a hazard."""
    with opened("staged", device) as own:
        work = own.record()
        work.copy(numbers(1), own.buffer(numbers(0)))
        work.submit().wait()

        def lost(*_: object) -> None:
            driver.restore()

        driver.replace("vkCmdPipelineBarrier", lost)
        own.kernel(ADD).dispatch(1, u0=numbers(1), cb0=1)
        assert_seen("SYNC-HAZARD")


def assert_seen(hazard: str) -> None:
    messages = vkrunner.validation_messages()
    vkrunner.clear_validation_messages()
    is_installed = validation_layer() is not None
    assert any(hazard in message for message in messages) or not is_installed
