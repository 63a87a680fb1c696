"""Traces of one thread."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.corpus.case import on_device
from checks.corpus.cases import CASES, CORPUS, PROFILES
from translate import reference
from translate.isa.instruction import Scalar
from translate.program import Statement
from translate.reference import Resource, Step, Texture, Value, trace
from translate.reference.access import Accesses
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


def test_a_thread_that_is_not_in_the_dispatch_executes_nothing() -> None:
    assert steps((8, 0, 0)) == []


def test_a_limit_ends_an_endless_trace() -> None:
    program = translate.load(listing(["loop", "iadd r0.x, r0.x, l(1)", "endloop", "ret"]))
    seen = list(trace(program, {}, (1, 1, 1), thread=(3, 0, 0), limit=11))
    assert len(seen) == 11
    assert seen[-1].results[0].ints == (10,)


class Onlooker:
    """An observer that reads the last operand of every instruction, twice."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []

    def watches(self, batch: Batch) -> bool:
        return True

    def before(
        self, statement: Statement, lanes: Array, registers: Registers, accesses: Accesses
    ) -> None:
        if statement.operands:
            registers.read_bits(statement.operands[-1], 0, Scalar.U32, lanes)

    def after(
        self, statement: Statement, lanes: Array, registers: Registers, accesses: Accesses
    ) -> None:
        self.seen.append((statement.row.name, len(lanes)))
        self.before(statement, lanes, registers, accesses)


def test_tracing_does_not_count_as_reading() -> None:
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


def numbers(values: tuple[Value, ...]) -> list[str]:
    """The name, element and number of each number."""
    return [
        f"{value.name} {element}: {number}"
        for value in values
        for element, number in zip(value.elements, value.values, strict=True)
    ]


def traced(body: list[str], declared: list[str], **resources: Resource) -> list[Step]:
    """The trace of thread 3 in a group of eight."""
    text = listing([*body, "ret"], declared)
    return list(trace(translate.load(text), resources, (1, 1, 1), thread=(3, 0, 0)))[:-1]


def test_constants_and_arrays_by_their_elements() -> None:
    """Each has the instruction's type; an element past the end is 0 and marked."""
    steps = traced(
        [
            "mov x0[vThreadID.x + 2].z, cb0[vThreadID.x + 1].w",
            "mul r0.xy, -cb0[4].xyxx, icb[vThreadID.x + 0].zyxx",
            "iadd r1.x, x0[5].z, cb0[vThreadID.x + 7].x",
            "ult r1.y, l(4), icb[9].x",
            "mov x0[vThreadID.x + 9].x, l(1)",
        ],
        [
            "dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 0}, { 0, 0, 0, 0}, { 0, 0, 0, 0},"
            " { 0.5, 0.25, -2.0, 0} }",
            "dcl_constantbuffer cb0[6], dynamicIndexed",
            "dcl_indexableTemp x0[7], 4",
        ],
        cb0=buffer(np.arange(24, dtype=np.float32)),
    )
    moved, product, added, compared, lost = (
        (numbers(step.sources), numbers(step.results)) for step in steps
    )
    nineteen = int(np.float32(19).view(np.uint32))
    assert moved == ([f"a cb0[4].w: {nineteen}"], [f"dst x0[5].z: {nineteen}"])
    assert product == (
        ["a cb0[4].x: -16.0", "a cb0[4].y: -17.0", "b icb[3].z: -2.0", "b icb[3].y: 0.25"],
        ["dst r0.x: 32.0", "dst r0.y: -4.25"],
    )
    assert added[0] == [f"a x0[5].z: {nineteen}", "b cb0[10].x (outside): 0"]
    assert added[1] == [f"dst r1.x: {nineteen}"]
    assert compared[0] == ["a l.x: 4", "b icb[9].x (outside): 0"]
    assert lost[1] == ["dst x0[12].x (outside): 0"]
    types = {value.type for step in steps for value in step.results}
    assert types == {"bits", "float", "int", "uint"}


