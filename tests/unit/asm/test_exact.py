"""Exact listings: every immediate is printed such that it is read as the same bits."""

import random
import re
import struct
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

import translate
from translate.asm import parse_listing
from translate.dxbc.container import parse_container
from translate.program import Program
from vkrunner.__main__ import main

from .listings import DATA, READABLE, ROOT

ROUNDED = ROOT / "shaders/images/bc1_encode.dxbc"

RNG = random.Random(1)
MANTISSAS = (0, 1, 2, 0x3FFFFF, 0x400000, 0x400001, 0x7FFFFF)
INTEGERS = [*range(100), *range(9_990, 10_010), *(1 << n for n in range(32))]
WORDS = [
    # Each exponent, with mantissas at its ends and in between
    *(
        sign << 31 | exponent << 23 | mantissa
        for sign in (0, 1)
        for exponent in range(256)
        for mantissa in (*MANTISSAS, *(RNG.getrandbits(23) for _ in range(2)))
    ),
    *(RNG.getrandbits(32) for _ in range(500)),
    *INTEGERS,
    *(-n & 0xFFFFFFFF for n in INTEGERS),
    # Decimal numbers, which fxc's six digits keep or round
    *(
        struct.unpack("<I", struct.pack("<f", n / 10**digits))[0]
        for digits in range(9)
        for n in RNG.sample(range(10**7), 100)
    ),
]
DOUBLES = [
    *(
        sign << 63 | exponent << 52 | mantissa
        for sign in (0, 1)
        for exponent in (*range(0, 2046, 3), 2046, 2047)
        for mantissa in (0, 1, (1 << 52) - 1, RNG.getrandbits(52))
    ),
    *(RNG.getrandbits(64) for _ in range(500)),
    *range(100),
    *(
        struct.unpack("<Q", struct.pack("<d", n / 10**digits))[0]
        for digits in range(9)
        for n in RNG.sample(range(10**9), 100)
    ),
]
# What an instruction expects decides how its immediates are printed.
PLACES = {
    "moved": "mov r0.xyzw, l({0}, {1}, {2}, {3})",
    "a float": "add r0.xyzw, r1.xyzw, l({0}, {1}, {2}, {3})",
    "a negated float": "mul r0.xyzw, r1.xyzw, -|l({0}, {1}, {2}, {3})|",
    "a single float": "max r0.x, r1.x, l({0})",
    "an integer": "iadd r0.xyzw, r1.xyzw, l({0}, {1}, {2}, {3})",
    "an integer of a float": "rcp r0.xyzw, l({0}, {1}, {2}, {3})",
    "chosen": "movc r0.xyzw, r1.xyzw, l({0}, {1}, {2}, {3}), l({3}, {2}, {1}, {0})",
    "an address": "ld_structured r0.x, l({0}), l({1}), t0.xxxx",
    "stored": "store_raw u0.xyzw, l({0}), l({1}, {2}, {3}, {0})",
    "an atomic's": "atomic_iadd u0, l({0}), l({1})",
    "a sample's": "sample_l r0.xyzw, l({0}, {1}, {2}, {3}), t1.xyzw, s0, l({0})",
    "an offset": "gather4_po r0.xyzw, l({0}, {1}, {2}, {3}), l({3}, {2}, {1}, {0}), t1.xyzw, s0.x",
    "a case": "case l({0})",
    "a condition": "if_nz l({0})",
    "an argument": 'printf "%f", l({0})',
    "a double to compare": "dlt r0.x, d({0}, {1}, {2}, {3}), r1.xyxy",
    "a double to multiply": "dmul r0.xy, r1.xyxy, d({0}, {1}, {2}, {3})",
    "a float to convert": "ftod r0.xyzw, l({0}, {1}, {2}, {3})",
    "an integer to convert": "itod r0.xyzw, l({0}, {1}, {2}, {3})",
    "a table's": "dcl_immediateConstantBuffer {{ {{ {0}, {1}, {2}, {3}}} }}",
}


def batches(words: Sequence[int], size: int) -> list[list[str]]:
    """The words in hexadecimal, some at a time; the last ones may be left out."""
    texts = [f"0x{word:08x}" for word in words]
    return [texts[i : i + size] for i in range(0, len(texts) - size + 1, size)]


def read(text: str) -> Program:
    """The program of a listing; a warning fails the test."""
    with warnings.catch_warnings(action="error"):
        return translate.load(text)


def values(program: Program) -> list[tuple[object, ...]]:
    """The dwords of all immediates, and the tables."""
    return [(s.data, *(o.values for o in s.operands)) for s in program.statements]


def program_of(lines: Iterable[str]) -> Program:
    return read("\n".join(["cs_5_0", *lines]) + "\n")


@pytest.mark.parametrize("place", PLACES)
def test_words_in_each_place(place: str) -> None:
    """All exponents, denormals, NaNs with payloads, integers and random bits."""
    program = program_of(PLACES[place].format(*words) for words in batches(WORDS, 4))
    again = read(translate.disassemble(program, exact=True))
    assert values(again) == values(program)


@pytest.mark.parametrize("count", [1, 2])
def test_doubles(count: int) -> None:
    """One double has two dwords, two have four."""
    words = [word for double in DOUBLES for word in (double & 0xFFFFFFFF, double >> 32)]
    given = map(", ".join, batches(words, 2 * count))
    program = program_of(f"dmul r0.xy, r1.xyxy, d({numbers})" for numbers in given)
    sizes = {len(s.operands[2].values) for s in program.statements}
    assert sizes == {2 * count}
    again = read(translate.disassemble(program, exact=True))
    assert values(again) == values(program)
    assert [s.operands[2].components for s in again.statements] == [
        s.operands[2].components for s in program.statements
    ]
    assert values(read(translate.disassemble(program, hexadecimal=True))) == values(program)


