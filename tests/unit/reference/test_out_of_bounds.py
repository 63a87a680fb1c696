"""Out-of-bounds accesses: results, memory and records, for each cell of D3D's table.

Source: FS §7.3, §7.5, §7.13, §22.4.6-13, §22.17; undefined in D3D: docs/out-of-bounds.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from translate.reference import OUTSIDE, PAST_STRIDE, UNALIGNED, Texture, Violation

from .listings import Array, buffer, execute, listing, words

HUGE = 0x40000001  # its product with a stride of 4 wraps to 4
RESULT = "dcl_uav_structured u7, 16"
DATA = np.array([11, 12, 13, 14, 15, 16], np.uint32)


@dataclass(frozen=True)
class Cell:
    """One access by one thread. `result` is r0 afterwards, `memory` the contents of u0.

    `found` has (cause, register, address, defined) of the records.
    """

    name: str
    access: str
    declared: tuple[str, ...]
    result: tuple[int, ...] = (0, 0, 0, 0)
    memory: tuple[int, ...] = tuple(DATA.tolist())
    found: tuple[tuple[Any, ...], ...] = ()
    data: Any = field(default_factory=lambda: buffer(DATA))


def load(kind: str, address: str, memory: str) -> str:
    return f"ld_{kind} r0.xyzw, {address}, {memory}.xyzw"


RAW_T, RAW_U = ("dcl_resource_raw t0",), ("dcl_uav_raw u0",)
STRUCTURED_T, STRUCTURED_U = ("dcl_resource_structured t0, 8",), ("dcl_uav_structured u0, 8",)
RAW_G, STRUCTURED_G = ("dcl_tgsm_raw g0, 16",), ("dcl_tgsm_structured g0, 8, 2",)
STORED = "l(1,2,3,4)"
UNTOUCHED = tuple(DATA.tolist())

LOADS = [
    Cell("raw t#, ends within the vector", load("raw", "l(16)", "t0"), RAW_T, (15, 16, 0, 0),
         found=((OUTSIDE, "t0", (16,), True),)),
    Cell("raw u#, past the end", load("raw", "l(24)", "u0"), RAW_U,
         found=((OUTSIDE, "u0", (24,), True),)),
    Cell("raw t#, does not wrap past 2^32", load("raw", "l(0xfffffff8)", "t0"), RAW_T,
         found=((OUTSIDE, "t0", (0xFFFFFFF8,), True),)),
    Cell("raw t#, unaligned", load("raw", "l(6)", "t0"), RAW_T, (12, 13, 14, 15),
         found=((UNALIGNED, "t0", (6,), False),)),
    Cell("structured t#, index past the end", load("structured", "l(3), l(0)", "t0"), STRUCTURED_T,
         found=((OUTSIDE, "t0", (3, 0), True),)),
    Cell("structured t#, index is compared before it is multiplied",
         load("structured", f"l({HUGE:#x}), l(0)", "t0"), STRUCTURED_T,
         found=((OUTSIDE, "t0", (HUGE, 0), True),)),
    Cell("structured t#, offset past the stride", load("structured", "l(1), l(4)", "t0"),
         STRUCTURED_T, (14, 0, 0, 0), found=((PAST_STRIDE, "t0", (1, 4), False),)),
    Cell("structured u#, index past the end", load("structured", "l(9), l(4)", "u0"), STRUCTURED_U,
         found=((OUTSIDE, "u0", (9, 4), True),)),
    Cell("constants past the end", "mov r0.xyzw, cb0[r1.x + 2].xyzw",
         ("dcl_constantbuffer cb0[9], dynamicIndexed",), found=((OUTSIDE, "cb0", (2,), True),)),
    Cell("immediate constants past the end", "mov r0.xyzw, icb[r1.x + 1].xyzw",
         ("dcl_immediateConstantBuffer { { 1, 2, 3, 4} }",),
         found=((OUTSIDE, "icb", (1,), True),)),
    Cell("x# past the end", "mov r0.xyzw, x0[r1.x + 5].xyzw", ("dcl_indexableTemp x0[5], 4",),
         found=((OUTSIDE, "x0", (5,), False),)),
]  # fmt: skip

STORES = [
    Cell("raw u#, ends within the vector", f"store_raw u0.xyzw, l(16), {STORED}", RAW_U,
         memory=(11, 12, 13, 14, 1, 2), found=((OUTSIDE, "u0", (16,), True),)),
    Cell("raw u#, past the end", f"store_raw u0.xy, l(0xfffffffc), {STORED}", RAW_U,
         found=((OUTSIDE, "u0", (0xFFFFFFFC,), True),)),
    Cell("raw u#, unaligned", f"store_raw u0.x, l(7), {STORED}", RAW_U,
         memory=(11, 1, 13, 14, 15, 16), found=((UNALIGNED, "u0", (7,), False),)),
    Cell("structured u#, index past the end", f"store_structured u0.x, l(3), l(0), {STORED}",
         STRUCTURED_U, found=((OUTSIDE, "u0", (3, 0), True),)),
    Cell("structured u#, offset past the stride", f"store_structured u0.xyz, l(1), l(4), {STORED}",
         STRUCTURED_U, memory=(11, 12, 13, 1, 15, 16), found=((PAST_STRIDE, "u0", (1, 4), False),)),
]  # fmt: skip


def atomic(at: str) -> str:
    return f"imm_atomic_iadd r0.x, u0, {at}, l(5)"


ATOMICS = [
    Cell("raw u#, outside, returning", atomic("l(24)"), RAW_U,
         found=((OUTSIDE, "u0", (24,), False),)),
    Cell("raw u#, outside", "atomic_iadd u0, l(24), l(5)", RAW_U,
         found=((OUTSIDE, "u0", (24,), True),)),
    Cell("structured u#, index outside", "atomic_iadd u0, l(3,0,0,0), l(5)", STRUCTURED_U,
         found=((OUTSIDE, "u0", (3, 0), True),)),
    Cell("structured u#, offset past the stride", atomic("l(1,8,0,0)"), STRUCTURED_U,
         found=((PAST_STRIDE, "u0", (1, 8), False),)),
    Cell("raw u#, unaligned", atomic("l(3)"), RAW_U, (11, 0, 0, 0), (16, *UNTOUCHED[1:]),
         found=((UNALIGNED, "u0", (3,), False),)),
]  # fmt: skip

SHARED = [
    Cell("load from raw g#", load("raw", "l(12)", "g0"), RAW_G, (9, 0, 0, 0),
         found=((OUTSIDE, "g0", (12,), False),)),
    Cell("load from structured g#, index", load("structured", "l(2), l(0)", "g0"), STRUCTURED_G,
         found=((OUTSIDE, "g0", (2, 0), False),)),
    Cell("load from structured g#, offset", load("structured", "l(1), l(4)", "g0"), STRUCTURED_G,
         (9, 0, 0, 0), found=((PAST_STRIDE, "g0", (1, 4), False),)),
    Cell("store to raw g#", "store_raw g0.xy, l(12), l(1,2,3,4)", RAW_G,
         found=((OUTSIDE, "g0", (12,), False),)),
    Cell("store to structured g#", "store_structured g0.x, l(2), l(0), l(1)", STRUCTURED_G,
         found=((OUTSIDE, "g0", (2, 0), False),)),
    Cell("atomic on g#", "imm_atomic_iadd r0.x, g0, l(16), l(5)", RAW_G,
         found=((OUTSIDE, "g0", (16,), False),)),
    Cell("unaligned g#", "store_raw g0.x, l(1), l(1)", RAW_G,
         found=((UNALIGNED, "g0", (1,), False),)),
]  # fmt: skip

NULL = [
    Cell("raw t#", load("raw", "l(0)", "t0"), RAW_T, found=((OUTSIDE, "t0", (0,), True),),
         data=None),
    Cell("structured u#", load("structured", "l(0), l(0)", "u0"), STRUCTURED_U,
         found=((OUTSIDE, "u0", (0, 0), True),), data=None),
    Cell("store", "store_raw u0.x, l(0), l(1)", RAW_U, found=((OUTSIDE, "u0", (0,), False),),
         data=None),
    Cell("atomic", atomic("l(0)"), RAW_U, found=((OUTSIDE, "u0", (0,), False),), data=None),
    Cell("typed", "ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(0,0,0,0), t0.xyzw",
         ("dcl_resource_buffer (uint,uint,uint,uint) t0",), found=((OUTSIDE, "t0", (0,), True),),
         data=None),
    Cell("constants", "mov r0.xyzw, cb0[0].xyzw", ("dcl_constantbuffer cb0[1], immediateIndexed",),
         found=((OUTSIDE, "cb0", (0,), True),), data=None),
    Cell("counter", "imm_atomic_alloc r0.x, u0", ("dcl_uav_structured_opc u0, 4",),
         found=((OUTSIDE, "u0", (0, 0), False),), data=None),
]  # fmt: skip

FLOAT_BUFFER = "dcl_resource_buffer (float,float,float,float) t0"
TYPED = [
    Cell("load of r32_uint",
         "ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(6,0,0,0), t0.xyzw",
         ("dcl_resource_buffer (uint,uint,uint,uint) t0",), (0, 0, 0, 1),
         found=((OUTSIDE, "t0", (6,), True),), data=buffer(DATA, format="r32_uint")),
    Cell("load of r32_float",
         "ld_indexable(buffer)(float,float,float,float) r0.xyzw, l(0xffffffff,0,0,0), t0.xyzw",
         (FLOAT_BUFFER,), (0, 0, 0, 0x3F800000),
         found=((OUTSIDE, "t0", (0xFFFFFFFF,), True),), data=buffer(DATA, format="r32_float")),
    Cell("load of r8g8b8a8_unorm",
         "ld_indexable(buffer)(float,float,float,float) r0.xyzw, l(6,0,0,0), t0.xyzw",
         (FLOAT_BUFFER,), found=((OUTSIDE, "t0", (6,), True),),
         data=buffer(DATA, format="r8g8b8a8_unorm")),
    Cell("store", "store_uav_typed u0.xyzw, l(6,0,0,0), l(1,1,1,1)",
         ("dcl_uav_typed_buffer (uint,uint,uint,uint) u0",),
         found=((OUTSIDE, "u0", (6,), True),), data=buffer(DATA, format="r32_uint")),
    Cell("atomic", atomic("l(6,0,0,0)"), ("dcl_uav_typed_buffer (uint,uint,uint,uint) u0",),
         found=((OUTSIDE, "u0", (6,), False),), data=buffer(DATA, format="r32_uint")),
]  # fmt: skip


def run(cell: Cell) -> Any:
    """Run one thread; g# is filled with 9 first, so that nothing is uninitialised."""
    body = ["mov r0.xyzw, l(0,0,0,0)", "mov r1.xyzw, l(0,0,0,0)"]
    for declared in cell.declared:
        if declared.startswith("dcl_tgsm_raw"):
            body.append("store_raw g0.xyzw, l(0), l(9,9,9,9)")
        elif declared.startswith("dcl_tgsm"):
            body += [f"store_structured g0.xy, l({i}), l(0), l(9,9,9,9)" for i in (0, 1)]
    body += [cell.access, "store_structured u7.xyzw, l(0), l(0), r0.xyzw", "ret"]
    text = listing(body, [*cell.declared, RESULT], group=(1, 1, 1))
    given = {"t0": cell.data} if " t0" in cell.declared[0] else {"u0": cell.data}
    if "cb0" in cell.declared[0]:
        given = {"cb0": cell.data and buffer(np.arange(8, dtype=np.uint32))}
    return execute(text, u7=np.full(4, 99, np.uint32), **given), body.index(cell.access)


