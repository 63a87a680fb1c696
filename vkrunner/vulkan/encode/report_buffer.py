"""The report of a kernel with `guards="report"`: a buffer that the shader appends to.

`translate.passes.report` has its layout. Records that found no room are counted all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from translate.interface import CONSTANT_BUFFER, REPORT, Binding, ReportSite, ShaderInterface
from vkrunner.binding.arguments import VECTOR_BYTES, Argument
from vkrunner.values.arrays import Bytes
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.storage import StagingBuffer
from vkrunner.work.report import CAUSES, Violation, Violations

CAPACITY = 4096  # records
_HEADER_WORDS = 4
_RECORD_WORDS = 10
NBYTES = 4 * (_HEADER_WORDS + CAPACITY * _RECORD_WORDS)  # but for words of constant buffers


def parse_report(interface: ShaderInterface, data: Bytes) -> Violations:
    """Read a report buffer, u8[n]."""
    words = data.view(np.uint32)
    total, first = int(words[0]), _HEADER_WORDS + _shortfall_words(interface)
    count = min(total, (len(words) - first) // _RECORD_WORDS)
    rows = words[first : first + count * _RECORD_WORDS]
    records = rows.reshape(count, _RECORD_WORDS).tolist()
    return Violations([_violation(interface.sites, record) for record in records], total)


def _violation(sites: Sequence[ReportSite], record: list[int]) -> Violation:
    number, cause, *places = record
    site = sites[number]
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
    )


def _shortfall_words(interface: ShaderInterface) -> int:
    return sum(interface[register].count for register in interface.shortfalls)


def _shortfalls(interface: ShaderInterface, arguments: Sequence[Argument]) -> list[int]:
    """How many of the module's vectors each constant buffer lacks, as the report has them."""
    lacking = {
        (a.binding.register, a.element): _unbound_vectors(interface[a.binding.register], a)
        for a in arguments
        if a.binding.kind == CONSTANT_BUFFER
    }
    return [
        lacking[register, element]
        for register in interface.shortfalls
        for element in range(interface[register].count)
    ]


def _unbound_vectors(binding: Binding, argument: Argument) -> int:
    _, size = argument.byte_range
    shown = (binding.size_bytes or 0) // VECTOR_BYTES
    return max(0, shown - -(-size // VECTOR_BYTES))


def bind_report(
    logical: LogicalDevice,
    interface: ShaderInterface,
    arguments: Sequence[Argument],
    stack: Deletions,
) -> list[Bound]:
    """Room for a report where the shader writes one, freed by `stack`."""
    binding = next((b for b in interface if b.kind == REPORT), None)
    if binding is None:
        return []
    shortfalls = np.array(_shortfalls(interface, arguments), np.uint32)
    size, first = NBYTES + shortfalls.nbytes, 4 * _HEADER_WORDS
    transient = StagingBuffer(logical, stack, size)
    transient.incoming[first : first + shortfalls.nbytes] = shortfalls.view(np.uint8)
    return [Bound(binding, slot=transient.device, size=size, transient=transient)]


def clear_report(report: Sequence[Bound]) -> None:
    """Make it empty, before a submission."""
    for bound in report:
        assert bound.transient is not None
        bound.transient.incoming[: 4 * _HEADER_WORDS] = 0


def violations_of(interface: ShaderInterface, report: Sequence[Bound]) -> Violations:
    """The report of a finished dispatch."""
    transient = report[0].transient
    assert transient is not None
    return parse_report(interface, transient.outgoing)
