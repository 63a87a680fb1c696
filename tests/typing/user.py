"""A user's script for a strict type checker; it is checked and never run."""

import asyncio
import json
from pathlib import Path
from typing import Any, assert_type, cast

import numpy as np

import sm5vk
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


def by_one_import(path: Path) -> None:
    assert_type(sm5vk.to_spirv(sm5vk.load(path)), translate.SpirvModule)
    with sm5vk.open_device() as device:
        assert_type(device, vkrunner.Device)
        with device.profile() as times:
            assert_type(times, sm5vk.Profile)


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


async def awaited(kernel: vkrunner.Kernel, recording: vkrunner.Recording) -> vkrunner.Result:
    future = recording.submit()
    assert_type(await future, vkrunner.RecordingFuture)
    assert_type(
        future.exception(),
        vkrunner.AbortError | vkrunner.LoopLimitError | vkrunner.VulkanError | None,
    )
    kept: list[vkrunner.Future] = [future]
    future.add_done_callback(kept.append)
    dispatch = kernel.dispatch_async(1, x=None)
    dispatch.add_done_callback(lambda ended: assert_type(ended, vkrunner.DispatchFuture))
    results = await asyncio.gather(dispatch, kernel.dispatch_async(2, x=None))
    assert_type(results[1], vkrunner.Result)
    return await dispatch


def chosen(device: vkrunner.Device, path: Path) -> None:
    """Every kind of name, and names that are known at run time only."""
    kernel = device.kernel(
        path,
        guards="off",
        target="vulkan1.2",
        formats={"u0": "r32_uint", "t1": ["bc7_unorm_srgb", "r8g8b8a8_unorm"]},
        float_controls=frozenset({"denorm_preserve_64"}),
        size_tables="dynamic",
        denormals="device",
        sampling="device",
        validate="available",
        entry="main",
        profile="cs_5_1",
        defines={"N": 4},
    )
    for binding in kernel.interface:
        assert_type(binding.format, translate.FormatName | None)
    texture = device.texture((6, 4, 4), format="bc1_unorm", dimension="cube")
    assert_type(texture.format, translate.FormatName)
    assert_type(texture.dimension, vkrunner.DimensionName)
    device.texture((4, 4), texture.format, texture.dimension)
    texture.view(dimension="2darray", format="bc1_unorm_srgb")
    buffer = device.buffer(64)
    assert_type(buffer.view(format="r16g16_float"), vkrunner.BufferView)
    with buffer.map("r") as array:
        assert_type(array, np.ndarray[Any, Any])
    device.sampler(("point", "linear", "point"), ["wrap", "border", "mirror_once"])
    device.sampler("point", address="mirror", comparison="less_equal", border=(0, 0, 0, 1))
    options = vkrunner.options_for(device, path, guards="robustness2", sampling="d3d")
    assert_type(options, translate.Options)
    translate.Options(float_controls=device.info.float_controls, target=kernel.interface.target)
    settings = json.loads(path.read_text())
    device.kernel(path, **settings)
    filter: str = settings["filter"]
    device.sampler(cast(vkrunner.FilterName, filter))
    given: vkrunner.KernelOptions = {"guards": "report", "entry": "blur"}
    device.kernel(path, **given)


def in_chunks(kernel: vkrunner.Kernel, path: Path) -> None:
    def constants(chunk: vkrunner.Chunk) -> dict[str, Any]:
        return {"Params": {"count": chunk.rows}}

    values = np.memmap(path, np.float32, "r+")
    sums = np.zeros(len(values))
    arrays = {"x": values, "y": sums}
    vkrunner.map_chunks(kernel, inputs=arrays, outputs={"y": sums}, arguments=constants)
    vkrunner.map_chunks([kernel], inputs={}, outputs=arrays, rows=3, progress=print)
    vkrunner.map_chunks(kernel, inputs={}, outputs={"y": 3})  # pyright: ignore[reportArgumentType]


def wrong(device: vkrunner.Device, read: str) -> None:
    """Each line has a mistake that the checker has to find."""
    device.kernel(3)  # pyright: ignore[reportArgumentType]
    device.buffer("text")  # pyright: ignore[reportArgumentType]
    vkrunner.open_device(1.5)  # pyright: ignore[reportArgumentType, reportCallIssue]
    translate.Options(guards=1)  # pyright: ignore[reportArgumentType]
    device.no_such_thing  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]  # noqa: B018
    device.kernel("a.dxbc", gaurds="d3d")  # pyright: ignore[reportCallIssue]
    device.kernel("a.dxbc", guards="d3")  # pyright: ignore[reportArgumentType]
    device.kernel("a.dxbc", guards=read)  # pyright: ignore[reportArgumentType]
    device.kernel("a.dxbc", formats={"u0": "r32_unit"})  # pyright: ignore[reportArgumentType]
    device.kernel("a.hlsl", enrty="main")  # pyright: ignore[reportCallIssue]
    device.kernel("a.hlsl", profile="cs_6_0")  # pyright: ignore[reportArgumentType]
    vkrunner.options_for(device, gaurds="d3d")  # pyright: ignore[reportCallIssue]
    vkrunner.options_for(device, entry="main")  # pyright: ignore[reportCallIssue]
    translate.Options(gaurds="d3d")  # pyright: ignore[reportCallIssue]
    translate.Options(target="vulkan1.4")  # pyright: ignore[reportArgumentType]
    translate.Options(denormals="preserve")  # pyright: ignore[reportArgumentType]
    translate.Options(float_controls=frozenset({"rte_32"}))  # pyright: ignore[reportArgumentType]
    translate.HlslOptions(profile="ps_5_0")  # pyright: ignore[reportArgumentType]
    device.texture((4, 4), format="rgba8")  # pyright: ignore[reportArgumentType]
    device.texture((4, 4), "r8_unorm", "2darry")  # pyright: ignore[reportArgumentType]
    device.texture((4, 4), "r8_unorm").view(format="r8")  # pyright: ignore[reportArgumentType]
    device.buffer(64).view(format="r32_int")  # pyright: ignore[reportArgumentType]
    device.buffer(64).map("wr")  # pyright: ignore[reportArgumentType]
    device.sampler("linaer")  # pyright: ignore[reportArgumentType]
    device.sampler(("point", "point", "pont"))  # pyright: ignore[reportArgumentType]
    device.sampler(address="clmap")  # pyright: ignore[reportArgumentType]
    device.sampler(comparison="lesser")  # pyright: ignore[reportArgumentType]
    device.sampler(filter=read)  # pyright: ignore[reportArgumentType]