def test_structures_and_raw_memory() -> None:
    declared = ["dcl_resource_structured t0, 12", "dcl_uav_raw u1",
                "dcl_tgsm_structured g0, 8, 8", "dcl_tgsm_raw g1, 16"]  # fmt: skip
    data = np.arange(30, dtype=np.uint32)
    steps = traced(
        [
            "ld_structured r0.xy, vThreadID.x, l(4), t0.yxxx",
            "store_structured g0.xy, vThreadID.x, l(0), r0.xyxx",
            "ld_structured r1.x, vThreadID.x, l(4), g0.xxxx",
            "store_raw g1.x, l(9), l(77)",
            "ld_raw r0.x, l(8), g1.xxxx",
            "store_raw u1.xy, r0.x, l(5, 6, 0, 0)",
            "ld_structured r0.z, l(10), l(8), t0.xxxx",
        ],
        declared,
        t0=buffer(data),
        u1=buffer(np.zeros(20, np.uint32)),
    )
    read, stored, shared, raw, raw_read, outside, last = steps
    assert numbers(read.sources)[2:] == ["resource t0[3] byte 8: 11", "resource t0[3] byte 4: 10"]
    assert numbers(read.results) == ["dst r0.x: 11", "dst r0.y: 10"]
    assert numbers(stored.results) == ["target g0[3] byte 0: 11", "target g0[3] byte 4: 10"]
    assert numbers(shared.sources)[-1] == "resource g0[3] byte 4: 10"
    assert numbers(raw.results) == ["target g1 byte 8: 77"]
    assert numbers(raw_read.sources)[-1] == "resource g1 byte 8: 77"
    assert numbers(outside.results) == ["target u1 byte 76: 5", "target u1 byte 80 (outside): 0"]
    assert numbers(last.sources)[-1] == "resource t0[10] byte 8 (outside): 0"


def test_atomics_and_counters_show_old_and_new_values() -> None:
    """Before and after all eight threads; the address is that of the result."""
    steps = traced(
        [
            "mov r0.x, l(8)",
            "imm_atomic_imax r0.x, u0, r0.x, l(-3)",
            "atomic_iadd u0, l(12), l(5)",
            "imm_atomic_alloc r1.x, u1",
        ],
        ["dcl_uav_raw u0", "dcl_uav_structured_opc u1, 4"],
        u0=buffer(np.array([0, 0, -9, 40], np.int32)),
        u1=buffer(np.zeros(64, np.uint32), counter=10),
    )
    _, greatest, added, counted = steps
    assert numbers(greatest.sources) == ["target u0 byte 8: -9", "address r0.x: 8", "value l.x: -3"]
    assert numbers(greatest.results) == ["dst r0.x: -3", "target u0 byte 8: -3"]
    assert numbers(added.sources)[0] == "target u0 byte 12: 40"
    assert numbers(added.results) == ["target u0 byte 12: 80"]
    assert numbers(counted.sources)[-1] == "target u1.counter: 10"
    assert numbers(counted.results) == ["dst r1.x: 13", "target u1.counter: 18"]


def test_texels_are_named_as_hlsl_does() -> None:
    mips = (np.arange(32, dtype=np.uint32), np.arange(100, 108, dtype=np.uint32))
    shaped = [
        mip.view(np.uint8).reshape(2, n, n, 1, 4) for mip, n in zip(mips, (4, 2), strict=True)
    ]
    steps = traced(
        [
            "ld r0.xw, l(1, 2, 0, 0), t0.xyzw",
            "mov r1.xyzw, l(1, 0, 1, 1)",
            "ld r0.x, r1.xyzw, t0.xyzw",
            "ld r0.x, l(4, 0, 0, 0), t0.xyzw",
            "ld_uav_typed r2.x, vThreadID.xxxx, u0.xyzw",
            "store_uav_typed u0.xyzw, l(2, 0, 0, 0), l(-7, 0, 0, 0)",
        ],
        [
            "dcl_resource_texture2darray (uint,uint,uint,uint) t0",
            "dcl_uav_typed_buffer (sint,sint,sint,sint) u0",
        ],
        t0=Texture(tuple(shaped), "r32_uint", "2darray"),
        u0=buffer(np.array([1, 2, 3, -4], np.int32), format="r32_sint"),
    )
    first, _, second, outside, typed, stored = steps
    loaded = ["resource t0[1, 2, 0].x: 9", "resource t0[1, 2, 0].w: 1"]
    assert numbers(first.sources)[-2:] == loaded
    assert numbers(second.sources)[-1] == "resource t0.mips[1][1, 0, 1].x: 105"
    assert numbers(second.results) == ["dst r0.x: 105"]
    assert numbers(outside.sources)[-1] == "resource t0[4, 0, 0].x (outside): 0"
    assert numbers(typed.sources)[-1] == "resource u0[3].x: -4"
    assert numbers(typed.results) == ["dst r2.x: -4"]
    assert numbers(stored.results)[0] == "target u0[2].x: -7"


