"""Accesses that D3D accepts and fxc does not write: `assemble` warns of them."""

import warnings

import pytest

import translate

from ...listings import listing

DECLARED = [
    "dcl_constantbuffer cb0[2], immediateIndexed",
    "dcl_immediateConstantBuffer { { 1, 2, 3, 4}, { 5, 6, 7, 8} }",
    "dcl_resource_structured t0, 48",
    "dcl_uav_structured u0, 48",
    "dcl_uav_raw u1",
    "dcl_indexableTemp x0[2], 4",
    "dcl_tgsm_structured g0, 12, 4",
]
END = "past the end: it is declared with 2 vectors"
SAME = "the same number is the structure's index and the offset in it, in bytes"
CROSSED = "the access ends at byte {}, the structure at byte {}"
CASES = [
    ("mov r0.x, cb0[1].x", None),
    ("mov r0.x, cb0[2].x", END),
    ("mov r0.x, cb0[r1.x + 2].x", None),
    ("mov r0.x, icb[2].x", END),
    ("mov r0.x, x0[2].x", END),
    ("mov x0[5].x, r0.x", END),
    ("imm_atomic_iadd r0.x, u0, r2.xyxx, l(1)", None),
    ("imm_atomic_iadd r0.x, u0, r2.y, l(1)", SAME),
    ("atomic_iadd g0, r2.xxxx, l(1)", SAME),
    ("atomic_iadd u0, l(0, 0, 0, 0), l(1)", None),
    ("atomic_iadd u1, r2.x, l(1)", None),
    ("store_structured u0.xyzw, r0.x, l(32), r1.xyzw", None),
    ("store_structured u0.xyzw, r0.x, l(40), r1.xyzw", CROSSED.format(56, 48)),
    ("store_structured u0.xy, r0.x, l(40), r1.xyxx", None),
    ("store_structured u0.xyzw, r0.x, r0.y, r1.xyzw", None),
    ("store_structured g0.x, r0.x, l(12), r1.x", CROSSED.format(16, 12)),
    ("ld_structured r0.xyzw, r0.x, l(36), t0.xyzw", CROSSED.format(52, 48)),
    ("ld_structured r0.x, r0.x, l(36), t0.zxxx", None),
    ("ld_structured r0.x, r0.x, l(36), t0.wxxx", CROSSED.format(52, 48)),
]


@pytest.mark.parametrize(("line", "message"), CASES)
def test_a_warning_of_asm(line: str, message: str | None) -> None:
    text = listing([line], DECLARED)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        made = translate.assemble(text)
    assert [
        w.message.message for w in found if isinstance(w.message, translate.ListingWarning)
    ] == ([message] if message else [])
    assert translate.assemble(text, check=False) == made
    if message:
        with pytest.raises(translate.AssemblyError) as error:
            translate.assemble(text, strict=True)
        assert error.value.where.line == text.split("\n").index(line) + 1


def test_ranges() -> None:
    lines = ["mov r0.x, CB0[0][5].x", "imm_atomic_iadd r0.x, U0[0], r2.y, l(1)"]
    declared = [
        "dcl_constantbuffer CB0[0:0][1], immediateIndexed, space=0",
        "dcl_uav_structured U0[0:0], 4, space=0",
    ]
    with pytest.warns(translate.ListingWarning) as found:
        translate.assemble(listing(lines, declared, profile="cs_5_1"))
    assert len(found) == 2
