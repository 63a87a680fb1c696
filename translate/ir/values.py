"""Values, blocks and modules of the IR, and records of the guards of accesses."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from translate.dataclass import dataclass, field
from translate.errors import NOWHERE, Where
from translate.ir import ops
from translate.ir.memory import MemoryKind, Message, Report, Resource, Site
from translate.ir.ops import Op
from translate.ir.tables import Interface, Tables
from translate.ir.types import Type


class Value:
    """One operation and the value that it gives.

    Its operation never changes: a pass that needs another operation makes a new value, and forwards
    the uses of the old one to it.

    `data` is the operation's static part: a constant's bits, a register's number, an Access, a
    float operation's precise flag. `blocks` and `results` belong to control constructs; a `result`
    value has its construct in `data`.
    """

    __slots__ = ("args", "blocks", "data", "op", "results", "type", "where")

    def __init__(self, op: Op, type_: Type, args: list[Value], data: object, where: Where):
        self.op: Final = op
        self.type: Final = type_
        self.args = args
        self.data: Final = data
        self.where: Final = where
        self.blocks: tuple[Block, ...] = ()
        self.results: tuple[Value, ...] = ()

    @property
    def constant_bits(self) -> int | None:
        """The bits of a constant; None for any other value."""
        return self.data if self.op is ops.CONST else None  # type: ignore[return-value]

    def __repr__(self) -> str:
        return f"<{self.op.name} {self.type.text} {self.data!r}>"


class Block:
    """Values in order, the last one a terminator; `params` get their values at its entry."""

    __slots__ = ("params", "values")

    def __init__(self) -> None:
        self.params: list[Value] = []
        self.values: list[Value] = []

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)


class Fate(Enum):
    """The result of simplification for one comparison."""

    STAYS = auto()
    HOLDS = auto()  # proved for all threads
    FAILS = auto()  # no thread passes it
    KNOWN = auto()  # a condition around it is the same comparison
    SHARED = auto()  # an earlier comparison is the same


@dataclass(frozen=True, slots=True)
class Reason:
    """The fate of one comparison `index < limit`.

    `largest` is the known bound of the index, None without one; `limit` is None if only the device
    knows it. `where` is the place of the other comparison if the fate is KNOWN or SHARED.
    """

    fate: Fate
    index: Value
    largest: int | None = None
    limit: int | None = None
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Guard:
    """The guard (bounds check) of one access, kept only for an explanation of a translation.

    `action` is the operation of the access before its guard: load, store, atomic and so on.
    `checked`: `Options.guards` asks for a check. `left`: the device checks the view's end.
    `comparisons` are those of its check. Once they are `examined`, `reasons` has the fates of those
    that can still be reached.
    """

    where: Where
    resource: Resource
    action: str
    checked: bool
    left: bool
    comparisons: tuple[Value, ...]
    reasons: tuple[Reason, ...] = ()
    examined: bool = False


ONE_THREAD = (1, 1, 1)  # the group of a module without one in its text


@dataclass(slots=True)
class Module:
    """A shader's IR: its entry block, its subroutines by name, and its declarations.

    `temp_count` counts r# registers; `flags` are `dcl_globalFlags`' names; `after` is the last pass
    of the pipeline that ran. `written_marks`: group-shared memory -> the memory with a bit for
    each of its dwords, set once the dword is written. `message_buffer` is the buffer for messages.
    `exposed` are the faults of drivers (`Options.workarounds`) that the module would meet. `guards`
    are recorded only for an explanation.
    """

    profile: str
    body: Block
    thread_group: tuple[int, int, int]
    resources: list[Resource] = field(default_factory=list[Resource])
    tables: Tables = field(default_factory=Tables)
    flags: frozenset[str] = frozenset()
    temp_count: int = 0
    where: Where = NOWHERE
    written_marks: dict[Resource, Resource] = field(default_factory=dict[Resource, Resource])
    sites: list[Site] = field(default_factory=list[Site])
    report: Report | None = None
    messages: list[Message] = field(default_factory=list[Message])
    message_buffer: Resource | None = None
    functions: dict[str, Block] = field(default_factory=dict[str, Block])
    function_tables: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    interfaces: dict[int, Interface] = field(default_factory=dict[int, Interface])
    after: str = ""
    exposed: set[str] = field(default_factory=set[str])
    guards: list[Guard] = field(default_factory=list[Guard])

    @property
    def may_have_arrays(self) -> bool:
        """Whether it may access an x#: a declared one, or one in which subroutines share r#."""
        declared = any(r.kind is MemoryKind.INDEXABLE_TEMP for r in self.resources)
        return declared or bool(self.functions)

    def bodies(self) -> list[Block]:
        """The entry block, then every subroutine's."""
        return [self.body, *self.functions.values()]

    def walk(self) -> list[Value]:
        """Every value of every body."""
        found: list[Value] = []
        for body in self.bodies():
            _add_values(found, body)
        return found


def walk(block: Block) -> list[Value]:
    """Every value below a block, in order, constructs before their contents."""
    found: list[Value] = []
    _add_values(found, block)
    return found


def has_loop(block: Block) -> bool:
    """Whether there is a loop below a block."""
    for value in block.values:
        if value.blocks and (value.op is ops.LOOP or any(map(has_loop, value.blocks))):
            return True
    return False


def _add_values(found: list[Value], block: Block) -> None:
    values, added = block.values, 0
    for place, value in enumerate(values, 1):
        if value.blocks:
            found += values[added:place]
            added = place
            for inner in value.blocks:
                _add_values(found, inner)
    found += values[added:]
