"""What the IR's memory operations touch: resources, accesses, barriers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class MemoryKind(Enum):
    """A kind of memory: how it is addressed, and whose rules hold outside of it.

    RAW takes a byte offset, STRUCTURED an index and a byte offset, TYPED an element, VECTORS (cb,
    icb, x#) the number of a four-component element.
    """

    RAW = auto()
    STRUCTURED = auto()
    TYPED = auto()
    SHARED_RAW = auto()
    SHARED_STRUCTURED = auto()
    CONSTANTS = auto()
    IMMEDIATE_CONSTANTS = auto()
    INDEXABLE_TEMP = auto()

    __hash__ = object.__hash__


SHARED = (MemoryKind.SHARED_RAW, MemoryKind.SHARED_STRUCTURED)
STRUCTURED = (MemoryKind.STRUCTURED, MemoryKind.SHARED_STRUCTURED)
VIEWS = (MemoryKind.RAW, MemoryKind.STRUCTURED)


@dataclass(eq=False, slots=True)
class Resource:
    """A declared resource or array, and how the shader uses it.

    `stride` in bytes (structured). `length`: bytes (SHARED_RAW), structures (SHARED_STRUCTURED),
    four-component elements (cb, icb, x#); 0 where the view decides. `components` of an x#.
    `contents` are an icb's dwords. `component` is what a typed resource is read as: "float", "uint"
    or "sint"; `format` is the view's DXGI name where known, `has_alpha` whether it has an alpha.
    `counter` is set when a hidden counter is used.
    """

    register: str
    kind: MemoryKind
    number: int
    space: int = 0
    is_uav: bool = False
    stride: int = 0
    length: int = 0
    components: int = 4
    contents: tuple[int, ...] = ()
    dimension: str = ""
    component: str = "uint"
    has_alpha: bool = True
    format: str = ""
    globally_coherent: bool = False
    counter: bool = False
    read: bool = False
    written: bool = False
    atomic: bool = False

    def __repr__(self) -> str:
        return self.register


@dataclass(frozen=True, slots=True)
class Access:
    """One memory operation's static part.

    A load reads dword `component` from the address on; a store writes its values from there on in
    order; `operation` names an atomic's (`iadd`, `cmp_exch`, ...). `address_count` arguments are
    the address, the rest are values.
    """

    resource: Resource
    address_count: int
    component: int = 0
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Barrier:
    """A `sync`: which memory it orders, how widely, and whether the group's threads meet."""

    shared_memory: bool
    uav_memory: bool
    device_scope: bool
    threads: bool
