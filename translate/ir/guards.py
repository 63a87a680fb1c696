"""Records of the guards (bounds checks) of accesses, and why each comparison stays or is removed.

They are kept only for an explanation of a translation (`translate.explain`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from translate.errors import Where
from translate.ir.memory import Resource
from translate.ir.values import Value


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
    """The guard of one access.

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
