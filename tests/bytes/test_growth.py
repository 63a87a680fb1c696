"""Time and text grow with the input, not with its square.

Time is counted in executed lines of Python, which do not depend on the machine's load.
"""

import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.bytes.limits import limited_time
from checks.bytes.oracles import check_listing
from checks.bytes.targets import READING
from checks.heavy.listings import exits, falling_cases
from translate.dxbc.ifce import parse_ifce
from translate.dxbc.pdb import parse_source_lines
from translate.hlsl.includes import find_includes
from translate.hlsl.source import HlslSource, Outline
from vkrunner.shadertest.file_reader import read_text

HEAD = """dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 8
dcl_thread_group 1, 1, 1
"""
FEW, MANY = 50, 200
SLACK = 1.6  # beyond proportion; a square would be 4
DEFINITION = "// cbuffer a{0}\n// {{\n//   float x; // Offset: 0 Size: 4\n// }}\n"
BINDING = "// Resource Bindings:\n// a{0} cbuffer NA NA cb{0} 1\n//\n"
OPENED = "// Buffer Definitions:\n// cbuffer a\n// {\n"
ELEMENT = "// Resource bind info for e{0}\n// {{\n//   uint $Element; // Offset: 0 Size: 4\n// }}\n"


def repeated(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A function that repeats `piece`, with its number in the place of `{0}`."""

    def text(count: int) -> str:
        return HEAD + before + "".join(piece.format(i) for i in range(count)) + after + "ret\n"

    return text


def commented(piece: str, before: str = "") -> Callable[[int], str]:
    def text(count: int) -> str:
        return before + "".join(piece.format(i) for i in range(count)) + "cs_5_0\n" + HEAD + "ret\n"

    return text


SHADERS = {
    "arithmetic": repeated("mad r0.xyzw, r0.yzwx, r1.xyzw, r2.zwxy\n"),
    "stores": repeated("store_raw u0.x, r0.x, vThreadID.x\niadd r0.x, r0.x, vThreadID.y\n"),
    "ifs": repeated("if_nz vThreadID.x\niadd r0.x, r0.x, l(1)\nendif\n"),
    "loops": repeated("loop\nbreakc_nz vThreadID.x\niadd r0.x, r0.x, l(1)\nendloop\n"),
    "breaks": repeated("breakc_nz vThreadID.x\niadd r0.x, r0.x, l(1)\n", "loop\n", "endloop\n"),
    "cases": repeated("case l({0})\n", "switch vThreadID.x\n", "break\nendswitch\n"),
    "group_shared": repeated("dcl_tgsm_raw g{0}, 4\n"),
    "arrays": repeated("dcl_indexableTemp x{0}[4], 4\n"),
    "interfaces": repeated("dcl_interface fp{0}[1][1] = {{ft0}}\n"),
    "tables": repeated("dcl_function_body fb{0}\ndcl_function_table ft{0} = {{fb{0}}}\n"),
    "calls": repeated("label label{0}\nret\n", "ret\n"),
}
RANGES = {
    "buffers": "dcl_resource_raw T{0}[{0}:{0}], space=1\n",
    "constants": "dcl_constantbuffer CB{0}[{0}:{0}][9], immediateIndexed, space=0\n",
}
HEADERS = {
    "class_types": commented("// Available Class Types:\n"),
    "class_instances": commented("// Available Class Instances:\n"),
    "slots": commented("// Interface slots, 1 total:\n"),
    "definitions": commented("// Buffer Definitions:\n" + DEFINITION + BINDING),
    "elements": commented("// Buffer Definitions:\n" + ELEMENT + BINDING),
    "variables": commented("//   uint m{0}; // Offset: {0} Size: 4\n", OPENED),
}
TEST = "[test]\ndispatch 1 1 1\n"
SHADER = f"cs_5_0\n{HEAD}ret\n"
SHADER_TESTS = {
    "names": (f"[shader]\n{SHADER}", "[test a{0}]\ndispatch 1 1 1\n", ""),
    "constants": (f"[shader]\n{SHADER}[cb 0]\n", "a{0} = 1\n", TEST),
    "defines": ("[compute shader]\n", "define A{0}=1\n", f"void main() {{}}\n{TEST}"),
    "classes": ("[shader]\n", "class a{0} = b\n", SHADER + TEST),
}


def executed(function: Callable[[], Any], unit: str = "line") -> int:
    """How many lines of Python, or instructions ("opcode"), the call takes."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = unit == "opcode"
        count += event == unit
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def everything(text: str) -> None:
    """Read, print, encode and translate."""
    program = translate.load(text)
    translate.disassemble(program)
    translate.assemble(text)
    translate.to_spirv(program, translate.Options(validate=False))


def assert_proportional(work: Callable[[int], Callable[[], Any]]) -> None:
    """`work(n)` returns the function to measure, for an input of n pieces."""
    work(FEW)()  # fills the caches
    work(MANY)()
    few, many = executed(work(FEW)), executed(work(MANY))
    assert many < SLACK * few * MANY / FEW, f"{few} lines for {FEW}, {many} for {MANY}"


@pytest.mark.parametrize("name", SHADERS)
def test_shaders(name: str) -> None:
    assert_proportional(lambda n: lambda: everything("cs_5_0\n" + SHADERS[name](n)))


def test_registers_times_falling_cases() -> None:
    """Most cases fall through, and each writes a register that the next one reads."""
    assert_proportional(lambda n: lambda: everything(falling_cases(n, n)))


def test_the_page_of_violations() -> None:
    """Each instruction has an article, for which not all records are looked through.

    Both pages have thousands of records, the second one only a third more.
    """

    def page(count: int) -> Callable[[], str]:
        head = "cs_5_0\n" + HEAD.replace("1, 1, 1", "64, 1, 1")
        text = head + "store_raw u0.x, l(64), r0.x\n" * count + "ret\n"
        with vkrunner.open_device("reference") as device:
            kernel = device.kernel(text, guards="report")
            return kernel.dispatch(1, u0=np.zeros(1, np.uint32)).violations.page

    page(FEW)()  # fills the caches
    few, many = executed(page(FEW)), executed(page(MANY))
    assert many < 3 * few, f"{few} lines for {FEW}, {many} for {MANY}"


def test_registers_times_exits() -> None:
    """Every exit of a loop passes on every register: 1200 registers at 900 exits are refused."""
    text = exits(900, registers=300)
    with pytest.raises(translate.UnsupportedError, match="too many places") as caught:
        translate.to_spirv(translate.load(text), translate.Options(validate=False))
    assert "breakc_nz" in str(caught.value)


def test_indentation() -> None:
    """Each line is indented by one level more, which could make the text quadratic."""
    text = "cs_5_0\n" + "if_nz r0.x\n" * 1000 + "endif\n" * 1000
    assert len(translate.disassemble(translate.load(text))) < 16 * len(text)


@pytest.mark.parametrize("name", RANGES)
def test_ranges(name: str) -> None:
    head = "cs_5_1\ndcl_globalFlags refactoringAllowed\ndcl_thread_group 1, 1, 1\n"
    assert_proportional(
        lambda n: lambda: everything(head + "".join(map(RANGES[name].format, range(n))) + "ret\n")
    )


@pytest.mark.parametrize("name", HEADERS)
def test_headers(name: str) -> None:
    assert_proportional(lambda n: lambda: everything(HEADERS[name](n)))


LONG = 50_000


def check_long(text: str) -> None:
    """The text is read, or refused with a place in it, in the time that reading may take."""
    with limited_time(len(text), *READING):
        check_listing(text.encode())


@pytest.mark.parametrize(
    "line",
    [
        *("a" * LONG, "1" * LONG, "," * LONG, "mov" + "_sat" * LONG, "mov" + "(a)" * LONG),
        "mov r0.x, " + "[" * LONG,
        "mov r0.x, x0" + "[" * LONG + "]" * LONG,
        "mov r0.x, x0" + "[x0[0 + " * LONG,
        "mov r0.x, l(" + "(" * LONG,
        "mov r0.x, l(" + "1," * LONG + ")",
        "mov r0.x, l(" + "1" * LONG + ")",
        "mov r0.x, l(0." + "1" * LONG + ")",
        "mov r0.x, -" + " " * LONG + "5",
        "mov r0.x, r0.x" + " " * LONG + "j",
        "mov r0.x, r0.x" + "{ a }" * LONG,
        "ld_indexable" + "()" * LONG + " r0.x",
        "dcl_globalFlags " + "|" * LONG,
        "dcl_function_table ft0 = {" + "a" * LONG + "}",
        "dcl_immediateConstantBuffer " + "{" * LONG,
        "dcl_immediateConstantBuffer {" + "{1,2,3,4}," * LONG,
    ],
    ids=lambda line: line[:40],
)
def test_long_lines(line: str) -> None:
    check_long(f"cs_5_0\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        *("// struct", "// cbuffer A", "// Resource Bindings:", "// a texture float 2d t0 1"),
        "// float a; // Offset: 0 Size: 4",
        "// float a; // Offset: 0 Size: 4000000000\n//  = 0x00000000 0x00000000",
    ],
)
def test_long_headers(line: str) -> None:
    header = "// Buffer Definitions: \n// cbuffer A\n// {\n"
    check_long(header + f"{line}\n" * 10_000 + "cs_5_0\nret \n")
    check_long(header + line + " " * LONG + ";\ncs_5_0\nret \n")


