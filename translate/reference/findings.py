"""The findings of a run: out-of-bounds accesses, races in group-shared memory, divergent barriers.

Sources: FS §7.13 (alignment), §7.14 (memory order), §22.4, §22.17; reference "Out-of-bounds".
"""

from __future__ import annotations

from dataclasses import dataclass, field

Triple = tuple[int, int, int]

# Causes; of several that hold, the first is reported.
OUTSIDE = "outside"  # past the end of a view, an array or a texture, or nothing is bound
PAST_STRIDE = "past the stride"  # inside the view, past the structure
UNINITIALISED = "uninitialised"  # group-shared memory that the group has not written
UNALIGNED = "unaligned"  # a byte offset that is no multiple of 4

# Kinds of memory that have no Binding; others are named as in translate.interface.
GROUP_SHARED = "group_shared"
IMMEDIATE_CONSTANTS = "immediate_constant_buffer"
INDEXABLE_TEMP = "indexable_temp"

DEFAULT_LIMIT = 4096
DEFAULT_MESSAGE_LIMIT = 16384


@dataclass(frozen=True, slots=True)
class Violation:
    """One access of one thread that is not in order; a vector counts once.

    `thread` is vThreadID. `instruction` counts from 0 without declarations, `line` is the listing's
    (None for a container). `kind` is the memory's (structured_buffer, group_shared, ...), `cause`
    one of this module's. `address` is all that the instruction said: (byte offset), (index, byte
    offset), (vector), (element), or coordinates and then the mip or sample. Of these `index` is the
    structure, vector, element or x, `byte_offset` the byte offset; 0 where there is none. `defined`
    says whether D3D defines everything that the access does.
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


@dataclass(frozen=True, slots=True)
class Participant:
    """One thread at one instruction."""

    thread: Triple
    instruction: int
    line: int | None


@dataclass(frozen=True, slots=True)
class Race:
    """Two threads at one dword of group-shared memory, one of them storing, no barrier between.

    `accesses` are what each does, "load", "store" or "atomic"; the first came first in this run.
    """

    group: Triple
    register: str
    byte_offset: int
    accesses: tuple[str, str]
    first: Participant
    second: Participant


@dataclass(frozen=True, slots=True)
class DivergentBarrier:
    """A `sync` with `_t` that a part of the group did not come to.

    `arrived` is a thread at it; `missing` one that is not there, at the instruction where its way
    parted from the others' (a branch, a `break` or the `ret` that ended it). `absent` counts the
    threads of the group that are not there.
    """

    group: Triple
    arrived: Participant
    missing: Participant
    absent: int


@dataclass(frozen=True, slots=True)
class Message:
    """A `printf` or `errorf` (its `name`) of one thread.

    `text` is the format string as the program has it; `arguments` are the dwords of each argument,
    one, or two of a double, low one first.
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
    """All that was noticed. The lists end at `limit`, messages at `message_limit`; counts do not.

    `violations_at` counts by (instruction, cause). `aborts` are the threads that an `abort` ended.
    """

    limit: int = DEFAULT_LIMIT
    message_limit: int = DEFAULT_MESSAGE_LIMIT
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

    def room_for_violations(self, instruction: int, cause: str, count: int) -> int:
        """Count so many; gives how many of them to describe."""
        self.violation_count += count
        key = (instruction, cause)
        self.violations_at[key] = self.violations_at.get(key, 0) + count
        return max(0, min(count, self.limit - len(self.violations)))

    def room_for_messages(self, count: int) -> int:
        """Count so many; gives how many of them to keep."""
        self.message_count += count
        return max(0, min(count, self.message_limit - len(self.messages)))

    def room_for_aborts(self, count: int) -> int:
        """Count so many; gives how many of them to describe."""
        self.abort_count += count
        return max(0, min(count, self.limit - len(self.aborts)))

    def room_for_races(self, count: int) -> int:
        """Count so many; gives how many of them to describe."""
        self.race_count += count
        return max(0, min(count, self.limit - len(self.races)))

    def room_for_barriers(self, count: int) -> int:
        """Count so many; gives how many of them to describe."""
        self.divergent_barrier_count += count
        return max(0, min(count, self.limit - len(self.divergent_barriers)))
