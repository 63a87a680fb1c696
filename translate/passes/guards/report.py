"""Reports of violations: the checks that find them, the caller's buffer, marks of written g#.

Guards make the access harmless, as without reports; a report changes no result. A violation is
reported with the first cause that applies.

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
from typing import Protocol

from translate.dataclass import replace
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import (
    BYTES,
    SHARED,
    STRUCTURED,
    Access,
    Barrier,
    Cause,
    Check,
    MemoryKind,
    Report,
    Resource,
    Site,
)
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Module, Value
from translate.passes.guards.messages import THREAD, THREAD_GROUP, Inputs, Records
from translate.passes.guards.rules import RULES, Element, OutOfBounds
from translate.passes.guards.used_results import UsedResults
from translate.passes.rewrite import Findings


class Bounds(Protocol):
    """The part of `Guards` that `Checks` uses."""

    b: Builder
    forward: dict[Value, Value]

    def element(self, access: Access, address: list[Value], component: int) -> Element: ...

    def texel_inside(self, resource: Resource, address: list[Value]) -> Value: ...

    def has_counter(self, resource: Resource) -> Value: ...

    def has_element(self, resource: Resource, index: Value) -> Value: ...


class Checks:
    """Rewrites every `check` to a `report` in a branch; `sites` describes each report by number."""

    def __init__(self, bounds: Bounds, module: Module):
        self.bounds = bounds
        self.b = bounds.b
        self.report = module.report
        self.marks = module.written_marks
        self.sites: list[Site] = []
        self._used_results = UsedResults(module) if module.report is not None else None
        # the condition on which the thread uses the checked load's result; None if it always may
        self._used: Value | None = None

    def check(self, value: Value) -> None:
        check = row.CHECK.of(value)
        if self._used_results is not None:
            self._used = self._used_results.condition(self.b, value, self.bounds.forward)
        if check.counter:
            bad = self.b.lnot(self.bounds.has_counter(check.access.resource))
            none = self.b.u32(0)
            self._report(self._site(check), bad, [self.b.u32(Cause.OUTSIDE), none, none])
            return
        if check.access.resource.kind is MemoryKind.TYPED:
            self._check_texel(check, value.args)
        else:
            self._check_dwords(check, value.args)

    def _check_texel(self, check: Check, address: list[Value]) -> None:
        """Report a texel out of bounds.

        A missing sample of an existing texel is undefined in D3D (FS §22.4.7), unlike other texels
        out of bounds, so it has a report of its own.
        """
        resource, b = check.access.resource, self.b
        bad = b.lnot(self.bounds.texel_inside(resource, address))
        if resource.shape.multisampled:
            exists = self.bounds.texel_inside(resource, [*address[:-1], b.u32(0)])
            self._report_texel(check, b.land(exists, bad), address, defined=False)
            bad = b.lnot(exists)
        self._report_texel(check, bad, address, defined=True)

    def _report_texel(
        self, check: Check, bad: Value, address: list[Value], *, defined: bool
    ) -> None:
        cause, none = self.b.u32(Cause.OUTSIDE), self.b.u32(0)
        site = self._site(check, defined, check.access.resource.coordinate_names[1:])
        self._report(site, bad, [cause, address[0], none, *address[1:]])

    def _check_dwords(self, check: Check, address: list[Value]) -> None:
        resource, b = check.access.resource, self.b
        elements = [self.bounds.element(check.access, address, c) for c in check.components]
        inside = elements[0].inside
        for element in elements[1:]:
            inside = b.land(inside, element.inside)
        if self.report is not None and resource in self.report.shortfalls:
            inside = b.land(inside, self._is_bound(self.report, resource, address[0]))
        bad, cause = b.lnot(inside), b.u32(Cause.OUTSIDE)
        index, byte_offset = address[0], b.u32(0)
        if resource.kind in STRUCTURED:
            byte_offset = address[1]
            has_element = self.bounds.has_element(resource, index)
            cause = b.select(has_element, b.u32(Cause.PAST_STRIDE), cause)
        elif resource.kind in BYTES:
            index, byte_offset = b.u32(0), index
        if resource.kind in SHARED and not check.writes:
            bad, cause = self._unwritten(check, elements, bad, cause)
        unaligned = b.nonzero(b.iand(byte_offset, b.u32(3)))
        cause = b.select(bad, cause, b.u32(Cause.UNALIGNED))
        self._report(self._site(check), b.lor(bad, unaligned), [cause, index, byte_offset])

    def _is_bound(self, report: Report, resource: Resource, index: Value) -> Value:
        """Whether the bound part of a constant buffer has vector `index`; past it vectors are 0."""
        b = self.b
        place = b.u32(report.shortfalls[resource])
        if resource.is_array:
            place = b.iadd(place, b.descriptor[0])
        lacking = b.emit(ops.LOAD_ELEMENT, U32, [place], Access(report.buffer, 1))
        return b.ult(index, b.isub(b.u32(resource.length), lacking))

    def _unwritten(
        self, check: Check, elements: list[Element], bad: Value, cause: Value
    ) -> tuple[Value, Value]:
        """(bad, cause), extended by reads of group-shared dwords that no thread has written."""
        b, marks = self.b, self.marks.get(check.access.resource)
        if marks is None:
            return bad, cause
        unwritten = b.bool(False)
        for element in elements:
            dword = b.select(element.inside, element.index, b.u32(0))
            word = b.emit(ops.LOAD_ELEMENT, U32, [b.ushr(dword, b.u32(5))], Access(marks, 1))
            bit = b.ishl(b.u32(1), b.iand(dword, b.u32(31)))
            unwritten = b.lor(unwritten, b.ieq(b.iand(word, bit), b.u32(0)))
        cause = b.select(bad, cause, b.u32(Cause.UNINITIALISED))
        return b.lor(bad, unwritten), cause

    def _report(self, site: Site, bad: Value, given: list[Value]) -> None:
        """Emit a report where `bad` holds; threads that do not use the result have another site."""
        if self._used is None:
            self._emit(site, bad, given)
            return
        self._emit(site, self.b.land(bad, self._used), given)
        unused = self.b.land(bad, self.b.lnot(self._used))
        self._emit(replace(site, used=False), unused, given)

    def _emit(self, site: Site, bad: Value, given: list[Value]) -> None:
        self.sites.append(site)
        with self.b.selection(bad):
            self.b.emit(ops.REPORT, VOID, given, len(self.sites) - 1)

    def _site(
        self, check: Check, outside_defined: bool = True, coordinates: tuple[str, ...] = ()
    ) -> Site:
        resource = check.access.resource
        rule = RULES[resource.kind]
        outside_defined &= rule.outside is not OutOfBounds.UNDEFINED
        return Site(
            self.b.where,
            resource.register,
            resource.kind,
            resource.shape,
            (
                # an atomic's result is undefined: FS §22.17.8-28
                outside_defined and not check.returns,
                rule.past_stride is not OutOfBounds.UNDEFINED,
                False,  # unaligned: FS §7.13
                False,  # uninitialised: FS §3.4
            ),
            coordinates=coordinates,
        )


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
