"""Format strings, compared with C's rules and with Python's same conversions."""

import json
import math
import struct
from pathlib import Path

import pytest

import translate
from translate.interface import format_message

from .listings import shader

Dwords = tuple[int, ...]


def f32(value: float) -> Dwords:
    return struct.unpack("<I", struct.pack("<f", value))


def f64(value: float) -> Dwords:
    return struct.unpack("<II", struct.pack("<d", value))


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("plain", [], "plain"),
        ("100%% of %u", [(5,)], "100% of 5"),
        ("%d %i", [(0xFFFFFFFF,), (0x80000000,)], "-1 -2147483648"),
        ("%u", [(0xFFFFFFFF,)], "4294967295"),
        ("%x %X %o", [(0xABCDEF,), (0xABCDEF,), (8,)], "abcdef ABCDEF 10"),
        ("%#x %#x %08x", [(255,), (0,), (255,)], "0xff 0 000000ff"),
        ("[%5d|%-5d|%05d|%+d|% d]", [(7,)] * 5, "[    7|7    |00007|+7| 7]"),
        ("%.3d", [(5,)], "005"),
        ("%f %.2f %6.1f", [f32(1.5), f32(2.345), f32(-1.25)], "1.500000 2.35   -1.2"),
        ("%e %E %g %G", [f32(1e10)] * 4, "1.000000e+10 1.000000E+10 1e+10 1E+10"),
        ("%f %f %F", [f32(math.nan), f32(-math.inf), f32(math.inf)], "nan -inf INF"),
        ("%lf %g", [f64(2.5), f64(1e300)], "2.500000 1e+300"),
        ("%lld %llx", [(0, 0x80000000), (1, 2)], "-9223372036854775808 200000001"),
        ("%hd %hhu %hx", [(0x18000,), (511,), (0x12345,)], "-32768 255 2345"),
        ("%c%c", [(72,), (105,)], "Hi"),
        ("%p %s", [(0x1A,), (0x1A,)], "0000001A 0000001A"),
        ("%p", [(1, 2)], "0000000200000001"),
        ("%*d|%-*d|%.*f", [(4,), (7,), (3,), (8,), (1,), f32(2.26)], "   7|8  |2.3"),
        ("%*d|", [(0xFFFFFFFD,), (7,)], "7  |"),
        ("%d %d", [(1,)], "1 %d"),
        ("%d", [(1,), (2,)], "1"),
        ("%y %", [(1,)], "%y %"),
        ("%5", [(1,)], "%5"),
    ],
)
def test_conversions(text: str, arguments: list[Dwords], expected: str) -> None:
    assert format_message(text, arguments)[0] == expected


def test_numbers_as_the_string_takes_them() -> None:
    arguments = [(0xFFFFFFFF,), (0xFFFFFFFF,), f32(0.5), f64(0.25), (3,)]
    _, values = format_message("%d %u %f %f", arguments)
    assert values == (-1, 0xFFFFFFFF, 0.5, 0.25, 3)


def test_widths_are_limited() -> None:
    assert len(format_message("%999999999d", [(1,)])[0]) == 1000
    assert len(format_message("%.999999999f", [f32(1.0)])[0]) == 1002
    assert len(format_message("%*d", [(0x7FFFFFFF,), (1,)])[0]) == 1000
    assert len(format_message(f"%{'9' * 5000}d", [(1,)])[0]) == 1000
    assert format_message(f"%.{'0' * 5000}3d", [(5,)])[0] == "005"


# The interface for other hosts: the binding, the buffer's layout, the texts

SHADER = shader('printf "%u is %lf", r0.x, r1.xyxy', 'errorf "bad"', "abort")
CORPUS = Path(__file__).parents[1] / "corpus/cs_5_0"


def test_the_interface_has_the_binding_and_the_messages() -> None:
    interface = translate.to_spirv(translate.load(SHADER)).interface
    binding = interface["messages"]
    assert (binding.kind, binding.descriptor_type) == ("messages", "storage_buffer")
    assert (binding.set, binding.binding) == (0, 289)
    found = [(m.name, m.text, m.widths, m.line) for m in interface.messages]
    assert found == [
        ("printf", "%u is %lf", (1, 2), 7),
        ("errorf", "bad", (), 8),
        ("abort", "", (), 9),
    ]
    data = json.loads(interface.to_json())
    assert data["messages"] == [
        {"name": "printf", "text": "%u is %lf", "widths": [1, 2], "instruction": 0, "line": 7},
        {"name": "errorf", "text": "bad", "widths": [], "instruction": 1, "line": 8},
        {"name": "abort", "text": "", "widths": [], "instruction": 2, "line": 9},
    ]


def test_the_binding_can_be_chosen() -> None:
    options = translate.Options(bindings={"messages": (3, 7)})
    binding = translate.to_spirv(translate.load(SHADER), options).interface["messages"]
    assert (binding.set, binding.binding) == (3, 7)


def test_a_shader_without_messages_has_no_binding_for_them() -> None:
    interface = translate.to_spirv(translate.load(CORPUS / "bounds.dxbc")).interface
    assert "messages" not in interface
    assert interface.messages == ()
    assert "messages" not in json.loads(interface.to_json())
