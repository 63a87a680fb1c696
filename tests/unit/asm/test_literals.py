"""Numbers in listings: every spelling, exact rounding, ranges."""

import ctypes
import struct
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.asm import literals


def float_bits(value: float) -> int:
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return bits


LARGEST = "340282346638528859811704183484516925440.000000"
SPELLINGS = {
    0: ["0", "0.000000"],
    1: ["000000000000001"],
    0xFFFFFFFF: ["-1", "4294967295", "0XFFFFffff"],
    0x80000000: ["-2147483648", "-0.000000"],
    0x3F800000: ["0x3f800000", "1.0", "1.", "1e0", "1.000000f"],
    0x3F000000: [".5"],
    0xBE800000: ["-2.5E-1"],
    0x7F7FFFFF: [LARGEST],
    0xFF7FFFFF: [f"-{LARGEST}"],
    0x7149F2CA: ["1000000015047466219876688855040.000000"],
    0x7F800000: ["1.#INF00", "1.#INF", "inf"],
    0xFF800000: ["-1.#INF00", "-inf", "-infinity"],
    0x7FC00000: ["1.#QNAN0", "nan"],
    0xFFC00000: ["-1.#IND00", "-nan(ind)"],
}


@pytest.mark.parametrize("bits", SPELLINGS, ids=hex)
def test_bits(bits: int) -> None:
    texts = SPELLINGS[bits]
    assert {text: literals.parse_dword(text) for text in texts} == dict.fromkeys(texts, bits)


@pytest.mark.parametrize(
    "text",
    ["", "-", "x", "1.0.0", "0x", "0x1ffffffff", "4294967296", "-2147483649", "1e39", "-3.5e38",
     "1.#FOO", "1 2", "--1", "1" * 5000, "1." + "0" * 5000],
)  # fmt: skip
def test_refused(text: str) -> None:
    with pytest.raises(literals.LiteralError):
        literals.parse_dword(text)


def nearest_float_bits(text: str) -> int:
    """The nearest float by exact arithmetic on both neighbours of the number; ties to even."""
    exact = Fraction(text)
    guess = float_bits(ctypes.c_float(float(exact)).value)
    candidates = [b for b in (guess - 1, guess, guess + 1) if 0 <= b < 0x7F800000]

    def distance(bits: int) -> tuple[Fraction, int]:
        (value,) = struct.unpack("<f", struct.pack("<I", bits))
        return abs(Fraction(value) - exact), bits & 1

    return min(candidates, key=distance)


@pytest.mark.parametrize(
    "text",
    [
        # just above and just below the middle of two floats, closer than a double can represent
        "1.00000005960464477539062500000001",
        "1.00000017881393432617187499999999",
        "1.00000005960464477539062500000000",
        "16777217.0000000001",
        "16777218.9999999999",
        "0." + "0" * 45 + "7006492321624085354618",
    ],
)
def test_rounds_once(text: str) -> None:
    assert literals.parse_dword(text) == nearest_float_bits(text)


@given(st.integers(0, 0x7F7FFFFE), st.sampled_from(["0", "1e-30", "-1e-30"]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_rounds_once_next_to_every_middle(bits: int, nudge: str) -> None:
    low, high = struct.unpack("<2f", struct.pack("<2I", bits, bits + 1))
    exact = (Fraction(low) + Fraction(high)) / 2
    exact += Fraction(nudge) * exact
    digits = 330
    text = f"{int(exact * 10**digits):0{digits + 1}d}"
    number = f"{text[:-digits]}.{text[-digits:]}"
    if len(number) <= 400:
        assert literals.parse_dword(number) == nearest_float_bits(number)


@given(st.integers(0, 0xFFFFFFFF))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_printed_numbers_are_read_the_same(bits: int) -> None:
    assert literals.parse_dword(literals.format_integer(bits)) == bits
    assert literals.format_float(
        literals.parse_dword(literals.format_float(bits))
    ) == literals.format_float(bits)
    # A number that looks like an integer is read as one.
    untyped = literals.format_untyped(bits)
    if "." not in untyped:
        assert literals.parse_dword(untyped) == bits


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.000000l", 1.0), ("-0.5l", -0.5), ("10000000000.000000l", 1e10), ("1e300", 1e300),
     ("2", 2.0), ("1.#INF00l", float("inf")), ("-1.#INF00l", float("-inf"))],
)  # fmt: skip
def test_doubles(text: str, value: float) -> None:
    assert struct.pack("<2I", *literals.parse_double(text)) == struct.pack("<d", value)


@pytest.mark.parametrize(
    ("text", "bits"),
    [("-1.#IND00l", 0xFFF8000000000000), ("1.#QNAN0l", 0x7FF8000000000000),
     ("1.#SNAN0l", 0x7FF0000000000001)],
)  # fmt: skip
def test_double_nans(text: str, bits: int) -> None:
    assert literals.parse_double(text) == (bits & 0xFFFFFFFF, bits >> 32)


@pytest.mark.parametrize("text", ["", "l", "1e400", "0x10", "x"])
def test_refused_doubles(text: str) -> None:
    with pytest.raises(literals.LiteralError):
        literals.parse_double(text)