@pytest.mark.parametrize(
    "cell", [*LOADS, *STORES, *ATOMICS, *SHARED, *NULL, *TYPED], ids=lambda cell: cell.name
)
def test_cell(cell: Cell) -> None:
    outcome, instruction = run(cell)
    assert tuple(words(outcome, "u7")) == cell.result
    if "u0" in outcome.written.buffers:
        assert tuple(words(outcome)) == cell.memory
    found = outcome.findings.violations
    assert tuple(map(facts, found)) == cell.found
    assert outcome.findings.violation_count == len(cell.found)
    assert {v.instruction for v in found} <= {instruction}


def facts(violation: Violation) -> tuple[Any, ...]:
    """The address has an index and a byte offset; only texels and vectors have no byte offset."""
    v = violation
    parts = {v.index, v.byte_offset} - {0}
    assert parts <= set(v.address)
    return v.cause, v.register, v.address, v.defined


@pytest.mark.parametrize(
    ("cell", "kind", "index", "byte_offset"),
    [
        (LOADS[0], "raw_buffer", 0, 16),
        (LOADS[4], "structured_buffer", 3, 0),
        (STORES[4], "structured_buffer", 1, 4),
        (LOADS[8], "constant_buffer", 2, 0),
        (LOADS[9], "immediate_constant_buffer", 1, 0),
        (LOADS[10], "indexable_temp", 5, 0),
        (SHARED[0], "group_shared", 0, 12),
        (SHARED[2], "group_shared", 1, 4),
        (TYPED[0], "typed_buffer", 6, 0),
    ],
)
def test_kinds_of_memory(cell: Cell, kind: str, index: int, byte_offset: int) -> None:
    (found,) = run(cell)[0].findings.violations
    assert (found.kind, found.index, found.byte_offset) == (kind, index, byte_offset)


