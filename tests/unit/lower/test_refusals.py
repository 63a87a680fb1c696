"""Errors of lowering: each fault once, with its message and its line."""

from contextlib import nullcontext
from pathlib import Path

import pytest

import translate

from .listing import HEADER, listing

# Each fault stands before its message
CASES = (Path(__file__).parent / "data/refusals.asm").read_text("utf-8").strip().split("\n\n")
CASES.append("if_nz r0.x\n" * 64 + "if_nz r0.x  // nested deeper than 64 levels")


@pytest.mark.parametrize("text", CASES, ids=lambda text: text.partition("  // ")[2].splitlines()[0])
def test_fault_is_named_with_its_line(text: str) -> None:
    lines = text.split("\n")
    (at,) = (n for n, line in enumerate(lines) if "  // " in line)
    lines[at], _, message = lines[at].partition("  // ")
    with pytest.raises(translate.ProgramError) as caught:
        translate.to_spirv(translate.load(listing(*lines)))
    assert message in caught.value.message
    assert caught.value.where.line == len(HEADER) + 1 + at
    assert lines[at] in str(caught.value)


@pytest.mark.parametrize("levels", [32, 33])
def test_calls_nest_to_32_levels(levels: int) -> None:
    bodies = (f"label label{n}\ncall label{n + 1}\nret" for n in range(levels - 1))
    last = f"label label{levels - 1}"
    program = translate.load(listing("call label0", "ret", *bodies, last, "ret"))
    with nullcontext() if levels == 32 else pytest.raises(translate.ProgramError, match="32"):
        translate.to_spirv(program, translate.Options(validate=False))


def test_missing_declaration() -> None:
    text = "\n".join(line for line in (*HEADER, "ret") if "dcl_thread_group" not in line)
    with pytest.raises(translate.ProgramError, match="the program has no dcl_thread_group"):
        translate.to_spirv(translate.load(text))


@pytest.mark.parametrize(
    ("ranges", "twice"),
    [
        (("T0[0:3]", "T1[4:5]"), None),
        (("T0[4:5]", "T1[0:3]", "T2[6:*]"), None),
        (("T0[0:3]", "T1[3:5]"), "t3"),
        (("T0[3:5]", "T1[0:3]"), "t0"),
        (("T0[0:9]", "T1[4:4]"), "t4"),
        (("T0[4:4]", "T1[0:9]"), "t0"),
        (("T0[4:*]", "T1[900:900]"), "t900"),
        (("T0[900:900]", "T1[4:*]"), "t4"),
    ],
)
def test_ranges_that_meet(ranges: tuple[str, ...], twice: str | None) -> None:
    lines = (f"dcl_resource_raw {place}, space=1" for place in ranges)
    program = translate.load("\n".join(("cs_5_1", *lines, "dcl_thread_group 1, 1, 1", "ret\n")))
    if twice is None:
        translate.to_spirv(program, translate.Options(validate=False))
        return
    with pytest.raises(translate.ProgramError, match=f"{twice}_space1 is declared twice"):
        translate.to_spirv(program)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dcl_uav_raw u0", "u0 is declared twice"),
        ("dcl_resource_structured t7, 6", "a stride must be a multiple of 4 from 4 to 2048, not 6"),
        ("dcl_resource_structured t7, 0", "a stride must be a multiple of 4 from 4 to 2048, not 0"),
        ("dcl_tgsm_raw g1, 30", "in steps of 4, not 30"),
        ("dcl_tgsm_structured g1, 8, 5000", "not 5000 of 8"),
        ("dcl_thread_group 2, 2, 2", "the thread group is declared twice"),
        ("dcl_thread_group 33, 32, 1", "a thread group of 33 x 32 x 1"),
        ("dcl_thread_group 41, 25, 1", "a thread group of 41 x 25 x 1"),
        ("dcl_thread_group 1, 1, 65", "a thread group of 1 x 1 x 65"),
        ("dcl_constantbuffer CB3[4097], immediateIndexed", "at most 4096 vectors, not 4097"),
        ("dcl_temps 4097", "at most 4096 temporaries, not 4097"),
        ("dcl_indexableTemp x3[0], 4", "is not an indexable temporary"),
        ("dcl_indexableTemp x1[4089], 1", "r# and x# take 4097 registers in all; D3D allows 4096"),
        ("dcl_tgsm_raw g1, 32768", "g# takes 32832 bytes in all"),
    ],
)
def test_wrong_declaration(line: str, message: str) -> None:
    with pytest.raises(translate.ProgramError, match=message.replace("(", r"\(")):
        translate.to_spirv(translate.load(listing(line, "ret")))


def test_all_temporaries_that_d3d_allows() -> None:
    program = translate.load(listing("dcl_indexableTemp x1[4088], 4", "ret"))
    assert len(translate.to_spirv(program).words)


def test_more_resources_than_a_shader_needs() -> None:
    """Each is looked up among all of them."""
    rows = [f"dcl_uav_raw U{n}[{n}:{n}], space=0\n" for n in range(1001)]
    head, end = "cs_5_1\n", "dcl_thread_group 1, 1, 1\nret\n"
    unchecked = translate.Options(validate=False)
    translate.to_spirv(translate.load(head + "".join(rows[:1000]) + end), unchecked)
    with pytest.raises(translate.ProgramError, match="1000") as caught:
        translate.to_spirv(translate.load(head + "".join(rows) + end), unchecked)
    assert caught.value.where.line == 1002
