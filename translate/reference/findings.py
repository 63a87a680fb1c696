"""The findings of a run: violations, races, divergent barriers, messages.

Sources: FS §7.13 (alignment), §7.14 (memory order), §22.4, §22.17; reference "Out-of-bounds".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sized
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from translate.dataclass import dataclass, field, replace
from translate.errors import located_text
from translate.interface import STRUCTURED_BUFFER, TEXTURE, TYPED_BUFFER

Bools = NDArray[np.bool_]
K = TypeVar("K", bound=Hashable)
Triple = tuple[int, int, int]

# Causes of violations. If several apply, the first in this order is reported.
OUTSIDE = "outside"  # past the end of a view, array or texture, or in a null resource
PAST_STRIDE = "past the stride"  # inside the view, but past the structure
UNINITIALISED = "uninitialised"  # a read of group-shared memory that the group has not written
UNALIGNED = "unaligned"  # a byte offset that is not a multiple of 4

# Kinds of memory without a Binding; the others are in translate.interface.
GROUP_SHARED = "group_shared"
IMMEDIATE_CONSTANTS = "immediate_constant_buffer"
INDEXABLE_TEMP = "indexable_temp"

DEFAULT_LIMIT = 4096
DEFAULT_MESSAGE_LIMIT = 16384
DEFAULT_MARK_LIMIT = 1 << 22
DEFAULT_ACCESS_LIMIT = 1 << 22


@dataclass(frozen=True, slots=True)
class Violation:
    """A thread's access that is out of bounds, unaligned or uninitialised; a vector counts once.

    `thread` is vThreadID. `instruction` counts from 0 without declarations; `line` is the listing's
    line (None for a container). `kind` is the kind of memory (structured_buffer, group_shared,
    ...), `cause` is one of this module's. `address` is the complete address: (byte offset), (index,
    byte offset), (vector), (element), or coordinates followed by mip or sample. `index` is its
    structure, vector, element or x; `byte_offset` is its byte offset; a missing one is 0.
    `defined`: D3D defines all effects of the access. `used` is False for a load whose result the
    thread does not use: see `uses.py`.
    """

    thread: Triple
    group: Triple
    instruction: int
    line: int | None
    register: str
    kind: str
    cause: str
    address: tuple[int, ...]
    index: int
    byte_offset: int
    defined: bool
    used: bool = True


@dataclass(frozen=True, slots=True)
class Participant:
    """A thread (vThreadID), and the instruction that it executed.

    `hlsl_file` and `hlsl_line` are known if the shader has debug information.
    """

    thread: Triple
    instruction: int
    line: int | None
    hlsl_file: str | None = None
    hlsl_line: int | None = None

    @property
    def place(self) -> str:
        """The thread's place in the dispatch: `16,0,0`."""
        return ",".join(map(str, self.thread))


@dataclass(frozen=True, slots=True)
class Race:
    """Two threads' accesses to one element of group-shared memory or a UAV, no barrier between.

    The threads are in one group, and at least one access is a store, or an atomic beside a load.
    `accesses` are "load", "store" or "atomic", in the order of this run. `kind` is the kind of
    memory (group_shared, raw_buffer, structured_buffer, typed_buffer, texture). `byte_offset` is
    that of the dword in the g# or the view, 0 for a texel. `address` is as in a Violation: (byte
    offset), (index, byte offset), (element), or coordinates; for g# always (byte offset).
    """

    group: Triple
    register: str
    byte_offset: int
    accesses: tuple[str, str]
    first: Participant
    second: Participant
    kind: str = GROUP_SHARED
    address: tuple[int, ...] = ()

    @property
    def place(self) -> str:
        """The element in its memory: `byte 0x10`, `[3] byte 0x4`, `[7]`, `[3, 5]`."""
        if self.kind in (TYPED_BUFFER, TEXTURE):
            return str([*self.address])
        if self.kind == STRUCTURED_BUFFER:
            return f"[{self.address[0]}] byte {self.address[1]:#x}"
        return f"byte {self.byte_offset:#x}"

    def __str__(self) -> str:
        first, second = (
            f"{access} by thread {one.place} at {located_text(one)}"
            for access, one in zip(self.accesses, (self.first, self.second), strict=True)
        )
        space = "" if self.place.startswith("[") else " "
        return f"{self.register}{space}{self.place}: {first}, then {second}"


@dataclass(frozen=True, slots=True)
class DivergentBarrier:
    """A `sync` with `_t` that only part of a group reached.

    `arrived` is a thread at the barrier. `missing` is a thread that did not reach it, at the
    instruction where it diverged (a branch, a `break`, or the `ret` that ended it). `absent` is the
    number of missing threads in the group.
    """

    group: Triple
    arrived: Participant
    missing: Participant
    absent: int

    def __str__(self) -> str:
        arrived, missing = self.arrived, self.missing
        return (
            f"group {','.join(map(str, self.group))}: thread {arrived.place} waits at"
            f" {located_text(arrived)}; threads that do not reach it: {self.absent:,}, for example"
            f" {missing.place}, which left at {located_text(missing)}"
        )