def test_the_first_of_several_causes_is_reported() -> None:
    cell = Cell("", load("raw", "l(25)", "t0"), RAW_T)
    assert [v.cause for v in run(cell)[0].findings.violations] == [OUTSIDE]


def image(width: int, height: int, mips: int = 1) -> Texture:
    """Texels are numbered from 1 in each mip, in r32_uint."""
    levels: list[Array] = []
    for mip in range(mips):
        count = (width >> mip) * (height >> mip)
        texels = np.arange(1, count + 1, dtype=np.uint32).view(np.uint8)
        levels.append(texels.reshape(1, height >> mip, width >> mip, 1, 4))
    return Texture(tuple(levels), "r32_uint")


@pytest.mark.parametrize(
    ("at", "expected", "index"),
    [
        ("l(3,1,9,0)", (8, 0, 0, 1), None),
        ("l(1,0,0,1)", (2, 0, 0, 1), None),
        ("l(4,0,0,0)", (0, 0, 0, 1), (4, 0, 0)),
        ("l(0,2,0,0)", (0, 0, 0, 1), (0, 2, 0)),
        ("l(2,0,0,1)", (0, 0, 0, 1), (2, 0, 1)),
        ("l(0,0,0,2)", (0, 0, 0, 1), (0, 0, 2)),
    ],
)
def test_texture_loads(at: str, expected: tuple[int, ...], index: Any) -> None:
    body = [f"ld_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, {at}, t0.xyzw",
            "store_structured u7.xyzw, l(0), l(0), r0.xyzw", "ret"]  # fmt: skip
    declared = ["dcl_resource_texture2d (uint,uint,uint,uint) t0", RESULT]
    text = listing(body, declared, group=(1, 1, 1))
    outcome = execute(text, t0=image(4, 2, 2), u7=np.zeros(4, np.uint32))
    assert tuple(words(outcome, "u7")) == expected
    found = [v.address for v in outcome.findings.violations]
    assert [v.index for v in outcome.findings.violations] == [at[0] for at in found]
    assert found == ([] if index is None else [index])


