"""Checks for reports: a violation is reported to the caller, with the first cause that applies.

Guards make the access harmless, as without reports; a report changes no result.
"""

from __future__ import annotations

from typing import Protocol

from translate.dataclass import replace
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import (
    BYTES,
    SHARED,
    STRUCTURED,
    Access,
    Cause,
    Check,
    MemoryKind,
    Report,
    Resource,
    Site,
)
from translate.ir.types import U32, VOID
from translate.ir.values import Module, Value
from translate.passes.guards.rules import RULES, Element, OutOfBounds
from translate.passes.guards.used_results import UsedResults


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
