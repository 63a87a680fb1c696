"""`sm5vk run` on the reference machine, and its trace of one thread."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import translate

from .conftest import ROOT, SHADERS, Call

GIVEN = ("--groups", "1,1,1", "--x", "arange:5:f4", "--y", "ones:5:f4", "--Params", "a=0.1,count=4")
REFERENCE = ("--device", "reference")


def test_results_and_reports(call: Call) -> None:
    words = ("run", SHADERS / "saxpy.dxbc", *GIVEN, *REFERENCE)
    code, out, err = call(*words, "--time")
    assert (code, out) == (0, "u0 (y): float32[5] 1.0 1.1 1.2 1.3 1.0\n")
    assert err == "time on the device: unknown, it has no clock\n"
    code, out, err = call(*words, "--json", "--device", "-1")
    assert (code, err, json.loads(out)["device"]) == (0, "", "reference machine")
    code, out, err = call(*words, "--report")
    assert (code, out.splitlines()[-1]) == (0, "no violations")


def test_a_thread(call: Call) -> None:
    path = SHADERS / "saxpy.asm"
    code, out, err = call("run", path, *GIVEN, *REFERENCE, "--trace", "2,0,0")
    assert (code, err) == (0, "")
    blocks = out.replace("\n    ", "|").splitlines()
    lines = path.read_text().splitlines()
    first = next(n for n, line in enumerate(lines, 1) if line.strip().startswith("ult"))
    executed = [(first + n, n, lines[first + n - 1].strip()) for n in (0, 1, 2, 3, 4, 5, 7)]
    assert [block.split("|")[0] for block in blocks] == [
        f"line {line} (instruction {n}): {text}" for line, n, text in executed
    ]
    # mad r0.x, cb0[0].x, r0.x, r0.y: the numbers, and their bits (0.1 is 0x3dcccccd)
    rows = [row.split() for row in blocks[4].split("|")[1:]]
    assert rows == [
        ["in", "a", "cb0[0].x", "0.1"],
        ["in", "b", "r0.x", "2.0"],
        ["in", "c", "r0.y", "1.0"],
        ["out", "dst", "r0.x", "1.2"],
    ]
    # ult r0.x, vThreadID.x, cb0[0].y: true has all bits
    rows = [row.split() for row in blocks[0].split("|")[1:]]
    assert rows == [
        ["in", "a", "vThreadID.x", "2"],
        ["in", "b", "cb0[0].y", "4"],
        ["out", "dst", "r0.x", str(0xFFFFFFFF)],
    ]
    # ld_structured and store_structured: the elements, as a signed integer and as a float
    read, stored = ([row.split() for row in blocks[n].split("|")[1:]] for n in (2, 5))
    assert read[2] == ["in", "resource", "t0[2]", "byte", "0", str(0x40000000), "2.0"]
    assert stored[3] == ["out", "target", "u0[2]", "byte", "0", str(0x3F99999A), "1.2"]


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.filterwarnings("ignore::translate.errors.ListingWarning")  # the listing has six digits
def test_lines_of_the_hlsl(call: Call, form: str) -> None:
    """A line is shown above its instructions, with its text if the container has it."""
    path = ROOT / f"tests/unit/dxbc/data/debug/debug_lines_O3.{form}"
    given = ("--samples", "arange:5:f4", "--means", "ones:5:f4", "--Params", "count=1")
    words = ("run", path, "--groups", "1,1,1", *given, *REFERENCE, "--trace", "1,0,0")
    code, out, _ = call(*words)
    assert code == 0
    heads = [line for line in out.splitlines() if not line.startswith((" ", "instr", "line"))]
    assert heads == (
        ["debug_lines.hlsl:9: if (id.x >= count)", "debug_lines.hlsl:10: return;"]
        if form == "dxbc"
        else ["debug_lines.hlsl:9:", "debug_lines.hlsl:10:"]
    )
    steps = json.loads(call(*words, "--json")[1])
    assert [step["hlsl_line"] for step in steps] == [9, 9, 10]
    assert {step["hlsl_file"] for step in steps} == {"Z:\\hlsl\\debug_lines.hlsl"}
    text = "return;" if form == "dxbc" else None
    assert steps[-1]["hlsl_text"] == text


def test_doubles_are_doubles(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "third.asm"
    path.write_text(
        "cs_5_0\ndcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
        "ddiv r0.xy, d(1.0l, 0.0l), d(3.0l, 0.0l)\nstore_raw u0.xy, l(0), r0.xyxx\nret\n"
    )
    words = ("run", path, "--groups", "1,1,1", "--u0", "zeros:2:u4", *REFERENCE)
    _, out, _ = call(*words, "--trace", "0,0,0")
    divided = [line.split() for line in out.splitlines() if line.startswith(" ")][:3]
    assert divided == [
        ["in", "a", "d.xy", "1.0"],
        ["in", "b", "d.xy", "3.0"],
        ["out", "dst", "r0.xy", repr(1 / 3)],
    ]


def test_a_thread_as_json(call: Call) -> None:
    shader = SHADERS / "saxpy.dxbc"
    code, out, _ = call("run", shader, *GIVEN, *REFERENCE, "--trace", "4,0,0", "--json")
    steps = json.loads(out)
    assert (code, [step["instruction"] for step in steps]) == (0, [0, 1, 7])
    compared = steps[0]
    assert (compared["line"], compared["text"]) == (None, "ult r0.x, vThreadID.x, cb0[0].y")
    assert [compared[f"hlsl_{name}"] for name in ("file", "line", "text")] == [None] * 3
    assert [value["ints"] for value in compared["sources"]] == [[4], [4]]
    written = {"name": "dst", "register": "r0", "components": "x", "type": "uint"}
    numbers = {"elements": ["r0.x"], "values": [0], "ints": [0], "floats": [0.0]}
    assert compared["results"] == [written | numbers]


def test_a_vulkan_device_has_no_trace(call: Call, device: Any) -> None:
    words = ("--trace", "0,0,0", "--device", device.info.index)
    code, out, err = call("run", SHADERS / "saxpy.dxbc", *GIVEN, *words)
    if device.info.type == "reference":
        assert code == 0
        return
    assert (code, out) == (2, "")
    assert "add --device reference" in err


def test_a_page_of_a_thread(call: Call, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("run", SHADERS / "saxpy.asm", *GIVEN, *REFERENCE, "--trace", "2,0,0")
    assert call(*words, "-o", page) == (0, "", "")
    text = page.read_text("utf-8")
    section = text[text.index('<section id="trace"') : text.index('<section id="resources"')]
    assert "Thread 2,0,0: 7 instructions." in section
    steps = re.findall(r'<a href="#i(\d+)">\1</a> <code>([^<]*)</code>', section)
    assert [int(number) for number, _ in steps] == [0, 1, 2, 3, 4, 5, 7]
    assert steps[4][1] == "mad r0.x, cb0[0].x, r0.x, r0.y"
    row = section[section.index(steps[4][1]) :]
    assert row.index("cb0[0].x             0.1") < row.index(
        "dst          r0.x                 1.2"
    )


def test_numbers_of_a_container_are_exact(call: Call, tmp_path: Path) -> None:
    """A container's instructions are printed as `disasm` prints them."""
    code = "cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nmul r0.x, r0.x, l(0.33333334)\nret\n"
    path = tmp_path / "a.dxbc"
    path.write_bytes(translate.assemble(code))
    status, out, _ = call("run", path, "--groups", "1", *REFERENCE, "--trace", "0,0,0")
    assert (status, out.splitlines()[0]) == (0, "instruction 0: mul r0.x, r0.x, l(0.33333334)")
