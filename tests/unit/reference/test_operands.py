"""Operands: order of reads and writes, modifiers, flushing, saturation, ranges of registers.

Minima and maxima: FS §22.10.11-12. Which NaN arithmetic gives is open in D3D; here it is one.
`tests/unit/isa` has the results of all rows in every number of lanes.
"""

import numpy as np
import pytest

from .listings import ID, execute, listing, per_thread, words

DENORMAL, NEGATIVE_DENORMAL = 0x00000001, 0x80000001
NAN, ONE, MINUS_ZERO = 0x7FC00000, 0x3F800000, 0x80000000
NAN_OF_DOUBLES = 0x7FF80000  # the upper half


def first(*body: str) -> list[int]:
    """r0 of a single thread."""
    return per_thread(["mov r0.xyzw, l(0,0,0,0)", *body], threads=1)[0].tolist()


def test_all_sources_are_read_before_anything_is_written() -> None:
    assert first("mov r0.xyzw, l(1,2,3,4)", "mov r0.xyzw, r0.wxyz") == [4, 1, 2, 3]
    assert first("mov r0.xy, l(17,5,0,0)", "udiv r0.x, r0.y, r0.x, r0.y")[:2] == [3, 2]
    assert first("mov r0.xy, l(17,5,0,0)", "mov r1.x, l(1)", "swapc r0.x, r0.y, r1.x, r0.x, r0.y")[
        :2
    ] == [5, 17]


def test_results_for_null_are_dropped() -> None:
    assert first("mov r0.xy, l(7,9,0,0)", "imul null, r0.x, r0.x, r0.y")[:2] == [63, 9]


@pytest.mark.parametrize(
    ("instruction", "bits", "expected"),
    [
        ("mov r0.x, r1.x", DENORMAL, DENORMAL),
        ("mov r0.x, -r1.x", DENORMAL, NEGATIVE_DENORMAL),
        ("mov r0.x, -|r1.x|", NAN, NAN | MINUS_ZERO),
        ("mul r0.x, r1.x, l(1.0)", NEGATIVE_DENORMAL, MINUS_ZERO),
        ("mul r0.x, r1.x, l(0.5)", 0x00800000, 0),
        ("eq r0.x, r1.x, l(0)", DENORMAL, 0xFFFFFFFF),
        ("mul_sat r0.x, r1.x, l(1.0)", NAN, 0),
        ("mov_sat r0.x, r1.x", 0x40000000, ONE),
        ("mul_sat r0.x, r1.x, l(1.0)", MINUS_ZERO, 0),
        ("iadd r0.x, -r1.x, l(1)", 5, 0xFFFFFFFC),
        ("ineg r0.x, r1.x", 0x80000000, 0x80000000),
        ("add r0.x, -|r1.x|, l(0)", 0xBF800000, 0xBF800000),
    ],
)
def test_modifiers_and_denormals(instruction: str, bits: int, expected: int) -> None:
    assert first(f"mov r1.x, l({bits:#010x})", instruction)[0] == expected


def test_denormal_doubles_stay() -> None:
    body = ["mov r1.xy, l(1,0,0,0)", "dadd r0.xy, r1.xyxy, d(0.0l, 0.0l)"]
    assert first(*body)[:2] == [1, 0]


def test_double_pairs_and_the_components_of_comparisons() -> None:
    """Pair .zw has the last two letters; a comparison's n-th component has the n-th pair."""
    one_two = "mov r1.xyzw, l(0, 0x3ff00000, 0, 0x40000000)"
    assert first(one_two, "dadd r0.zw, r1.xyzw, r1.zwxy")[2:] == [0, 0x40080000]
    assert first(one_two, "dlt r0.yw, r1.xyzw, r1.zwxy") == [0, 0xFFFFFFFF, 0, 0]
    assert first("ftod r0.xyzw, l(1.0, 2.0, 0, 0)") == [0, 0x3FF00000, 0, 0x40000000]


SIZES = (*range(1, 18), 33, 100)  # of groups whose threads compute the same
# Two doubles, the upper halves of the minimum and maximum, and of those in the other order
DOUBLES = {
    "+0 and -0": ("l(0, 0, 0, 0x80000000)", [0x80000000, 0, 0, 0x80000000]),
    "a signalling NaN and 1": ("l(1, 0x7ff00000, 0, 0x3ff00000)", [0x3FF00000] * 4),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DOUBLES)
def test_minima_and_maxima_of_doubles(name: str, size: int) -> None:
    numbers, wanted = DOUBLES[name]
    body = [
        f"mov r1.xyzw, {numbers}",
        *("dmin r2.xy, r1.xyxy, r1.zwzw", "dmax r2.zw, r1.xyxy, r1.zwzw"),
        *("dmin r3.xy, r1.zwzw, r1.xyxy", "dmax r3.zw, r1.zwzw, r1.xyxy"),
        *("mov r0.xy, r2.ywyy", "mov r0.zw, r3.yyyw"),
    ]
    assert per_thread(body, threads=size).tolist() == [wanted] * size


@pytest.mark.parametrize("size", SIZES)
def test_nans_of_arithmetic(size: int) -> None:
    body = ["mov r1.xyzw, l(0x7f80000b, 0xffc00001, 0, 0)"]
    body += ["mov r2.xyzw, l(0, 0xfff80001, 1, 0x7ff00000)"]
    body += ["add r0.x, r1.x, r1.y", "mul r0.y, r1.y, r1.x", "dp2 r0.z, r1.xyxx, r1.yxxx"]
    body += ["dadd r3.xy, r2.xyxy, r2.zwzw", "mov r0.w, r3.y"]
    wanted = [NAN, NAN, NAN, NAN_OF_DOUBLES]
    assert per_thread(body, threads=size).tolist() == [wanted] * size


