"""Encoding: each step as the command that performs it on the device."""

from __future__ import annotations

from contextlib import ExitStack

from vkrunner.steps import BufferRegion, CopyStep, DispatchStep, FillStep, Step, TextureRegion
from vkrunner.vulkan.command_list import Command
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.prepared import Prepared
from vkrunner.vulkan.storage import storage_of
from vkrunner.vulkan.texture import image_of
from vkrunner.vulkan.transfers import (
    BufferCopy,
    BufferFill,
    BufferUpload,
    ImageToImage,
    ImageUpload,
)
from vkrunner.vulkan.variants import Variants


def encode_step(
    logical: LogicalDevice, step: Step, stack: ExitStack, *, is_recorded: bool
) -> Command:
    """A step on the device; `stack` frees what is made for it."""
    if isinstance(step, DispatchStep):
        return _dispatch(logical, step, stack, is_recorded=is_recorded)
    if isinstance(step, FillStep):
        return _fill(step)
    return _copy(step, stack)


def _dispatch(
    logical: LogicalDevice, step: DispatchStep, stack: ExitStack, *, is_recorded: bool
) -> Prepared:
    assert isinstance(step.pipeline, Variants), "kernels of other devices were refused"
    pipeline = step.pipeline.pipeline(step.arguments, step.lengths)
    return Prepared(logical, pipeline, step.arguments, step.groups, stack, is_recorded=is_recorded)


def _fill(step: FillStep) -> BufferFill:
    buffer = step.region.buffer
    counter = buffer.counter_memory
    memory = counter if step.is_counter and counter is not None else buffer.memory
    return BufferFill(storage_of(memory), step.region.first, step.region.nbytes, step.dword)


def _copy(step: CopyStep, stack: ExitStack) -> Command:
    source, target = step.source, step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        here, there = ((storage_of(r.buffer.memory), r.first) for r in (source, target))
        return BufferCopy(here, there, source.nbytes)
    if isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        views = source.view, target.view
        return ImageToImage(*((image_of(v.texture.memory), v.part) for v in views))
    assert not isinstance(source, (BufferRegion, TextureRegion)), "pairs were checked"
    if isinstance(target, BufferRegion):
        return BufferUpload(source, storage_of(target.buffer.memory), target.first, stack)
    view = target.view
    return ImageUpload(source, image_of(view.texture.memory), view.part, stack)
