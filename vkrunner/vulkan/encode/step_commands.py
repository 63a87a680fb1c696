"""Steps as commands: a dispatch with inputs and outputs for its arrays, and reports; copies, fills.

A shader appends reports of violations, and messages, to buffers, whose layouts
`translate.passes.guards.report` and `.messages` describe. Violations without room for a record are
still counted, and each site has a record of its first violation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from translate.interface import MESSAGES, REPORT, Binding, ReportSite, ShaderInterface
from vkrunner.binding.arguments import VECTOR_BYTES, ArrayArgument, ConstantRange, Place, Shown
from vkrunner.dispatch.result import Duration, Outcome, is_result
from vkrunner.dispatch.steps import BufferRegion, CopyStep, DispatchStep, FillStep, TextureRegion
from vkrunner.report.messages import MessageLog, record_words
from vkrunner.report.records import CAUSES, Key, Report, Violation
from vkrunner.values.numbers import Array, Bytes
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.bind import Binder
from vkrunner.vulkan.encode.command_list import Command
from vkrunner.vulkan.encode.descriptor import Bound, bind_tables
from vkrunner.vulkan.encode.pipeline import Dispatch
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
from vkrunner.vulkan.objects.storage import StagingBuffer

CAPACITY = 4096  # records, besides those of the sites' first violations
_HEADER_WORDS = 4
_RECORD_WORDS = 10  # without a texture's coordinates after x
_MESSAGE_HEADER_WORDS = 8
_FIRST_ABORT = slice(2, 6)  # the words with the site and the thread of the first abort
_CUT_LOOP = 6  # the word with -(site + 1) of a loop that reached its limit, or 0


def parse_report(interface: ShaderInterface, data: Bytes) -> Report:
    """Read a report buffer, u8[n]."""
    words, sites = data.view(np.uint32), interface.sites
    counts, rest = np.split(words[_first_count(interface) :], [len(sites)])
    size = _record_words(interface)
    rows = rest[: len(rest) // size * size].reshape(-1, size)
    chosen = [*np.flatnonzero(counts).tolist(), *range(len(sites), len(sites) + int(words[0]))]
    records = rows[chosen[: np.searchsorted(chosen, len(rows))]].tolist()
    by_key: Counter[Key] = Counter()
    for site, count in zip(sites, counts.tolist(), strict=True):
        by_key[site.instruction, site.register, site.used] += count
    found = [_violation(sites, record) for record in records]
    return found, by_key.total(), by_key


def _violation(sites: Sequence[ReportSite], record: list[int]) -> Violation:
    number, cause, *places = record
    site = sites[number]
    further: dict[str, Any] = dict(zip(site.coordinates, places[8:], strict=False))
    return Violation(
        thread=(places[3], places[4], places[5]),
        group=(places[0], places[1], places[2]),
        instruction=site.instruction,
        line=site.line,
        register=site.register,
        kind=site.kind,
        cause=CAUSES[cause],
        index=places[6],
        byte_offset=places[7],
        defined=site.defined[cause],
        hlsl_file=site.hlsl_file,
        hlsl_line=site.hlsl_line,
        used=site.used,
        **further,
    )


def _record_words(interface: ShaderInterface) -> int:
    """The dwords of one record, enough for the site with the most coordinates."""
    return _RECORD_WORDS + max((len(site.coordinates) for site in interface.sites), default=0)


def _first_count(interface: ShaderInterface) -> int:
    return _HEADER_WORDS + _shortfall_words(interface)


def _shortfall_words(interface: ShaderInterface) -> int:
    return sum(interface[register].count for register in interface.shortfalls)


def _shortfalls(interface: ShaderInterface, views: Sequence[Shown]) -> list[int]:
    """How many of the vectors declared for each constant buffer its view lacks.

    Arrays of constant buffers have a number for each element. The order is the report's.
    """
    lacking = {
        view.place: _unbound_vectors(interface[view.binding.register], view)
        for view in views
        if isinstance(view, ConstantRange)
    }
    return [
        lacking[register, element]
        for register in interface.shortfalls
        for element in range(interface[register].count)
    ]


def _unbound_vectors(binding: Binding, view: ConstantRange) -> int:
    declared = (binding.size_bytes or 0) // VECTOR_BYTES
    return max(0, declared - -(-view.size // VECTOR_BYTES))


def bind_report(
    logical: LogicalDevice,
    interface: ShaderInterface,
    bound: Bound,
    stack: Deletions,
    views: Sequence[Shown],
) -> StagingBuffer | None:
    """Add a report buffer to `bound`, and return it; None if the shader writes no report.

    `stack` frees the buffer. The shader finds in it how far `views` are shorter than declared.
    """
    binding = next((b for b in interface if b.kind == REPORT), None)
    if binding is None:
        return None
    shortfalls = np.array(_shortfalls(interface, views), np.uint32)
    first = 4 * _HEADER_WORDS
    staging = StagingBuffer(logical, stack, report_bytes(interface))
    staging.incoming[first : first + shortfalls.nbytes] = shortfalls.view(np.uint8)
    bound.add_staged(binding, staging)
    return staging


def report_bytes(interface: ShaderInterface) -> int:
    """The size of the report buffer in bytes."""
    sites = len(interface.sites)
    records = (CAPACITY + sites) * _record_words(interface)
    return 4 * (_first_count(interface) + sites + records)


def clear_report(interface: ShaderInterface, report: StagingBuffer) -> None:
    """Empty the report, before a submission."""
    report.incoming[: 4 * _HEADER_WORDS] = 0
    first = 4 * _first_count(interface)
    report.incoming[first : first + 4 * len(interface.sites)] = 0


def bind_messages(
    logical: LogicalDevice,
    interface: ShaderInterface,
    bound: Bound,
    stack: Deletions,
    capacity: int,
) -> StagingBuffer | None:
    """Add a buffer for up to `capacity` messages to `bound`, and return it; `stack` frees it.

    Returns None if the shader sends no messages.
    """
    binding = next((b for b in interface if b.kind == MESSAGES), None)
    if binding is None:
        return None
    kept = capacity if interface.sends_messages else 0
    size = 4 * (_MESSAGE_HEADER_WORDS + kept * record_words(interface))
    staging = StagingBuffer(logical, stack, size)
    bound.add_staged(binding, staging)
    return staging


def clear_messages(messages: StagingBuffer) -> None:
    """Empty the buffer, before a submission."""
    messages.incoming[: 4 * _MESSAGE_HEADER_WORDS] = 0


def parse_messages(interface: ShaderInterface, data: Bytes) -> MessageLog:
    """Read a buffer of messages, u8[n]."""
    words, size = data.view(np.uint32), record_words(interface)
    total, abort_count = int(words[0]), int(words[1])
    count = min(total, (len(words) - _MESSAGE_HEADER_WORDS) // size)
    rows = words[_MESSAGE_HEADER_WORDS : _MESSAGE_HEADER_WORDS + count * size].reshape(count, size)
    site, x, y, z = words[_FIRST_ABORT].tolist()
    first_abort = (site, (x, y, z)) if abort_count else None
    cut = -int(words[_CUT_LOOP].view(np.int32)) - 1 if words[_CUT_LOOP] else None
    return MessageLog(interface, rows.copy(), total, abort_count, first_abort, cut)


class Prepared(Dispatch):
    """A dispatch step as a command, with inputs for its array arguments.

    It refers to Vulkan objects, not to the caller's buffers and textures. `is_recorded`: its inputs
    record the arrays of the step, so that submissions need not pass arrays. `has_report`: the
    shader reports violations or sends messages. `pushes_constants`: inputs are in the commands.
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
        self.pushes_constants = any(b.push_offset is not None for b in self._interface)
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

    def outcome(self, duration: Duration, copied: bool) -> Outcome:
        """The outcome of a submission that has ended, with the result arrays or `copied` ones."""
        arrays: dict[Place, Array] = {}
        for place, (data, dtype, shape) in self.outputs.items():
            arrays[place] = (data.copy() if copied else data).view(dtype).reshape(shape)
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