@dataclass(frozen=True, slots=True)
class Message:
    """A `printf` or `errorf` (`name`) of a thread.

    `text` is the program's format string; `arguments` has the dwords of each argument: one, or two
    for a double, low one first.
    """

    thread: Triple
    group: Triple
    instruction: int
    line: int | None
    name: str
    text: bytes
    arguments: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class Findings:
    """All findings of a run. `limit` and `message_limit` bound the lists, but not the counts.

    Loads out of bounds are followed to their uses by at most `mark_limit` marks in each batch of
    groups: one for each thread of a load, and of a sum of two of them. `uses_are_known` is False
    if a batch needed more; then all its loads count as used.

    Accesses to a g# or u# that can race are compared at barriers. If a batch makes more than
    `access_limit` of them between two barriers, only the last two threads of each kind of access to
    an element are kept;
    `races_are_known` is False if even these were too many, so that races may be missing.

    `violations_at` counts by (instruction, cause), `violations_of` by (instruction, register),
    `unused_of` those of the latter that are loads with an unused result. `races_of` counts by
    (register, first and second instruction), `barriers_of` by the instructions of the thread at the
    barrier and of the missing one. Violations, races and barriers have at least one record for each
    key, even past the limit; `recorded` has the loads with a record, and whether it is unused.
    `aborts` are the threads that `abort` ended.
    """

    limit: int = DEFAULT_LIMIT
    message_limit: int = DEFAULT_MESSAGE_LIMIT
    mark_limit: int = DEFAULT_MARK_LIMIT
    access_limit: int = DEFAULT_ACCESS_LIMIT
    uses_are_known: bool = True
    races_are_known: bool = True
    violations: list[Violation] = field(default_factory=list[Violation])
    races: list[Race] = field(default_factory=list[Race])
    divergent_barriers: list[DivergentBarrier] = field(default_factory=list[DivergentBarrier])
    messages: list[Message] = field(default_factory=list[Message])
    aborts: list[Participant] = field(default_factory=list[Participant])
    violation_count: int = 0
    race_count: int = 0
    divergent_barrier_count: int = 0
    message_count: int = 0
    abort_count: int = 0
    violations_at: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    violations_of: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    unused_of: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    recorded: set[tuple[tuple[int, str], bool]] = field(
        default_factory=set[tuple[tuple[int, str], bool]], repr=False
    )
    races_of: dict[tuple[str, int, int], int] = field(
        default_factory=dict[tuple[str, int, int], int]
    )
    barriers_of: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])

    def room_for_violations(self, instruction: int, register: str, cause: str, count: int) -> int:
        """Count violations; returns the number of them to record."""
        self.violation_count += count
        key = (instruction, cause)
        self.violations_at[key] = self.violations_at.get(key, 0) + count
        return self._room(self.violations, self.violations_of, (instruction, register), count)

    def note_uses(
        self,
        place: tuple[int, str],
        unused: Bools,
        records: range,
        record: Callable[[int], Violation],
    ) -> None:
        """Note which violations of a load (instruction, register) are unused.

        The first of them have the records at these indices. `record` makes one for the others; so a
        load has at least one record of each kind.
        """
        self.unused_of[place] = self.unused_of.get(place, 0) + int(unused.sum())
        for at, is_unused in zip(records, unused.tolist(), strict=False):
            self.violations[at] = replace(self.violations[at], used=not is_unused)
            self.recorded.add((place, is_unused))
        for wanted in (True, False):
            (positions,) = np.nonzero(unused == wanted)
            if len(positions) and (place, wanted) not in self.recorded:
                found = record(int(positions[0]))
                self.violations.append(replace(found, used=not wanted))
                self.recorded.add((place, wanted))

    def room_for_messages(self, count: int) -> int:
        """Count messages; returns the number of them to record."""
        self.message_count += count
        return max(0, min(count, self.message_limit - len(self.messages)))

    def room_for_aborts(self, count: int) -> int:
        """Count aborts; returns the number of them to record."""
        self.abort_count += count
        return max(0, min(count, self.limit - len(self.aborts)))

    def room_for_races(self, register: str, first: int, second: int, count: int) -> int:
        """Count races of two instructions; returns the number of them to record."""
        self.race_count += count
        return self._room(self.races, self.races_of, (register, first, second), count)

    def room_for_barriers(self, arrived: int, missing: int, count: int) -> int:
        """Count divergent barriers by instructions; returns the number of them to record."""
        self.divergent_barrier_count += count
        return self._room(self.divergent_barriers, self.barriers_of, (arrived, missing), count)

    def _room(self, records: Sized, counts: dict[K, int], key: K, count: int) -> int:
        """Count findings of a key; returns the number to record, the key's first one always."""
        counted = counts.get(key, 0)
        counts[key] = counted + count
        least = 0 if counted else min(1, count)
        return max(least, min(count, self.limit - len(records)))
