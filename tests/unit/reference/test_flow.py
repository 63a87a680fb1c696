"""Control flow with masks of active threads. Source: FS §22.7."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

import translate
from translate import TranslateError, UnsupportedError, reference
from translate.linkage import ClassInstance
from translate.reference import DeadlineError

from .listings import ID, buffer, execute, listing, per_thread, words

THREADS = 8


def check(body: list[str], expected: Callable[[int], int]) -> None:
    """Check that every thread's r0.x is a function of its number."""
    found = per_thread(["mov r0.xyzw, l(0,0,0,0)", *body])[:, 0]
    assert found.tolist() == [expected(thread) & 0xFFFFFFFF for thread in range(THREADS)]


def test_if_and_else() -> None:
    body = [f"ult r1.x, {ID}, l(3)", "if_nz r1.x", "mov r0.x, l(10)", "else", "mov r0.x, l(20)",
            "endif", f"iadd r0.x, r0.x, {ID}"]  # fmt: skip
    check(body, lambda t: (10 if t < 3 else 20) + t)


def test_if_z_is_taken_where_no_bit_is_set() -> None:
    check([f"if_z {ID}", "mov r0.x, l(5)", "endif"], lambda t: 5 if t == 0 else 0)


def test_a_loop_ends_for_each_thread_on_its_own() -> None:
    body = ["loop", f"uge r1.x, r0.x, {ID}", "breakc_nz r1.x", "iadd r0.x, r0.x, l(2)", "endloop"]
    check(body, lambda t: t + t % 2)


def test_break_inside_if_leaves_the_loop() -> None:
    body = ["loop", "iadd r0.x, r0.x, l(1)", f"ult r1.x, {ID}, r0.x", "if_nz r1.x", "break",
            "endif", "endloop"]  # fmt: skip
    check(body, lambda t: t + 1)


def test_continue_skips_the_rest_of_the_round() -> None:
    """The sum of the odd numbers up to the thread's."""
    body = ["loop", f"uge r1.x, r1.y, {ID}", "breakc_nz r1.x", "iadd r1.y, r1.y, l(1)",
            "and r1.x, r1.y, l(1)", "continuec_z r1.x", "iadd r0.x, r0.x, r1.y",
            "endloop"]  # fmt: skip
    check(["mov r1.xy, l(0,0,0,0)", *body], lambda t: sum(range(1, t + 1, 2)))


