"""The place of a statement in a random program, and what it may do there.

Registers: r0 to r3 hold any bits, r4 is a temporary of one statement, r5 and r6 hold floats, r7 two
doubles, r8 results with a tolerance, r9 the thread's number in the dispatch and a zero, r10 indices
into ranges of resources, r11 and r12 results of linear filters; from r13 on each body has one
register of loop counters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from translate.isa import ROWS
from translate.isa.instruction import Instruction

from .case import Argument
from .choices import Choices

Lines = list[str]
Statement = Callable[["Scope"], Lines]

GROUP, GROUPS = 16, 2  # threads of a group, groups of a dispatch
LANES = GROUP * GROUPS
GENERAL = ("r0", "r1", "r2", "r3")
TEMP = "r4"
FLOATS = ("r5", "r6")
DOUBLES = "r7"
NEARLY = "r8"
NUMBER = "r9"
INDEX = "r10"
FILTERED = ("r11", "r12")
COUNTERS = 13
# A zero that no driver can fold. A zero from a constant buffer alone can be folded: where a branch
# depends on it, lavapipe compiles the buffer's values into the code.
UNKNOWN_ZERO = "r9.yyyy"
UNKNOWN_ZERO_IS_MADE = "ult r9.y, vThreadID.x, cb1[0].x"
MAX_LOOPS = 3  # nested: a counter has four components
MAX_DEPTH = 5


@dataclass(frozen=True)
class Abilities:
    """What a device and the program's model support, so that it can be drawn."""

    version: tuple[int, int] = (5, 1)
    only: frozenset[str] = frozenset()  # kinds of statements, by name; empty for all of them
    doubles: bool = True
    gather_offsets: bool = True
    null_textures: bool = True
    null_counters: bool = True
    null_elements: bool = True  # of ranges
    mirror_once: bool = True
    mirror_once_gathers: bool = True
    mixed_images: bool = True  # UAVs of formats that the shader does not name
    cube_arrays: bool = True
    cube_edges: bool = True  # linear filters at edges, or directions between two faces
    half_mips: bool = True  # a level of detail halfway between two mips
    special_small_floats: bool = True  # infinities and NaNs in texels of less than 32 bits

    def rows(self, test: Callable[[Instruction], bool]) -> tuple[Instruction, ...]:
        """The rows of the table that the model has and that pass `test`."""
        return tuple(row for row in ROWS if row.since <= self.version and test(row))


@dataclass(frozen=True)
class Range:
    """An array of resources of cs_5_1: `count` registers from `first` on, 0 if unbounded.

    `elements` are bound; there may be fewer of them than registers.
    """

    name: str
    first: int
    space: int
    count: int
    elements: tuple[Argument, ...]

    @property
    def register(self) -> str:
        """Its name as an argument."""
        return f"{self.name.rstrip('0123456789').lower()}{self.first}_space{self.space}"

    @property
    def span(self) -> str:
        """Its registers, as written in a declaration."""
        return f"{self.first}:{self.first + self.count - 1 if self.count else '*'}"


@dataclass(frozen=True)
class Phase:
    """What threads may do to shared memory and UAVs between two barriers.

    In each memory a thread accesses only its own slots, or all threads only read. `sums` takes
    atomics whose results are not read before the next barrier.
    """

    raw: str = "own"  # g0
    structured: str = "own"  # g1
    sums: str = "add"  # g2
    uav: str = "own"  # u0


@dataclass
class Scope:
    """The state of the program that is being drawn; statements change what later ones may do."""

    choices: Choices
    abilities: Abilities
    special: bool  # any floats; else small integers, and arithmetic may be refactored
    me: str  # the number of the thread in the dispatch, one component
    lane: str = "vThreadIDInGroupFlattened.x"
    formats: dict[str, str] = field(default_factory=dict[str, str])
    dimensions: dict[str, str] = field(default_factory=dict[str, str])
    ranges: dict[str, Range] = field(default_factory=dict[str, Range])
    samplers: dict[str, Argument] = field(default_factory=dict[str, Argument])
    guards: str = "d3d"
    counter_register: int = COUNTERS
    depth: int = 0
    loops: int = 0  # counters in use
    continuable: int = 0
    breakable: int = 0
    may_return: bool = True
    in_subroutine: bool = False
    callable: tuple[int, ...] = ()
    phase: Phase | None = None  # None where group-shared memory must not be accessed
    statements_left: int = 70  # drivers take more than linear time for longer programs
    appends: int = 0
    consumes: int = 0
    many_rounds: bool = False
    unit_rows: bool = False  # of the immediate constant buffer

    @property
    def counter(self) -> str:
        """The component that counts the rounds of the next loop."""
        return f"r{self.counter_register}.{'xyzw'[self.loops]}"

    def vary(self, **parts: str) -> None:
        """Change the phase from here on."""
        assert self.phase is not None
        self.phase = replace(self.phase, **parts)
