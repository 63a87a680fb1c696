"""The operations on memory, registers and control flow, one row each.

`ir.row` explains the fields. Conditions on the resource that an operation names (`Touched`), and
groups of operands whose number or types follow from that resource, stand first. Memory operations
come in two forms: with D3D meaning (`load`, `store`, `atomic`), and in bounds (`load_element`,
...), which only `passes.guards.bounds` makes and which alone can be emitted.
"""

from __future__ import annotations

from typing import Final

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
from translate.ir.row import (
    Derived,
    Effect,
    Generic,
    Group,
    HasData,
    Literal,
    Op,
    Place,
    Several,
    Stage,
    Touched,
)
from translate.ir.tables import Tables
from translate.ir.types import BOOL, F32, U32, VOID, Type
from translate.ir.types import TEXELS as TEXEL_TYPES

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
    size = _DWORD_BYTES * tables.layouts[resource].width
    return (Literal(1 if is_whole else resource.stride // size),)


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


_ANY = Generic.ANY
_BITS32 = Generic.BITS32
_EACH = Several(Generic.EACH)

# Values without arguments
CONST: Final = Op("const", (), _ANY, attribute=row.BITS)
PARAM: Final = Op("param", (), _ANY, attribute=row.CONSTRUCT)
RESULT: Final = Op("result", (), _ANY, attribute=row.CONSTRUCT)
INPUT: Final = Op("input", (), U32, attribute=row.INPUT)
SPECIALIZED: Final = Op("specialized", (), BOOL, attribute=row.SPECIALIZATION)  # false by default

# Registers, until passes.registers.promote
READ_REGISTER: Final = Op(
    "read_register", (), _BITS32, Effect.READS, attribute=row.REGISTER, until=Stage.LOWERED
)
WRITE_REGISTER: Final = Op(
    "write_register", (_BITS32,), VOID, Effect.WRITES, attribute=row.REGISTER, until=Stage.LOWERED
)

# Memory with D3D meaning, until passes.guards.bounds; addresses are those of the instructions
LOAD: Final = Op(
    "load", (ADDRESS,), U32, Effect.READS,
    attribute=row.ACCESS, memory=DWORDS, until=Stage.PROMOTED,
)  # fmt: skip
STORE: Final = Op(
    "store", (ADDRESS, STORED), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=WRITABLE_DWORDS, until=Stage.PROMOTED,
)  # fmt: skip
ATOMIC: Final = Op(  # gives the old value
    "atomic", (ADDRESS, OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=SHARED, until=Stage.PROMOTED,
)  # fmt: skip
LOAD_TYPED: Final = Op(
    "load_typed", (ADDRESS,), TEXEL_OF, Effect.READS,
    attribute=row.ACCESS, memory=TEXELS, until=Stage.PROMOTED,
)  # fmt: skip
STORE_TYPED: Final = Op(
    "store_typed", (ADDRESS, TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=WRITABLE_TEXELS, until=Stage.PROMOTED,
)  # fmt: skip
ELEMENT_COUNT: Final = Op(  # bytes, structures or elements of a view
    "element_count", (), U32, attribute=row.RESOURCE, memory=BUFFERS, until=Stage.PROMOTED
)
COUNTER_ADD: Final = Op(  # gives the old value
    "counter_add", (U32,), U32, Effect.WRITES, attribute=row.RESOURCE, memory=COUNTED
)
COUNTER_SIZE: Final = Op(  # dwords of a hidden counter: 1, or 0 if none is bound
    "counter_size", (), U32, attribute=row.RESOURCE, memory=COUNTED
)

# Memory in bounds: an access has a dword's index in the whole or, if the resource is nested, the
# index of a structure and of a dword in it; or texel coordinates
LOAD_ELEMENT: Final = Op(
    "load_element",
    (ELEMENT,),
    DWORD_OF,
    Effect.READS,
    attribute=row.ACCESS,
    memory=DWORDS,
)
STORE_ELEMENT: Final = Op(
    "store_element", (ELEMENT, DWORD_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=WRITABLE_DWORDS,
)  # fmt: skip
LOAD_VECTOR: Final = Op(  # of a structure, the vector of that number; of a pair the dwords twice
    "load_vector", (U32, VECTOR), VECTOR_OF, Effect.READS,
    attribute=row.VECTOR, memory=VECTORS, since=Stage.GUARDED,
)  # fmt: skip
STORE_VECTOR: Final = Op(  # of a pair the first two dwords
    "store_vector", (U32, VECTOR, VECTOR_OF), VOID, Effect.WRITES,
    attribute=row.VECTOR, memory=WRITABLE_VECTORS, since=Stage.GUARDED,
)  # fmt: skip
ATOMIC_ELEMENT: Final = Op(
    "atomic_element", (ELEMENT, OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=INTEGER_DWORDS, since=Stage.GUARDED,
)  # fmt: skip
LOAD_TEXEL: Final = Op(
    "load_texel", (ADDRESS,), TEXEL_OF, Effect.READS,
    attribute=row.ACCESS, memory=TEXELS, since=Stage.GUARDED,
)  # fmt: skip
STORE_TEXEL: Final = Op(
    "store_texel", (ADDRESS, TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=WRITABLE_TEXELS, since=Stage.GUARDED,
)  # fmt: skip
ATOMIC_TEXEL: Final = Op(
    "atomic_texel", (ADDRESS, OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=SINGLE_TEXELS, since=Stage.GUARDED,
)  # fmt: skip
DWORD_COUNT: Final = Op(  # of a storage buffer's view
    "dword_count", (), U32, attribute=row.RESOURCE, memory=FLAT_BUFFERS, since=Stage.GUARDED
)
STRUCTURE_COUNT: Final = Op(  # of a nested one's
    "structure_count",
    (),
    U32,
    attribute=row.RESOURCE,
    memory=NESTED_BUFFERS,
    since=Stage.GUARDED,
)
TEXEL_COUNT: Final = Op(  # of a texel buffer's view
    "texel_count", (), U32, attribute=row.RESOURCE, memory=TEXEL_BUFFERS, since=Stage.GUARDED
)
TABLE_COUNT: Final = Op(  # of a view in an array; the caller lists them
    "table_count", (), U32, attribute=row.RESOURCE, memory=TABLED, since=Stage.GUARDED
)
WINDOW_FIRST: Final = Op(  # of a view that the caller names, in dwords, texels or slices
    "window_first", (), U32, attribute=row.RESOURCE, memory=WINDOWED, since=Stage.WINDOWED
)
WINDOW_COUNT: Final = Op(
    "window_count", (), U32, attribute=row.RESOURCE, memory=WINDOWED, since=Stage.WINDOWED
)
IMAGE_SIZE: Final = Op(  # extents, layers, zeros
    "image_size", (MIP,), Type.TEXEL_U32, attribute=row.RESOURCE, memory=IMAGES
)
IMAGE_LEVELS: Final = Op("image_levels", (), U32, attribute=row.RESOURCE, memory=MIPPED)
IMAGE_SAMPLES: Final = Op("image_samples", (), U32, attribute=row.RESOURCE, memory=MULTISAMPLED)
SAMPLE: Final = Op(  # out of bounds is defined
    "sample",
    (SAMPLED,),
    TEXEL_OF,
    Effect.READS,
    attribute=row.SAMPLE,
    memory=MIPPED,
)
SAMPLE_COMPARE: Final = Op(
    "sample_compare",
    (SAMPLED,),
    F32,
    Effect.READS,
    attribute=row.SAMPLE,
    memory=COMPARABLE,
)
CHECK: Final = Op(  # for reports only
    "check", (ADDRESS,), VOID, Effect.WRITES,
    attribute=row.CHECK, memory=ACCESSIBLE, until=Stage.PROMOTED,
)  # fmt: skip
REPORT: Final = Op(  # cause, index, byte offset, the site's coordinates
    "report", (U32, U32, U32, Several(U32)), VOID, Effect.WRITES,
    attribute=row.SITE, since=Stage.GUARDED, until=Stage.GUARDED,
)  # fmt: skip
MESSAGE: Final = Op(  # the arguments' dwords
    "message", (Several(U32),), VOID, Effect.WRITES, attribute=row.MESSAGE, until=Stage.REPORTED
)
CALL: Final = Op("call", (), VOID, Effect.WRITES, attribute=row.SUBROUTINE)
BARRIER: Final = Op("barrier", (), VOID, Effect.WRITES, attribute=row.BARRIER)

# Structure
IF: Final = Op("if", (BOOL,), VOID, Effect.CONTROL, blocks=2)
LOOP: Final = Op("loop", (_EACH,), VOID, Effect.CONTROL, blocks=1)
SWITCH: Final = Op("switch", (U32, _EACH), VOID, Effect.CONTROL, attribute=row.CASES, blocks=None)
YIELD: Final = Op("yield", (_EACH,), VOID, Effect.TERMINATES, leaves=(IF,))
BREAK: Final = Op("break", (_EACH,), VOID, Effect.TERMINATES, leaves=(LOOP, SWITCH))
CONTINUE: Final = Op("continue", (_EACH,), VOID, Effect.TERMINATES, leaves=(LOOP,))
FALL_THROUGH: Final = Op("fall_through", (_EACH,), VOID, Effect.TERMINATES, leaves=(SWITCH,))
RETURN: Final = Op("return", (), VOID, Effect.TERMINATES)
LOADS: Final = (LOAD_ELEMENT, LOAD_VECTOR)  # in bounds, from memory that is no image