def test_nested_loops() -> None:
    inner = ["mov r1.z, l(0)", "loop", "uge r1.w, r1.z, r1.y", "breakc_nz r1.w",
             "iadd r0.x, r0.x, l(1)", "iadd r1.z, r1.z, l(1)", "endloop"]  # fmt: skip
    body = ["mov r1.xyzw, l(0,0,0,0)", "loop", f"uge r1.x, r1.y, {ID}", "breakc_nz r1.x",
            "iadd r1.y, r1.y, l(1)", *inner, "endloop"]  # fmt: skip
    check(body, lambda t: t * (t + 1) // 2)


def test_switch_with_labels_that_share_an_arm_and_default_in_the_middle() -> None:
    body = [f"switch {ID}", "case l(1)", "mov r0.x, l(11)", "break", "default", "mov r0.x, l(99)",
            "break", "case l(2)", "case l(5)", "mov r0.x, l(25)", "break", "endswitch"]  # fmt: skip
    check(body, lambda t: {1: 11, 2: 25, 5: 25}.get(t, 99))


def test_switch_without_default_is_skipped_where_nothing_matches() -> None:
    body = [f"switch {ID}", "case l(3)", "mov r0.x, l(7)", "break", "endswitch",
            "iadd r0.x, r0.x, l(1)"]  # fmt: skip
    check(body, lambda t: 8 if t == 3 else 1)


def test_an_arm_without_break_falls_through() -> None:
    body = [f"switch {ID}", "case l(0)", "iadd r0.x, r0.x, l(1)", "case l(1)",
            "iadd r0.x, r0.x, l(10)", f"breakc_nz {ID}", "default", "iadd r0.x, r0.x, l(100)",
            "break", "endswitch"]  # fmt: skip
    check(body, lambda t: {0: 111, 1: 10}.get(t, 100))


def test_continue_inside_a_switch_goes_to_the_loop() -> None:
    body = ["loop", "iadd r1.y, r1.y, l(1)", "ult r1.x, l(4), r1.y", "breakc_nz r1.x",
            "switch r1.y", "case l(2)", "continue", "default", "break", "endswitch",
            "iadd r0.x, r0.x, r1.y", "endloop"]  # fmt: skip
    check(["mov r1.xy, l(0,0,0,0)", *body], lambda t: 1 + 3 + 4)


def test_case_labels_compare_all_bits() -> None:
    body = [f"ineg r1.x, {ID}", "switch r1.x", "case l(-3)", "mov r0.x, l(1)", "break",
            "endswitch"]  # fmt: skip
    check(body, lambda t: int(t == 3))


def test_return_ends_a_thread() -> None:
    text = listing(
        [
            f"store_structured u0.x, {ID}, l(0), l(1)",
            "loop", f"ult r0.x, l(2), {ID}", "retc_nz r0.x", "break", "endloop",
            f"store_structured u0.x, {ID}, l(0), l(2)",
            "ret",
        ],
        ["dcl_uav_structured u0, 4"],
    )  # fmt: skip
    found = words(execute(text, u0=np.zeros(8, np.uint32)))
    assert found.tolist() == [2, 2, 2, 1, 1, 1, 1, 1]


SUBROUTINES = [
    "mov r0.xyzw, l(0,0,0,0)", f"callc_nz {ID}, label0", "call label1",
    f"store_structured u0.x, {ID}, l(0), r0.x", "ret",
    "label label0", f"ieq r1.x, {ID}, l(1)", "iadd r0.x, r0.x, l(1)", "retc_nz r1.x",
    "call label1", "ret",
    "label label1", "iadd r0.x, r0.x, l(10)", "ret",
]  # fmt: skip


def test_subroutines_share_registers_and_return_on_their_own() -> None:
    text = listing(SUBROUTINES, ["dcl_uav_structured u0, 4"])
    found = words(execute(text, u0=np.zeros(8, np.uint32)))
    assert found.tolist() == [10, 11, 21, 21, 21, 21, 21, 21]


def test_calls_deeper_than_32_do_nothing() -> None:
    """A recursive subroutine ends, too (FS §22.7)."""
    body = ["mov r0.x, l(0)", "call label0", f"store_structured u0.x, {ID}, l(0), r0.x", "ret",
            "label label0", "iadd r0.x, r0.x, l(1)", "call label0", "ret"]  # fmt: skip
    text = listing(body, ["dcl_uav_structured u0, 4"], group=(1, 1, 1))
    assert words(execute(text, u0=np.zeros(1, np.uint32))).tolist() == [32]


def interfaces(element: str) -> str:
    return listing(
        [
            f"and r2.x, {ID}, l(1)", "mov r0.xyzw, l(0,0,0,0)", f"fcall fp0[{element}][0]",
            f"store_structured u0.x, {ID}, l(0), r0.x", "ret",
            "label fb0", "mov r0.x, l(7)", "ret",
            "label fb1", "mov r1.xy, this[r2.x + 0].xyxx",
            "mov r0.x, cb[r1.x + 0][r1.y + 0].x", "ret",
        ],
        [
            "dcl_constantbuffer cb0[4], dynamicIndexed", "dcl_uav_structured u0, 4",
            "dcl_function_body fb0", "dcl_function_body fb1", "dcl_function_table ft0 = {fb0}",
            "dcl_function_table ft1 = {fb1}",
            "dcl_interface_dynamicindexed fp0[2][1] = {ft0, ft1}",
        ],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("element", "expected"), [("r2.x + 0", [7, 50] * 4), ("0", [7] * 8), ("r2.x + 1", [10, 0] * 4)]
)
def test_interfaces(element: str, expected: list[int]) -> None:
    """Element 0 runs fb0, element 1 fb1, which reads cb0[n].x of instance r2.x, element 2 none."""
    constants = 10 + 10 * np.arange(16, dtype=np.uint32)
    outcome = reference.run(
        translate.load(interfaces(element)),
        {"cb0": buffer(constants), "u0": buffer(np.zeros(8, np.uint32))},
        (1, 1, 1),
        class_instances={
            "fp0": [ClassInstance("a", 0, table=0), ClassInstance("b", 1, 0, 1, table=1)]
        },
    )
    assert words(outcome).tolist() == expected


def test_an_interface_without_an_instance_is_refused() -> None:
    with pytest.raises(TranslateError, match="slot 0 has no class instance"):
        execute(interfaces("0"), u0=np.zeros(8, np.uint32))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (["if_nz r0.x", "ret"], "if is never closed"),
        (["endloop", "ret"], "endloop stands in no construct"),
        (["loop", "endif", "ret"], "endif stands in no construct"),
        (["break", "ret"], "break outside of a loop"),
        (["call label3", "ret"], "there is no label label3"),
        (["mov r0.x, r9.x", "ret"], "r9 is not declared"),
    ],
)
def test_invalid_control_flow_is_refused_with_its_place(body: list[str], message: str) -> None:
    with pytest.raises(TranslateError, match=message) as caught:
        execute(listing(body))
    assert caught.value.where.line is not None


def test_an_endless_loop_ends_at_the_deadline() -> None:
    program = translate.load(listing(["loop", "endloop", "ret"]))
    started = time.monotonic()
    with pytest.raises(DeadlineError):
        reference.run(program, {}, (1, 1, 1), timeout_s=0.05)
    assert time.monotonic() - started < 5


def test_rows_that_the_table_cannot_evaluate_are_named() -> None:
    program = translate.load(listing(["add r0.x, r0.x, r0.x", "ret"]))
    statement = program.statements[-2]
    unknown = type(statement.row)(
        name="mystery",
        opcode=0,
        kind=statement.row.kind,
        operands=statement.row.operands,
        source="",
    )
    statement.row = unknown
    with pytest.raises(UnsupportedError, match="cannot execute mystery"):
        reference.run(program, {}, (1, 1, 1))
