"""The same work by several tools on the same device: y = 2 x + y over float32.

Each contestant is made for one size and has calls without arguments: `dispatch` works on buffers
of the device and waits for the end; `arrays` takes arrays and returns a new one.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import vkrunner
from checks.driver import replaced
from vkrunner.vulkan.loader import vk

GROUP = 64
LISTING = f"""cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group {GROUP}, 1, 1
ld_structured r0.x, vThreadID.x, l(0), t0.xxxx
ld_structured r0.y, vThreadID.x, l(0), u0.xxxx
mad r0.x, r0.x, l(2.000000), r0.y
store_structured u0.x, vThreadID.x, l(0), r0.x
ret
"""
GLSL = f"""#version 450
layout(local_size_x = {GROUP}) in;
layout(set = 0, binding = 2048) readonly buffer X {{ float x[]; }};
layout(set = 0, binding = 2049) buffer Y {{ float y[]; }};
void main() {{
    uint i = gl_GlobalInvocationID.x;
    if (i < x.length()) y[i] = 2.0 * x[i] + y[i];
}}
"""
WGSL = f"""
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size({GROUP}) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    if (id.x < arrayLength(&x)) {{ y[id.x] = 2.0 * x[id.x] + y[id.x]; }}
}}
"""

Call = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Contestant:
    """One tool; `arrays` returns the new array."""

    name: str
    dispatch: Call
    arrays: Call


class MissingPeer(Exception):
    """A peer cannot be measured here; the message says why."""


def inputs(count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return np.arange(count, dtype=np.float32) % 1000, np.ones(count, np.float32)


def groups(count: int) -> int:
    """The number of groups for so many elements; one axis has to hold them."""
    return min(-(-count // GROUP), 65535)


@contextmanager
def ours(count: int, device: str, *, timestamps: bool | None) -> Iterator[Contestant]:
    x, y = inputs(count)
    with vkrunner.open_device(device, timestamps=timestamps) as opened:
        kernel, n = opened.kernel(LISTING), groups(count)
        on_device = {"t0": opened.buffer(x), "u0": opened.buffer(y)}
        yield Contestant(
            "sm5vk, timed" if timestamps else "sm5vk",
            lambda: kernel.dispatch(n, **on_device),
            lambda: kernel.dispatch(n, t0=x, u0=y).u0,
        )


@contextmanager
def wgpu_peer(count: int, device: str) -> Iterator[Contestant]:
    """wgpu-py; `dispatch` records, submits and polls."""
    try:
        import wgpu
    except ImportError as error:
        raise MissingPeer(f"wgpu: {error}") from error
    adapters = wgpu.gpu.enumerate_adapters_sync()
    chosen = [a for a in adapters if device.lower() in a.info["device"].lower()]
    if not chosen:
        raise MissingPeer(f"wgpu sees no {device}")
    own, n, (x, y) = chosen[0].request_device_sync(), groups(count), inputs(count)
    use = wgpu.BufferUsage
    in_buffer = own.create_buffer_with_data(data=x, usage=use.STORAGE | use.COPY_DST)
    kept = use.STORAGE | use.COPY_DST | use.COPY_SRC
    out_buffer = own.create_buffer_with_data(data=y, usage=kept)
    module = own.create_shader_module(code=WGSL)
    pipeline = own.create_compute_pipeline(
        layout="auto", compute={"module": module, "entry_point": "main"}
    )
    entries = [
        {"binding": number, "resource": {"buffer": buffer}}
        for number, buffer in enumerate((in_buffer, out_buffer))
    ]
    bound = own.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)

    def submit() -> None:
        encoder = own.create_command_encoder()
        run = encoder.begin_compute_pass()
        run.set_pipeline(pipeline)
        run.set_bind_group(0, bound)
        run.dispatch_workgroups(n)
        run.end()
        own.queue.submit([encoder.finish()])

    def dispatch() -> None:
        submit()
        own._poll_wait()

    def arrays() -> Any:
        own.queue.write_buffer(in_buffer, 0, x)
        own.queue.write_buffer(out_buffer, 0, y)
        submit()
        return np.frombuffer(own.queue.read_buffer(out_buffer), np.float32)

    yield Contestant("wgpu", dispatch, arrays)


@contextmanager
def compushady_peer(count: int, device: str) -> Iterator[Contestant]:
    """compushady, whose dispatch is C++; its shader is GLSL, by glslangValidator."""
    os.environ.setdefault("COMPUSHADY_BACKEND", "vulkan")
    try:
        import compushady
    except ImportError as error:
        raise MissingPeer(f"compushady: {error}") from error
    chosen = [d for d in compushady.get_discovered_devices() if device.lower() in d.name.lower()]
    if not chosen:
        raise MissingPeer(f"compushady sees no {device}")
    compushady.set_current_device(compushady.get_discovered_devices().index(chosen[0]))
    n, (x, y) = groups(count), inputs(count)
    size = x.nbytes
    on_device = [compushady.Buffer(size, stride=4) for _ in range(2)]
    up = [compushady.Buffer(size, compushady.HEAP_UPLOAD) for _ in range(2)]
    down = compushady.Buffer(size, compushady.HEAP_READBACK)
    compute = compushady.Compute(_glsl(), uav=on_device)  # storage buffers are all UAVs to it

    def arrays() -> Any:
        for array, staging, buffer in zip((x, y), up, on_device, strict=True):
            staging.upload(array)
            staging.copy_to(buffer)
        compute.dispatch(n, 1, 1)
        on_device[1].copy_to(down)
        return np.frombuffer(down.readback(size), np.float32)

    yield Contestant("compushady", lambda: compute.dispatch(n, 1, 1), arrays)


def _glsl() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, words = Path(folder) / "saxpy.comp", Path(folder) / "saxpy.spv"
        source.write_text(GLSL, encoding="utf-8")
        try:
            subprocess.run(
                ["glslangValidator", "-V", str(source), "-o", str(words)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise MissingPeer(f"glslangValidator (glslang-tools): {error}") from error
        return words.read_bytes()


def contestants(count: int, device: str, stack: ExitStack, missing: list[str]) -> list[Contestant]:
    """The tools that can be measured here, ours first; `missing` gets the others' reasons."""
    found = [stack.enter_context(ours(count, device, timestamps=t)) for t in (None, True)]
    for peer in (wgpu_peer, compushady_peer):
        try:
            found.append(stack.enter_context(peer(count, device)))
        except MissingPeer as error:
            missing.append(str(error))
    return found


