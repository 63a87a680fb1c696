"""Loads, stores and atomics on raw and structured buffers and on g#, including violations.

Source: FS §7.13, §22.4.10-13, §22.17; reference "Out-of-bounds" §1, §2, §4, §5. Where D3D's result
is undefined, out-of-bounds reads give 0 and writes do nothing, the low two bits of byte offsets are
ignored, and a structure's index is compared with the count before it is multiplied by the stride.
Atomics of many lanes, also on texels, have the results of sequential execution in lane order; the
row's `evaluate(old, *values)` defines the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from translate.dataclass import dataclass
from translate.interface import RAW_BUFFER, STRUCTURED_BUFFER
from translate.isa.instruction import Lanes, Results
from translate.reference.findings import (
    GROUP_SHARED,
    OUTSIDE,
    PAST_STRIDE,
    UNALIGNED,
    UNINITIALISED,
)
from translate.reference.layout import SharedArray
from translate.reference.races import AccessLog
from translate.reference.report import Reporter


def apply_in_order(
    words: Lanes, at: Lanes, evaluate: Callable[..., Results], values: list[Lanes]
) -> tuple[Lanes, Lanes]:
    """Apply an atomic to `words[at]`, lane by lane; returns the old values, and which lanes change.

    `words` and the first result (u32[lanes]) are u32, the second is bool[lanes], `at` is
    i64[lanes]. If `values` are i32, `evaluate` takes and returns i32.
    """
    if not len(at):
        return np.zeros(0, np.uint32), np.zeros(0, np.bool_)
    kind = values[0].dtype if values else np.dtype(np.uint32)
    order = np.argsort(at, kind="stable")
    sorted_at = at[order]
    first = np.concatenate(([True], sorted_at[1:] != sorted_at[:-1]))
    memory = words[sorted_at].view(kind)
    sorted_values = [value[order] for value in values]
    if first.all():
        found, left = memory, _number(evaluate(memory, *sorted_values), kind)
    elif len(values) == 1:
        found, left = _scan(memory, first, evaluate, sorted_values[0])
    else:
        found, left = _one_change_at_a_time(memory, first, evaluate, sorted_values)
    last = np.concatenate((first[1:], [True]))
    words[sorted_at[last]] = left[last].view(np.uint32)
    result, changed = np.empty(len(at), np.uint32), np.empty(len(at), np.bool_)
    result[order] = found.view(np.uint32)
    changed[order] = found != left
    return result, changed


def _number(value: Results, kind: np.dtype[np.generic]) -> Lanes:
    return np.asarray(value).astype(kind, copy=False)


def _scan(
    memory: Lanes, first: Lanes, evaluate: Callable[..., Results], values: Lanes
) -> tuple[Lanes, Lanes]:
    """Apply an atomic with one operand; returns each lane's old and new value.

    Such operations are associative: f(f(m, a), b) = f(m, f(a, b)). So the operands for equal
    addresses are combined in a logarithmic number of steps. Lanes are sorted by address; `first`
    marks the first lane of each.
    """
    kind = memory.dtype
    start = np.flatnonzero(first)
    rank = np.arange(len(values)) - np.repeat(start, np.diff(np.append(start, len(values))))
    combined, step, longest = values, 1, int(rank.max())
    while step <= longest:
        reach = np.flatnonzero(rank >= step)
        joined = combined.copy()
        joined[reach] = _number(evaluate(combined[reach - step], combined[reach]), kind)
        combined, step = joined, 2 * step
    left = _number(evaluate(memory, combined), kind)
    found = np.where(first, memory, np.concatenate((memory[:1], left[:-1])))
    return found, left


def _one_change_at_a_time(
    memory: Lanes, first: Lanes, evaluate: Callable[..., Results], values: list[Lanes]
) -> tuple[Lanes, Lanes]:
    """Apply an atomic with two operands (compare and exchange); returns old and new values.

    At each address, all lanes up to the first that changes the dword find the same value; the next
    iteration continues after that lane. Few exchanges at an address succeed, so few iterations are
    needed.
    """
    kind = memory.dtype
    run = np.cumsum(first) - 1
    current = memory[first].copy()
    found, left = np.empty_like(memory), np.empty_like(memory)
    waiting = np.arange(len(memory))
    while len(waiting):
        of_run = run[waiting]
        before = current[of_run]
        after = _number(evaluate(before, *(value[waiting] for value in values)), kind)
        changing = np.full(len(current), len(memory))
        changed = after != before
        np.minimum.at(changing, of_run[changed], waiting[changed])
        reached = waiting <= changing[of_run]
        done = waiting[reached]
        found[done] = before[reached]
        left[done] = after[reached]
        update = waiting == changing[of_run]
        current[of_run[update]] = after[update]
        waiting = waiting[~reached]
    return found, left


def count_in_order(
    start: np.uint32, count: int, evaluate: Callable[..., Results]
) -> tuple[Lanes, np.uint32]:
    """Count `count` lanes with a hidden counter; returns each lane's result, and the new value.

    `evaluate(old)` gives (result, new), where new - old is the same for every old value.
    """
    one = np.array([start], np.uint32)
    step = np.asarray(evaluate(one)[1], np.uint32) - one
    old = one + step * np.arange(count, dtype=np.uint32)
    returned, left = evaluate(old)
    return np.asarray(returned, np.uint32), np.uint32(np.asarray(left)[-1])


_TO_DWORD = np.uint32(2)  # shifts a byte offset


class SharedMemory:
    """A g# of every group in a batch. `words` and `written` are ordered by group, then by dword."""

    def __init__(self, declared: SharedArray, reporter: Reporter):
        self.size = size = declared.size // 4
        self._batch = reporter.batch
        count = size * self._batch.group_count
        self.words: Lanes = np.zeros(count, np.uint32)
        self.written: Lanes = np.zeros(count, np.bool_)
        self._base: Lanes = self._batch.group_of(self._batch.everyone) * size
        self._is_full, self._was_written = False, False

        def place(at: int) -> tuple[int, tuple[int, ...]]:
            byte_offset = 4 * (int(at) % size)
            return byte_offset, (byte_offset,)

        self.log = AccessLog(f"g{declared.number}", GROUP_SHARED, count, reporter, place)

    def base(self, lanes: Lanes) -> Lanes:
        """The first dword of each lane's group."""
        return self._batch.part(self._base, lanes)

    def write(self, at: Lanes) -> None:
        """Note that dwords are written."""
        if not self._is_full:
            self.written[at] = self._was_written = True

    @property
    def is_full(self) -> bool:
        """Whether every dword has been written."""
        if self._was_written:
            self._was_written, self._is_full = False, bool(self.written.all())
        return self._is_full


