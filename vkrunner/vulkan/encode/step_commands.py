"""Encoding: each step as the command that performs it on the device."""

from __future__ import annotations

from collections.abc import Sequence

from translate.interface import COUNTER
from vkrunner.binding.arguments import (
    Argument,
    ArrayArgument,
    Place,
    ResidentBytes,
    ResidentTexture,
)
from vkrunner.resources.device_objects import object_of
from vkrunner.values.arrays import Array
from vkrunner.vulkan.device.barriers import COPY, SHADER, ResourceUse
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.bind import bind, fit_constants, needs_excerpt, needs_image_excerpt
from vkrunner.vulkan.encode.command_list import Command
from vkrunner.vulkan.encode.descriptor import is_changed
from vkrunner.vulkan.encode.dispatch import Dispatch
from vkrunner.vulkan.encode.message_buffer import bind_messages, clear_messages, log_of
from vkrunner.vulkan.encode.report_buffer import bind_report, clear_report, violations_of
from vkrunner.vulkan.encode.staging import input_of, output_of
from vkrunner.vulkan.encode.tables import bind_tables
from vkrunner.vulkan.encode.texture import image_of
from vkrunner.vulkan.encode.transfers import (
    BufferCopy,
    BufferFill,
    BufferUpload,
    ImageToImage,
    ImageUpload,
)
from vkrunner.vulkan.encode.variants import Variants
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.images import spans_of
from vkrunner.vulkan.objects.storage import storage_of
from vkrunner.work.result import Duration, Outcome, is_result
from vkrunner.work.steps import BufferRegion, CopyStep, DispatchStep, FillStep, Step, TextureRegion


def encode_step(
    logical: LogicalDevice, step: Step, stack: Deletions, *, is_recorded: bool
) -> Command:
    """Encode a step for the device; `stack` frees the objects made for it."""
    if isinstance(step, DispatchStep):
        return Prepared(logical, step, stack, is_recorded=is_recorded)
    if isinstance(step, FillStep):
        region = step.region
        return BufferFill(storage_of(region.buffer), region.first, region.nbytes, step.dword)
    return _copy(step, stack)


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


class Prepared(Dispatch):
    """A dispatch whose arrays come with each submission.

    Of what stays on the device it refers to the owners, not to the caller's objects. `is_recorded`:
    its inputs know the arrays that they were made with, so that a submission may leave some out.
    `has_report`: the shader reports accesses, or sends messages.
    """

    def __init__(
        self,
        logical: LogicalDevice,
        step: DispatchStep,
        stack: Deletions,
        *,
        is_recorded: bool,
    ):
        variants = object_of(step.kernel)
        assert isinstance(variants, Variants), "kernels of other devices were refused"
        pipeline = variants.pipeline(step.arguments)
        arguments = fit_constants(step.arguments, pipeline.interface)
        windows = pipeline.windowed
        excerpted = [variants.copies_mips and needs_image_excerpt(a) for a in arguments]
        bound = [
            bind(logical, a, stack, windowed=a.binding.register in windows, excerpted=is_copied)
            for a, is_copied in zip(arguments, excerpted, strict=True)
        ]
        self._interface = pipeline.interface
        tables = bind_tables(logical, pipeline.interface, bound, stack)
        self._report = bind_report(logical, pipeline.interface, step.arguments, stack)
        self._messages = bind_messages(logical, pipeline.interface, step.message_capacity, stack)
        self.has_report = bool(self._report or self._messages)
        uses = _uses(logical, arguments, excerpted)
        filled = [*tables, *self._report, *self._messages]
        super().__init__(pipeline, [*bound, *filled], step.groups, stack, uses)
        pairs = zip(arguments, bound, strict=True)
        arrays = [(a, b) for a, b in pairs if isinstance(a, ArrayArgument)]
        self.inputs = {
            a.place: input_of(a, b, is_recorded=is_recorded) for a, b in arrays if a.is_moved
        }
        self.outputs = {a.place: output_of(a, b) for a, b in arrays if is_result(a.binding)}
        self.has_outputs = bool(self.outputs or self.has_report)

    def clear_report(self) -> None:
        clear_report(self._report)
        clear_messages(self._messages)

    def outcome(self, duration: Duration) -> Outcome:
        """Copy the results of a submission that has ended."""
        arrays: dict[Place, Array] = {}
        for place, (data, dtype, shape) in self.outputs.items():
            arrays[place] = data.copy().view(dtype).reshape(shape)
        interface, report, messages = self._interface, self._report, self._messages
        log = log_of(interface, messages) if messages else None
        is_cut = log is not None and log.cut_loop is not None  # so are loops that write records
        violations = violations_of(interface, report) if report and not is_cut else None
        return Outcome(arrays, violations, duration, messages=log)


def _uses(
    logical: LogicalDevice, arguments: Sequence[Argument], excerpted: Sequence[bool]
) -> list[ResourceUse]:
    """The accesses of a dispatch to the resources that stay on the device."""
    uses: list[ResourceUse] = []
    for argument, is_copied in zip(arguments, excerpted, strict=True):
        binding = argument.binding
        writes = is_changed(binding) or binding.kind == COUNTER
        if isinstance(argument, ResidentBytes):
            first, size = argument.byte_range
            stage = COPY if needs_excerpt(argument, logical) else SHADER
            token = storage_of(argument.resident).token
            uses.append(ResourceUse(token, ((first, first + size),), writes, stage))
        elif isinstance(argument, ResidentTexture):
            token = image_of(argument.resident).token
            stage = COPY if is_copied else SHADER
            uses.append(ResourceUse(token, spans_of(argument.view.part), writes, stage))
    return uses