@contextmanager
def recorded(count: int, device: str, steps: int) -> Iterator[tuple[Call, Call]]:
    """A recording of `steps` dispatches: submitted by vkrunner, and by a loop of raw Vulkan calls.

    The raw loop submits a command buffer with the same commands, and makes its structs once.
    """
    with ExitStack() as opened:
        work = _recording(opened, count, device, steps)
        yield lambda: work.submit().wait(), _raw(opened, count, device, steps)


def _recording(opened: ExitStack, count: int, device: str, steps: int) -> vkrunner.Recording:
    own = opened.enter_context(vkrunner.open_device(device))
    x, y = inputs(count)
    kernel, n = own.kernel(LISTING), groups(count)
    on_device = {"t0": own.buffer(x), "u0": own.buffer(y)}
    with own.record() as work:
        for _ in range(steps):
            work.dispatch(kernel, n, **on_device)
    opened.callback(work.close)
    return work


def _raw(opened: ExitStack, count: int, device: str, steps: int) -> Call:
    """The driver calls of one submission, noted on another device and repeated."""
    wait = vk.lib().vkWaitForFences
    reset, submit = (getattr(vk.lib(), name) for name in _CALLS)
    seen: dict[str, tuple[Any, ...]] = {}
    with replaced() as driver:
        work = _recording(opened, count, device, steps)
        for _ in range(2):  # a fence is reset before its second use
            for name in _CALLS:
                driver.replace(name, _noting(seen, name))
            work.submit().wait()
    fences, submitted = (seen[name] for name in _CALLS)

    def run() -> None:
        reset(*fences)
        submit(*submitted)
        wait(*fences, 1, 10**9)  # wait for all, at most so many nanoseconds

    return run


_CALLS = "vkResetFences", "vkQueueSubmit"


def _noting(seen: dict[str, tuple[Any, ...]], name: str) -> Callable[..., int]:
    def note(function: Callable[..., int], *arguments: Any) -> int:
        seen[name] = arguments
        return function(*arguments)

    return note