@dataclass(frozen=True, slots=True)
class WordSpace:
    """Memory made of dwords: a view or a g#.

    `words` is the whole memory; for a g#, that of all groups in the batch, one after another.
    `size` is the number of dwords that an access may reach (for a g#, those of one group), `stride`
    the dwords of a structure (0: raw). `log` has the accesses that can race.
    """

    register: str
    words: Lanes
    size: int
    stride: int = 0
    bound: bool = True
    shared: SharedMemory | None = None
    log: AccessLog | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The locations of an access by several lanes.

    Component c is at dword `first + c` of the space's words, if it is in bounds: for all lanes if
    c < `room`.
    """

    space: WordSpace
    lanes: Lanes
    first: Lanes
    room: int
    index: Lanes | None
    byte_offset: Lanes

    def inside(self, component: int) -> Lanes:
        """Whether a component is in bounds, bool[lanes]."""
        size, stride = self.space.size, self.space.stride
        within = (self.byte_offset >> _TO_DWORD).astype(np.int64) + component < (stride or size)
        return within if self.index is None else within & (self.index < size // stride)


def load(
    space: WordSpace,
    address: Sequence[Lanes],
    components: Sequence[int],
    lanes: Lanes,
    reporter: Reporter,
) -> dict[int, Lanes]:
    """Load component c from c dwords after the address, for each c in `components`.

    Returns u32[lanes] for each c; 0 out of bounds.
    """
    place = _locate(space, address, lanes)
    wanted = sorted(set(components))
    # D3D defines out-of-bounds reads, except past a structure's end and in g#.
    defined = space.shared is None
    _report(space, place, wanted, reporter, outside_defined=defined, reads=True)
    values: dict[int, Lanes] = {}
    for component in wanted:
        at, reading = place.first + component, lanes
        if component < place.room:
            values[component] = space.words.take(at)
        else:
            inside = place.inside(component)
            at, reading = at[inside], lanes[inside]
            values[component] = np.zeros(len(lanes), np.uint32)
            values[component][inside] = space.words[at]
        if space.log is not None:
            space.log.load(reading, at)
    return values


def peek(space: WordSpace, address: Sequence[Lanes], component: int, lane: Lanes) -> int | None:
    """The index in `space.words` of a lane's component; None out of bounds. Reports nothing."""
    place = _locate(space, address, lane)
    return int(place.first[0]) + component if component < place.room else None


