"""The operations on memory, registers and control flow, one row each.

`ir.row` explains the fields. Memory operations come in two forms: with D3D meaning (`load`,
`store`, `atomic`), and in bounds (`load_element`, ...), which only `passes.guards.bounds` makes and
which alone can be emitted.
"""

from __future__ import annotations

from typing import Final

from translate.ir import places, row
from translate.ir.row import Effect, Generic, Op, Several, Stage
from translate.ir.types import BOOL, F32, U32, VOID, Type

_ANY = Generic.ANY
_BITS32 = Generic.BITS32
_EACH = Several(Generic.EACH)

# Values without arguments
CONST: Final = Op("const", (), _ANY, attribute=row.BITS)
PARAM: Final = Op("param", (), _ANY, attribute=row.CONSTRUCT)
RESULT: Final = Op("result", (), _ANY, attribute=row.CONSTRUCT)
INPUT: Final = Op("input", (), U32, attribute=row.INPUT)

# Registers, until passes.registers.promote
READ_REGISTER: Final = Op(
    "read_register", (), _BITS32, Effect.READS, attribute=row.REGISTER, until=Stage.LOWERED
)
WRITE_REGISTER: Final = Op(
    "write_register", (_BITS32,), VOID, Effect.WRITES, attribute=row.REGISTER, until=Stage.LOWERED
)

# Memory with D3D meaning, until passes.guards.bounds; addresses are those of the instructions
LOAD: Final = Op(
    "load", (places.ADDRESS,), U32, Effect.READS,
    attribute=row.ACCESS, memory=places.DWORDS, until=Stage.PROMOTED,
)  # fmt: skip
STORE: Final = Op(
    "store", (places.ADDRESS, places.STORED), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_DWORDS, until=Stage.PROMOTED,
)  # fmt: skip
ATOMIC: Final = Op(  # gives the old value
    "atomic", (places.ADDRESS, places.OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=places.SHARED, until=Stage.PROMOTED,
)  # fmt: skip
LOAD_TYPED: Final = Op(
    "load_typed", (places.ADDRESS,), places.TEXEL_OF, Effect.READS,
    attribute=row.ACCESS, memory=places.TEXELS, until=Stage.PROMOTED,
)  # fmt: skip
STORE_TYPED: Final = Op(
    "store_typed", (places.ADDRESS, places.TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_TEXELS, until=Stage.PROMOTED,
)  # fmt: skip
ELEMENT_COUNT: Final = Op(  # bytes, structures or elements of a view
    "element_count", (), U32, attribute=row.RESOURCE, memory=places.BUFFERS, until=Stage.PROMOTED
)
COUNTER_ADD: Final = Op(  # gives the old value
    "counter_add", (U32,), U32, Effect.WRITES, attribute=row.RESOURCE, memory=places.COUNTED
)
COUNTER_SIZE: Final = Op(  # dwords of a hidden counter: 1, or 0 if none is bound
    "counter_size", (), U32, attribute=row.RESOURCE, memory=places.COUNTED
)

# Memory in bounds: an access has a dword's index in the whole or, if the resource is nested, the
# index of a structure and of a dword in it; or texel coordinates
LOAD_ELEMENT: Final = Op(
    "load_element",
    (places.ELEMENT,),
    places.DWORD_OF,
    Effect.READS,
    attribute=row.ACCESS,
    memory=places.DWORDS,
)
STORE_ELEMENT: Final = Op(
    "store_element", (places.ELEMENT, places.DWORD_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_DWORDS,
)  # fmt: skip
LOAD_VECTOR: Final = Op(  # four dwords of a structure, the vector of that number
    "load_vector", (U32, places.VECTOR), places.VECTOR_OF, Effect.READS,
    attribute=row.VECTOR, memory=places.VECTORS, since=Stage.GUARDED,
)  # fmt: skip
STORE_VECTOR: Final = Op(
    "store_vector", (U32, places.VECTOR, places.VECTOR_OF), VOID, Effect.WRITES,
    attribute=row.VECTOR, memory=places.WRITABLE_VECTORS, since=Stage.GUARDED,
)  # fmt: skip
ATOMIC_ELEMENT: Final = Op(
    "atomic_element", (places.ELEMENT, places.OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=places.INTEGER_DWORDS, since=Stage.GUARDED,
)  # fmt: skip
LOAD_TEXEL: Final = Op(
    "load_texel", (places.ADDRESS,), places.TEXEL_OF, Effect.READS,
    attribute=row.ACCESS, memory=places.TEXELS, since=Stage.GUARDED,
)  # fmt: skip
STORE_TEXEL: Final = Op(
    "store_texel", (places.ADDRESS, places.TEXEL_OF), VOID, Effect.WRITES,
    attribute=row.ACCESS, memory=places.WRITABLE_TEXELS, since=Stage.GUARDED,
)  # fmt: skip
ATOMIC_TEXEL: Final = Op(
    "atomic_texel", (places.ADDRESS, places.OPERANDS), U32, Effect.WRITES,
    attribute=row.ATOMIC, memory=places.SINGLE_TEXELS, since=Stage.GUARDED,
)  # fmt: skip
DWORD_COUNT: Final = Op(  # of a storage buffer's view
    "dword_count", (), U32, attribute=row.RESOURCE, memory=places.FLAT_BUFFERS, since=Stage.GUARDED
)
STRUCTURE_COUNT: Final = Op(  # of a nested one's
    "structure_count",
    (),
    U32,
    attribute=row.RESOURCE,
    memory=places.NESTED_BUFFERS,
    since=Stage.GUARDED,
)
TEXEL_COUNT: Final = Op(  # of a texel buffer's view
    "texel_count", (), U32, attribute=row.RESOURCE, memory=places.TEXEL_BUFFERS, since=Stage.GUARDED
)
TABLE_COUNT: Final = Op(  # of a view in an array; the caller lists them
    "table_count", (), U32, attribute=row.RESOURCE, memory=places.TABLED, since=Stage.GUARDED
)
WINDOW_FIRST: Final = Op(  # of a view that the caller names, in dwords, texels or slices
    "window_first", (), U32, attribute=row.RESOURCE, memory=places.WINDOWED, since=Stage.WINDOWED
)
WINDOW_COUNT: Final = Op(
    "window_count", (), U32, attribute=row.RESOURCE, memory=places.WINDOWED, since=Stage.WINDOWED
)
IMAGE_SIZE: Final = Op(  # extents, layers, zeros
    "image_size", (places.MIP,), Type.TEXEL_U32, attribute=row.RESOURCE, memory=places.IMAGES
)
IMAGE_LEVELS: Final = Op("image_levels", (), U32, attribute=row.RESOURCE, memory=places.MIPPED)
IMAGE_SAMPLES: Final = Op(
    "image_samples", (), U32, attribute=row.RESOURCE, memory=places.MULTISAMPLED
)
SAMPLE: Final = Op(  # out of bounds is defined
    "sample",
    (places.SAMPLED,),
    places.TEXEL_OF,
    Effect.READS,
    attribute=row.SAMPLE,
    memory=places.MIPPED,
)
SAMPLE_COMPARE: Final = Op(
    "sample_compare",
    (places.SAMPLED,),
    F32,
    Effect.READS,
    attribute=row.SAMPLE,
    memory=places.COMPARABLE,
)
CHECK: Final = Op(  # for reports only
    "check", (places.ADDRESS,), VOID, Effect.WRITES,
    attribute=row.CHECK, memory=places.ACCESSIBLE, until=Stage.PROMOTED,
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
