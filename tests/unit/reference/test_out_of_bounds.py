"""Out-of-bounds accesses: results, memory and records, for each cell of D3D's table.

Source: FS §7.3, §7.5, §7.13, §22.4.6-13, §22.17; undefined in D3D: docs/out-of-bounds.md.
`tests/bounds` has every access at every end, without records.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from translate.reference import OUTSIDE, PAST_STRIDE, UNALIGNED, Texture

from .listings import buffer, execute, listing, words

HUGE = 0x40000001  # its product with a stride of 4 wraps to 4
WRAPS = 0xFFFFFFFC
DATA = (11, 12, 13, 14, 15, 16)
RESULT = "dcl_uav_structured u7, 16"
STORED = "store_structured u7.xyzw, l(0), l(0), r0.xyzw"
NONE = (0, 0, 0, 0)


@dataclass(frozen=True)
class Cell:
    """One access by one thread, and its record.

    `result` is r0 afterwards, `memory` the contents of u0; `format` is that of the bound buffer,
    None if nothing is bound.
    """

    access: str
    declared: str
    cause: str
    address: tuple[int, ...]
    defined: bool = True
    result: tuple[int, ...] = NONE
    memory: tuple[int, ...] = DATA
    format: str | None = ""


def load(kind: str, address: str, memory: str) -> str:
    return f"ld_{kind} r0.xyzw, {address}, {memory}.xyzw"


def atomic(at: str, memory: str = "u0") -> str:
    return f"imm_atomic_iadd r0.x, {memory}, {at}, l(5)"


RAW_T, RAW_U, RAW_G = "dcl_resource_raw t0", "dcl_uav_raw u0", "dcl_tgsm_raw g0, 16"
STRUCTURED_T, STRUCTURED_U = "dcl_resource_structured t0, 8", "dcl_uav_structured u0, 8"
STRUCTURED_G = "dcl_tgsm_structured g0, 8, 2"
TYPED_U = "dcl_uav_typed_buffer (uint,uint,uint,uint) u0"
UINTS, FLOATS = "(uint,uint,uint,uint)", "(float,float,float,float)"
PAST_UINTS = f"ld_indexable(buffer){UINTS} r0.xyzw, l(6,0,0,0), t0.xyzw"
PAST_FLOATS = f"ld_indexable(buffer){FLOATS} r0.xyzw, l(0xffffffff,0,0,0), t0.xyzw"
CELLS = [
    # A load that ends within the vector, and one at an address that does not wrap past 2^32
    Cell(load("raw", "l(16)", "t0"), RAW_T, OUTSIDE, (16,), True, (15, 16, 0, 0)),
    Cell(load("raw", "l(24)", "u0"), RAW_U, OUTSIDE, (24,)),
    Cell(load("raw", "l(0xfffffff8)", "t0"), RAW_T, OUTSIDE, (0xFFFFFFF8,)),
    Cell(load("raw", "l(6)", "t0"), RAW_T, UNALIGNED, (6,), False, DATA[1:5]),
    Cell(load("raw", "l(25)", "t0"), RAW_T, OUTSIDE, (25,)),  # the first of several causes
    Cell(load("structured", "l(3), l(0)", "t0"), STRUCTURED_T, OUTSIDE, (3, 0)),
    # The index is compared before it is multiplied.
    Cell(load("structured", f"l({HUGE}), l(0)", "t0"), STRUCTURED_T, OUTSIDE, (HUGE, 0)),
    Cell(load("structured", "l(1), l(4)", "t0"), STRUCTURED_T, PAST_STRIDE, (1, 4), False,
         (14, 0, 0, 0)),
    Cell(load("structured", "l(9), l(4)", "u0"), STRUCTURED_U, OUTSIDE, (9, 4)),
    Cell("mov r0.xyzw, cb0[r1.x + 2].xyzw", "dcl_constantbuffer cb0[9], dynamicIndexed",
         OUTSIDE, (2,)),
    Cell("mov r0.xyzw, icb[r1.x + 1].xyzw", "dcl_immediateConstantBuffer { { 1, 2, 3, 4} }",
         OUTSIDE, (1,)),
    Cell("mov r0.xyzw, x0[r1.x + 5].xyzw", "dcl_indexableTemp x0[5], 4", OUTSIDE, (5,), False),
    # Stores
    Cell("store_raw u0.xyzw, l(16), l(1,2,3,4)", RAW_U, OUTSIDE, (16,),
         memory=(*DATA[:4], 1, 2)),
    Cell("store_raw u0.xy, l(0xfffffffc), l(1,2,3,4)", RAW_U, OUTSIDE, (WRAPS,)),
    Cell("store_raw u0.x, l(7), l(1,2,3,4)", RAW_U, UNALIGNED, (7,), False,
         memory=(11, 1, *DATA[2:])),
    Cell("store_structured u0.x, l(3), l(0), l(1,2,3,4)", STRUCTURED_U, OUTSIDE, (3, 0)),
    Cell("store_structured u0.xyz, l(1), l(4), l(1,2,3,4)", STRUCTURED_U, PAST_STRIDE, (1, 4),
         False, memory=(*DATA[:3], 1, 15, 16)),
    # Atomics; those that return a value are undefined
    Cell(atomic("l(24)"), RAW_U, OUTSIDE, (24,), False),
    Cell("atomic_iadd u0, l(24), l(5)", RAW_U, OUTSIDE, (24,)),
    Cell("atomic_iadd u0, l(3,0,0,0), l(5)", STRUCTURED_U, OUTSIDE, (3, 0)),
    Cell(atomic("l(1,8,0,0)"), STRUCTURED_U, PAST_STRIDE, (1, 8), False),
    Cell(atomic("l(3)"), RAW_U, UNALIGNED, (3,), False, (11, 0, 0, 0), (16, *DATA[1:])),
    # Group-shared memory
    Cell(load("raw", "l(12)", "g0"), RAW_G, OUTSIDE, (12,), False, (9, 0, 0, 0)),
    Cell(load("structured", "l(2), l(0)", "g0"), STRUCTURED_G, OUTSIDE, (2, 0), False),
    Cell(load("structured", "l(1), l(4)", "g0"), STRUCTURED_G, PAST_STRIDE, (1, 4), False,
         (9, 0, 0, 0)),
    Cell("store_raw g0.xy, l(12), l(1,2,3,4)", RAW_G, OUTSIDE, (12,), False),
    Cell("store_structured g0.x, l(2), l(0), l(1)", STRUCTURED_G, OUTSIDE, (2, 0), False),
    Cell(atomic("l(16)", "g0"), RAW_G, OUTSIDE, (16,), False),
    Cell("store_raw g0.x, l(1), l(1)", RAW_G, UNALIGNED, (1,), False),
    # Nothing is bound
    Cell(load("raw", "l(0)", "t0"), RAW_T, OUTSIDE, (0,), format=None),
    Cell(load("structured", "l(0), l(0)", "u0"), STRUCTURED_U, OUTSIDE, (0, 0), format=None),
    Cell("store_raw u0.x, l(0), l(1)", RAW_U, OUTSIDE, (0,), False, format=None),
    Cell(atomic("l(0)"), RAW_U, OUTSIDE, (0,), False, format=None),
    Cell(PAST_UINTS.replace("l(6", "l(0"), f"dcl_resource_buffer {UINTS} t0", OUTSIDE, (0,),
         format=None),
    Cell("mov r0.xyzw, cb0[0].xyzw", "dcl_constantbuffer cb0[1], immediateIndexed", OUTSIDE, (0,),
         format=None),
    Cell("imm_atomic_alloc r0.x, u0", "dcl_uav_structured_opc u0, 4", OUTSIDE, (0, 0), False,
         format=None),
    # Typed buffers: alpha is 1 where the format has none
    Cell(PAST_UINTS, f"dcl_resource_buffer {UINTS} t0", OUTSIDE, (6,), True, (0, 0, 0, 1),
         format="r32_uint"),
    Cell(PAST_FLOATS, f"dcl_resource_buffer {FLOATS} t0", OUTSIDE, (0xFFFFFFFF,), True,
         (0, 0, 0, 0x3F800000), format="r32_float"),
    Cell(PAST_FLOATS, f"dcl_resource_buffer {FLOATS} t0", OUTSIDE, (0xFFFFFFFF,),
         format="r8g8b8a8_unorm"),
    Cell("store_uav_typed u0.xyzw, l(6,0,0,0), l(1,1,1,1)", TYPED_U, OUTSIDE, (6,),
         format="r32_uint"),
    Cell(atomic("l(6,0,0,0)"), TYPED_U, OUTSIDE, (6,), False, format="r32_uint"),
]  # fmt: skip
KINDS = {
    "dcl_resource_buffer": "typed_buffer",
    "dcl_uav_typed": "typed_buffer",
    "dcl_constantbuffer": "constant_buffer",
    "dcl_immediate": "immediate_constant_buffer",
    "dcl_indexableTemp": "indexable_temp",
    "dcl_tgsm": "group_shared",
    **{f"dcl_{memory}_raw": "raw_buffer" for memory in ("resource", "uav")},
    **{f"dcl_{memory}_structured": "structured_buffer" for memory in ("resource", "uav")},
}


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.access} of {cell.format}")
def test_cell(cell: Cell) -> None:
    """One thread; g# is filled with 9 first, so that nothing is uninitialised."""
    fill = {
        RAW_G: ["store_raw g0.xyzw, l(0), l(9,9,9,9)"],
        STRUCTURED_G: [f"store_structured g0.xy, l({i}), l(0), l(9,9,9,9)" for i in (0, 1)],
    }
    zeros = ["mov r0.xyzw, l(0,0,0,0)", "mov r1.xyzw, l(0,0,0,0)"]
    body = [*zeros, *fill.get(cell.declared, []), cell.access, STORED, "ret"]
    text = listing(body, [cell.declared, RESULT], group=(1, 1, 1))
    register = next(name for name in ("icb", "cb0", "t0", "x0", "g0", "u0") if name in cell.access)
    data = np.arange(8, dtype=np.uint32) if register == "cb0" else np.array(DATA, np.uint32)
    bound = None if cell.format is None else buffer(data, format=cell.format)
    given: dict[str, Any] = {register: bound} if register in ("cb0", "t0", "u0") else {}
    outcome = execute(text, u7=np.full(4, 99, np.uint32), **given)
    assert tuple(words(outcome, "u7")) == cell.result
    if "u0" in outcome.written.buffers:
        assert tuple(words(outcome)) == cell.memory
    (found,) = outcome.findings.violations
    assert outcome.findings.violation_count == 1
    assert (found.cause, found.defined, found.address) == (cell.cause, cell.defined, cell.address)
    assert (found.register, found.instruction) == (register, body.index(cell.access))
    (kind,) = (kind for start, kind in KINDS.items() if cell.declared.startswith(start))
    parts = (0, *cell.address) if "_raw" in cell.declared else (*cell.address, 0)
    assert (found.kind, found.index, found.byte_offset) == (kind, *parts[:2])


