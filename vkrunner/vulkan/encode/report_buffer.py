"""The report of a kernel with `guards="report"`: a buffer to which the shader appends records.

`translate.passes.guards.report` describes its layout. Records without room are still counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from translate.interface import REPORT, Binding, ReportSite, ShaderInterface
from vkrunner.binding.arguments import VECTOR_BYTES, ConstantRange, Shown
from vkrunner.values.arrays import Bytes
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.storage import StagingBuffer
from vkrunner.work.report import CAUSES, Violation, Violations

CAPACITY = 4096  # records
_HEADER_WORDS = 4
_RECORD_WORDS = 10
NBYTES = 4 * (_HEADER_WORDS + CAPACITY * _RECORD_WORDS)  # without the words for constant buffers


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


def _shortfalls(interface: ShaderInterface, views: Sequence[Shown]) -> list[int]:
    """The number of missing vectors of each constant buffer, in the order of the report."""
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
    """Add a buffer for a report if the shader writes one; `stack` frees it."""
    binding = next((b for b in interface if b.kind == REPORT), None)
    if binding is None:
        return None
    shortfalls = np.array(_shortfalls(interface, views), np.uint32)
    first = 4 * _HEADER_WORDS
    staging = StagingBuffer(logical, stack, NBYTES + shortfalls.nbytes)
    staging.incoming[first : first + shortfalls.nbytes] = shortfalls.view(np.uint8)
    bound.add_staged(binding, staging)
    return staging


def clear_report(report: StagingBuffer) -> None:
    """Empty the report, before a submission."""
    report.incoming[: 4 * _HEADER_WORDS] = 0
