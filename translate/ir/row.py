"""The fields of a row of `ir.ops`: operands, result, attribute, memory, structure.

A *place* is an operand or the result in a row, given by its type or a rule for its type. A row's
`params` are places: one for each operand, or groups with a size that depends on the attribute or
the operands. If the attribute names a resource with an index (`Tables.takes_index`), the index is a
further operand at the end, which rows leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, IntEnum, auto
from types import NoneType
from typing import Any, Final, Protocol, TypeVar, cast
from typing import Generic as GenericOver

from translate.dataclass import dataclass
from translate.ir.memory import Access, Barrier, Check, Resource, Sample
from translate.ir.tables import Tables
from translate.ir.types import BOOL, U32, VOID, Type

Lanes = Any  # `ir.lanes` describes these
Evaluate = (
    Callable[[Lanes], Lanes]
    | Callable[[Lanes, Lanes], Lanes]
    | Callable[[Lanes, Lanes, Lanes], Lanes]
    | Callable[[Lanes, Lanes, Lanes, Lanes], Lanes]
)

T_co = TypeVar("T_co", covariant=True)


class HasData(Protocol):
    """An operation, as far as attributes and operand counts depend on it."""

    @property
    def data(self) -> object: ...


class Generic(Enum):
    """A place in a row that several types fit."""

    FLOAT = auto()  # F32 or F64, the same in all places of the row
    TEXEL = auto()  # a texel type, the same in all places of the row
    ANY = auto()  # any type, the same in all places of the row
    COMPONENT = auto()  # the type of the row's TEXEL's components
    BITS32 = auto()  # U32 or F32, each place by itself
    EACH = auto()  # any type, each place by itself


@dataclass(frozen=True, eq=False, slots=True)
class Derived:
    """A place with a type that follows from the resource that the attribute names."""

    name: str
    type: Callable[[Resource, Tables], Type]


@dataclass(frozen=True, slots=True)
class Literal:
    """A place for a U32 constant below a limit."""

    below: int


Place = Type | Generic | Derived | Literal


@dataclass(frozen=True, eq=False, slots=True)
class Group:
    """Operands that the operation's attribute determines: their number and their places."""

    name: str
    places: Callable[[HasData, Tables], tuple[Place, ...]]


@dataclass(frozen=True, eq=False, slots=True)
class Several:
    """All operands that no other parameter takes: at least `least`, at most `most` (None: any)."""

    place: Place
    least: int = 0
    most: Callable[[HasData], int | None] = lambda operation: None


Param = Place | Group | Several


class Effect(Enum):
    """The effect of an operation besides its result."""

    PURE = auto()  # may be shared, moved and dropped
    READS = auto()  # may be dropped, not moved over writes
    WRITES = auto()
    CONTROL = auto()
    TERMINATES = auto()  # ends a block


class Attribute(GenericOver[T_co]):
    """The kind of an operation's static part: `type` is the Python type of `Value.data`."""

    __slots__ = ("name", "type")

    def __init__(self, name: str, type_: type[T_co]):
        self.name: Final = name
        self.type: Final = type_

    def __repr__(self) -> str:
        return f"the attribute {self.name}"

    def of(self, operation: HasData) -> T_co:
        """An operation's attribute, which must be of this kind; the verifier checks its type."""
        return operation.data  # type: ignore[return-value]


# For each block of a switch its labels, None for the default
Cases = tuple[tuple[int | None, ...], ...]

NONE: Final = Attribute("none", NoneType)
# A float operation is not to be contracted or re-associated
PRECISE: Final = Attribute("precise", bool)
BITS: Final = Attribute("bits", int)  # of a constant
REGISTER: Final = Attribute("register", int)  # 4 * number of an r# + component
COMPONENT: Final = Attribute("component", int)  # of a texel
SPECIALIZATION: Final = Attribute("specialization", str)  # the name of a constant
# (register's name, component)
INPUT: Final = Attribute("input", cast("type[tuple[str, int]]", tuple))
ACCESS: Final = Attribute("access", Access)  # of a load or store
VECTOR: Final = Attribute("vector", Access)  # of four dwords together
ATOMIC: Final = Attribute("atomic", Access)  # one that names its operation
RESOURCE: Final = Attribute("resource", Resource)
SAMPLE: Final = Attribute("sample", Sample)
CHECK: Final = Attribute("check", Check)
SITE: Final = Attribute("site", int)  # a number in Module.sites
MESSAGE: Final = Attribute("message", int)  # a number in Module.messages
SUBROUTINE: Final = Attribute("subroutine", str)
BARRIER: Final = Attribute("barrier", Barrier)
CASES: Final = Attribute("cases", cast("type[Cases]", tuple))
CONSTRUCT: Final = Attribute("construct", object)  # the construct that a merged value belongs to


