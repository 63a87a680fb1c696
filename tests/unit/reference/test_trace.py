"""What a debugger sees of one thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import translate
from translate import reference
from translate.isa.instruction import Scalar
from translate.program import Statement
from translate.reference import Step, trace
from translate.reference.batch import Batch
from translate.reference.registers import Registers

from .listings import buffer, listing

Array = np.ndarray[Any, Any]

BODY = [
    "utof r0.x, vThreadID.x",
    "mul r0.y, r0.x, l(-0.5)",
    "if_nz vThreadID.x",
    "  iadd r0.z, -vThreadID.x, l(3)",
    "else",
    "  mov r0.z, l(100)",
    "endif",
    "ld_raw r1.xy, l(4), t0.yxxx",
    "store_raw u0.x, l(0), r0.z",
    "ret",
]
DECLARED = ["dcl_resource_raw t0", "dcl_uav_raw u0"]


def steps(thread: tuple[int, int, int], **more: object) -> list[Step]:
    program = translate.load(listing(BODY, DECLARED, group=(4, 1, 1)))
    resources = {"t0": buffer(np.array([5, 6, 7], np.uint32)), "u0": buffer(np.zeros(1, np.uint32))}
    return list(trace(program, resources, (2, 1, 1), thread=thread, **more))  # type: ignore[arg-type]


def test_instructions_that_a_thread_executes_with_their_lines() -> None:
    taken = [step.text for step in steps((5, 0, 0))]
    assert taken == [line.strip() for n, line in enumerate(BODY) if n not in (4, 5, 6)]
    other = [step.text for step in steps((0, 0, 0))]
    assert other == [line.strip() for n, line in enumerate(BODY) if n not in (3, 4, 6)]


def test_values_in_and_results_out() -> None:
    seen = steps((5, 0, 0))
    utof, mul, branch, add, load, store, _ = seen
    assert [(v.register, v.components, v.ints) for v in utof.sources] == [("vThreadID", "x", (5,))]
    assert [(v.register, v.components, v.floats) for v in utof.results] == [("r0", "x", (5.0,))]
    assert [v.floats for v in mul.sources] == [(5.0,), (-0.5,)]
    assert mul.results[0].floats == (-2.5,)
    assert (branch.sources[0].bits, branch.results) == ((5,), ())
    assert [v.ints for v in add.sources] == [(-5,), (3,)]
    assert add.results[0].bits == (0xFFFFFFFE,)
    assert add.results[0].ints == (-2,)
    assert (load.results[0].components, load.results[0].bits) == ("xy", (7, 6))
    assert [(v.name, v.ints) for v in store.sources] == [("byte_offset", (0,)), ("value", (-2,))]


def test_instruction_and_line_numbers() -> None:
    seen = steps((5, 0, 0))
    assert [step.instruction for step in seen] == [0, 1, 2, 3, 7, 8, 9]
    assert {(step.line or 0) - step.instruction for step in seen} == {len(DECLARED) + 8}


def test_doubles_are_pairs() -> None:
    text = listing(["dadd r0.xy, d(1.5l, 0.0l), d(2.0l, 0.0l)", "ret"], group=(1, 1, 1))
    (add, _) = trace(translate.load(text), {}, (1, 1, 1), thread=(0, 0, 0))
    assert add.sources[0].doubles[0] == 1.5
    assert add.results[0].doubles == (3.5,)


def test_a_thread_that_is_not_in_the_dispatch_executes_nothing() -> None:
    assert steps((8, 0, 0)) == []


def test_a_limit_ends_an_endless_trace() -> None:
    program = translate.load(listing(["loop", "iadd r0.x, r0.x, l(1)", "endloop", "ret"]))
    seen = list(trace(program, {}, (1, 1, 1), thread=(3, 0, 0), limit=11))
    assert len(seen) == 11
    assert seen[-1].results[0].ints == (10,)


class Onlooker:
    """Reads the last operand of everything, twice."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []

    def watches(self, batch: Batch) -> bool:
        return True

    def before(self, statement: Statement, lanes: Array, registers: Registers) -> None:
        if statement.operands:
            registers.read_bits(statement.operands[-1], 0, Scalar.U32, lanes)

    def after(self, statement: Statement, lanes: Array, registers: Registers) -> None:
        self.seen.append((statement.row.name, len(lanes)))
        self.before(statement, lanes, registers)


def test_looking_does_not_count_as_reading() -> None:
    text = listing(["mov r0.x, cb0[7].x", "retc_nz vThreadID.x", "nop", "ret"],
                   ["dcl_constantbuffer cb0[1], immediateIndexed"])  # fmt: skip
    onlooker = Onlooker()
    outcome = reference.run(translate.load(text), {}, (2, 1, 1), observer=onlooker)
    assert onlooker.seen == [("mov", 16), ("retc", 16), ("nop", 1), ("ret", 1)]
    assert outcome.findings.violation_count == 16


@pytest.mark.parametrize("lines", [["one", "two"], None])
def test_text_of_a_container_is_given_or_the_name(lines: list[str] | None) -> None:
    container = translate.assemble(listing(["mov r0.x, l(1)", "ret"]))
    seen = trace(translate.load(container), {}, (1, 1, 1), thread=(0, 0, 0), lines=lines)
    assert [step.text for step in seen] == (lines or ["mov", "ret"])