def test_floats_have_no_more_digits_than_needed() -> None:
    """NumPy finds the shortest; one 0 more may tell the number from a rounded one.

    A power of two may have one digit more: the nearest number of fewer digits may be another float,
    as the floats below a power of two are closer than those above.
    """
    words = [word for word in WORDS if 0 < word >> 23 & 255 < 255]
    program = program_of(f"max r0.x, r1.x, l(0x{word:08x})" for word in words)
    lines = translate.disassemble(program, exact=True).splitlines()[1:]
    assert len(lines) == len(words)
    for line, number in zip(lines, np.array(words, "<u4").view("<f4"), strict=True):
        text = line.partition("l(")[2].rstrip(")")
        shortest = digits(np.format_float_scientific(number, trim="-"))
        if abs(number) >= 1e10 or not number.is_integer():
            power = np.frexp(number)[0] in (0.5, -0.5)
            assert digits(text) == shortest or power, (text, number)
            assert len(digits(text)) <= len(shortest) + power, (text, number)
            assert re.search(r"\.0$|\.\d{6}0$|[1-9]$|e", text), text
        else:
            assert text == f"{int(number)}.0"


def digits(text: str) -> str:
    """The significant digits of a number."""
    return re.sub(r"[eE].*|[-.]", "", text).strip("0")


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("mul r0.x, r1.x, l(0x3e15bef2)", "mul r0.x, r1.x, l(0.14623621)"),
        ("mul r0.x, r1.x, l(0x3eaaaa9f)", "mul r0.x, r1.x, l(0.3333330)"),  # 0.333333 is doubtful
        ("mul r0.x, r1.x, l(1e-9)", "mul r0.x, r1.x, l(1e-09)"),
        ("mul r0.x, r1.x, l(1)", "mul r0.x, r1.x, l(0x00000001)"),
        ("mul r0.x, r1.x, l(-inf)", "mul r0.x, r1.x, l(-1.#INF00)"),
        ("mul r0.x, r1.x, l(0x7fc00001)", "mul r0.x, r1.x, l(0x7fc00001)"),
        ("mul r0.x, r1.x, l(-0.0)", "mul r0.x, r1.x, l(-0.0)"),
        ("mul r0.x, r1.x, l(0)", "mul r0.x, r1.x, l(0.0)"),
        ("mul r0.x, r1.x, l(4294967296.0)", "mul r0.x, r1.x, l(4294967296.0)"),
        ("mov r0.xyzw, l(1, 2, 3, -4)", "mov r0.xyzw, l(1,2,3,-4)"),
        ("mov r0.xyzw, l(1.0, 0.1, 0, -0.0)", "mov r0.xyzw, l(1.0,0.1,0,-0.0)"),
        ("dadd r0.xy, r1.xyxy, d(0.1, 0)", "dadd r0.xy, r1.xyxy, d(0.1l, 0.0l)"),
        ("dadd r0.xy, r1.xyxy, d(0.333333, 1)", "dadd r0.xy, r1.xyxy, d(0.3333330l, 1.0l)"),
        ("dadd r0.xy, r1.xyxy, d(inf, 1)", "dadd r0.xy, r1.xyxy, d(1.#INF00l, 1.0l)"),
        (
            "dadd r0.xy, r1.xyxy, d(0x1, 0x7ff80000, 0, 0)",
            "dadd r0.xy, r1.xyxy, d(0x00000001, 0x7ff80000, 0x00000000, 0x00000000)",
        ),
        ("mad r10.xyz, +r1.xxxx, r8.xyzx, r6.xyzx", "mad r10.xyz, +r1.xxxx, r8.xyzx, r6.xyzx"),
    ],
)
def test_text(line: str, printed: str) -> None:
    program = parse_listing(f"cs_5_0\n{line}\n", None)
    assert translate.disassemble(program, exact=True) == f"cs_5_0\n{printed}\n"


MORE = pytest.mark.thorough(reason="every container")


def code(container: bytes) -> bytes:
    """The program's tokens."""
    parsed = parse_container(container, None)
    return parsed.chunks[parsed.program_chunk()].payload


@pytest.mark.parametrize("options", ["", "--header", "--hex --numbers"])
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=MORE) for part in range(1, 4))])
def test_all_containers(
    options: str, part: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What `disasm` prints by default, `asm` makes the same tokens of, without a warning."""
    listing, again = tmp_path / "a.asm", tmp_path / "a.dxbc"
    held = [path for path in READABLE if path.parent == DATA and not part]  # with every row
    for path in (*held, *READABLE[part::4]):
        words = [str(listing), "--strict", "--no-check", "-o", str(again)]
        assert main(["disasm", str(path), *options.split(), "-o", str(listing)]) == 0
        assert main(["asm", *words]) == 0, (path, capfd.readouterr().err)
        assert code(again.read_bytes()) == code(path.read_bytes()) or has_stray_words(path), path
    assert len(READABLE) > 400
    assert capfd.readouterr().out == ""


def has_stray_words(path: Path) -> bool:
    """Whether an instruction has dwords after its operands that no listing shows."""
    program = translate.load(path)
    return any(s.row.padding and any(s.extra) for s in program.statements)


def test_as_fxc(capsys: pytest.CaptureFixture[str]) -> None:
    """fxc's own text is on demand, and what the library prints by default."""
    assert main(["disasm", str(ROUNDED), "--as-fxc"]) == 0
    fxc = capsys.readouterr().out
    assert fxc == translate.disassemble(translate.load(ROUNDED))
    assert main(["disasm", str(ROUNDED)]) == 0
    assert capsys.readouterr().out != fxc
    assert main(["disasm", str(ROUNDED), "--as-fxc", "--hex"]) == 2