def test_dot_products_ignore_the_write_mask() -> None:
    body = ["mov r1.xyzw, l(1.0, 2.0, 3.0, 4.0)", "dp3 r0.yw, r1.xyzw, r1.xyzw"]
    assert np.array(first(*body), np.uint32).view(np.float32).tolist() == [0, 14, 0, 14]


def test_indexed_temporaries_belong_to_each_thread() -> None:
    body = [
        "mov r0.xyzw, l(0,0,0,0)", "and r1.x, vThreadID.x, l(3)",
        "mov x0[r1.x + 0].x, vThreadID.x", "mov x0[r1.x + 1].y, l(50)",
        "mov r0.xy, x0[r1.x + 0].xyxx", "mov r0.z, x0[1].x",
    ]  # fmt: skip
    found = per_thread(body, ["dcl_indexableTemp x0[5], 2"])[:, :3].tolist()
    assert found == [[t, 0, t if t % 4 == 1 else 0] for t in range(8)]


def test_thread_inputs() -> None:
    text = listing(
        [
            "imul null, r0.x, vThreadID.z, l(8)", "imul null, r0.y, vThreadID.y, l(4)",
            "iadd r0.x, r0.x, r0.y", "iadd r0.x, r0.x, vThreadID.x",
            "mov r1.x, vThreadIDInGroupFlattened.x", "mov r1.yzw, vThreadGroupID.xxyz",
            "store_structured u0.xyzw, r0.x, l(0), r1.xyzw", "ret",
        ],
        ["dcl_uav_structured u0, 16"],
        group=(2, 1, 2),
    )  # fmt: skip
    found = words(execute(text, (2, 2, 1), u0=np.zeros((16, 4), np.uint32))).reshape(16, 4)
    for n, row in enumerate(found.tolist()):
        x, y, z = n % 4, n // 4 % 2, n // 8
        assert row == [z * 2 + x % 2, x // 2, y, 0]


RANGES = [
    "dcl_resource_structured T0[2:5], 4, space=1",
    "dcl_constantbuffer CB3[0:1][1], dynamicIndexed, space=0",
    "dcl_uav_structured U0[0:0], 4, space=0",
    "dcl_uav_structured U1[7:8], 4, space=2",
]


def test_ranges_of_registers_by_an_index_that_differs_between_threads() -> None:
    body = [
        f"and r1.x, {ID}, l(3)", f"and r1.y, {ID}, l(1)",
        f"ld_structured r0.x, {ID}, l(0), T0[r1.x + 2].xxxx",
        "iadd r0.x, r0.x, CB3[r1.y + 0][0].x",
        f"store_structured U1[r1.y + 7].x, {ID}, l(0), r0.x", "ret",
    ]  # fmt: skip
    inputs = {f"t{n}_space1": np.arange(8, dtype=np.uint32) + 100 * n for n in (2, 3, 5)}
    outcome = execute(
        listing(body, RANGES, profile="cs_5_1"),
        **inputs,
        cb0=np.full(4, 1000, np.uint32),
        cb1=np.full(4, 2000, np.uint32),
        u7_space2=np.zeros(8, np.uint32),
        u8_space2=np.zeros(8, np.uint32),
    )
    even, odd = (words(outcome, f"u{n}_space2").tolist() for n in (7, 8))
    # Nothing is bound to t4, which threads 2 and 6 read.
    assert even == [1200, 0, 1000, 0, 1204, 0, 1000, 0]
    assert odd == [0, 2301, 0, 2503, 0, 2305, 0, 2507]
    assert {v.register for v in outcome.findings.violations} == {"t4_space1"}


def test_a_register_outside_of_its_range_is_as_if_nothing_were_bound() -> None:
    """t1_space1 is bound, but is not in the range T0[2:5]."""
    body = [f"ld_structured r0.x, {ID}, l(0), T0[r1.x + 1].xxxx",
            f"store_structured U0[0].x, {ID}, l(0), r0.x", "ret"]  # fmt: skip
    outcome = execute(
        listing(["mov r1.x, l(0)", *body], RANGES, profile="cs_5_1"),
        t1_space1=np.full(8, 7, np.uint32),
        u0=np.full(8, 9, np.uint32),
    )
    assert words(outcome).tolist() == [0] * 8
    assert {v.register for v in outcome.findings.violations} == {"t2_space1[-1]"}


def test_indexed_temporaries_read_zero_outside() -> None:
    body = ["mov x0[0].xyzw, l(1,2,3,4)", "mov r1.x, l(0)", "mov r0.xyzw, x0[r1.x + 2].xyzw"]
    assert per_thread(body, ["dcl_indexableTemp x0[2], 4"], threads=1)[0].tolist() == [0, 0, 0, 0]


def test_a_constant_buffer_and_an_element_that_both_differ_between_threads() -> None:
    body = [f"and r1.x, {ID}, l(1)", f"ushr r1.y, {ID}, l(1)",
            "mov r0.x, CB3[r1.x + 0][r1.y + 0].x",
            f"store_structured U0[0].x, {ID}, l(0), r0.x", "ret"]  # fmt: skip
    even, odd = (np.arange(16, dtype=np.uint32) + 100 * n for n in (0, 1))
    text = listing(body, RANGES, profile="cs_5_1")
    outcome = execute(text, cb0=even, cb1=odd, u0=np.zeros(8, np.uint32))
    assert words(outcome).tolist() == [0, 100, 4, 104, 8, 108, 12, 112]


def test_loads_to_null_touch_nothing() -> None:
    text = listing(["ld_raw null, l(400), t0.xyzw", "ret"], ["dcl_resource_raw t0"])
    assert execute(text, t0=np.zeros(1, np.uint32)).findings.violation_count == 0
