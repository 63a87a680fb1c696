"""Side tables: the facts that stages find about resources, which themselves never change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Generic, TypeVar

from translate.dataclass import dataclass, field, replace
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
    """The use of a resource by the shader's instructions, from lowering.

    `samplers` are the samplers of a texture; `counter`: the hidden counter is used; `dynamic`: the
    shader computes a descriptor's index; `non_uniform`: the index may differ between threads;
    `past_end`: a constant buffer has an index that is no constant below its length.
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
    """Facts about the views that a caller binds, from the options and RDEF.

    `format` is the DXGI name of a typed view, if known, and `has_alpha` says whether it has an
    alpha; `formats` has a name for each register of a range with different formats. `windowed`: the
    view is a part of its descriptor's view, by push constants or, for arrays, a table.
    `size_table`: the caller lists the number of elements of each view in an array.
    `single_sample`: a multisampled texture has one sample for each texel, and is not multisampled
    in Vulkan. `pushed`: a constant buffer is push constants.
    """

    has_alpha: bool = True
    format: str = ""
    formats: tuple[str, ...] = ()
    size_table: bool = False
    windowed: bool = False
    single_sample: bool = False
    pushed: bool = False


class Start(Enum):
    """The initial contents of an x#."""

    INITIALISER = auto()  # zeros
    STORES = auto()  # zeros, which the entry point stores
    ANYTHING = auto()

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Layout:
    """The declaration of memory that is no image; `passes.guards.layout` chooses it.

    `floats`: its dwords are floats, else integers. `trimmed` is the number of unused components
    at the end of each element of an x# or icb, which are left out. `nested`: accesses in bounds
    have the index of a structure and of a dword in it, else that of a dword in the whole.
    `vectors`: structures, or a constant buffer, consist of vectors of four dwords, with `pairs` of
    two, which can be accessed as a whole. `start` is the initial contents of an x#
    (`passes.registers.arrays`). `bounded`: no store goes past the end of an x#, which then has no
    spare element.
    """

    floats: bool = False
    trimmed: int = 0
    nested: bool = False
    vectors: bool = False
    pairs: bool = False
    start: Start = Start.INITIALISER
    bounded: bool = False

    @property
    def dword(self) -> Type:
        return F32 if self.floats else U32

    @property
    def width(self) -> int:
        """The number of dwords in a vector."""
        return 2 if self.pairs else 4

    @property
    def vector(self) -> Type:
        """The type of a vector's dwords, which has four also of `pairs`."""
        return Type.TEXEL_F32 if self.floats else Type.TEXEL_U32


@dataclass(slots=True)
class Tables:
    """The tables of a module.

    `indexed` are the ranges of one register with an index at run time: accesses have that index
    until the guards have checked it. `members`: resource -> the registers that it stands for.
    An access selects one of them by its number, until `select_registers` or, for constant buffers,
    `select_constant_buffers` of `passes.registers` replaces the resource.
    """

    usage: Table[Usage] = field(default_factory=lambda: Table(Usage()))
    views: Table[View] = field(default_factory=lambda: Table(View()))
    layouts: Table[Layout] = field(default_factory=lambda: Table(Layout()))
    indexed: frozenset[Resource] = frozenset()
    members: dict[Resource, tuple[Resource, ...]] = field(
        default_factory=dict[Resource, tuple[Resource, ...]]
    )

    def takes_index(self, resource: Resource) -> bool:
        """Whether accesses have an operand with a descriptor's index, after all others."""
        return resource.is_array or resource in self.indexed

    def components(self, resource: Resource) -> int:
        """The number of components in an element, without the trimmed ones."""
        return resource.components - self.layouts[resource].trimmed

    def with_layouts(self, changed: Mapping[Resource, Layout]) -> Tables:
        """These tables, with the layouts of some resources replaced."""
        layouts = Table(Layout(), (*self.layouts.items(), *changed.items()))
        return replace(self, layouts=layouts)


@dataclass(frozen=True, slots=True)
class Interface:
    """A declared interface array.

    `first_slot` and `count` are its interface slots, one for each element; `call_sites` is the
    number of places that call it, `tables` are the numbers of the ft# that implement it.
    """

    first_slot: int
    count: int
    call_sites: int
    tables: tuple[int, ...]
