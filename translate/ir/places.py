"""The parts of `ir.ops`' rows that depend on memory.

These are conditions on the resource that an operation names (`Touched`), and groups of operands
whose number or types follow from that resource.
"""

from __future__ import annotations

from translate.ir import row
from translate.ir.memory import (
    OWN_ARRAYS,
    VIEWS,
    Addressing,
    Check,
    Home,
    MemoryKind,
    Resource,
    SampleMode,
    resources_of,
)
from translate.ir.row import Derived, Group, HasData, Literal, Place, Several, Touched
from translate.ir.tables import Tables
from translate.ir.types import F32, U32
from translate.ir.types import TEXELS as TEXEL_TYPES

_VECTOR_BYTES = 16
_DWORD_BYTES = 4
_STORED_DWORDS = 4  # at most, by one store

# --- resources -----------------------------------------------------------------------------------


def _is_atomic(resource: Resource, tables: Tables) -> bool:
    floats = tables.layouts[resource].floats
    return resource.is_writable and resource.kind.home is not Home.THREAD and not floats


def _is_texels(resource: Resource) -> bool:
    return resource.is_texels and not resource.shape.cube


def _has_vectors(resource: Resource, tables: Tables) -> bool:
    layout = tables.layouts[resource]
    return layout.vectors and (layout.nested or resource.kind is MemoryKind.CONSTANTS)


ACCESSIBLE = Touched("memory", lambda r, t: r.kind.addressing is not Addressing.NOTHING)
DWORDS = Touched("memory of dwords", lambda r, t: r.is_dwords)
WRITABLE_DWORDS = Touched("writable memory of dwords", lambda r, t: r.is_dwords and r.is_writable)
SHARED = Touched(
    "writable memory of integers, or of texels, that threads share", lambda r, t: _is_atomic(r, t)
)
INTEGER_DWORDS = Touched(
    "writable dwords of integers that threads share",
    lambda r, t: r.is_dwords and _is_atomic(r, t),
)
SINGLE_TEXELS = Touched(
    "a UAV of texels of 32 bits", lambda r, t: _is_texels(r) and _is_atomic(r, t)
)
TEXELS = Touched("texels that are not of a cube", lambda r, t: _is_texels(r))
WRITABLE_TEXELS = Touched("a UAV of texels", lambda r, t: _is_texels(r) and r.is_uav)
VECTORS = Touched("vectors, or structures of them", _has_vectors)
WRITABLE_VECTORS = Touched(
    "writable structures of vectors", lambda r, t: _has_vectors(r, t) and r.is_writable
)
BUFFERS = Touched("a buffer's view", lambda r, t: r.is_buffer)
FLAT_BUFFERS = Touched("a view of dwords", lambda r, t: r.kind in VIEWS and not t.layouts[r].nested)
NESTED_BUFFERS = Touched(
    "a view of structures", lambda r, t: r.kind in VIEWS and t.layouts[r].nested
)
TEXEL_BUFFERS = Touched("a typed buffer", lambda r, t: r.is_buffer and r.is_texels)
WINDOWED = Touched("a resource with a window", lambda r, t: r.takes_window and t.views[r].windowed)
COUNTED = Touched(
    "a structured UAV with a counter",
    lambda r, t: r.kind is MemoryKind.STRUCTURED and r.is_uav and t.usage[r].counter,
)
TABLED = Touched("an array with a table of sizes", lambda r, t: t.views[r].size_table)
IMAGES = Touched("an image", lambda r, t: r.is_image)
MIPPED = Touched("a sampled image of one sample", lambda r, t: r.has_mips)
MULTISAMPLED = Touched("a multisampled image", lambda r, t: r.is_image and r.shape.multisampled)
COMPARABLE = Touched(
    "a sampled image of floats", lambda r, t: r.has_mips and r.component == "float"
)

# --- operands ------------------------------------------------------------------------------------

DWORD_OF = Derived("the type of its dwords", lambda r, t: t.layouts[r].dword)
VECTOR_OF = Derived("the type of four of its dwords", lambda r, t: t.layouts[r].vector)
TEXEL_OF = Derived("the type of its texels", lambda r, t: TEXEL_TYPES[r.component])


def _address(operation: HasData, tables: Tables) -> tuple[Place, ...]:
    """U32 for each operand of the address; none for an access to a hidden counter."""
    attribute = operation.data
    if isinstance(attribute, Check) and attribute.counter:
        return ()
    return (U32,) * resources_of(attribute)[0].address_count


def _element(operation: HasData, tables: Tables) -> tuple[Place, ...]:
    """A dword's index; if structures are nested, a structure's index and a dword's in it."""
    resource = row.ACCESS.of(operation).resource
    nested = tables.layouts[resource].nested
    return (U32, Literal(resource.stride // _DWORD_BYTES)) if nested else (U32,)


def _vector(operation: HasData, tables: Tables) -> tuple[Place, ...]:
    resource = row.VECTOR.of(operation).resource
    is_whole = resource.kind is MemoryKind.CONSTANTS
    return (Literal(1 if is_whole else resource.stride // _VECTOR_BYTES),)


def _operands(operation: HasData, tables: Tables) -> tuple[Place, ...]:
    return (U32,) * (2 if row.ATOMIC.of(operation).operation == "cmp_exch" else 1)


def _mip(operation: HasData, tables: Tables) -> tuple[Place, ...]:
    return (U32,) if row.RESOURCE.of(operation).has_mips else ()


def _sampled(operation: HasData, tables: Tables) -> tuple[Place, ...]:
    """F32 for coordinates, the mode's operands and the LOD clamp; two U32 for offsets."""
    sample = row.SAMPLE.of(operation)
    shape = sample.resource.shape
    taken = {
        SampleMode.LOD: 1,
        SampleMode.GRADIENTS: 2 * (shape.axes + shape.cube),
        SampleMode.COMPARE: 1,
        SampleMode.GATHER: 0,
        SampleMode.GATHER_COMPARE: 1,
    }[sample.mode]
    floats = shape.sampling_coordinates + taken + sample.clamped
    return (F32,) * floats + (U32, U32) * sample.dynamic_offset


def _most_stored(operation: HasData) -> int:
    resource = row.ACCESS.of(operation).resource
    return 1 if resource.kind in OWN_ARRAYS else _STORED_DWORDS


ADDRESS = Group("address", _address)
ELEMENT = Group("element", _element)
VECTOR = Group("vector", _vector)
OPERANDS = Group("operands", _operands)
MIP = Group("mip", _mip)
SAMPLED = Group("sampled", _sampled)
STORED = Several(U32, 1, _most_stored)
