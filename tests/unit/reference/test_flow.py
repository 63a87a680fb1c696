"""Control flow with masks of active threads. Source: FS §22.7."""

import dataclasses
import gc
import time
import tracemalloc
from typing import Any

import numpy as np
import pytest

import translate
from translate import OptionError, ProgramError, UnsupportedError, reference
from translate.linkage import ClassInstance
from translate.reference import DeadlineError

from ..spirv.test_control import SHAPES, check_shape, listing_of
from .listings import ID, buffer, execute, listing, words


@pytest.mark.parametrize("name", SHAPES)
def test_shape(machine: Any, name: str) -> None:
    shape, expected = SHAPES[name]
    check_shape(machine.kernel(listing_of(shape)), expected)


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


@pytest.mark.parametrize(
    ("called", "message"),
    [
        ("fp1[0][0]", "fp1 is not declared"),
        ("fp1[r2.x + 0][0]", "fp1 is not declared"),
        ("fp0[2][0]", "fp0 has no element 2, call site 0"),
        ("fp0[0][1]", "fp0 has no element 0, call site 1"),
    ],
)
def test_calls_of_interfaces_that_are_not_declared(called: str, message: str) -> None:
    program = translate.load(interfaces("0").replace("fp0[0][0]", called))
    constants, output = (buffer(np.zeros(16, np.uint32)) for _ in range(2))
    classes = {"fp0": [ClassInstance(table=0), ClassInstance(table=1)]}
    with pytest.raises(ProgramError) as caught:
        reference.run(program, {"cb0": constants, "u0": output}, (1, 1, 1), class_instances=classes)
    assert caught.value.message == message
    assert caught.value.where.mnemonic == "fcall"


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
    with pytest.raises(OptionError):
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
    with pytest.raises(ProgramError, match=message) as caught:
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
    statement.row = dataclasses.replace(statement.row, name="mystery", evaluate=None)
    with pytest.raises(UnsupportedError, match="cannot execute mystery"):
        reference.run(program, {}, (1, 1, 1))


@pytest.mark.parametrize(
    ("declaration", "access"),
    [
        ("dcl_resource_structured t0, 4", "mov r0.x, l(0)"),
        ("dcl_resource_structured t0, 4", f"ld_structured r0.x, {ID}, l(0), t0.xxxx"),
        (
            "dcl_uav_typed_buffer (uint,uint,uint,uint) u0",
            "store_uav_typed u0.xyzw, r0.xxxx, r0.xyzw",
        ),
    ],
    ids=["move", "outside", "typed"],
)
def test_batches_leave_no_memory(declaration: str, access: str) -> None:
    """Without garbage collections too, of which there are few."""
    text = listing([access, "ret"], [declaration], group=(1024, 1, 1))

    def peak(groups: int) -> int:
        tracemalloc.start()
        execute(text, (groups, 1, 1))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    gc.collect()
    gc.disable()
    try:
        assert peak(64 * 20) < 2 * peak(64)
    finally:
        gc.enable()
