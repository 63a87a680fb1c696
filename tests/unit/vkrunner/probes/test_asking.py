"""Probes in a child process: a driver that crashes, hangs or fails there harms nobody else."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import DEVICE_LOST, OUT_OF_DEVICE_MEMORY, Driver, has_another_name
from checks.running.shaders import SAMPLED
from vkrunner.api.kernel import brief_kernel
from vkrunner.api.opening import choose
from vkrunner.probes.trial import Trial
from vkrunner.probes.trials import PROBES
from vkrunner.vulkan.backend import VulkanBackend
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader.instance import create_instance, validation_wanted

ROOT = Path(__file__).parents[4]
SAXPY = Path(__file__).parents[1] / "data" / "saxpy.dxbc"
Open = Callable[[], vkrunner.Device]


@pytest.fixture(autouse=True)
def known(device: vkrunner.Device) -> None:
    """The session's device is asked before a test replaces the driver of children."""
    assert device.faults is not None


@pytest.fixture
def new_device(device: vkrunner.Device, driver: Driver) -> Open:
    """Opens the device under a name of its own, so that it is probed."""

    def open_new() -> vkrunner.Device:
        driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
        return vkrunner.open_device(device.info.index)

    return open_new


def note(path: str) -> None:
    with open(path, "a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")


def pids(path: Path) -> list[int]:
    return [int(line) for line in path.read_text("ascii").split()] if path.exists() else []


def is_running(pid: int) -> bool:
    """Whether a process exists, and has not ended: a container may never collect ended ones."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def act(kind: str) -> int:
    """What a driver does in place of a call: its result, if it returns."""
    if kind == "crash":
        os.abort()
    if kind == "hang":
        time.sleep(1000)
    if kind == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    return OUT_OF_DEVICE_MEMORY if kind == "full" else DEVICE_LOST


def play_nth(driver: Driver, kind: str, name: str, wanted: str, path: str) -> None:
    """The call of a function with this number fails, counted over all children, or "all"."""

    def instead(function: Any, *arguments: Any) -> int:
        note(path)
        if wanted in ("all", str(len(pids(Path(path))))):
            return act(kind)
        return int(function(*arguments))

    driver.replace(name, instead)


@pytest.fixture
def played(play_in_children: Any, tmp_path: Path) -> Callable[..., Path]:
    """Lets a function fail in children; returns the file that notes their calls of it."""

    def play(kind: str = "", name: str = "vkCreateComputePipelines", number: object = "") -> Path:
        play_in_children(play_nth, kind, name, str(number), str(tmp_path / "calls"))
        return tmp_path / "calls"

    return play


def check_kernel(own: vkrunner.Device) -> None:
    x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    found = own.kernel(SAXPY).dispatch(1, x=x, y=y, Params={"a": 2, "count": 4})
    assert found.y.tolist() == [1, 3, 5, 7]


def cautious(device: vkrunner.Device) -> set[str]:
    """The faults if no probe can be relied on."""
    features, known = device.features, device.info.known_faults
    probed = {
        probe.name
        for probe in PROBES
        if probe.cautious and all(getattr(features, name) for name in probe.features)
    }
    return probed.union(known)


FAILURES = [
    ("crash", "vkCreateComputePipelines", 1),
    ("crash", "vkQueueSubmit", 5),
    ("lost", "vkQueueSubmit", 2),
    ("lost", "vkResetFences", 1),
    ("full", "vkCreateComputePipelines", 3),
]
MORE = [
    (kind, function, number)
    for number in (*range(2, 5), *range(6, 12))
    for kind, function in (("crash", "vkCreateComputePipelines"), ("lost", "vkQueueSubmit"))
]


@pytest.mark.parametrize(
    ("kind", "function", "number"),
    [
        *FAILURES,
        *(pytest.param(*row, marks=pytest.mark.thorough(reason="more places")) for row in MORE),
    ],
)
def test_a_driver_that_fails_once(
    device: vkrunner.Device, new_device: Open, played: Any, kind: str, function: str, number: int
) -> None:
    """One probe has the cautious answer, the others that of the device."""
    noted = played(kind, function, number)
    with new_device() as own:
        right, found = set(device.faults), set(own.faults)
        assert right <= found <= right | cautious(device)
        assert len(found - right) <= 1
        calls = pids(noted)
        # another process runs the probes after the one that failed
        assert len(set(calls)) == (2 if len(calls) > number else 1)
        check_kernel(own)


MORE_KINDS = pytest.mark.thorough(reason="a child for each probe")


@pytest.mark.parametrize("kind", ["crash", pytest.param("lost", marks=MORE_KINDS)])
def test_a_driver_that_always_fails(
    device: vkrunner.Device, new_device: Open, played: Any, kind: str
) -> None:
    calls = played(kind, "vkQueueSubmit", "all")
    with new_device() as own:
        check_kernel(own)
        assert len(pids(calls)) <= 6, "only the probes of the shader's subjects ran"
        assert set(own.faults) == cautious(device)
        assert own.exact_samples == frozenset()


@pytest.mark.slow(reason="waits for a limit of 30 s")
def test_a_driver_that_hangs(device: vkrunner.Device, new_device: Open, played: Any) -> None:
    calls = played("hang", number=2)
    with new_device() as own:
        assert len(set(own.faults) ^ set(device.faults)) <= 1
        check_kernel(own)
    assert not any(map(is_running, pids(calls)))


@pytest.mark.parametrize("python", ["/nonexistent/python", ""])
def test_without_a_child_nothing_is_relied_on(
    device: vkrunner.Device, new_device: Open, monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    with new_device() as own:
        with pytest.warns(RuntimeWarning, match="cannot be probed"):
            check_kernel(own)
        with pytest.warns(RuntimeWarning, match="cannot be probed"):
            assert set(own.faults) == cautious(device)


def test_another_build_is_not_asked(
    device: vkrunner.Device, new_device: Open, driver: Driver
) -> None:
    """A program may change the loader's variables after it opened its device."""

    def describe(function: Any, physical: Any, properties: Any) -> None:
        has_another_name(function, physical, properties)
        properties.driverVersion += 1

    with new_device():
        driver.replace("vkGetPhysicalDeviceProperties", describe)
        with (
            vkrunner.open_device(device.info.index) as own,
            pytest.warns(RuntimeWarning, match="another driver"),
        ):
            assert set(own.faults) == cautious(device)


