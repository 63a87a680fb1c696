"""Steps as commands: a dispatch with inputs and outputs for its arrays; copies and fills."""

from __future__ import annotations

from vkrunner.binding.arguments import ArrayArgument, Place
from vkrunner.dispatch.result import Duration, Outcome, is_result
from vkrunner.dispatch.steps import BufferRegion, CopyStep, DispatchStep, FillStep, TextureRegion
from vkrunner.values.numbers import Array
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.bind import Binder
from vkrunner.vulkan.encode.command_list import Command
from vkrunner.vulkan.encode.descriptor import bind_tables
from vkrunner.vulkan.encode.pipeline import Dispatch
from vkrunner.vulkan.encode.report_buffer import (
    bind_messages,
    bind_report,
    clear_messages,
    clear_report,
    parse_messages,
    parse_report,
)
from vkrunner.vulkan.encode.transfers import (
    BufferCopy,
    BufferFill,
    BufferUpload,
    ImageToImage,
    ImageUpload,
    input_of,
    output_of,
)
from vkrunner.vulkan.encode.variants import Variants
from vkrunner.vulkan.loader.deletion import Deletions


class Prepared(Dispatch):
    """A dispatch step as a command, with inputs for its array arguments.

    It refers to Vulkan objects, not to the caller's buffers and textures. `is_recorded`: its inputs
    record the arrays of the step, so that submissions need not pass arrays. `has_report`: the
    shader reports violations or sends messages.
    """

    def __init__(
        self,
        logical: LogicalDevice,
        step: DispatchStep,
        stack: Deletions,
        *,
        is_recorded: bool,
    ):
        variants: Variants = step.pipeline
        views = [argument.shown for argument in step.arguments]
        pipeline = variants.pipeline(views)
        self._interface = pipeline.interface
        binder = Binder(logical, pipeline, stack, copies_mips=variants.copies_mips)
        own = logical, self._interface, binder.bound, stack
        self._report = bind_report(*own, views)
        self._messages = bind_messages(*own, step.message_capacity)
        self.has_report = self._report is not None or self._messages is not None
        moved = [binder.bind(argument) for argument in step.arguments]
        if self._interface.tables:
            bind_tables(*own)
        sets = pipeline.describe(binder.bound, stack)
        super().__init__(pipeline, sets, binder.bound, step.groups)
        pairs = zip(step.arguments, moved, strict=True)
        arrays = [(a, to) for a, to in pairs if isinstance(a, ArrayArgument)]
        self.inputs = {
            a.shown.place: input_of(a, to, is_recorded=is_recorded)
            for a, to in arrays
            if to is not None
        }
        self.outputs = {
            a.shown.place: output_of(a.array, to) for a, to in arrays if is_result(a.shown.binding)
        }
        self.has_outputs = bool(self.outputs or self.has_report)

    def clear_report(self) -> None:
        if self._report is not None:
            clear_report(self._interface, self._report)
        if self._messages is not None:
            clear_messages(self._messages)

    def outcome(self, duration: Duration) -> Outcome:
        """The outcome of a submission that has ended, with copies of the result arrays."""
        arrays: dict[Place, Array] = {}
        for place, (data, dtype, shape) in self.outputs.items():
            arrays[place] = data.copy().view(dtype).reshape(shape)
        interface, report, messages = self._interface, self._report, self._messages
        log = None if messages is None else parse_messages(interface, messages.outgoing)
        found, is_cut = None, log is not None and log.cut_loop is not None
        if report is not None and not is_cut:  # the ended loop may have been writing records
            found = parse_report(interface, report.outgoing)
        return Outcome(arrays, found, duration, messages=log)


def transfer_of(step: CopyStep | FillStep, stack: Deletions) -> Command:
    """The command of a copy or fill; `stack` frees the memory of its array."""
    if isinstance(step, FillStep):
        region = step.region
        return BufferFill(region.on_device, region.first, region.nbytes, step.dword)
    source, target = step.source, step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        here, there = (source.on_device, source.first), (target.on_device, target.first)
        return BufferCopy(here, there, source.nbytes)
    if isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        here, there = (source.on_device, source.view.part), (target.on_device, target.view.part)
        return ImageToImage(here, there)
    assert not isinstance(source, (BufferRegion, TextureRegion)), "pairs were checked"
    if isinstance(target, BufferRegion):
        return BufferUpload(source, target.on_device, target.first, stack)
    return ImageUpload(source, target.on_device, target.view.part, stack)