def test_doubles_are_one_number_for_two_letters() -> None:
    text = listing(["dadd r0.zw, d(1.5l, 2.0l), d(2.0l, 0.25l)", "dtof r1.x, r0.zwzw", "ret"],
                   group=(1, 1, 1))  # fmt: skip
    add, convert, _ = trace(translate.load(text), {}, (1, 1, 1), thread=(0, 0, 0))
    assert numbers(add.sources) == ["a d.zw: 2.0", "b d.zw: 0.25"]
    assert numbers(add.results) == ["dst r0.zw: 2.25"]
    assert add.results[0].doubles == (2.25,)
    assert numbers(convert.sources) == ["a r0.zw: 2.25"]
    assert numbers(convert.results) == ["dst r1.x: 2.25"]


def test_ranges_name_their_registers() -> None:
    text = listing(
        ["mov r0.x, CB0[vThreadID.x + 1][1].y",
         "ld_structured r0.y, l(1), l(0), T0[vThreadID.x + 2].xxxx", "ret"],
        ["dcl_constantbuffer CB0[1:4][2], dynamicIndexed, space=2",
         "dcl_resource_structured T0[2:5], 4, space=0"],
        profile="cs_5_1",
    )  # fmt: skip
    bound = {
        "cb4_space2": buffer(np.arange(8, dtype=np.uint32)),
        "t5": buffer(np.array([3, 4], np.uint32)),
    }
    moved, read, _ = trace(translate.load(text), bound, (1, 1, 1), thread=(3, 0, 0))
    assert numbers(moved.sources) == ["a cb4_space2[1].y: 5"]
    assert numbers(read.sources)[-1] == "resource t5[1] byte 0: 4"


def test_lines_of_the_hlsl() -> None:
    data = Path(__file__).parents[1] / "dxbc/data/debug"
    program = translate.load(data / "debug_lines_O3.dxbc")
    given = {
        "t0": buffer(np.arange(5, dtype=np.float32)),
        "u0": buffer(np.zeros(5, np.uint32)),
        "cb0": buffer(np.array([4, 0, 0, 0], np.uint32)),
    }
    steps = list(trace(program, given, (1, 1, 1), thread=(2, 0, 0)))
    for step in steps:
        assert step.hlsl_file is not None
        assert step.hlsl_line is not None
        source = (data / step.hlsl_file.rpartition("\\")[2]).read_text().splitlines()
        assert step.hlsl_text == source[step.hlsl_line - 1].strip()
    loads = [step for step in steps if step.text.startswith("ld_structured")]
    bits = np.array([1, 2, 3], np.float32).view(np.uint32)
    wanted = [f"resource t0[{n}] byte 0: {number}" for n, number in enumerate(bits, 1)]
    assert [numbers(step.sources)[-1] for step in loads] == wanted
    assert {step.hlsl_text for step in loads} == {"return samples[place + i"}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_the_corpus(shader: str, profile: str) -> None:
    """A number for each element; the loaded values are those in memory."""
    with vkrunner.open_device("reference") as device:
        assert isinstance(device, vkrunner.ReferenceDevice)
        kernel = device.kernel(CORPUS / profile / f"{shader}.dxbc")
        case = CASES[shader]()[0]
        bound = {name: on_device(device, value) for name, value in case.arguments.items()}
        steps = [*kernel.trace(case.groups, thread=(0, 0, 0), limit=3000, **bound)]
    assert steps
    for step in steps:
        for value in (*step.sources, *step.results):
            assert len(value.elements) == len(value.values), step.text
        if step.text.startswith("ld"):
            memory = [value for value in step.sources if value.name == "resource"]
            assert [value.bits for value in memory] == [step.results[0].bits], step.text
