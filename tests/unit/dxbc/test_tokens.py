"""Bit fields, and operands as token words, which fxc wrote."""

import pytest

from translate.dxbc.tokens import Bits, TokenError, read_operand, write_operand
from translate.isa.registers import Index, MinPrecision, Modifier, Operand, RegisterFile, Selection

FIELD = Bits(9, 4)
X = (0, 0, 0, 0)


def test_a_field_reads_what_it_placed() -> None:
    for value in range(16):
        assert FIELD.read(FIELD.place(value)) == value
        assert FIELD.read(FIELD.place(value) | ~(15 << 9) & 0xFFFFFFFF) == value


def test_signed_fields() -> None:
    assert [FIELD.read_signed(FIELD.place_signed(v)) for v in range(-8, 8)] == [*range(-8, 8)]
    assert FIELD.place_signed(-1) == 15 << 9


@pytest.mark.parametrize("value", [-1, 16])
def test_a_field_refuses_what_does_not_fit(value: int) -> None:
    with pytest.raises(TokenError, match=f"^{value} does not fit into 4 bits$"):
        FIELD.place(value)


def test_a_signed_field_refuses_what_does_not_fit() -> None:
    with pytest.raises(TokenError, match=r"^8 is outside \[-8, 7\]$"):
        FIELD.place_signed(8)


def temp(number: int, **keywords: object) -> Operand:
    return Operand(RegisterFile.TEMP, indices=(Index(number),), **keywords)  # type: ignore[arg-type]


SELECT_X = {"selection": Selection.SELECT, "swizzle": X}
R0_X = temp(0, **SELECT_X)
CASES = [
    ("00100012 00000000", temp(0, mask=1)),
    ("0010003a 00000000", temp(0, selection=Selection.SELECT, swizzle=(3, 3, 3, 3))),
    ("00100346 00000001", temp(1, selection=Selection.SWIZZLE, swizzle=(0, 1, 3, 0))),
    ("0000d000", Operand(RegisterFile.NULL, 0)),
    ("00004001 3f800000", Operand(RegisterFile.IMMEDIATE32, 1, values=(0x3F800000,))),
    ("00004002 00000000 00000003 00000005 00000003",
     Operand(RegisterFile.IMMEDIATE32, values=(0, 3, 5, 3))),
    ("00005002 00000000 3ff00000 00000000 40000000",
     Operand(RegisterFile.IMMEDIATE64, values=(0, 0x3FF00000, 0, 0x40000000))),
    ("00005001 00000000 3ff00000",
     Operand(RegisterFile.IMMEDIATE64, 1, values=(0, 0x3FF00000))),
    ("8010000a 000000c1 00000000", temp(0, **SELECT_X, modifier=Modifier.NEG_ABS)),
    ("80100012 00004001 00000000", temp(0, mask=1, min_precision=MinPrecision.FLOAT16)),
    ("06208246 00000002 00000005 0010003a 00000000",
     Operand(RegisterFile.CONSTANT_BUFFER, selection=Selection.SWIZZLE, swizzle=(0, 1, 2, 0),
             indices=(Index(2),
                      Index(5, temp(0, selection=Selection.SELECT, swizzle=(3, 3, 3, 3)))))),
    ("04a08006 0010000a 00000000 0010000a 00000000",
     Operand(RegisterFile.CONSTANT_BUFFER, selection=Selection.SWIZZLE, swizzle=X,
             indices=(Index(None, R0_X), Index(None, R0_X)))),
    ("00500012 00000001 00000002",
     Operand(RegisterFile.TEMP, mask=1, indices=(Index(0x100000002),))),
    ("01100012 00000001 00000002 0010000a 00000000",
     Operand(RegisterFile.TEMP, mask=1, indices=(Index(0x100000002, R0_X),))),
]  # fmt: skip


@pytest.mark.parametrize(("words", "operand"), CASES, ids=[case[0] for case in CASES])
def test_operands(words: str, operand: Operand) -> None:
    values = [int(word, 16) for word in words.split()]
    assert read_operand([9, *values, 9], 1, 1 + len(values)) == (operand, 1 + len(values))
    assert write_operand(operand) == values


@pytest.mark.parametrize(("words", "_"), CASES, ids=[case[0] for case in CASES])
def test_cut_off_operands(words: str, _: Operand) -> None:
    values = [int(word, 16) for word in words.split()]
    for length in range(len(values)):
        with pytest.raises(TokenError, match=r"^the instruction ends "):
            read_operand(values, 0, length)


def test_the_last_extension_counts() -> None:
    words = [0x8010000A, 0x80000041, 0x00000081, 0]
    operand, end = read_operand(words, 0, 4)
    assert (operand.modifier, end) == (Modifier.ABS, 4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([0x00100013, 0], "an operand has N components, which no shader model defines"),
        ([0x0010001E, 0], "unknown component selection 3"),
        ([0x001FF012, 0], "unknown register file 255"),
        ([0x00104001, 0, 0], "an immediate has an index"),
        ([0x01500012, 0, 0], "unknown index representation 5"),
        ([0x8010000A, 0x00000002, 0], "unknown kind 2 of extended operand token"),
        ([0x8010000A, 0x00000101, 0], "unknown operand modifier 4"),
        ([0x8010000A, 0x0000C001, 0], "unknown minimum precision 3"),
        ([0x80004002, 0x80000000, 0x41, 1, 2, 3], "the instruction ends within an immediate"),
    ],
)
def test_refused_operands(words: list[int], message: str) -> None:
    with pytest.raises(TokenError) as caught:
        read_operand(words, 0, len(words))
    assert str(caught.value) == message


def test_nesting_is_bounded() -> None:
    words = [0x0090000A] * 100
    with pytest.raises(TokenError, match=r"^relative indices nest deeper than 4$"):
        read_operand(words, 0, len(words))