# Texels are numbered from 1 in each of two mips
MIPS = [
    np.arange(1, count + 1, dtype=np.uint32).view(np.uint8).reshape(1, count // width, width, 1, 4)
    for count, width in ((8, 4), (2, 2))
]
IMAGE = Texture(tuple(MIPS), "r32_uint")


@pytest.mark.parametrize(
    ("at", "expected", "index"),
    [
        ("l(3,1,9,0)", (8, 0, 0, 1), None),
        ("l(1,0,0,1)", (2, 0, 0, 1), None),
        ("l(4,0,0,0)", (0, 0, 0, 1), (4, 0, 0)),
        ("l(0,2,0,0)", (0, 0, 0, 1), (0, 2, 0)),
        ("l(2,0,0,1)", (0, 0, 0, 1), (2, 0, 1)),
        ("l(0,0,0,2)", (0, 0, 0, 1), (0, 0, 2)),
        ("offset of -1", (0, 0, 0, 1), (0xFFFFFFFF, 0, 0)),  # wraps, and is outside
    ],
)
def test_texture_loads(at: str, expected: tuple[int, ...], index: Any) -> None:
    name = "ld_indexable"
    if at == "offset of -1":
        name, at = "ld_aoffimmi_indexable(-1,0,0)", "l(0,0,0,0)"
    body = [f"{name}(texture2d){UINTS} r0.xyzw, {at}, t0.xyzw", STORED, "ret"]
    text = listing(body, [f"dcl_resource_texture2d {UINTS} t0", RESULT], group=(1, 1, 1))
    outcome = execute(text, t0=IMAGE, u7=np.zeros(4, np.uint32))
    assert tuple(words(outcome, "u7")) == expected
    found = [(v.address, v.index) for v in outcome.findings.violations]
    assert found == ([] if index is None else [(index, index[0])])


def test_records_have_thread_group_line_and_are_counted_past_the_limit() -> None:
    store = "store_structured u0.x, vThreadID.x, l(0), l(1)"
    text = listing([store, "ret"], ["dcl_uav_structured u0, 4"], group=(4, 2, 1))
    outcome = execute(text, (3000, 1, 2), u0=np.zeros(2, np.uint32))
    findings = outcome.findings
    assert findings.violation_count == (3000 * 4 - 2) * 2 * 2
    assert findings.violations_at == {(0, OUTSIDE): findings.violation_count}
    assert len(findings.violations) == findings.limit
    first = findings.violations[0]
    assert (first.thread, first.group) == ((2, 0, 0), (0, 0, 0))
    assert first.line == text.splitlines().index(store) + 1
    later = findings.violations[4]
    assert (later.thread, later.group) == ((4, 0, 0), (1, 0, 0))


def test_an_operand_counts_once_however_many_components_it_has() -> None:
    text = listing(
        ["add r0.xyzw, cb0[3].xyzw, cb0[4].wzyx", "ret"],
        ["dcl_constantbuffer cb0[9], immediateIndexed"],
        group=(2, 1, 1),
    )
    found = execute(text, cb0=np.zeros(4, np.uint32)).findings.violations
    assert [(v.thread[0], v.index) for v in found] == [(0, 3), (1, 3), (0, 4), (1, 4)]
