"""Integer and bit rows, compared with Python's unbounded integers. FS §22.11, §22.12, §22.18."""

import pytest

from checks import lanes
from translate.errors import row_of
from translate.isa import integer
from translate.isa.instruction import Instruction

ONES = 0xFFFFFFFF


def mask(truth: bool) -> lanes.Bits:
    return ONES if truth else 0


def imul(a: lanes.Bits, b: lanes.Bits) -> tuple[lanes.Bits, lanes.Bits]:
    product = lanes.signed(a) * lanes.signed(b)
    return lanes.unsigned(product >> 32), lanes.unsigned(product)


def udiv(a: lanes.Bits, b: lanes.Bits) -> tuple[lanes.Bits, lanes.Bits]:
    return divmod(a, b) if b else (ONES, ONES)


ARITHMETIC: dict[str, lanes.Expected] = {
    "iadd": lambda a, b: lanes.unsigned(a + b),
    "imad": lambda a, b, c: lanes.unsigned(a * b + c),
    "umad": lambda a, b, c: lanes.unsigned(a * b + c),
    "imul": imul,
    "umul": lambda a, b: (a * b >> 32, lanes.unsigned(a * b)),
    "udiv": udiv,
    "uaddc": lambda a, b: (lanes.unsigned(a + b), int(a + b > ONES)),
    "usubb": lambda a, b: (lanes.unsigned(a - b), int(a < b)),
    "ineg": lambda a: lanes.unsigned(-a),
    "imax": lambda a, b: lanes.unsigned(max(lanes.signed(a), lanes.signed(b))),
    "imin": lambda a, b: lanes.unsigned(min(lanes.signed(a), lanes.signed(b))),
    "umax": max,
    "umin": min,
    "ieq": lambda a, b: mask(a == b),
    "ine": lambda a, b: mask(a != b),
    "ige": lambda a, b: mask(lanes.signed(a) >= lanes.signed(b)),
    "ilt": lambda a, b: mask(lanes.signed(a) < lanes.signed(b)),
    "uge": lambda a, b: mask(a >= b),
    "ult": lambda a, b: mask(a < b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a: a ^ ONES,
    "ishl": lambda a, n: lanes.unsigned(a << n % 32),
    "ishr": lambda a, n: lanes.unsigned(lanes.signed(a) >> n % 32),
    "ushr": lambda a, n: a >> n % 32,
}


def binary(x: lanes.Bits) -> str:
    return f"{x:032b}"


def position(text: str, digit: str) -> lanes.Bits:
    return lanes.unsigned(text.find(digit))


def firstbit_shi(x: lanes.Bits) -> lanes.Bits:
    return position(binary(x), "0" if x >> 31 else "1")


def ubfe(width: lanes.Bits, offset: lanes.Bits, value: lanes.Bits) -> lanes.Bits:
    """FS §22.11.19 literally: shift left, then right."""
    width, offset = width & 31, offset & 31
    if width == 0:
        return 0
    if width + offset >= 32:
        return value >> offset
    return lanes.unsigned(value << 32 - width - offset) >> 32 - width


def ibfe(width: lanes.Bits, offset: lanes.Bits, value: lanes.Bits) -> lanes.Bits:
    """The bits of the field, as far as they exist, as two's complement."""
    width, offset = width & 31, offset & 31
    digits = binary(value)[: 32 - offset][-width:] if width else ""
    return lanes.unsigned(int(digits, 2) - (int(digits[0]) << len(digits))) if digits else 0


def bfi(width: lanes.Bits, offset: lanes.Bits, insert: lanes.Bits, base: lanes.Bits) -> lanes.Bits:
    width, offset = width & 31, offset & 31
    taken = [*reversed(binary(base))]
    for i, digit in enumerate([*reversed(binary(insert))][:width]):
        if offset + i < 32:
            taken[offset + i] = digit
    return int("".join(reversed(taken)), 2)


def msad(reference: lanes.Bits, source: lanes.Bits, accumulator: lanes.Bits) -> lanes.Bits:
    pairs = zip(reference.to_bytes(4, "little"), source.to_bytes(4, "little"), strict=True)
    return lanes.unsigned(accumulator + sum(abs(a - b) for a, b in pairs if a))


FIELDS: dict[str, lanes.Expected] = {
    "countbits": lambda x: binary(x).count("1"),
    "firstbit_hi": lambda x: position(binary(x), "1"),
    "firstbit_lo": lambda x: position(binary(x)[::-1], "1"),
    "firstbit_shi": firstbit_shi,
    "ubfe": ubfe,
    "ibfe": ibfe,
    "bfi": bfi,
    "bfrev": lambda x: int(binary(x)[::-1], 2),
    "msad": msad,
}


def edges(arity: int) -> list[tuple[lanes.Bits, ...]]:
    return lanes.with_random(lanes.INTEGERS if arity < 3 else lanes.FEW_INTEGERS, arity)


@pytest.mark.parametrize("row", integer.INTEGERS, ids=lambda row: row.name)
def test_integer_rows(row: Instruction) -> None:
    expected = row_of(ARITHMETIC, row.name, "ARITHMETIC of tests/unit/isa/test_evaluate_integer.py")
    lanes.check_bits(row.name, expected, edges(len(lanes.sources(row))))


@pytest.mark.parametrize("row", integer.BITS, ids=lambda row: row.name)
def test_bit_rows(row: Instruction) -> None:
    expected = row_of(FIELDS, row.name, "FIELDS of tests/unit/isa/test_evaluate_integer.py")
    lanes.check_bits(row.name, expected, edges(len(lanes.sources(row))))


@pytest.mark.parametrize("name", ["ubfe", "ibfe"])
def test_every_field(name: str) -> None:
    """All widths and offsets, the sixth bit of each included."""
    rows = [(w, o, v) for w in range(34) for o in range(34) for v in (0x80000001, 0x5A5AA5A5)]
    lanes.check_bits(name, FIELDS[name], rows)


def test_every_insertion() -> None:
    rows = [(w, o, ONES, 0x5A5AA5A5) for w in range(34) for o in range(34)]
    lanes.check_bits("bfi", bfi, rows)


def test_every_shift() -> None:
    for name in ("ishl", "ishr", "ushr"):
        rows = [(0x9234567B, n) for n in (*range(70), ONES, 0x80000000)]
        lanes.check_bits(name, ARITHMETIC[name], rows)


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("udiv", (7, 0), (ONES, ONES)),
        ("udiv", (ONES, 2), (0x7FFFFFFF, 1)),
        ("imul", (ONES, ONES), (0, 1)),
        ("umul", (ONES, ONES), (0xFFFFFFFE, 1)),
        ("uaddc", (ONES, 1), (0, 1)),
        ("usubb", (0, 1), (ONES, 1)),
        ("ineg", (0x80000000,), (0x80000000,)),
        ("ishl", (1, 33), (2,)),
        ("firstbit_hi", (0x80000000,), (0,)),
        ("firstbit_hi", (0x10000000,), (3,)),
        ("firstbit_hi", (0,), (ONES,)),
        ("firstbit_shi", (ONES,), (ONES,)),
        ("firstbit_shi", (0xF0000000,), (4,)),
        ("firstbit_lo", (0,), (ONES,)),
        ("bfi", (32, 0, ONES, 5), (5,)),
        ("bfi", (8, 28, 0xFF, 0), (0xF0000000,)),
        ("ubfe", (32, 4, ONES), (0,)),
        ("ibfe", (4, 4, 0x80), (0xFFFFFFF8,)),
        ("msad", (0x00010203, 0x09090909, 10), (31,)),
    ],
)
def test_results_that_the_specification_names(
    name: str, arguments: tuple[lanes.Bits, ...], result: tuple[lanes.Bits, ...]
) -> None:
    lanes.check_bits(name, lambda *_: result, [arguments])