def test_an_offset_that_leaves_the_texture_wraps_and_is_outside() -> None:
    body = ["ld_aoffimmi_indexable(-1,0,0)(texture2d)(uint,uint,uint,uint) r0.xyzw, l(0,0,0,0), "
            "t0.xyzw", "store_structured u7.xyzw, l(0), l(0), r0.xyzw", "ret"]  # fmt: skip
    declared = ["dcl_resource_texture2d (uint,uint,uint,uint) t0", RESULT]
    outcome = execute(
        listing(body, declared, group=(1, 1, 1)), t0=image(4, 2), u7=np.zeros(4, np.uint32)
    )
    assert tuple(words(outcome, "u7")) == (0, 0, 0, 1)
    assert outcome.findings.violations[0].address == (0xFFFFFFFF, 0, 0)


def test_records_have_thread_group_line_and_are_counted_past_the_limit() -> None:
    text = listing(
        ["store_structured u0.x, vThreadID.x, l(0), l(1)", "ret"],
        ["dcl_uav_structured u0, 4"],
        group=(4, 2, 1),
    )
    outcome = execute(text, (3000, 1, 2), u0=np.zeros(2, np.uint32))
    findings = outcome.findings
    assert findings.violation_count == (3000 * 4 - 2) * 2 * 2
    assert findings.violations_at == {(0, OUTSIDE): findings.violation_count}
    assert len(findings.violations) == findings.limit
    first = findings.violations[0]
    assert (first.thread, first.group) == ((2, 0, 0), (0, 0, 0))
    assert (
        first.line == text.splitlines().index("store_structured u0.x, vThreadID.x, l(0), l(1)") + 1
    )
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
