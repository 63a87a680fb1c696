"""A user's script, as a strict type checker reads it; it is checked and never run."""

from pathlib import Path
from typing import assert_type

import numpy as np

import translate
import vkrunner


def translated(path: Path) -> bytes:
    program = translate.load(path)
    assert_type(program, translate.Program)
    options = translate.Options(guards="report", bindings={"t0": (0, 3)})
    module = translate.to_spirv(program, options)
    assert_type(module, translate.SpirvModule)
    assert_type(module.words.dtype, np.dtype[np.uint32])
    for binding in module.interface:
        assert_type(binding, translate.Binding)
        assert_type(binding.size_bytes, int | None)
        for constant in binding.constants or ():
            assert_type(constant, translate.Constant)
    assert_type(translate.disassemble(program), str)
    assert_type(translate.assemble("cs_5_0\nret\n"), bytes)
    return module.to_bytes()


def dispatched(path: str) -> int | None:
    x = np.arange(16, dtype=np.float32)
    with vkrunner.open_device() as device:
        assert_type(device, vkrunner.Device)
        assert_type(device.limits.max_workgroup_size, tuple[int, int, int])
        kernel = device.kernel(path, guards="d3d")
        assert_type(kernel, vkrunner.Kernel)
        buffer = device.buffer(x, counter=0)
        assert_type(buffer, vkrunner.Buffer)
        assert_type(buffer.view(first_element=4), vkrunner.BufferView)
        assert_type(device.texture(x.reshape(4, 4)), vkrunner.Texture)
        assert_type(device.sampler("linear", "wrap"), vkrunner.Sampler)
        result = kernel.dispatch((1, 1, 1), x=x, y=buffer, Params={"a": 2.0, "count": 16})
        assert_type(result, vkrunner.Result)
        for violation in result.violations:
            assert_type(violation, vkrunner.Violation)
        assert_type(result.counters["u0"], int)
        return result.duration_ns


def traced(path: str) -> None:
    with vkrunner.open_device("reference") as machine:
        assert_type(machine, vkrunner.ReferenceDevice)
        kernel = machine.kernel(path)
        assert_type(kernel, vkrunner.ReferenceKernel)
        for step in kernel.trace(1, thread=(0, 0, 0), x=None):
            assert_type(step.instruction, int)
    with vkrunner.open_device(-1) as machine:
        assert_type(machine, vkrunner.ReferenceDevice)
    with vkrunner.open_device("lavapipe") as device:
        assert_type(device, vkrunner.Device)


def wrong(device: vkrunner.Device) -> None:
    """Each line is a mistake that the checker has to find."""
    device.kernel(3)  # pyright: ignore[reportArgumentType]
    device.buffer("text")  # pyright: ignore[reportArgumentType]
    vkrunner.open_device(1.5)  # pyright: ignore[reportArgumentType, reportCallIssue]
    translate.Options(guards=1)  # pyright: ignore[reportArgumentType]
    device.no_such_thing  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]  # noqa: B018