class Stage(IntEnum):
    """The stage of a module in the pipeline; each operation may appear only in some stages."""

    LOWERED = auto()
    PROMOTED = auto()  # no registers are left
    GUARDED = auto()  # all accesses are in bounds
    REPORTED = auto()  # each `report` has become accesses to the report's buffer
    WINDOWED = auto()  # view ranges are applied to addresses


@dataclass(frozen=True, eq=False, slots=True)
class Touched:
    """The kind of resource that an operation may name; `name` completes "it takes ..."."""

    name: str
    fits: Callable[[Resource, Tables], bool]


@dataclass(frozen=True, eq=False, slots=True)
class Precondition:
    """A condition on the operands at `positions`; if it is false, the result is undefined.

    `holds` takes these operands as Python numbers or lanes (`ir.lanes`).
    """

    text: str
    positions: tuple[int, ...]
    holds: Callable[[Sequence[Lanes]], Lanes]


@dataclass(frozen=True, eq=False, slots=True)
class Op:
    """A row of `ir.ops`: one operation of the IR.

    `memory` are the resources that it may touch, None if it touches none. `blocks` is how many a
    construct has, None for one or more. `leaves` are the constructs that a terminator may hand its
    operands to. The operation may appear from stage `since` to stage `until`.

    A pure operation's `text` describes its result, with the operands called `names`; `evaluate`
    computes the result on lanes (`ir.lanes`); `spirv` is an instruction with the same operands and
    meaning, if SPIR-V has one: `OpIAdd`, or `UMin` of GLSL.std.450. Folding uses the other fields:
    with a `neutral` right operand the result is the left one, an `absorbing` one is the result, and
    two equal operands give `of_equals`, or the operand if the operation is `idempotent`. `exact`:
    no device rounds floats or flushes denormals, so that constants can be folded. `size`: the
    number of a driver's operations, for limits.
    """

    name: str
    params: tuple[Param, ...] = ()
    result: Place = VOID
    effect: Effect = Effect.PURE
    commutes: bool = False
    attribute: Attribute[object] = NONE
    memory: Touched | None = None
    precondition: Precondition | None = None
    blocks: int | None = 0
    leaves: tuple[Op, ...] = ()
    since: Stage = Stage.LOWERED
    until: Stage = Stage.WINDOWED
    text: str = ""
    evaluate: Evaluate | None = None
    names: tuple[str, ...] = ()
    spirv: str = ""
    neutral: int | None = None
    absorbing: int | None = None
    of_equals: int | None = None
    idempotent: bool = False
    exact: bool = False
    size: int = 1

    def __repr__(self) -> str:
        return self.name


def pure(
    name: str,
    params: tuple[Place, ...],
    result: Place,
    text: str,
    evaluate: Evaluate,
    spirv: str = "",
    *,
    names: tuple[str, ...] = (),
    commutes: bool = False,
    attribute: Attribute[object] = NONE,
    precondition: Precondition | None = None,
    neutral: int | None = None,
    absorbing: int | None = None,
    of_equals: int | None = None,
    idempotent: bool = False,
    exact: bool = False,
    size: int = 1,
) -> Op:
    """The row of a pure operation; without `names` the operands are a, b, c."""
    return Op(
        name,
        params,
        result,
        commutes=commutes,
        attribute=attribute,
        precondition=precondition,
        text=text,
        evaluate=evaluate,
        names=names or tuple("abcdefgh"[: len(params)]),
        spirv=spirv,
        neutral=neutral,
        absorbing=absorbing,
        of_equals=of_equals,
        idempotent=idempotent,
        exact=exact or {*params, result} <= {U32, BOOL},
        size=size,
    )
