"""The reference device's own features: its description, traces, races, deadlines, refusals."""

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from tests.commands import python
from vkrunner import ReferenceDevice, errors
from vkrunner.api import opening

DATA = Path(__file__).parents[1] / "data"
ROOT = Path(__file__).parents[4]
HEAD = "cs_5_0\ndcl_globalFlags refactoringAllowed\n"


def saxpy(count: int = 10) -> dict[str, Any]:
    x, y = np.arange(10, dtype=np.float32), np.ones(10, np.float32)
    return {"x": x, "y": y, "Params": {"a": 2.0, "count": count}}


def test_its_description() -> None:
    with vkrunner.open_device("reference") as device:
        assert (device.name, device.info.type) == ("reference machine", "reference")
        assert device.info.index == -1
        assert device.info in vkrunner.devices()
        assert device.features.float64
        assert not device.features.timestamps
        assert device.limits.max_workgroup_invocations == 1024  # cs_5_0's
    with pytest.raises(errors.ClosedError):
        device.kernel(DATA / "saxpy.dxbc")


@pytest.mark.parametrize("wish", ["reference", " Reference ", "reference machine", -1, "-1"])
def test_it_is_chosen_by_name(wish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(opening.VARIABLE, "no such device")
    with vkrunner.open_device(wish) as device:
        assert isinstance(device, ReferenceDevice)


def test_it_is_chosen_by_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(opening.VARIABLE, "reference")
    with vkrunner.open_device() as device:
        assert isinstance(device, ReferenceDevice)


def test_counters_of_nothing(machine: ReferenceDevice) -> None:
    kernel = machine.kernel(DATA / "append.dxbc")
    given: dict[str, Any] = {"numbers": np.arange(6, dtype=np.uint32), "even": None}
    assert kernel.dispatch(6, **given).counters == {}
    assert kernel.dispatch(6, **given, bindings={"u0.counter": 7}).counters == {"u0": 10}


def test_kernels_that_are_refused(machine: ReferenceDevice) -> None:
    with pytest.raises(translate.OptionError):
        machine.kernel(DATA / "saxpy.dxbc", guards="some")
    with pytest.raises(errors.WrongTypeError):
        machine.kernel(translate.to_spirv(translate.load(DATA / "saxpy.dxbc")))


def test_the_interface_is_the_translations(machine: ReferenceDevice) -> None:
    program = translate.load(DATA / "saxpy.dxbc")
    expected = translate.to_spirv(program, vkrunner.options_for(machine, program)).interface
    assert machine.kernel(program).interface.to_dict() == expected.to_dict()


@pytest.mark.parametrize("guards", ["d3d", "robustness2", "off", "report"])
def test_only_reports_have_violations(machine: ReferenceDevice, guards: str) -> None:
    """Threads 10 and 11 each read t0 and u0 outside, and write u0 outside."""
    result = machine.kernel(DATA / "saxpy.dxbc", guards=guards).dispatch(1, **saxpy(12))
    found = sorted((v.instruction, v.register, v.thread[0], v.index) for v in result.violations)
    expected = [(n, r, t, t) for n, r in ((2, "t0"), (3, "u0"), (5, "u0")) for t in (10, 11)]
    assert found == (expected if guards == "report" else [])
    assert result.violations.total == len(found)
    assert result.findings.violation_count == 6


@pytest.mark.parametrize(
    ("groups", "given"),
    [
        (1, {"x": None}),
        (1, {**saxpy(), "z": None}),
        (1, {**saxpy(), "x": np.zeros(4, np.int32)}),
        (1, {**saxpy(), "x": [1.0]}),
        (1, {**saxpy(), "Params": {"a": 1.0}}),
        (1, {**saxpy(), "t0": None}),
        (-1, saxpy()),
        (70000, saxpy()),
        (1, {**saxpy(), "timeout": 0}),
    ],
)
def test_refusals_are_those_of_a_vulkan_device(
    machine: ReferenceDevice, device: Any, groups: int, given: dict[str, Any]
) -> None:
    said: list[tuple[type[Exception], str]] = []
    for one in (machine, device):
        kernel = one.kernel(DATA / "saxpy.dxbc")
        with pytest.raises(vkrunner.RunnerError) as error:
            kernel.dispatch(groups, **given)
        said.append((error.type, str(error.value)))
    assert said[0] == said[1]


def test_what_belongs_to_another_device(machine: ReferenceDevice, device: Any) -> None:
    for one, other in ((machine, device), (device, machine)):
        kernel = one.kernel(DATA / "saxpy.dxbc")
        with pytest.raises(errors.WrongDeviceError):
            kernel.dispatch(1, **{**saxpy(), "x": other.buffer(np.zeros(4, np.float32))})


def test_a_deadline_ends_a_loop(machine: ReferenceDevice) -> None:
    kernel = machine.kernel(DATA / "spin.dxbc")
    state = machine.buffer(np.zeros(1, np.uint32))
    with pytest.raises(errors.DispatchTimeout, match=r"did not end its work in 0\.05 s"):
        kernel.dispatch(1, cb0=1 << 30, u0=state, timeout=0.05)
    assert state.read().tolist() == [0]
    assert kernel.dispatch(1, cb0=1, u0=state).u0.tolist() == [1013904223]


def test_a_deadline_ends_many_groups(machine: ReferenceDevice) -> None:
    listing = HEAD + "dcl_thread_group 64, 1, 1\nret \n"
    with pytest.raises(errors.DispatchTimeout):
        machine.kernel(listing).dispatch((65535, 65535, 1), timeout=0.05)


def test_a_trace_changes_nothing(machine: ReferenceDevice) -> None:
    kernel = machine.kernel(DATA / "saxpy.dxbc")
    y = machine.buffer(np.ones(10, np.float32))
    assert len(list(kernel.trace(1, thread=(0, 0, 0), limit=2, **{**saxpy(), "y": y}))) == 2
    assert y.read().tolist() == [1] * 10


@pytest.mark.parametrize("thread", [(64, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0)])
def test_a_thread_that_is_not_there(machine: ReferenceDevice, thread: Any) -> None:
    kernel = machine.kernel(DATA / "saxpy.dxbc")
    with pytest.raises(errors.InvalidValueError, match=r"\(64, 1, 1\)"):
        kernel.trace(1, thread=thread, **saxpy())


LOOPS = HEAD + (
    "dcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 2, 1, 1\n"
    '#line 4 "sums.hlsl"\nloop\n  ieq r0.x, vThreadID.x, l(7)\n  breakc_nz r0.x\n'
    "#line 6\n  loop\n    breakc_z {}\n  endloop\nendloop\nret \n"
)


@pytest.mark.parametrize(
    ("condition", "place"),
    [("l(0)", "sums.hlsl:4, line 8 (instruction 0)"),
     ("l(1)", "sums.hlsl:6, line 12 (instruction 3)")],
)  # fmt: skip
def test_a_loop_without_end_is_named(machine: ReferenceDevice, condition: str, place: str) -> None:
    """The outer loop, or the one in it."""
    kernel = machine.kernel(LOOPS.format(condition))
    expected = f"it is in the loop at {place}, which perhaps has no end; or pass a longer timeout"
    with pytest.raises(errors.DispatchTimeout) as caught:
        kernel.dispatch(1, u0=None, timeout=0.05)
    with pytest.raises(errors.DispatchTimeout) as traced:
        list(kernel.trace(1, thread=(0, 0, 0), u0=None, timeout=0.05))
    assert {str(one.value) for one in (caught, traced)} == {
        f"the reference machine did not end its work in 0.05 s: {expected}"
    }


# A Python without the package `vulkan`
WITHOUT = """
import sys; sys.modules['vulkan'] = None
import warnings
import numpy as np
import vkrunner

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    device = vkrunner.open_device()
print(device.info.type, [w.category.__name__ for w in caught], caught[0].filename == "<string>")
print("mesa-vulkan-drivers" in str(caught[0].message))
for wish in ("lavapipe", 0):
    try:
        vkrunner.open_device(wish)
    except vkrunner.NoDeviceError:
        print("no", wish)
print([info.type for info in vkrunner.devices()])
with vkrunner.open_device("reference") as named:
    kernel = named.kernel("tests/unit/vkrunner/data/saxpy.dxbc")
    x = np.arange(4, dtype=np.float32)
    print(kernel.dispatch(1, x=x, y=x, Params={"a": 2.0, "count": 4}).y.tolist())
"""


def test_without_vulkan() -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SM5VK_")}
    done = python("-c", WITHOUT, environment=environment)
    assert done.stdout.splitlines() == [
        "reference ['RuntimeWarning'] True",
        *("True", "no lavapipe", "no 0", "['reference']"),
        "[0.0, 3.0, 6.0, 9.0]",
    ], done.stderr


LITTLE = """
import resource, vkrunner
with vkrunner.open_device("reference") as device:
    resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
    texture = (1 << 15, 1 << 15), "r32_uint"
    for make, values in ((device.buffer, [1 << 31]), (device.texture, texture)):
        try:
            make(*values)
        except vkrunner.LimitError as error:
            print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_memory_that_the_process_may_not_have() -> None:
    buffer, texture = python("-c", LITTLE).stdout.splitlines()
    assert buffer == f"a buffer of {1 << 31} bytes: the host lacks the memory"
    assert texture.endswith(f" of {1 << 32} bytes: the host lacks the memory")


def test_a_vulkan_device_comes_without_a_warning(device: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vkrunner.open_device(device.info.index, validation=False).close()


def test_the_most_resources_of_arrays(machine: ReferenceDevice) -> None:
    text = "cs_5_1\ndcl_uav_raw U0[0:*], space=0\ndcl_thread_group 1, 1, 1\nret\n"
    most = machine.limits.max_resources
    with pytest.raises(errors.LimitError, match=f"{most + 1}.*{most}"):
        machine.kernel(text).dispatch(1, bindings={f"u{most}": np.zeros(1, np.uint32)})
