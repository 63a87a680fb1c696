"""Reports of violations in a buffer that the caller binds, and marks of the g# dwords written.

The buffer begins with the number of further records (see below), which keeps counting when the
buffer is full, and three unused words. Then follows, for each constant buffer, the number of
declared vectors that are not bound; the caller writes these, because a shader cannot query the size
of a uniform buffer. Then follows the number of violations at each site.

Records follow: site, cause, thread group (x, y, z), thread (x, y, z), index, byte offset, and a
texture's further coordinates (`Site.coordinates`). All take as many words as the longest. The first
records are one for each site, for its first violation, so that no site lacks an example; further
records follow in no order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import SHARED, Access, Barrier, MemoryKind, Report, Resource, Site
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Module, Value
from translate.passes.guards.messages import THREAD, THREAD_GROUP, Inputs, Records
from translate.passes.rewrite import Findings

HEADER_WORDS = 4
RECORD_WORDS = 10  # without further coordinates
REGISTER = "report"
_MAX_SHARED_BYTES = 32768  # most devices have this much
_FLAT = "vThreadIDInGroupFlattened"


def declare_report(module: Module) -> Findings:
    """Declare the buffer, and choose each constant buffer's word for its unbound vectors."""
    shortfalls, first_count = dict[Resource, int](), HEADER_WORDS
    for resource in module.resources:
        if resource.kind is MemoryKind.CONSTANTS and resource.count:
            shortfalls[resource] = first_count
            first_count += resource.count
    buffer = Resource(REGISTER, MemoryKind.RAW, 0, is_uav=True)
    return Findings(report=Report(buffer, first_count, shortfalls))


def mark_shared_writes(module: Module) -> Findings:
    """Declare a "written" bit for every dword of g#, if dwords and bits fit into 32 KiB."""
    shared = [resource for resource in module.resources if resource.kind in SHARED]
    dwords = {r: r.declared_bytes // 4 for r in shared}
    sizes = {r: -(-n // 32) * 4 for r, n in dwords.items()}
    if 4 * sum(dwords.values()) + sum(sizes.values()) > _MAX_SHARED_BYTES:
        return Findings()
    return Findings(written_marks={r: _marks(r, size) for r, size in sizes.items()})


def _marks(resource: Resource, size: int) -> Resource:
    name = f"{resource.register}.written"
    return Resource(name, MemoryKind.SHARED_RAW, resource.number, length=size)


def write_reports(module: Module) -> None:
    """Rewrite every `report` to code that writes a record.

    With marks, every write to group-shared memory sets its mark, and the shader begins by clearing
    all marks.
    """
    if module.report is None or not (module.sites or module.written_marks):
        return
    for body in module.bodies():
        _Reporter(module.report, module.sites, module.written_marks).run(body)
    if module.written_marks:
        _clear_marks(module)


class _Reporter:
    def __init__(self, report: Report, sites: Sequence[Site], marks: Mapping[Resource, Resource]):
        self.marks = marks
        self.sites = len(sites)
        self.counts = report.first_count
        words = RECORD_WORDS + max((len(site.coordinates) for site in sites), default=0)
        self.records = Records(report.buffer, report.first_count + self.sites, words)
        self.inputs = Inputs()

    def run(self, body: Block) -> None:
        self._block(body)
        self.inputs.put_into(body)

    def _block(self, block: Block) -> None:
        values, block.values = block.values, []
        b = Builder(block)
        for value in values:
            for inner in value.blocks:
                self._block(inner)
            b.where = value.where
            if value.op is ops.REPORT:
                self._record(b, value)
                continue
            if value.op in (ops.STORE_ELEMENT, ops.ATOMIC_ELEMENT):
                self._mark(b, value)
            block.values.append(value)

    def _record(self, b: Builder, report: Value) -> None:
        cause, *address = report.args
        site = row.SITE.of(report)
        fields = [
            b.u32(site),
            cause,
            *self.inputs.vector(THREAD_GROUP),
            *self.inputs.vector(THREAD),
            *address,
        ]
        is_later = b.nonzero(self.records.count(b, self.counts + site))
        with b.selection(is_later, otherwise=b.u32(site)) as taken:
            taken.values = [b.iadd(self.records.count(b, 0), b.u32(self.sites))]
        self.records.put(b, taken.result, fields)

    def _mark(self, b: Builder, value: Value) -> None:
        access = row.ACCESS.of(value)
        marks = self.marks.get(access.resource)
        if marks is None:
            return
        word = b.ushr(value.args[0], b.u32(5))
        bit = b.ishl(b.u32(1), b.iand(value.args[0], b.u32(31)))
        b.emit(ops.ATOMIC_ELEMENT, U32, [word, bit], Access(marks, 1, 0, "ior"))


def _clear_marks(module: Module) -> None:
    """Let each thread clear a part of the marks; then all threads wait."""
    b = Builder(Block())
    flat = b.input(_FLAT, 0)
    x, y, z = module.thread_group
    for marks in module.written_marks.values():
        words = marks.length // 4
        for first in range(0, words, x * y * z):
            place = b.iadd(flat, b.u32(first))
            with b.selection(b.ult(place, b.u32(words))):
                b.emit(ops.STORE_ELEMENT, VOID, [place, b.u32(0)], Access(marks, 1))
    b.barrier(Barrier(shared_memory=True, uav_memory=False, device_scope=False, threads=True))
    inputs = [v for v in module.body.values if v.op is ops.INPUT]
    rest = [v for v in module.body.values if v.op is not ops.INPUT]
    module.body.values = [b.block.values[0], *inputs, *b.block.values[1:], *rest]
