"""The instruction table is consistent, and agrees with the specification.

`tests/rows`, `tests/coverage` and `tests/textures` lower and evaluate every row.
"""

import dataclasses
import re
from typing import Any

import pytest

from checks.lanes import results
from translate.isa import BY_MESSAGE, BY_NAME, BY_OPCODE, ROWS, index_rows
from translate.isa.instruction import (
    CONTROLS_MASK,
    PRECISE_SHIFT,
    SM4,
    SM5,
    SM41,
    Control,
    Flow,
    Kind,
    Role,
    Scalar,
)


def test_names_and_opcodes_are_unique() -> None:
    names = [name for row in ROWS for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names)) == len(BY_NAME)
    assert all(BY_NAME[row.name] is row for row in ROWS)
    opcodes = [row for row in ROWS if row.message is None]
    assert len({row.opcode for row in opcodes}) == len(opcodes) == len(BY_OPCODE)
    assert all(BY_OPCODE[row.opcode] is row for row in opcodes)


def test_messages_have_numbers_in_place_of_opcodes() -> None:
    """The numbers are those of D3D11's debug layer (d3d11sdklayers.h)."""
    numbers = {number: row.name for number, row in BY_MESSAGE.items()}
    assert numbers == {0x200102: "printf", 0x200103: "errorf"}
    assert {row.opcode for row in BY_MESSAGE.values()} == {0x35}
    assert {row for row in ROWS if row.message is not None} == {*BY_MESSAGE.values()}
    assert BY_NAME["abort"].opcode == 0xCF


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"opcode": 0x7FF}, "add occurs twice"),
        ({"name": "plus"}, "opcode 0x0 occurs twice"),
        ({"name": "plus", "opcode": 0x7FF, "aliases": ("add",)}, "add occurs twice"),
        (
            {"name": "plus", "opcode": 0x7FF, "operands": BY_NAME["add"].operands[::-1]},
            "plus: destinations come first",
        ),
    ],
)
def test_a_faulty_table_is_refused(change: dict[str, Any], message: str) -> None:
    add = BY_NAME["add"]
    with pytest.raises(ValueError, match=message):
        index_rows((add, dataclasses.replace(add, **change)))


def test_a_message_that_stands_twice_is_refused() -> None:
    printf = BY_NAME["printf"]
    with pytest.raises(ValueError, match="opcode 0x200102 occurs twice"):
        index_rows((printf, dataclasses.replace(printf, name="printed")))


def test_rows_name_their_source() -> None:
    """The functional specification, or the header of tokens (TPF) for what it lacks."""
    source = re.compile(r"FS §\d+\.\d+|TPF .")
    wrong = {row.name: row.source for row in ROWS if not source.match(row.source)}
    assert wrong == {}, "`source` begins with a section, as in 'FS §22.11.4', or with 'TPF '"
    without_section = [row.name for row in ROWS if row.source[0] == "T"]
    assert without_section == ["abort", "printf", "errorf"]


def test_numbers_fit_their_token() -> None:
    assert [row for row in ROWS if not 0 <= row.opcode < 1 << 11] == []
    assert {row.since for row in ROWS} == {SM4, SM41, SM5}


def test_controls_stand_beside_each_other() -> None:
    for row in ROWS:
        precise = row.kind in (Kind.ALU, Kind.DOT, Kind.MOVE, Kind.LOAD)
        taken = 15 << PRECISE_SHIFT if precise else 0
        for control in row.controls:
            bits = (1 << control.width) - 1 << control.shift
            assert bits & CONTROLS_MASK == bits, (row, control)
            assert not bits & taken, (row, control)
            taken |= bits


def test_controls_have_a_text() -> None:
    for row in ROWS:
        assert len({control.name for control in row.controls}) == len(row.controls), row
        for control in row.controls:
            assert len(set(control.suffixes)) == len(control.suffixes) >= 2, row


def test_operands_have_names_of_their_own() -> None:
    names = {row: [spec.name for spec in row.operands] for row in ROWS}
    assert [row for row, given in names.items() if len(given) != len(set(given))] == []


def test_flow_and_syntax_stand_where_they_mean_something() -> None:
    for row in ROWS:
        flows = row.kind is Kind.FLOW or row.flow is Flow.ABORT
        assert (row.flow is not None) == flows, row
        assert bool(row.syntax) == row.is_declaration, row
        assert row.extras_51 is None or row.is_declaration, row


def test_only_floats_and_moves_saturate() -> None:
    floats = {Scalar.F32, Scalar.F64, Scalar.BITS}
    assert [row for row in ROWS if row.saturable and not {*results(row)} <= floats] == []


def test_feedback_is_a_second_destination() -> None:
    forms = [row for row in ROWS if row.feedback]
    assert len(forms) >= 10
    for row in forms:
        assert [spec.name for spec in row.operands[:2]] == ["dst", "status"]
        base = BY_NAME.get(row.name.removesuffix("_s"))
        assert base is None or row.operands[2:] == base.operands[1:]


def test_lowered_rows_can_be_evaluated() -> None:
    """The reference machine needs `evaluate` too."""
    kinds = (Kind.ALU, Kind.DOT, Kind.MOVE, Kind.ATOMIC)
    without = [row.name for row in ROWS if row.kind in kinds and row.lower and not row.evaluate]
    assert without == [], "rows in translate/isa with `lower` need `evaluate`"


def test_openings_have_their_ends() -> None:
    flows = {row.flow for row in ROWS if row.flow}
    assert flows == {*Flow}


@pytest.mark.parametrize(
    ("suffixes", "width"), [(("", "_a"), 1), (("", "_a", "_b"), 2), (("", "a", "b", "c", "d"), 3)]
)
def test_a_control_is_as_wide_as_its_texts(suffixes: tuple[str, ...], width: int) -> None:
    control = Control("control", 13, suffixes)
    assert control.width == width
    assert control.read(0xFFFFFFFF) == (1 << width) - 1
    assert control.read(1 << 13) == 1
    assert control.read(1 << 12) == 0


def test_sources_of_addresses_are_not_values() -> None:
    """`evaluate` takes the values; memory accesses take the addresses."""
    roles = [spec.role for spec in BY_NAME["imm_atomic_cmp_exch"].operands]
    assert roles == [Role.DESTINATION, Role.TARGET, Role.ADDRESS, Role.SOURCE, Role.SOURCE]
