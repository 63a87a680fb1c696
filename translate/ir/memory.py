"""The IR's memory: resources, accesses, barriers."""

from __future__ import annotations

from enum import Enum, IntEnum, auto

from translate.dataclass import dataclass, field
from translate.errors import NOWHERE, Where, row_of


class Addressing(Enum):
    """The form of addresses into a kind of memory, before guards make them indices."""

    BYTES = auto()  # a byte offset
    STRUCTURES = auto()  # an index and a byte offset
    TEXELS = auto()  # `ImageShape.coordinates` integers
    ELEMENTS = auto()  # the index of an element of one to four components
    NOTHING = auto()


class Home(Enum):
    """Where memory is: behind a descriptor, or in the group, the thread or the program."""

    DESCRIPTOR = auto()  # bound by the caller
    GROUP = auto()  # shared by the group's threads
    THREAD = auto()
    PROGRAM = auto()  # constant contents


class MemoryKind(Enum):
    """A kind of memory: a form of addresses, and where the memory is.

    The tuples of kinds below are computed from these two.
    """

    RAW = (Addressing.BYTES, Home.DESCRIPTOR)
    STRUCTURED = (Addressing.STRUCTURES, Home.DESCRIPTOR)
    TYPED = (Addressing.TEXELS, Home.DESCRIPTOR)
    SHARED_RAW = (Addressing.BYTES, Home.GROUP)
    SHARED_STRUCTURED = (Addressing.STRUCTURES, Home.GROUP)
    CONSTANTS = (Addressing.ELEMENTS, Home.DESCRIPTOR)
    IMMEDIATE_CONSTANTS = (Addressing.ELEMENTS, Home.PROGRAM)
    INDEXABLE_TEMP = (Addressing.ELEMENTS, Home.THREAD)
    SAMPLER = (Addressing.NOTHING, Home.DESCRIPTOR)

    def __init__(self, addressing: Addressing, home: Home):
        self.addressing = addressing
        self.home = home

    __hash__ = object.__hash__

    @property
    def text(self) -> str:
        """The kind's name in messages."""
        return self.name.lower().replace("_", " ")


def _addressed_by(*addressing: Addressing) -> tuple[MemoryKind, ...]:
    return tuple(kind for kind in MemoryKind if kind.addressing in addressing)


BOUND = tuple(kind for kind in MemoryKind if kind.home is Home.DESCRIPTOR)
_WRITABLE = tuple(kind for kind in MemoryKind if kind.home in (Home.GROUP, Home.THREAD))
_TEXELS = _addressed_by(Addressing.TEXELS)
SHARED = tuple(kind for kind in MemoryKind if kind.home is Home.GROUP)
STRUCTURED = _addressed_by(Addressing.STRUCTURES)
BYTES = _addressed_by(Addressing.BYTES)
_DWORDS = (*BYTES, *STRUCTURED, *_addressed_by(Addressing.ELEMENTS))
VIEWS = tuple(kind for kind in (*BYTES, *STRUCTURED) if kind in BOUND)
_DESCRIPTORS = {
    MemoryKind.RAW: "storage_buffer",
    MemoryKind.STRUCTURED: "storage_buffer",
    MemoryKind.CONSTANTS: "uniform_buffer",
    MemoryKind.SAMPLER: "sampled_image",
}
# Arrays of elements that belong to the shader: icb, x#
OWN_ARRAYS = tuple(k for k in _addressed_by(Addressing.ELEMENTS) if k not in BOUND)

MAX_VECTORS = 4096  # in a cb, in an icb, in all r# and x# together: FS §22.1

# `cmp_exch` takes the value to compare with, then the new one; all others take one operand
ATOMIC_OPERATIONS = (
    *("iand", "ior", "ixor", "iadd", "smax", "smin", "umax", "umin", "exch", "cmp_exch"),
)


@dataclass(frozen=True, slots=True)
class ImageShape:
    """A typed resource's shape; `axes` is 1 to 3 (2 for a cube), or 0 for a buffer."""

    axes: int
    arrayed: bool = False
    multisampled: bool = False
    cube: bool = False

    @property
    def is_buffer(self) -> bool:
        return self.axes == 0

    @property
    def coordinates(self) -> int:
        """The number of integer coordinates of a texel; a cube's faces count as layers."""
        return max(self.axes, 1) + self.arrayed

    @property
    def sampling_coordinates(self) -> int:
        """The number of float coordinates that a sampling instruction takes."""
        return self.axes + self.arrayed + self.cube


