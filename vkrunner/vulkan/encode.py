"""Encoding: each step as the command that performs it on the device."""

from __future__ import annotations

from vkrunner.device_objects import object_of
from vkrunner.steps import BufferRegion, CopyStep, DispatchStep, FillStep, Step, TextureRegion
from vkrunner.vulkan.command_list import Command
from vkrunner.vulkan.deletion import Deletions
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
    logical: LogicalDevice, step: Step, stack: Deletions, *, is_recorded: bool
) -> Command:
    """A step on the device; `stack` frees what is made for it."""
    if isinstance(step, DispatchStep):
        return _dispatch(logical, step, stack, is_recorded=is_recorded)
    if isinstance(step, FillStep):
        return _fill(step)
    return _copy(step, stack)


def _dispatch(
    logical: LogicalDevice, step: DispatchStep, stack: Deletions, *, is_recorded: bool
) -> Prepared:
    variants = object_of(step.kernel)
    assert isinstance(variants, Variants), "kernels of other devices were refused"
    pipeline = variants.pipeline(step.arguments, step.lengths)
    return Prepared(
        logical,
        pipeline,
        step.arguments,
        step.groups,
        stack,
        is_recorded=is_recorded,
        message_capacity=step.message_capacity,
    )


def _fill(step: FillStep) -> BufferFill:
    region = step.region
    return BufferFill(storage_of(region.buffer), region.first, region.nbytes, step.dword)


def _copy(step: CopyStep, stack: Deletions) -> Command:
    source, target = step.source, step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        here, there = ((storage_of(r.buffer), r.first) for r in (source, target))
        return BufferCopy(here, there, source.nbytes)
    if isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        views = source.view, target.view
        return ImageToImage(*((image_of(v.texture), v.part) for v in views))
    assert not isinstance(source, (BufferRegion, TextureRegion)), "pairs were checked"
    if isinstance(target, BufferRegion):
        return BufferUpload(source, storage_of(target.buffer), target.first, stack)
    view = target.view
    return ImageUpload(source, image_of(view.texture), view.part, stack)
