"""Reported violations in their three forms.

Before the guards, `check` operations request reports by D3D's rules. After the guards, `report`
operations report violations. Finally, the reports are records in a buffer. All forms become
`Reported`, so that they can be compared before and after any pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from checks.interpret.d3d_dwords import place
from checks.interpret.descriptors import bound, named, register
from checks.interpret.lanes import Lanes
from checks.interpret.operation import Handler, Operation
from checks.interpret.parts import Part, parts
from checks.interpret.spaces import Spaces, bound_vectors
from checks.interpret.texels import TexelSpaces, locate
from checks.interpret.threads import Triple
from translate.errors import Where
from translate.ir import ops, row
from translate.ir.memory import SHARED, STRUCTURED, Cause, Check, MemoryKind, Report, Site
from translate.reference.storage import Storage

_RAW = (MemoryKind.RAW, MemoryKind.SHARED_RAW)
_RECORD_WORDS = 10  # without a texture's further coordinates
_MOST_RECORDS = 1 << 14  # further ones are only counted


@dataclass(frozen=True, slots=True)
class Reported:
    """A violation by one thread."""

    where: Where
    register: str
    cause: Cause
    group: Triple
    thread: Triple
    index: int
    byte_offset: int
    coordinates: tuple[int, ...] = ()  # of a texture, after x


class Reports:
    """Executes `check` and `report`; adds to `found`."""

    def __init__(
        self, spaces: Spaces, texels: TexelSpaces, storage: Storage, found: Counter[Reported]
    ):
        self._spaces = spaces
        self._texels = texels
        self._storage = storage
        self._found = found
        self.handlers: Mapping[ops.Op, Handler] = {
            ops.CHECK: self._check,
            ops.REPORT: self._report,
        }

    def _report(self, operation: Operation) -> None:
        site = operation.context.module.sites[row.SITE.of(operation.value)]
        fields = operation.taken(0, len(operation.value.args))
        self._add(operation, site.where, site.register, operation.active.lanes, fields)

    def _check(self, operation: Operation) -> None:
        check = row.CHECK.of(operation.value)
        if check.counter:
            self._check_counter(operation)
        elif check.access.resource.kind is MemoryKind.TYPED:
            self._check_texel(operation, check)
        else:
            for part in parts(operation, check.access.resource, self._spaces):
                self._check_dwords(part, check)

    # --- by D3D's rules --------------------------------------------------------------------

    def _check_counter(self, operation: Operation) -> None:
        """Report the use of a missing hidden counter."""
        resource = row.CHECK.of(operation.value).access.resource
        for name, chosen in named(operation, resource):
            if name is None or self._storage.counter(name) is None:
                nothing = np.zeros(len(chosen), np.int64)
                self._wrong(operation, name, chosen, (nothing + Cause.OUTSIDE, nothing, nothing))

    def _check_texel(self, operation: Operation, check: Check) -> None:
        resource = check.access.resource
        address = operation.taken(0, resource.address_count)
        for name, chosen in named(operation, resource):
            space = self._texels.space(resource, name)
            at = [one[chosen] for one in address]
            inside = np.zeros(len(chosen), np.bool_)
            for mip in range(len(space.mips)):
                here = locate(space, mip, at)[0]
                inside |= here & (at[-1] == mip if resource.has_mips else True)
            nothing = np.zeros(np.count_nonzero(~inside), np.int64)
            x, *others = (one[~inside] for one in at)
            fields = (nothing + Cause.OUTSIDE, x, nothing, *others)
            self._wrong(operation, name, chosen[~inside], fields)

    def _check_dwords(self, part: Part, check: Check) -> None:
        """Report the first cause: outside, past the stride, uninitialised, unaligned."""
        resource, space = check.access.resource, part.space
        address = part.operands(0, check.access.address_count)
        places = [place(resource, space, address, component) for component in check.components]
        inside = np.all([here for _, here in places], axis=0)
        if resource.kind is MemoryKind.CONSTANTS:
            inside &= address[0] < self._bound_vectors(part, check)
        index, byte_offset = address[0], np.zeros_like(address[0])
        cause = np.where(inside, -1, Cause.OUTSIDE)
        if resource.kind in STRUCTURED:
            byte_offset = address[1]
            cause[~inside & (index < space.size)] = Cause.PAST_STRIDE
        elif resource.kind in _RAW:
            index, byte_offset = byte_offset, index
        if resource.kind in SHARED and not check.writes:
            for dword, _ in places:
                cause[inside & ~_written(part, dword, inside)] = Cause.UNINITIALISED
        cause[(cause < 0) & (byte_offset & 3 != 0)] = Cause.UNALIGNED
        bad = cause >= 0
        fields = (cause[bad], index[bad], byte_offset[bad])
        self._wrong(part.operation, part.name, part.chosen[bad], fields)

    def _bound_vectors(self, part: Part, check: Check) -> int:
        """The number of bound vectors of a constant buffer.

        In an unbounded range the shader cannot know it; there, the declared number counts.
        """
        resource = check.access.resource
        if not resource.count:
            return resource.length
        return bound_vectors(self._storage, resource, part.name)

    def _wrong(
        self, operation: Operation, name: str | None, chosen: Lanes, fields: Sequence[Lanes]
    ) -> None:
        resource = row.CHECK.of(operation.value).access.resource
        if name is None and resource in operation.tables.members:
            return  # an undeclared register
        register = bound(operation, resource, name).register
        lanes = operation.active.lanes[chosen]
        self._add(operation, operation.value.where, register, lanes, fields)

    def _add(
        self,
        operation: Operation,
        where: Where,
        register: str,
        lanes: Lanes,
        fields: Sequence[Lanes],
    ) -> None:
        threads = operation.context.threads
        rows = zip(lanes.tolist(), *(field.tolist() for field in fields), strict=True)
        for lane, cause, index, byte_offset, *coordinates in rows:
            place = (threads.group_id(lane), threads.thread(lane), index, byte_offset)
            record = Reported(where, register, Cause(cause), *place, tuple(coordinates))
            self._found[record] += 1


def _written(part: Part, dword: Lanes, inside: Lanes) -> Lanes:
    written, lanes = part.space.written, part.operation.active.lanes[part.chosen]
    assert written is not None
    return written[part.space.at(lanes, np.where(inside, dword, 0))]


# --- the buffer ----------------------------------------------------------------------------------


def report_words(report: Report, sites: Sequence[Site], storage: Storage) -> Lanes:
    """An empty report buffer, except that it lists how many vectors each constant buffer lacks."""
    records = len(sites) + _MOST_RECORDS
    count = report.first_count + len(sites) + _record_words(sites) * records
    words = np.zeros(count, np.uint32)
    for resource, first in report.shortfalls.items():
        for index in range(resource.count):
            bound = bound_vectors(storage, resource, register(resource, index))
            words[first + index] = resource.length - bound
    return words


def records(words: Lanes, first: int, sites: Sequence[Site]) -> Counter[Reported]:
    """The reports in a report buffer.

    From word `first` on, it has the number of reports of each site, then the first record of each
    site, then all further records; word 0 is the number of further records.
    """
    counts, rest = np.split(words[first:], [len(sites)])
    rows = rest.reshape(-1, _record_words(sites))
    rows = rows[: len(sites) + int(words[0])]
    written = np.ones(len(rows), np.bool_)
    written[: len(sites)] = counts > 0
    found: Counter[Reported] = Counter()
    for number, cause, gx, gy, gz, x, y, z, *address in rows[written].tolist():
        site = sites[int(number)]
        index, byte_offset, *further = address
        coordinates = tuple(further[: len(site.coordinates)])
        place = ((gx, gy, gz), (x, y, z), index, byte_offset, coordinates)
        found[Reported(site.where, site.register, Cause(cause), *place)] += 1
    return found


def _record_words(sites: Sequence[Site]) -> int:
    return _RECORD_WORDS + max((len(site.coordinates) for site in sites), default=0)