BUFFER_SHAPE = ImageShape(0)


@dataclass(frozen=True, eq=False, slots=True)
class Resource:
    """A resource or array as declared; `ir.tables` has further facts about it.

    `stride` in bytes (structured). `length`: bytes (SHARED_RAW), structures (SHARED_STRUCTURED),
    four-component elements (cb, icb, x#); 0 where the view decides. `declared` is the number of
    elements that the shader declares for a cb if `length` is another number: 0 if it declares none.
    `components` is the number in each element of an x#. `contents` are an icb's dwords. `component`
    is the type of loaded texels ("float", "uint" or "sint"), `dimension` the declared name of their
    `shape`; `comparison` is set for a sampler that compares. `count` is the number of descriptors
    in an array of resources, 0 for as many as are bound; `unbounded`: it was declared without a
    size, even if `count` has one by now. Accesses to an array have an operand with the descriptor's
    index after all others.
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
    shape: ImageShape = BUFFER_SHAPE
    comparison: bool = False
    component: str = "uint"
    globally_coherent: bool = False
    count: int = 1
    unbounded: bool = False
    declared: int | None = None

    @property
    def is_array(self) -> bool:
        """Whether it is an array of descriptors, so that accesses have a descriptor index."""
        return self.count != 1 or self.unbounded

    @property
    def has_mips(self) -> bool:
        """Whether loads and queries take a mip: SRVs of images that are not multisampled."""
        return self.is_image and not (self.is_uav or self.shape.multisampled)

    @property
    def is_texels(self) -> bool:
        return self.kind in _TEXELS

    @property
    def is_dwords(self) -> bool:
        return self.kind in _DWORDS

    @property
    def is_image(self) -> bool:
        """Whether it is typed, but not a typed buffer."""
        return self.is_texels and not self.shape.is_buffer

    @property
    def is_buffer(self) -> bool:
        """Whether it is a view of a buffer: raw, structured or typed."""
        return self.kind in VIEWS or (self.is_texels and self.shape.is_buffer)

    @property
    def descriptor(self) -> str:
        """The descriptor's kind in the names of Vulkan's indexing features: "storage_image" for
        shaderStorageImageArrayDynamicIndexing. A sampler's is "sampled_image".
        """
        if self.is_image:
            return "storage_image" if self.is_uav else "sampled_image"
        if self.is_texels:
            return "storage_texel_buffer" if self.is_uav else "uniform_texel_buffer"
        return row_of(_DESCRIPTORS, self.kind, "_DESCRIPTORS of translate/ir/memory.py")

    @property
    def takes_window(self) -> bool:
        """Whether it may have a view range: only some elements or slices of its descriptor.

        These are buffers, and 3D UAVs: Vulkan has views of some slices of a 3D image only by
        VK_EXT_image_sliced_view_of_3d.
        """
        return self.is_buffer or (self.is_image and self.is_uav and self.shape.axes == 3)

    @property
    def is_writable(self) -> bool:
        return self.is_uav or self.kind in _WRITABLE

    @property
    def address_count(self) -> int:
        """The number of address operands before the guards, including a mip or sample."""
        if self.is_texels:
            return len(self.coordinate_names)
        return 2 if self.kind in STRUCTURED else 1

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of a texel's address operands: x, y, z, slice, then mip or sample."""
        shape = self.shape
        names = ("x", "y", "z")[: max(shape.axes, 1)] + ("slice",) * shape.arrayed
        return names + ("mip",) * self.has_mips + ("sample",) * shape.multisampled

    @property
    def declared_bytes(self) -> int:
        """The declared bytes of raw or structured memory; 0 where the view decides."""
        return self.length * max(self.stride, 1)

    def __repr__(self) -> str:
        return self.register


def shared_bytes(resource: Resource) -> int:
    """Bytes of group-shared memory that a resource takes, 0 for other kinds."""
    return resource.declared_bytes if resource.kind in SHARED else 0


