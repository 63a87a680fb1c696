"""Numbers that fxc rounded when it printed them: the detection, and the warnings."""

import struct

import pytest

import translate
from translate.asm import parse_listing

REMEDY = "use the container itself, or a listing of it that `sm5vk disasm` or fxc /Lx prints"


def warned(line: str) -> list[str]:
    """The messages for one line of code."""
    program = parse_listing(f"cs_5_0\ndcl_temps 2\n{line}\n", "a.asm")
    return [warning.message for warning in program.listing_warnings]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("mov r0.x, l(0.000000)", "0.000000"),  # 0 is printed as an integer there
        ("mov r0.xyzw, l(0,1.000000,-0.000000,0)", "-0.000000"),
        ("movc r0.x, r1.x, l(0.000149), l(0)", "0.000149"),
        ("add r0.x, r1.x, l(0.333333)", "0.333333"),
        ("add r0.x, r1.x, -|l(3.141593)|", "3.141593"),
        ("max r0.x, r1.x, l(0.564190)", "0.564190"),  # of 0.5641896; as likely as 0.56419
        ("max r0.x, r1.x, l(-0.000000)", "-0.000000"),
        ("mul r0.x, r1.x, l(0.000000)", "0.000000"),  # would be 0, and needs no instruction
        ("mad r0.xy, r1.xyxx, r1.xyxx, l(0.000000, 0.000000, 0.000000, 0.000000)", "0.000000"),
        ("lt r0.x, r1.x, l(1.#QNAN0)", "1.#QNAN0"),
        ("dadd r0.xy, r1.xyxy, d(0.333333l, 1.000000l)", "0.333333l"),
        ("dmul r0.xy, r1.xyxy, d(0.000000l, 0.000000l)", "0.000000l"),
        ("dcl_immediateConstantBuffer { { 0, 0.000000, 0, 0} }", "0.000000"),
    ],
)
def test_rounded_numbers(line: str, number: str) -> None:
    (message,) = warned(line)
    assert message.startswith(f"{number!r} may be rounded: fxc prints only six digits")
    assert message.endswith(REMEDY)


@pytest.mark.parametrize(
    "line",
    [
        "mov r0.xyzw, l(0,1.000000,0.500000,-2.125000)",
        "mov r0.x, l(0x3eaaaaab)",
        "add r0.x, r1.x, l(0.100000)",  # 0.1, rather than a number next to it
        "add r0.x, r1.x, l(0.212600)",
        "add r0.x, r1.x, l(1000.062500)",  # exactly
        "add r0.x, r1.x, l(123.456001)",  # no other float is printed like this
        "add r0.x, r1.x, l(0.33333334)",  # not fxc's
        "mul r0.x, r1.x, l(1e-9)",
        "max r0.x, r1.x, l(0.000000)",
        "add r0.xy, r1.xyxx, l(0.000000, 1.000000, 0.000000, 0.000000)",
        "lt r0.x, r1.x, l(1.#INF00)",
        "lt r0.x, r1.x, l(-1.#IND00)",
        "iadd r0.x, r1.x, l(-1)",
        "mul r0.x, r1.x, l(0)",
        "mul r0.x, r1.x, l(340282346638528859811704183484516925440.000000)",
        "dadd r0.xy, r1.xyxy, d(0.100000l, 0.250000l)",
        "dadd r0.xy, r1.xyxy, d(8589934592.123457l, 0.000000l)",
        "dcl_immediateConstantBuffer { { 0, 1.000000, 0x3f000001, -1} }",
        "gather4_po r0.xyzw, l(0.5, 0.5, 0, 0), l(127, 64, 0, 0), t0.xyzw, s0.x",
    ],
)
def test_exact_numbers(line: str) -> None:
    assert warned(line) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("iadd r0.x, r1.x, l(1.5)", "iadd takes integers, but '1.5' is a float: its bits are used"),
        ("iadd r0.x, r1.x, l(1e3)", "iadd takes integers, but '1e3' is a float: its bits are used"),
        (
            "mul r0.x, r1.x, l(2)",
            "mul takes floats, but 2 is an integer: its bits are used; write 2.0",
        ),
    ],
)
def test_a_number_of_another_type(line: str, message: str) -> None:
    assert warned(line) == [message]


def test_a_float_that_neighbours_print_alike() -> None:
    """Floats that `%f` prints exactly are silent; others near them warn."""
    for value in (0.1, 1 / 3, 7.9999995, 15.123457, 15.999999, 16.000002, 1e-6, 5e-7):
        (bits,) = struct.unpack("<I", struct.pack("<f", value))
        texts = [
            f"{struct.unpack('<f', struct.pack('<I', bits + step))[0]:.6f}" for step in (-1, 0, 1)
        ]
        alone = texts.count(texts[1]) == 1
        assert warned(f"add r0.x, r1.x, l({texts[1]})") == [] or not alone, texts


def test_the_place_is_the_first() -> None:
    listing = (
        "cs_5_0\ndcl_immediateConstantBuffer { { 0, 0, 0, 0},\n"
        "                              { 0.000000, 0, 0, 0} }\n"
        "dcl_temps 1\nmov r0.x, l(-0.000000)\n"
    )
    (warning,) = parse_listing(listing, "a.asm").listing_warnings
    assert warning.lines == (3, 5)
    assert str(warning).startswith("a.asm:3:33: warning: '0.000000' may be rounded")
    assert "(also in line 5)\n   3 |" in str(warning)


ROUNDED = "cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nmov r0.x, l(0.000000)\nret\n"


def test_load_and_assemble_warn() -> None:
    for read in (translate.load, translate.assemble):
        with pytest.warns(translate.ListingWarning, match=r"^a\.asm:4:13: warning: '0") as found:
            read(ROUNDED, file="a.asm")
        assert [warning.filename for warning in found] == [__file__]


def test_strict_refuses() -> None:
    for read in (translate.load, translate.assemble):
        with pytest.raises(translate.AssemblyError) as caught:
            read(ROUNDED, file="a.asm", strict=True)
        assert (caught.value.where.line, caught.value.where.column) == (4, 13)
        assert caught.value.source_line == "mov r0.x, l(0.000000)"
    program = parse_listing(ROUNDED, "a.asm")
    translate.to_spirv(program)
    with pytest.raises(translate.AssemblyError, match="may be rounded"):
        translate.to_spirv(program, translate.Options(strict=True))


def test_strict_refuses_a_wrong_checksum() -> None:
    container = bytearray(translate.assemble(ROUNDED.replace("0.000000", "0")))
    container[4] ^= 1
    program = translate.load(bytes(container))
    with pytest.raises(translate.DecodeError, match="checksum"):
        translate.to_spirv(program, translate.Options(strict=True))
    with pytest.raises(translate.DecodeError, match="checksum"):
        translate.load(bytes(container), strict=True)
