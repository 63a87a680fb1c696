"""The registers that are merged: those that are read before they are written again.

`tests/passes/promote_registers` has the merges.
"""

import pytest

import translate
from translate.ir import ops
from translate.ir.row import Stage
from translate.ir.types import VOID
from translate.ir.values import Value
from translate.ir.verify import verify
from translate.lower import lower_program
from translate.passes.registers.liveness import Liveness
from translate.passes.registers.promote import promote_registers

from ...ir.building import Small, code

_HEAD = """cs_5_0
dcl_uav_raw u0
dcl_temps {}
dcl_thread_group 1, 1, 1
"""
_STORE = "store_raw u0.x, l(0), r{}.x"


def constructs(*lines: str, temps: int = 4) -> tuple[Liveness, list[Value]]:
    """The liveness of a listing, and its constructs from the outside in."""
    program = translate.load(_HEAD.format(temps) + "\n".join((*lines, "ret", "")))
    module = lower_program(program)
    return Liveness(module.body), [value for value in module.walk() if value.blocks]


def rows(liveness: Liveness, live: int) -> list[int]:
    """The r# whose x is in a set; the tests use no other component."""
    return [register // 4 for register in liveness.registers_of(live)]


def test_registers_of_a_set_are_in_order() -> None:
    numbers = (15, 0, 7, 3)
    reads = tuple(f"store_raw u0.x, l(0), r{number}.x" for number in numbers)
    liveness, (choice,) = constructs("if_nz l(1)", "endif", *reads, temps=16)
    assert rows(liveness, 0) == []
    assert rows(liveness, liveness.after[choice]) == [0, 3, 7, 15]


def test_the_size_of_a_set_depends_on_named_registers() -> None:
    """It does not depend on the declared number."""
    lines = ("if_nz r4000.x", "mov r4095.x, l(1)", "endif", "store_raw u0.x, l(0), r4095.x")
    liveness, (choice,) = constructs(*lines, temps=4096)
    assert rows(liveness, liveness.after[choice]) == [4095]
    assert 0 < liveness.after[choice] < 1 << 2
    assert 0 < liveness.written[choice] < 1 << 2


def test_after_an_if() -> None:
    liveness, (choice,) = constructs(
        "if_nz l(1)", "mov r0.x, l(1)", "mov r1.x, l(2)", "mov r2.x, l(3)", "endif",
        "mov r1.x, l(4)", _STORE.format(0), _STORE.format(1), _STORE.format(3),
    )  # fmt: skip
    assert rows(liveness, liveness.after[choice]) == [0, 3]
    assert rows(liveness, liveness.written[choice]) == [0, 1, 2]


def test_registers_that_the_next_round_of_a_loop_reads() -> None:
    """r0 is carried around, r1 is written before it is read, r2 is read after the loop."""
    liveness, (loop, leave) = constructs(
        "loop", "mov r1.x, r0.x", "mov r2.x, r1.x", "if_nz r1.x", "mov r3.x, r1.x", "break",
        "endif", "iadd r0.x, r1.x, l(1)", "endloop", _STORE.format(2),
    )  # fmt: skip
    assert rows(liveness, liveness.head[loop.blocks[0]]) == [0]
    assert rows(liveness, liveness.after[loop]) == [2]
    assert rows(liveness, liveness.after[leave]) == [1]


def test_an_inner_loop_passes_on_registers_of_the_outer() -> None:
    """r3 is carried around both loops; the registers between are written in each round."""
    liveness, (outer, inner, *_) = constructs(
        "loop", "mov r1.x, l(0)", "loop", "breakc_nz r3.x", "iadd r3.x, r3.x, r1.x",
        "endloop", "breakc_nz r2.x", "mov r1.x, r3.x", "endloop", _STORE.format(1),
    )  # fmt: skip
    assert rows(liveness, liveness.head[outer.blocks[0]]) == [2, 3]
    assert rows(liveness, liveness.head[inner.blocks[0]]) == [1, 2, 3]
    assert rows(liveness, liveness.after[inner]) == [1, 2, 3]
    assert rows(liveness, liveness.after[outer]) == [1]


def test_cases_of_a_switch_that_fall_through() -> None:
    """The first case writes r0 and falls into the second, which reads it and r1."""
    liveness, (switch,) = constructs(
        "switch r3.x", "case l(0)", "mov r0.x, l(1)", "case l(1)", "iadd r2.x, r0.x, r1.x", "break",
        "default", "mov r0.x, l(0)", "break", "endswitch", _STORE.format(2),
    )  # fmt: skip
    heads = [rows(liveness, liveness.head[block]) for block in switch.blocks]
    assert heads == [[1], [0, 1], [2]]
    assert rows(liveness, liveness.after[switch]) == [2]
    assert rows(liveness, liveness.written[switch]) == [0, 2]


def test_nothing_is_live_where_the_program_ends() -> None:
    liveness, (choice,) = constructs("if_nz r0.x", "ret", "endif", _STORE.format(1))
    assert rows(liveness, liveness.after[choice]) == [1]
    liveness, (choice,) = constructs(
        "if_nz r0.x", "mov r1.x, l(0)", "endif", "ret", "mov r2.x, r1.x"
    )
    assert rows(liveness, liveness.after[choice]) == []


@pytest.mark.parametrize("read_again", [True, False])
def test_only_registers_that_are_read_again_are_merged(read_again: bool) -> None:
    lines = ["loop", "breakc_nz r0.x", "mov r1.xyzw, l(1,2,3,4)", "endloop"]
    lines += [_STORE.format(1)] if read_again else []
    module = lower_program(translate.load(_HEAD.format(4) + "\n".join((*lines, "ret", ""))))
    promote_registers(module)
    verify(module, Stage.PROMOTED)
    (loop,) = [value for value in module.walk() if value.op is ops.LOOP]
    assert len(loop.blocks[0].params) == len(loop.results) == int(read_again)


def test_code_after_a_terminator_is_dropped() -> None:
    """The verifier would refuse it."""
    small = Small()
    small.b.write_register(0, small.b.u32(1))
    small.b.emit(ops.RETURN, VOID, [])
    small.b.write_register(0, small.b.u32(2))
    module = small.finish()
    promote_registers(module)
    verify(module, Stage.PROMOTED)
    assert code(module) == "return\n"