def test_only_what_a_shader_needs_is_probed(
    device: vkrunner.Device, new_device: Open, played: Any
) -> None:
    """In one process for all that is missing; what was asked before is not asked again."""
    calls = played()
    with new_device() as own:
        kernel = own.kernel(SAXPY)
        before = len(pids(calls))
        floats = {"float_zeros", "select_signed_zero"}.difference(own.info.known_faults)
        assert before <= 1 + len(floats), "one for both features of buffers"
        own.kernel(SAXPY, guards="off")
        assert len(pids(calls)) == before, "asked once"
        options = vkrunner.options_for(own, SAXPY)
        sampled = own.kernel(SAMPLED)
        with_textures = len(pids(calls))
        assert before < with_textures
        assert own.faults == device.faults
        assert len(set(pids(calls))) <= 4
        assert len(pids(calls)) > with_textures
        assert vkrunner.options_for(own, SAXPY) == options == vkrunner.options_for(device, SAXPY)
        again, plain = own.kernel(SAXPY), device.kernel(SAXPY)
        assert kernel.interface == again.interface == plain.interface
        assert sampled.interface == device.kernel(SAMPLED).interface


@pytest.fixture
def backend(device: vkrunner.Device) -> Iterator[VulkanBackend]:
    """The device in this process, with the validation layer, which children do not have."""
    instance = create_instance(validation_wanted(None))
    handle, info = choose(instance, device.info.index)
    opened = VulkanBackend(LogicalDevice(instance, handle, info, None, None))
    yield opened
    opened.close()


def test_probes_give_the_same_answers_here(device: vkrunner.Device, backend: VulkanBackend) -> None:
    trial = Trial(backend, brief_kernel)
    features, known = device.features, device.info.known_faults
    shown = {
        probe.name
        for probe in PROBES
        if probe.name not in known
        and probe.cautious
        and all(getattr(features, name) for name in probe.features)
        and probe.shows(trial)
    }
    assert shown.union(known) == set(device.faults)


PROGRAM = f"""
import vkrunner
with vkrunner.open_device() as device:
    device.kernel({str(SAXPY)!r})
    print(*device.faults)
"""


