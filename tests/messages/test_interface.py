"""The interface for other hosts: the binding, the buffer's layout, the texts."""

import json
from pathlib import Path

import translate

from .listings import shader

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
