"""Side tables: what the stages find out about resources, which themselves stay as declared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Generic, TypeVar

from translate.ir.memory import Resource
from translate.ir.types import F32, U32, Type

T = TypeVar("T")


class Table(dict[Resource, T], Generic[T]):
    """A record for each resource; those without an entry have the default.

    Entries that are the default are left out, so that equal tables have equal entries.
    """

    def __init__(self, default: T, entries: Iterable[tuple[Resource, T]] = ()):
        super().__init__()
        self.default = default
        for resource, record in entries:
            self[resource] = record

    def __missing__(self, resource: Resource) -> T:
        return self.default

    def __setitem__(self, resource: Resource, record: T) -> None:
        self.pop(resource, None)
        if record != self.default:
            super().__setitem__(resource, record)


@dataclass(frozen=True, slots=True)
class Usage:
    """What the shader's instructions do with a resource; lowering finds it.

    `samplers` are the registers that a texture is sampled with; `counter` is set when the hidden
    counter is used. The index of a descriptor is computed by the shader where `dynamic` is set, and
    may differ between threads where `non_uniform` is. A constant buffer has an index that is no
    constant below its length where `past_end` is set.
    """

    samplers: frozenset[str] = frozenset()
    counter: bool = False
    read: bool = False
    written: bool = False
    atomic: bool = False
    dynamic: bool = False
    non_uniform: bool = False
    past_end: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What is known of the views that a caller binds, from the options and RDEF.

    `format` is the DXGI name of a typed view where known, `has_alpha` whether it has an alpha;
    `formats` are the names in a range whose registers show different ones, one for each.
    `windowed`: the view is part of what the descriptor shows, and begins and ends as push constants
    or, of arrays, a table say. `size_table`: the caller lists how many elements each view of an
    array has. `single_sample`: the texels of a multisampled texture have one sample, so that to
    Vulkan it is none.
    """

    has_alpha: bool = True
    format: str = ""
    formats: tuple[str, ...] = ()
    size_table: bool = False
    windowed: bool = False
    single_sample: bool = False


class Start(Enum):
    """The initial contents of an x#."""

    INITIALISER = auto()  # zeros
    STORES = auto()  # zeros, which the entry point stores
    ANYTHING = auto()

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Layout:
    """How memory that is no image is declared; `passes.layout` chooses it for the guards.

    `floats`: its dwords are floats, else integers. `trimmed` is how many components at the end of
    the elements of an x# or icb are left out. `nested`: accesses in bounds name a structure and a
    dword of it, else a dword of the whole; `vectors`: structures, or a constant buffer, are made of
    vectors of four dwords, which can be accessed as a whole. `start` is that of an x#, by
    `passes.array_starts`; no store goes past the end of one that is `bounded`, which has no spare
    element then.
    """

    floats: bool = False
    trimmed: int = 0
    nested: bool = False
    vectors: bool = False
    start: Start = Start.INITIALISER
    bounded: bool = False

    @property
    def dword(self) -> Type:
        return F32 if self.floats else U32

    @property
    def vector(self) -> Type:
        """The type of four dwords."""
        return Type.TEXEL_F32 if self.floats else Type.TEXEL_U32


@dataclass(slots=True)
class Tables:
    """The tables of a module.

    `indexed` are the ranges of one register that an index at run time names: accesses have that
    index too, until the guards have checked it. `members` are the registers that a resource stands
    for, of which an index names one by its number, until `passes.select_registers`, or of constant
    buffers `passes.select_constant_buffers`.
    """

    usage: Table[Usage] = field(default_factory=lambda: Table(Usage()))
    views: Table[View] = field(default_factory=lambda: Table(View()))
    layouts: Table[Layout] = field(default_factory=lambda: Table(Layout()))
    indexed: frozenset[Resource] = frozenset()
    members: dict[Resource, tuple[Resource, ...]] = field(
        default_factory=dict[Resource, tuple[Resource, ...]]
    )

    def takes_index(self, resource: Resource) -> bool:
        """Whether accesses have a descriptor's index."""
        return resource.is_array or resource in self.indexed

    def components(self, resource: Resource) -> int:
        """How many components an element has."""
        return resource.components - self.layouts[resource].trimmed
