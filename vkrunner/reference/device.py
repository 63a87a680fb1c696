"""The reference machine as a device: shaders run on the CPU, and no Vulkan is needed.

Everything that is passed and given back is as on a Vulkan device. Beyond that it can follow a
thread (`ReferenceKernel.trace`), and finds races and barriers that not all threads of a group meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

import translate
from translate import Program, ShaderInterface, reference
from vkrunner.binding.arguments import ArrayArgument
from vkrunner.binding.registers import Key, at_register
from vkrunner.device import Device
from vkrunner.errors import ArgumentError, DispatchTimeout
from vkrunner.future import DEFAULT_TIMEOUT_S, Ended, Finished, Submission, nanoseconds
from vkrunner.kernel import Kernel, Request
from vkrunner.recording import Recording
from vkrunner.reference.info import reference_info
from vkrunner.reference.memory import (
    HostDevice,
    ReferenceBuffer,
    ReferenceSampler,
    ReferenceTexture,
)
from vkrunner.reference.resources import Bindings, bind, take_over
from vkrunner.report import Triple, Violation, Violations
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture
from vkrunner.result import Counters, Result, ResultLayout, Value, is_result, residents_of
from vkrunner.shader import Source
from vkrunner.vulkan.dispatch import INDIRECT_BYTES, Indirect, check_groups
from vkrunner.vulkan.logical import LogicalDevice

_REPORT = "report"  # Options.guards


class ReferenceResult(Result):
    """A Result with all that the machine noticed, whatever the guards.

    `races` are pairs of threads that met at one dword of group-shared memory without a barrier
    between them, `divergent_barriers` the barriers that a part of a group did not come to: both as
    records of `translate.reference`. `findings` has their counts too, where lists ended.
    `duration_ns` is None.
    """

    def __init__(
        self,
        interface: ShaderInterface,
        values: Mapping[str, Value | list[Value]],
        counters: Counters,
        findings: reference.Findings,
    ):
        super().__init__(interface, values, counters, None)
        self.findings = findings
        self.races = tuple(findings.races)
        self.divergent_barriers = tuple(findings.divergent_barriers)


class ReferenceKernel(Kernel):
    """A compute shader on the reference machine, which runs the program itself.

    It is translated all the same: that checks it, and gives its interface.
    """

    def __init__(self, logical: LogicalDevice, source: Source, options: Mapping[str, Any]):
        # Nobody runs the module, so nobody has to validate it.
        super().__init__(logical, source, {"validate": False, **options})

    def _prepare(self) -> None:
        if self._is_finished:
            raise ArgumentError(
                "the reference machine runs shaders, not SPIR-V: pass the container or the listing"
            )

    def _dispatch(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
        timeout: float,
    ) -> ReferenceResult:
        nanoseconds(timeout)
        return self.run(self.request(groups, resources, bindings), timeout)

    def _submit(
        self,
        groups: int | Sequence[int],
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> Submission:
        return Ended(
            Finished({None: self._dispatch(groups, resources, bindings, DEFAULT_TIMEOUT_S)})
        )

    def run(self, request: Request, timeout: float = DEFAULT_TIMEOUT_S) -> ReferenceResult:
        """Execute a dispatch. Raises DispatchTimeout when it takes longer than `timeout` s."""
        bound = bind(self._logical, request.arguments)
        groups = self._groups(request)
        try:
            outcome = reference.run(
                self._executed,
                bound.resources,
                groups,
                class_instances=self._options.class_instances,
                timeout_s=timeout,
            )
        except reference.DeadlineError:
            raise _deadline(self._logical, timeout) from None
        take_over(request.arguments, bound, outcome.written)
        return self._result(request, bound, outcome)

    def _groups(self, request: Request) -> Triple:
        """The thread groups, those in a buffer read; there are no more of them than D3D allows."""
        if not isinstance(request.groups, Indirect):
            return request.groups
        data = request.groups.buffer.read_bytes(request.groups.offset, INDIRECT_BYTES)
        return check_groups(self._logical, data.view(np.uint32).tolist())

    def _result(
        self, request: Request, bound: Bindings, outcome: reference.Outcome
    ) -> ReferenceResult:
        arrays = {
            a.place: bound.read_back(a, outcome.written)
            for a in request.arguments
            if isinstance(a, ArrayArgument) and is_result(a.binding)
        }
        layout = ResultLayout(self.interface, request.arguments)
        contents = layout.contents(arrays, residents_of(request.arguments))
        result = ReferenceResult(self.interface, *contents, outcome.findings)
        if self._options.guards == _REPORT:
            result.violations = _violations(self.interface, outcome.findings)
        return result

    def trace(
        self,
        groups: int | Sequence[int],
        /,
        *,
        thread: Sequence[int],
        bindings: Mapping[Key, Any] | None = None,
        limit: int | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        **resources: Any,
    ) -> Iterator[reference.Step]:
        """Every instruction that one thread executes, with the values that go in and come out.

        `thread` is its place in the dispatch (SV_DispatchThreadID), `limit` a number of
        instructions to stop after, all else as in `dispatch`. Nothing that is passed is changed.
        Raises as `dispatch` does, and ArgumentError for a thread that is not in the dispatch.
        """
        nanoseconds(timeout)
        request = self.request(groups, resources, bindings)
        place = _thread(thread, self._groups(request), self.interface.thread_group)
        bound = bind(self._logical, request.arguments)
        return self._steps(request, bound, place, limit, timeout)

    def _steps(
        self,
        request: Request,
        bound: Bindings,
        thread: Triple,
        limit: int | None,
        timeout: float,
    ) -> Iterator[reference.Step]:
        try:
            yield from reference.trace(
                self._executed,
                bound.resources,
                self._groups(request),
                thread=thread,
                class_instances=self._options.class_instances,
                lines=_instruction_lines(self._executed),
                limit=limit,
                timeout_s=timeout,
            )
        except reference.DeadlineError:
            raise _deadline(self._logical, timeout) from None

    @property
    def _executed(self) -> Program:
        return self._shader.program


class ReferenceDevice(Device):
    """The reference machine, as `open_device("reference")` gives it."""

    _kernel_type: ClassVar[type[Kernel]] = ReferenceKernel
    _buffer_type: ClassVar[type[Buffer]] = ReferenceBuffer
    _texture_type: ClassVar[type[Texture]] = ReferenceTexture
    _sampler_type: ClassVar[type[Sampler]] = ReferenceSampler

    def __init__(self):
        super().__init__(HostDevice(reference_info()))

    def kernel(self, source: Source, **options: Any) -> ReferenceKernel:
        """A shader made ready, as `Device.kernel`; a SpirvModule is refused (ArgumentError)."""
        return ReferenceKernel(self._logical, source, options)

    def record(self, *, timestamps: bool = False) -> Recording:
        """A recording as `Device.record` gives it; nothing is timed."""
        from vkrunner.reference.recording import ReferenceRecording  # which runs our kernels

        return ReferenceRecording(self._logical)


def _deadline(logical: LogicalDevice, timeout_s: float) -> DispatchTimeout:
    return DispatchTimeout(
        f"the {logical.info.name} did not end its work in {timeout_s:g} s:"
        " dispatch with a longer timeout"
    )


def _violations(interface: ShaderInterface, findings: reference.Findings) -> Violations:
    """The machine's records as a report has them."""
    sites = {site.instruction: site for site in interface.sites}
    records: list[Violation] = []
    for found in findings.violations:
        site = sites.get(found.instruction)
        records.append(
            Violation(
                thread=found.thread,
                group=found.group,
                instruction=found.instruction,
                line=found.line,
                register=_range_of(interface, found.register),
                kind=found.kind,
                cause=found.cause,
                index=found.index,
                byte_offset=found.byte_offset,
                defined=found.defined,
                hlsl_file=site.hlsl_file if site else None,
                hlsl_line=site.hlsl_line if site else None,
            )
        )
    return Violations(records, findings.violation_count)


def _range_of(interface: ShaderInterface, register: str) -> str:
    """The first register of the range that a register is in, or would be: `t1` of `t1[7]`."""
    name = register.partition("[")[0]
    found = at_register(interface, name)
    return name if found is None else found[0].register


def _thread(thread: Sequence[int], groups: Triple, thread_group: Triple) -> Triple:
    """Where a thread is. Raises ArgumentError unless it is in the dispatch."""
    there = tuple(g * n for g, n in zip(groups, thread_group, strict=True))
    place = tuple(thread)
    if len(place) != 3 or not all(0 <= at < n for at, n in zip(place, there, strict=True)):
        raise ArgumentError(f"there is no thread {place}: the dispatch has {there}")
    x, y, z = place
    return x, y, z


def _instruction_lines(program: Program) -> list[str] | None:
    """The text of each instruction of a container; None for a listing, which has its own."""
    if program.source_lines is not None:
        return None
    count = sum(not statement.row.is_declaration for statement in program.statements)
    lines = translate.disassemble(program).splitlines()
    return lines[len(lines) - count :]  # declarations come first
