"""The reads and writes of r# that lowering leaves to `promote_registers`."""

from pathlib import Path

import translate
from tests.listings import listing
from translate.ir import ops
from translate.ir.values import Module
from translate.lower import lower_program

CORPUS = Path(__file__).parents[2] / "corpus/cs_5_0"
MOST_OPERATIONS = 3.0  # for an instruction of the corpus; with every read and write they are 4.2


def lowered(*body: str) -> Module:
    return lower_program(translate.load(listing(body, ["dcl_uav_raw u0"])))


def reads(module: Module) -> list[object]:
    """The registers that are read, by 4 * number + component."""
    return [value.data for value in module.walk() if value.op is ops.READ_REGISTER]


def writes(module: Module) -> list[object]:
    """The registers that are written, in order."""
    return [value.data for value in module.walk() if value.op is ops.WRITE_REGISTER]


def test_a_register_that_its_block_has_written_is_not_read() -> None:
    module = lowered("iadd r0.xy, vThreadID.xyxx, l(1)", "store_raw u0.xy, r0.x, r0.xyxx")
    assert reads(module) == []


def test_a_register_that_a_construct_may_have_written_is_read() -> None:
    module = lowered(
        "mov r0.x, l(1)", "if_nz vThreadID.x", "mov r0.x, l(2)", "endif",
        "store_raw u0.x, l(0), r0.x",
    )  # fmt: skip
    assert reads(module) == [0]


def test_only_the_last_write_before_a_construct_or_a_blocks_end_is_left() -> None:
    module = lowered(
        "mov r0.xy, l(1,2,0,0)", "iadd r0.x, r0.x, r0.y", "if_nz vThreadID.x", "mov r0.x, l(2)",
        "mov r0.x, l(3)", "endif", "iadd r0.x, r0.x, l(1)", "mov r0.x, l(4)",
    )  # fmt: skip
    assert writes(module) == [0, 1, 0, 0]


def test_a_case_that_only_writes_registers_is_no_label_of_the_next() -> None:
    module = lowered(
        "switch vThreadID.x", "case l(0)", "mov r0.x, l(1)", "case l(1)", "mov r0.x, l(2)", "break",
        "endswitch",
    )  # fmt: skip
    assert writes(module) == [0, 0]


def test_registers_that_subroutines_share_are_read() -> None:
    module = lowered(
        "mov r0.x, l(1)", "call label0", "store_raw u0.x, l(0), r0.x", "ret",
        "label label0", "mov r0.x, l(2)",
    )  # fmt: skip
    assert reads(module) == [0]


def test_a_register_with_another_type_may_turn_out_to_be_a_cast() -> None:
    """r1 as a float is r0 as a float, which `promote_registers` finds out."""
    module = lowered(
        "if_nz vThreadID.x", "mov r1.x, r0.x", "add r2.x, r1.x, l(1.0)", "endif",
    )  # fmt: skip
    assert reads(module) == [0, 4]


def test_operations_of_an_instruction() -> None:
    programs = [translate.load(path) for path in CORPUS.glob("*.dxbc")]
    operations = sum(len(lower_program(program).walk()) for program in programs)
    instructions = sum(program.instruction_count for program in programs)
    assert operations <= MOST_OPERATIONS * instructions
