"""Sources as for 3Dmigoto's assembler: masks of two or three letters, and no letters.

Expected results follow its public source: `handleSwizzle`, `assemble_cbvox_operand`.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import translate
from translate.asm import parse_listing, print_listing
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container
from translate.isa.registers import Operand, RegisterFile, Selection
from translate.program import Program, Statement
from vkrunner import open_device

MASKED = Path(__file__).parent / "masks" / "masked_source.dxbc"
XY = "cs_5_0\ndcl_temps 2\ndcl_constantbuffer CB0[21], dynamicIndexed\ndcl_uav_raw u0\n"
COMPUTES = (Path(__file__).parent / "data/masks.txt").read_text("utf-8")


def read_line(line: str) -> tuple[Statement, list[translate.ListingWarning]]:
    program = parse_listing(f"{XY}{line}\n", "a.asm")
    return program.statements[-1], program.listing_warnings


MASKS = {
    **{"xyz": 7, "xy": 3, "yz": 6, "zw": 12, "xw": 9, "yzw": 14},
    **{"yx": 2, "zx": 4, "xx": 1, "xyx": 3, "xzy": 5, "www": 8},  # up to the first that is late
}


@pytest.mark.parametrize(("letters", "mask"), MASKS.items())
def test_letters_are_a_mask(letters: str, mask: int) -> None:
    statement, _ = read_line(f"mov r0.xyzw, r1.{letters}")
    operand = statement.operands[1]
    assert (operand.components, operand.selection, operand.mask) == (4, Selection.MASK, mask)
    assert [operand.component(slot) for slot in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("text", ["cb0[19]", "cb0[r0.x + 3]", "x0[1]", "icb[2]", "vThreadID"])
def test_without_letters_in_order(text: str) -> None:
    statement, warned = read_line(f"mov r0.xyzw, {text}")
    operand = statement.operands[1]
    assert (operand.selection, operand.swizzle) == (Selection.SWIZZLE, (0, 1, 2, 3))
    assert warned == []


@pytest.mark.parametrize(
    "line",
    [
        "add r0.xyz, r1.xyz, r1.xyz",
        "add r0.xy, r1.xyz, -|r1.xyw|",
        "mov r0.yz, cb0[r1.x + 1].yz",
        "dp3 r0.x, r1.xyz, r1.xyz",
        "store_raw u0.xyz, r0.x, r1.xyz",
        "ld_indexable(texture3d)(float,float,float,float) r0.xyz, r1.xyz, t0.xyz",
    ],
)
def test_a_mask_of_all_read_components_is_silent(line: str) -> None:
    assert read_line(line)[1] == []


@pytest.mark.parametrize(
    ("line", "words", "marked"),
    [
        (
            "add r0.xyzw, r1.xyzw, r1.xyz",
            "add reads w too, but 'r1.xyz' is a write mask of xyz",
            "r1.xyz",
        ),
        ("mov r0.xy, -r1.zw", "mov reads xy too, but '-r1.zw' is a write mask of zw", "-r1.zw"),
        ("dp3 r0.x, r1.xyzx, r1.xy", "dp3 reads z too, but 'r1.xy' is a write mask of xy", "r1.xy"),
        ("mov r0.xy, r1.yx", "a swizzle has one or four letters", "r1.yx"),
        ("mov r0.xy, r1.xx", "'r1.xx' is a write mask", "r1.xx"),
        (
            "ld_indexable(texture3d)(float,float,float,float) r0.x, r1.xy, t0.x",
            "ld reads z too, but 'r1.xy'",
            "r1.xy",
        ),
    ],
)
def test_a_mask_without_a_read_component_warns(line: str, words: str, marked: str) -> None:
    (warning,) = read_line(line)[1]
    assert words in warning.message
    where = warning.where
    assert (where.file, where.line, warning.source_line) == ("a.asm", 5, line)
    assert where.column is not None
    assert line[where.column - 1 : where.column - 1 + where.length] == marked


def test_one_warning_names_all_lines() -> None:
    lines = "\n".join("mov r0.xy, r1.yx" if n in (1, 3, 4, 5, 9) else "nop" for n in range(12))
    (warning,) = parse_listing(f"cs_5_0\n{lines}\n", "a.asm").listing_warnings
    assert warning.lines == (3, 5, 6, 7, 11)
    assert str(warning) == (
        "a.asm:3:12: warning: 'r1.yx' is a write mask, not a swizzle, and does not move"
        " components; a swizzle has one or four letters (also in lines 5 to 7, 11)\n"
        "   3 | mov r0.xy, r1.yx\n"
        "     |            ^^^^^"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("add r1.xyzw, r0.xyz, r0.xyz", (2, 4, 6, 8)),
        ("mov r1.xyzw, r0.yx", (1, 2, 3, 4)),
        ("mov r1.xyzw, cb0[1]", (5, 6, 7, 8)),
        ("mul r1.xyzw, cb0[1], r0.wzyx", (20, 18, 14, 8)),
    ],
)
def test_results(line: str, expected: tuple[float, ...]) -> None:
    with open_device("reference") as device:
        kernel = device.kernel(parse_listing(COMPUTES.format(line), None))
        constants = np.arange(1, 9, dtype=np.float32)
        result = kernel.dispatch((1, 1, 1), cb0=constants, u0=np.zeros(4, np.float32))
    np.testing.assert_array_equal(result.u0, np.float32(expected))


def test_masks_of_a_container_survive() -> None:
    decoded = decode_container(MASKED.read_bytes())
    assert round_trip(decoded) == words_of(decoded)
    assert "add r1.xyz, r0.xyz, r0.xyz\n" in print_listing(decoded)


def sources(change: dict[str, object]) -> Program:
    """A program whose r#, cb# and v# sources were changed, as another assembler may write them."""
    program = parse_listing(
        COMPUTES.format("add r1.yz, r0.xyzw, -|cb0[1].xyzw|\nmov r1.xw, vThreadID.xyzw"), None
    )
    program.statements.insert(
        2, parse_listing("cs_5_0\ndcl_input vThreadID.xyz\n", None).statements[0]
    )
    for statement in program.statements:
        if statement.row.name in ("add", "mov"):
            first, *rest = statement.operands
            statement.operands = (first, *(changed(operand, change) for operand in rest))
    return program


def changed(operand: Operand, change: dict[str, object]) -> Operand:
    return operand if operand.file is RegisterFile.IMMEDIATE32 else replace(operand, **change)


def words_of(program: Program) -> list[int]:
    return translate.to_spirv(program).words.tolist()


def round_trip(program: Program) -> list[int]:
    """The words of the program's listing, assembled; printing it again gives the same listing."""
    printed = print_listing(program)
    again = decode_container(encode_container(parse_listing(printed, None)))
    assert print_listing(again) == printed
    return words_of(again)


@pytest.mark.parametrize(
    "change",
    [*({"mask": mask} for mask in range(16)), {"components": 0}, {"components": 1}],
    ids=str,
)
def test_every_mask_of_a_source_survives(change: dict[str, object]) -> None:
    program = sources({"selection": Selection.MASK, **change})
    assert round_trip(program) == words_of(program)


@pytest.mark.parametrize("line", ["if_nz r0.xyz", "breakc_z r0.yz"])
def test_a_condition_is_one_component(line: str) -> None:
    """The others would be ignored."""
    text = f"{XY}dcl_thread_group 1, 1, 1\nloop\n{line}\n"
    text += ("endif\n" if line.startswith("if") else "") + "endloop\nret\n"
    (warning,) = parse_listing(text, "a.asm").listing_warnings
    assert "reads one component, x, of" in str(warning)