def start(
    device: vkrunner.Device, code: str = PROGRAM, stderr: int | None = None, **environment: str
) -> Any:
    there = {**os.environ, "SM5VK_DEVICE": str(device.info.index), **environment}
    words, out = [sys.executable, "-c", code], subprocess.PIPE
    return subprocess.Popen(words, cwd=ROOT, env=there, stdout=out, stderr=stderr, text=True)


@pytest.fixture
def cold(tmp_path: Path) -> dict[str, str]:
    """Variables of a process without a cache of its own yet, whose output is complete."""
    return {"SM5VK_CACHE": "1", "SM5VK_CACHE_DIR": str(tmp_path / "cache")}


@pytest.mark.slow(reason="every probe, several times")
def test_probes_run_once_for_each_build_of_a_driver(
    device: vkrunner.Device, played: Any, cold: dict[str, str]
) -> None:
    """SwiftShader's builds cannot be told apart, so that each process probes it."""
    calls, counts = played(), list[int]()
    for environment in (cold, cold, {"SM5VK_CACHE": "0"}):
        before = len(pids(calls))
        assert start(device, **environment).communicate()[0].split() == [*device.faults]
        counts.append(len(pids(calls)) - before)
    first, second, without = counts
    is_probed_anew = device.info.driver == "SwiftShader driver"
    own = int(not device.info.is_cpu)  # the kernel's pipeline, which comes later on a CPU
    assert second == (first if is_probed_anew else own)
    assert without == first


@pytest.mark.parametrize(("kind", "is_kept"), [("crash", True), ("killed", False)])
def test_failures_are_cached_with_the_build(
    device: vkrunner.Device, played: Any, cold: dict[str, str], kind: str, is_kept: bool
) -> None:
    """But not if the process was killed, which is not the driver's doing."""
    if device.info.driver == "SwiftShader driver":
        pytest.skip("its builds cannot be told apart, so nothing is cached")
    played(kind, number=1)
    # The play is the program's own driver too, but no pipeline of it fails after the first
    outputs = [start(device, **cold).communicate()[0] for _ in range(2)]
    assert set(outputs[0].split()) > set(device.faults) or not is_kept
    assert (outputs[0] == outputs[1]) == is_kept


WORDS = f"run {SAXPY} --groups 1 --x arange:4:f4 --y ones:4:f4 --Params a=2,count=4".split()
COMMAND = f"""
from vkrunner.__main__ import main
assert main({WORDS!r}) == 0
"""
WITHOUT_PYTHON = "import sys; sys.executable = '/nonexistent/python'"
SUM = "u0 (y): float32[4] 1.0 3.0 5.0 7.0\n"


@pytest.mark.parametrize("cache", ["1", "0"])
def test_the_command_copies_itself_for_the_first_probes(
    device: vkrunner.Device, cold: dict[str, str], cache: str
) -> None:
    """No interpreter is started: there is none that could be."""
    cold["SM5VK_CACHE"] = cache
    program = start(device, f"{WITHOUT_PYTHON}{COMMAND}", stderr=subprocess.PIPE, **cold)
    assert program.communicate() == (SUM, "")
    assert start(device, **cold).communicate()[0].split() == [*device.faults]


@pytest.mark.parametrize("kind", ["crash", "lost", "killed"])
def test_a_copy_that_fails(
    device: vkrunner.Device, played: Any, cold: dict[str, str], kind: str
) -> None:
    """A new interpreter runs the other probes, here those that another program needs."""
    calls = played(kind, number=1)
    program = start(device, COMMAND, stderr=subprocess.PIPE, **cold)
    assert program.communicate() == (SUM, "")
    first = pids(calls)[0]
    assert first != program.pid
    assert not is_running(first)
    found = {*start(device, **cold).communicate()[0].split()}
    assert {*device.faults} <= found <= {*device.faults} | cautious(device)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("code", [PROGRAM, WITHOUT_PYTHON + COMMAND], ids=["program", "command"])
def test_the_child_ends_with_its_parent(
    device: vkrunner.Device, played: Any, cold: dict[str, str], how: signal.Signals, code: str
) -> None:
    calls = played("hang", number=1)
    program = start(device, code, **cold)
    while not pids(calls):
        time.sleep(0.05)
    (child,) = pids(calls)
    program.send_signal(how)
    program.wait(20)
    end = time.monotonic() + 20
    while is_running(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(child)
