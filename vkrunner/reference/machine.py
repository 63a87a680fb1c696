"""Machine: runs a shader on the reference machine and returns its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from translate import ShaderInterface, Where, reference
from translate.dataclass import replace
from translate.errors import located_text
from vkrunner.binding.arguments import ArrayArgument
from vkrunner.binding.registers import at_register
from vkrunner.dispatch.groups import INDIRECT_BYTES, Indirect, check_groups
from vkrunner.dispatch.result import Outcome, is_result
from vkrunner.dispatch.steps import DispatchStep
from vkrunner.errors import DispatchTimeout, InvalidValueError, WrongTypeError
from vkrunner.info.device_info import DeviceInfo, Tried
from vkrunner.reference.info import NAME
from vkrunner.reference.resources import HostObject, bind, take_over
from vkrunner.report.messages import PLACE_WORDS, MessageLog, record_words
from vkrunner.report.records import Key, Report, Triple, Violation
from vkrunner.report.summary import instruction_lines
from vkrunner.shader.device_options import options_of
from vkrunner.shader.shader import Shader
from vkrunner.values.numbers import Bytes

_REPORT = "report"  # Options.guards
_LONGEST = 1024  # of ranges with an argument for each register


class Machine(HostObject):
    """A `DevicePipeline` that runs the D3D program itself, without SPIR-V.

    The program is translated too, to check it and to get its interface.
    """

    def __init__(self, info: DeviceInfo, shader: Shader, options: Mapping[str, Any]):
        super().__init__()
        self._info = info
        self.options = options_of(options, info, Tried())
        # The module is never run, so it is not validated.
        unchecked = replace(self.options, validate=options.get("validate", False))
        self.interface = _with_open_ranges(shader.module(unchecked).interface)
        if shader.finished is not None:
            raise WrongTypeError(
                "the reference machine runs shaders, not SPIR-V: pass the container or the listing"
            )
        self._program = shader.program

    def run(self, step: DispatchStep, timeout_ns: int) -> Outcome:
        """Execute a dispatch. Raises DispatchTimeout if it takes longer than `timeout_ns`."""
        bound = bind(step.arguments)
        try:
            done = reference.run(
                self._program,
                bound.resources,
                self._groups(step),
                class_instances=self.options.class_instances,
                timeout_s=timeout_ns / 1e9,
                message_limit=step.message_capacity,
            )
        except reference.DeadlineError as error:
            raise _deadline(timeout_ns, error.where) from None
        take_over(step.arguments, bound, done.written)
        arrays = {
            a.shown.place: bound.read_back(a, done.written)
            for a in step.arguments
            if isinstance(a, ArrayArgument) and is_result(a.shown.binding)
        }
        is_reported = self.options.guards == _REPORT
        report = _report(self.interface, done.findings) if is_reported else None
        log = _log(self.interface, done.findings) if self.interface.messages else None
        return Outcome(arrays, report, None, done.findings, log, self._program)

    def trace(
        self, step: DispatchStep, thread: Sequence[int], limit: int | None, timeout_ns: int
    ) -> Iterator[reference.Step]:
        """The steps of one thread, one for each instruction; see `ReferenceKernel.trace`."""
        groups = self._groups(step)
        place = _thread(thread, groups, self.interface.thread_group)
        bound = bind(step.arguments)
        return self._steps(bound.resources, groups, place, limit, timeout_ns)

    def _steps(
        self,
        resources: dict[str, reference.Resource],
        groups: Triple,
        thread: Triple,
        limit: int | None,
        timeout_ns: int,
    ) -> Iterator[reference.Step]:
        program = self._program
        try:
            yield from reference.trace(
                program,
                resources,
                groups,
                thread=thread,
                class_instances=self.options.class_instances,
                lines=instruction_lines(program) if program.source_lines is None else None,
                limit=limit,
                timeout_s=timeout_ns / 1e9,
            )
        except reference.DeadlineError as error:
            raise _deadline(timeout_ns, error.where) from None

    def _groups(self, step: DispatchStep) -> Triple:
        """The thread groups; those of an indirect dispatch are read and checked against limits."""
        if not isinstance(step.groups, Indirect):
            return step.groups
        first = step.groups.offset
        data: Bytes = step.groups.on_device.bytes[first : first + INDIRECT_BYTES]
        return check_groups(self._info, data.view(np.uint32).tolist())


def _with_open_ranges(interface: ShaderInterface) -> ShaderInterface:
    """The interface with long ranges as unbounded ones, which end at the last bound resource.

    In both, registers without a resource are null.
    """
    bindings = (replace(one, count=0) if one.count > _LONGEST else one for one in interface)
    return replace(interface, bindings=tuple(bindings))


def _deadline(timeout_ns: int, where: Where) -> DispatchTimeout:
    """The error for a dispatch in a loop; outside of loops `where` has no instruction."""
    text = f"the {NAME} did not end its work in {timeout_ns / 1e9:g} s: "
    if where.instruction is not None:
        text += f"it is in the loop at {located_text(where)}, which perhaps has no end; or "
    return DispatchTimeout(text, "pass a longer timeout")


def _report(interface: ShaderInterface, findings: reference.Findings) -> Report:
    """The violations that the machine found, in the form of `Result.violations`."""
    sites = {site.instruction: site for site in interface.sites}
    names = {(site.instruction, site.register): site.coordinates for site in interface.sites}
    records: list[Violation] = []
    for found in findings.violations:
        site, register = sites.get(found.instruction), _range_of(interface, found.register)
        coordinates = names.get((found.instruction, register), ())
        further: dict[str, Any] = dict(zip(coordinates, found.address[1:], strict=False))
        records.append(
            Violation(
                thread=found.thread,
                group=found.group,
                instruction=found.instruction,
                line=found.line,
                register=register,
                kind=found.kind,
                cause=found.cause,
                index=found.index,
                byte_offset=found.byte_offset,
                defined=found.defined,
                hlsl_file=site.hlsl_file if site else None,
                hlsl_line=site.hlsl_line if site else None,
                used=found.used,
                **further,
            )
        )
    counts: Counter[Key] = Counter()
    for (instruction, register), count in findings.violations_of.items():
        unused = findings.unused_of.get((instruction, register), 0)
        shown = _range_of(interface, register)
        counts.update({(instruction, shown, True): count - unused})
        counts.update({(instruction, shown, False): unused})
    return records, findings.violation_count, counts


def _log(interface: ShaderInterface, findings: reference.Findings) -> MessageLog:
    """The machine's messages, in the form of a Vulkan device's message buffer."""
    sites = {site.instruction: number for number, site in enumerate(interface.messages)}
    rows = np.zeros((len(findings.messages), record_words(interface)), np.uint32)
    for row, found in zip(rows, findings.messages, strict=True):
        dwords = [dword for argument in found.arguments for dword in argument]
        row[: PLACE_WORDS + len(dwords)] = (sites[found.instruction], *found.thread, *dwords)
    first = next(((sites[one.instruction], one.thread) for one in findings.aborts), None)
    return MessageLog(interface, rows, findings.message_count, findings.abort_count, first)


def _range_of(interface: ShaderInterface, register: str) -> str:
    """The first register of a register's range (`t1` for `t1[7]`), or the register itself."""
    name = register.partition("[")[0]
    found = at_register(interface, name)
    return name if found is None else found[0].register


def _thread(thread: Sequence[int], groups: Triple, thread_group: Triple) -> Triple:
    """The thread's coordinates. Raises ArgumentError if it is not in the dispatch."""
    there = tuple(g * n for g, n in zip(groups, thread_group, strict=True))
    place = tuple(thread)
    if len(place) != 3 or not all(0 <= at < n for at, n in zip(place, there, strict=True)):
        raise InvalidValueError(f"no thread {place}: the dispatch has {there} threads")
    x, y, z = place
    return x, y, z
