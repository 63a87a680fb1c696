"""Decorations and scopes in the module's text, which drivers of CPUs do not need.

Vulkan, "Descriptor Set Interface": where an index differs between invocations, the operand of an
instruction that names the resource is decorated NonUniform.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import translate

from ..listings import blocks

_RANGES, _LINES = blocks(Path(__file__).parent / "data/non_uniform.asm").values()
_ARRAYS = {
    *("%cb0", "%s0", "%s4", "%t0", "%t4", "%t8", "%t12", "%t16"),
    *("%u0", "%u4", "%u8", "%u17", "%u13_counter"),
}
_INDEXED = {  # SPV_EXT_descriptor_indexing
    "CB0": "UniformBuffer",
    **dict.fromkeys(("T0", "T1", "U0", "U4", "U5"), "StorageBuffer"),
    **dict.fromkeys(("S0", "S1", "T3", "T4"), "SampledImage"),
    **{"T2": "UniformTexelBuffer", "U1": "StorageImage", "U2": "StorageTexelBuffer"},
}
_DEVICE, _WORKGROUP = "%uint_1", "%uint_2"  # SPIR-V §3.27
_INSTRUCTION = re.compile(r"\s*(?:(%\S+) = )?(Op\w+) ?(.*)")


def _text(lines: str, **options: object) -> str:
    program = translate.load(lines)
    return translate.to_spirv(program, translate.Options(**options)).text()  # type: ignore[arg-type]


def _instructions(text: str) -> Iterator[tuple[str | None, str, list[str]]]:
    for line in text.split("\n"):
        found = _INSTRUCTION.fullmatch(line)
        if found:
            yield found[1], found[2], found[3].split()


def _varying(text: str) -> tuple[set[str], list[str]]:
    """The resources that a varying index chooses, and the uses of them by instructions."""
    chosen, used, opaque = set[str](), list[str](), set[str]()
    for number, name, words in _instructions(text):
        if name in ("OpTypeImage", "OpTypeSampler"):
            opaque.add(number or "")
        if name in ("OpDecorate", "OpName"):
            continue
        operands = [word for word in words if word in chosen]
        used += operands
        passed_on = name in ("OpSampledImage", "OpImageTexelPointer")
        if operands and (passed_on or (name == "OpLoad" and words[0] in opaque)):
            chosen.add(number or "")
        if name == "OpAccessChain" and words[1] in _ARRAYS and not words[2].startswith("%uint_"):
            chosen.add(number or "")
    return chosen, used


def _decorated(text: str, decoration: str) -> set[str]:
    return {
        words[0]
        for _, name, words in _instructions(text)
        if name == "OpDecorate" and words[1:] == [decoration]
    }


@pytest.mark.parametrize("line", _LINES.splitlines())
def test_varying_resources_are_non_uniform(line: str) -> None:
    store = "store_raw U3[12].xyzw, l(0), r1.xyzw\n"
    clear = "mov r1.xyzw, l(0, 0, 0, 0)\n"
    text = _text(f"{_RANGES}\n{clear}{line}\n{store}ret\n")
    chosen, used = _varying(text)
    assert used
    assert chosen <= _decorated(text, "NonUniform")
    assert "OpCapability ShaderNonUniform" in text
    found = re.search(r"(\w+)\[r0\.x", line)
    assert found
    assert f"OpCapability {_INDEXED[found[1]]}ArrayNonUniformIndexing" in text


def test_uniform_resources_are_not() -> None:
    line = "ld_raw r1.x, l(4), T0[r0.x + 0].xxxx"
    text = _text(f"{_RANGES}\n{line}\nstore_raw U3[12].x, l(0), r1.x\nret\n")
    assert _varying(text)[1]
    assert "NonUniform" not in text


_HEAD = "dcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group 4, 1, 1\n"


@pytest.mark.parametrize("glc", [True, False])
def test_memory_that_other_groups_see_is_coherent(glc: bool) -> None:
    suffix = "_glc" if glc else ""
    text = _text(
        f"cs_5_0\ndcl_uav_raw{suffix} u0\ndcl_uav_structured{suffix} u1, 4\n"
        f"dcl_uav_typed_texture2d{suffix} (uint,uint,uint,uint) u2\n{_HEAD}"
        "store_raw u0.x, l(0), vThreadID.x\n"
        "store_structured u1.x, l(0), l(0), vThreadID.x\n"
        "store_uav_typed u2.xyzw, l(0, 0, 0, 0), vThreadID.xxxx\nret\n"
    )
    assert _decorated(text, "Coherent") == ({"%u0", "%u1", "%u2"} if glc else set())


_MEMORIES = {
    "dcl_uav_raw u1": ("u1, l(0)", _DEVICE),
    "dcl_uav_structured u1, 16": ("u1, l(0, 4, 0, 0)", _DEVICE),
    "dcl_uav_typed_buffer (uint,uint,uint,uint) u1": ("u1, l(0)", _DEVICE),
    "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1": ("u1, l(0, 0, 0, 0)", _DEVICE),
    "dcl_tgsm_raw g0, 16": ("g0, l(0)", _WORKGROUP),
    "dcl_tgsm_structured g0, 16, 2": ("g0, l(0, 4, 0, 0)", _WORKGROUP),
}
_ATOMICS = {
    **{"iadd": "IAdd", "and": "And", "or": "Or", "xor": "Xor", "imin": "SMin", "imax": "SMax"},
    **{"umin": "UMin", "umax": "UMax", "exch": "Exchange", "cmp_exch": "CompareExchange"},
}


def _atomics(declaration: str, line: str) -> list[list[str]]:
    text = _text(f"cs_5_0\ndcl_uav_raw u0\n{declaration}\n{_HEAD}{line}\nret\n")
    return [[name, *rest] for _, name, rest in _instructions(text) if name.startswith("OpAtomic")]


@pytest.mark.parametrize("atomic", _ATOMICS)
@pytest.mark.parametrize("declaration", _MEMORIES)
def test_atomics_are_seen_by_all_who_share_the_memory(declaration: str, atomic: str) -> None:
    """They order no other memory: the semantics are relaxed."""
    place, scope = _MEMORIES[declaration]
    compared = ", l(7)" * (atomic == "cmp_exch")
    line = f"imm_atomic_{atomic} r0.x, {place}{compared}, vThreadID.x\nstore_raw u0.x, l(0), r0.x"
    ((name, *words),) = _atomics(declaration, line)
    relaxed = ["%uint_0"] * (2 if compared else 1)
    assert name == f"OpAtomic{_ATOMICS[atomic]}"
    assert words[2 : 3 + len(relaxed)] == [scope, *relaxed]


@pytest.mark.parametrize("atomic", ["alloc", "consume"])
def test_counters_are_seen_by_the_device(atomic: str) -> None:
    line = f"imm_atomic_{atomic} r0.x, u1\nstore_raw u0.x, l(0), r0.x"
    ((_, *words),) = _atomics("dcl_uav_structured_opc u1, 4", line)
    assert words[2:4] == [_DEVICE, "%uint_0"]