def test_names_that_all_classes_share() -> None:
    """IFCE: 2000 class types, all with the same name of 40,000 letters."""
    count, letters = 2000, 40_000
    end = 36 + 12 * count
    records = struct.pack("<I4H", end, 0, 0, 0, 0) * count
    header = struct.pack("<7I", 0, count, 0, 0, end, 36, 36)
    with pytest.raises(translate.DecodeError, match="share the same bytes"):
        parse_ifce(header.ljust(36, b"\0") + records + b"a" * letters + b"\0")


def program_database(streams: list[list[int]], size: int, blocks: dict[int, bytes]) -> bytes:
    """MSF with these streams, each a list of blocks; 0 is the superblock, 1 the directory's map."""
    numbers = [len(streams), *(len(s) * size for s in streams), *(b for s in streams for b in s)]
    directory = struct.pack(f"<{len(numbers)}I", *numbers)
    places = range(max(blocks) + 1, max(blocks) + 1 - -len(directory) // size + 1)
    head = struct.pack("<6I", size, 1, places.stop, len(directory), 0, 1)
    data = bytearray(b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0" + head)
    blocks = blocks | {1: struct.pack(f"<{len(places)}I", *places)}
    for number, contents in (*blocks.items(), (places.start, directory)):
        data = data.ljust(number * size, b"\0")
        data[number * size : number * size + len(contents)] = contents
    return bytes(data.ljust(places.stop * size, b"\0"))


def test_blocks_that_all_streams_share() -> None:
    """SPDB: 1000 streams of the same 50 blocks would be 500 times the file."""
    blocks = dict.fromkeys(range(2, 52), bytes(4096))
    damaged = program_database([[*blocks]] * 1000, 4096, blocks)
    with pytest.raises(ValueError, match="larger than the file"):
        parse_source_lines(damaged)


def test_lines_that_all_blocks_share() -> None:
    """SPDB: blocks of lines that overlap."""
    piece = struct.pack("<3I", 0, 3000, 12)
    lines = bytes(12) + piece * 2000
    table = struct.pack("<II", 0xF2, len(lines)) + lines
    module = bytes(32) + struct.pack("<HHIII", 0, 1, 4, 0, len(table)).ljust(32, b"\0") + b"a\0b\0"
    dbi = bytes(24) + struct.pack("<i", len(module)) + bytes(36) + module
    contents = bytes(4) + table
    size, blocks = 65536, {2: contents, 3: dbi}
    with pytest.raises(ValueError, match="does not fit"):
        parse_source_lines(program_database([[], [2], [], [3]], size, blocks))


def with_a_line(info: bytes, file: bytes) -> bytes:
    """A database with this info stream, and with a line of a file."""
    checksums = struct.pack("<3I", 0xF4, 4, 0)
    lines = bytes(12) + struct.pack("<5I", 0, 1, 20, 0, 0x80000001)
    table = checksums + struct.pack("<II", 0xF2, len(lines)) + lines
    module = bytes(32) + struct.pack("<HHIII", 0, 2, 4, 0, len(table)).ljust(32, b"\0") + b"a\0b\0"
    dbi = bytes(24) + struct.pack("<i", len(module)) + bytes(36) + module
    names = struct.pack("<3I", 0xEFFEEFFE, 0, 0) + file + b"\0"
    size, contents = 65536, (info, bytes(4) + table, dbi, names)
    streams, blocks = [list[int]()], dict[int, bytes]()
    for data in contents:
        streams.append([*range(len(blocks) + 2, len(blocks) + 2 - -len(data) // size)])
        blocks |= {at: data[n * size : (n + 1) * size] for n, at in enumerate(streams[-1])}
    return program_database(streams, size, blocks)


def test_streams_that_share_a_name() -> None:
    """SPDB: 10,000 streams with the same name of 80,000 letters would be 800 MB."""
    name = b"/src/files/" + b"a" * 80_000 + b"\0"
    info = bytes(28) + struct.pack("<I", len(name)) + name
    info += struct.pack("<4I", 10_000, 10_000, 0, 0) + bytes(8) * 10_000
    with pytest.raises(ValueError, match="same bytes too often"):
        parse_source_lines(with_a_line(info, b"a.hlsl"))


@pytest.mark.parametrize(("length", "is_read"), [(4096, True), (4097, False)])
def test_a_long_name_of_a_file(length: int, is_read: bool) -> None:
    """SPDB: each of a thousand instructions would show a name of any length."""
    found = parse_source_lines(with_a_line(bytes(60), b"a" * length))
    assert found.places == (("a" * length if is_read else None, 1),)


def test_conditions_beside_blocks() -> None:
    """HLSL: a comparison of each brace with every #if would take a minute."""
    text = "#if 1\n#endif\n" * 8000 + "{}\n" * 32_000
    with limited_time(len(text), per_byte=0.0):
        assert Outline(text).is_known


def test_a_chain_of_included_files(tmp_path: Path) -> None:
    """HLSL: each round would compare all names with those that are done."""

    def chain(count: int) -> Callable[[], Any]:
        for number in range(count):
            (tmp_path / f"{count}.{number}").write_text(f'#include "{count}.{number + 1}"\n')
        source = HlslSource(f'#include "{count}.0"\n'.encode(), str(tmp_path / "a.hlsl"))
        return lambda: find_includes(source, [])

    few, many = executed(chain(200), "opcode"), executed(chain(800), "opcode")
    assert many < 4 * SLACK * few


@pytest.mark.parametrize("name", SHADER_TESTS)
def test_shader_tests(name: str) -> None:
    """Comparisons of each name with all others would take minutes."""
    before, piece, after = SHADER_TESTS[name]
    text = before + "".join(map(piece.format, range(LONG))) + after
    with limited_time(len(text), per_byte=0.0):
        read_text(text, Path("a.shader_test"), "a.shader_test")