@dataclass(frozen=True, slots=True)
class Access:
    """The static part of a load, store or atomic.

    A load reads the dword that is `component` dwords after the address; a store writes its values
    in order from there on. `operation` is that of an atomic (`iadd`, `cmp_exch`, ...), else ''. The
    first `address_count` operands are the address, the values follow.
    """

    resource: Resource
    address_count: int
    component: int = 0
    operation: str = ""


class Cause(IntEnum):
    """The cause of a violation, as reports have it."""

    OUTSIDE = 0
    PAST_STRIDE = 1
    UNALIGNED = 2
    UNINITIALISED = 3


@dataclass(frozen=True, slots=True)
class Check:
    """The static part of `check`, which reports an instruction's access if it is a violation.

    `components` are the dwords that the instruction accesses, counted from its address. `returns`:
    it is an atomic with a result. `counter`: it accesses the hidden counter.
    """

    access: Access
    components: tuple[int, ...] = (0,)
    writes: bool = False
    returns: bool = False
    counter: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """An instruction that may be reported: its place in the source, and its resource.

    `defined` tells for each Cause whether D3D defines the outcome of the violation. `used` is False
    if the reporting threads do not use the loaded result. `coordinates` are the names of a
    texture's coordinates after x, which reports have after the byte offset.
    """

    where: Where
    register: str
    kind: MemoryKind
    shape: ImageShape
    defined: tuple[bool, bool, bool, bool]
    used: bool = True
    coordinates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The buffer in which threads report violations.

    From word `first_count` on it has a count of violations for each of the module's sites, then
    records of single violations, of which the first ones belong to one site each.

    `shortfalls`: constant buffer -> word of the buffer with the number of vectors that the bound
    buffer lacks; for a range, the word of its first element, which the others' follow.
    """

    buffer: Resource
    first_count: int
    shortfalls: dict[Resource, int] = field(default_factory=dict["Resource", int])


@dataclass(frozen=True, slots=True)
class Message:
    """An instruction that sends a message to the host; `name` is `abort`, `printf` or `errorf`.

    `text` is the format string; `widths` has the number of dwords of each argument: 2 for a double.
    """

    name: str
    text: str = ""
    widths: tuple[int, ...] = ()
    where: Where = NOWHERE


class SampleMode(Enum):
    """The operands of a sampling operation after its coordinates, and its result."""

    LOD = auto()  # lod -> texel
    GRADIENTS = auto()  # d/dx, d/dy of each axis -> texel
    COMPARE = auto()  # reference -> number
    GATHER = auto()  # nothing -> one component of four texels
    GATHER_COMPARE = auto()  # reference -> four numbers

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Sample:
    """A sampling operation's static part.

    The operands are the coordinates, those of `mode`, an LOD clamp if `clamped`, and per-thread
    offsets if `dynamic_offset`. `offset` is constant, in texels, one number for each axis.
    `component` is the one that a gather reads.
    """

    resource: Resource
    sampler: Resource
    mode: SampleMode
    component: int = 0
    offset: tuple[int, ...] = ()
    dynamic_offset: bool = False
    clamped: bool = False


@dataclass(frozen=True, slots=True)
class Barrier:
    """A `sync`: the memory that it orders, the scope, and whether it waits for the whole group."""

    shared_memory: bool
    uav_memory: bool
    device_scope: bool
    threads: bool


def indexable_temp_of(attribute: object) -> Resource | None:
    """The x# (indexable temp) that an operation with this attribute accesses, or None."""
    if not isinstance(attribute, Access):
        return None
    resource = attribute.resource
    return resource if resource.kind is MemoryKind.INDEXABLE_TEMP else None


def resources_of(attribute: object) -> tuple[Resource, ...]:
    """The resources that an operation with this attribute names; () for other attributes."""
    if isinstance(attribute, Access):
        return (attribute.resource,)
    if isinstance(attribute, Check):
        return (attribute.access.resource,)
    if isinstance(attribute, Sample):
        return (attribute.resource, attribute.sampler)
    return (attribute,) if isinstance(attribute, Resource) else ()