def store(
    space: WordSpace,
    address: Sequence[Lanes],
    values: Sequence[Lanes],
    lanes: Lanes,
    reporter: Reporter,
) -> None:
    """Store dwords from an address on; those out of bounds are dropped."""
    place = _locate(space, address, lanes)
    components = range(len(values))
    defined = _write_defined(space)
    _report(space, place, components, reporter, outside_defined=defined, reads=False)
    for component, value in enumerate(values):
        inside = slice(None) if component < place.room else place.inside(component)
        at = place.first[inside] + component
        kept = np.broadcast_to(value, len(lanes))[inside]
        if space.log is not None:
            space.log.store(lanes[inside], at, space.words.take(at) != kept, kept.copy())
        if space.shared is not None:
            space.shared.write(at)
        space.words[at] = kept  # of lanes at the same dword, the last one wins


def atomic(
    space: WordSpace,
    address: Sequence[Lanes],
    evaluate: Callable[..., Results],
    values: Sequence[Lanes],
    lanes: Lanes,
    reporter: Reporter,
    *,
    returns: bool,
) -> Lanes:
    """Execute an atomic in lane order; returns the old values as u32[lanes], 0 out of bounds.

    Out of bounds, nothing is written; D3D does not define the result.
    """
    place = _locate(space, address, lanes)
    defined = _write_defined(space) and not returns
    _report(space, place, (0,), reporter, outside_defined=defined, reads=True)
    inside = place.inside(0)
    at = place.first[inside]
    result = np.zeros(len(lanes), np.uint32)
    kept = [value[inside] for value in values]
    result[inside], changed = apply_in_order(space.words, at, evaluate, kept)
    if space.log is not None:
        tells = len(values) == 2 and (returns or space.shared is not None)
        space.log.atomic(lanes[inside], at, changed, compares=tells)
    if space.shared is not None:
        space.shared.write(at)
    return result


def _write_defined(space: WordSpace) -> bool:
    """Whether D3D defines writes out of bounds.

    It drops those past the end of a view; for g# and null resources, no document says so.
    """
    return space.shared is None and space.bound


def _locate(space: WordSpace, address: Sequence[Lanes], lanes: Lanes) -> Place:
    byte_offset = address[-1]
    first, index = byte_offset >> _TO_DWORD, None
    room = (space.stride or space.size) - int(first.max(initial=0))
    if space.stride:
        index = address[0]
        first += index * np.uint32(space.stride)  # wraps only where it is out of bounds
        if index.max(initial=0) >= space.size // space.stride:
            room = 0
    first = first.astype(np.intp)
    if space.shared is not None:
        first += space.shared.base(lanes)
    return Place(space, lanes, first, room, index, byte_offset)


def _report(
    space: WordSpace,
    place: Place,
    components: Sequence[int],
    reporter: Reporter,
    *,
    outside_defined: bool,
    reads: bool,
) -> None:
    """Report once per lane, with the first cause that applies to one of its components."""
    if not components:  # the destination is `null`
        return
    wrong = np.zeros(len(place.lanes), np.bool_)
    if max(components) >= place.room:
        wrong = outside = ~place.inside(max(components))
        if place.index is not None:
            outside = wrong & (place.index >= space.size // max(space.stride, 1))
        _add(space, place, outside, OUTSIDE, reporter, outside_defined)
        _add(space, place, wrong & ~outside, PAST_STRIDE, reporter, False)
    if reads and space.shared is not None and not space.shared.is_full:
        unwritten = ~wrong & _unwritten(space.shared, place, components)
        _add(space, place, unwritten, UNINITIALISED, reporter, False)
        wrong = wrong | unwritten
    if np.bitwise_or.reduce(place.byte_offset) & 3:
        _add(space, place, ~wrong & (place.byte_offset & 3 != 0), UNALIGNED, reporter, False)


def _unwritten(shared: SharedMemory, place: Place, components: Sequence[int]) -> Lanes:
    """Whether the lane's group has not written one of the components."""
    found = np.zeros(len(place.lanes), np.bool_)
    for component in components:
        inside = place.inside(component)
        at = np.where(inside, place.first + component, 0)
        found |= inside & ~shared.written[at]
    return found


def _add(
    space: WordSpace, place: Place, bad: Lanes, cause: str, reporter: Reporter, defined: bool
) -> None:
    if not bad.any():
        return
    kind = STRUCTURED_BUFFER if space.stride else RAW_BUFFER
    if space.shared is not None:
        kind = GROUP_SHARED
    address = [place.byte_offset[bad]]
    if place.index is not None:
        address.insert(0, place.index[bad])
    reporter.add(
        space.register,
        kind,
        cause,
        place.lanes[bad],
        address,
        defined=defined,
        has_byte_offset=True,
    )
