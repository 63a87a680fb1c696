"""Decorations and scopes in the module's text, which drivers of CPUs do not need.

Vulkan, "Descriptor Set Interface": where an index differs between invocations, the operand of an
instruction that names the resource is decorated NonUniform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import translate

_RANGES = """cs_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:3][2], dynamicIndexed, space=0
dcl_sampler S0[0:3], mode_default, space=0
dcl_resource_raw T0[0:3], space=0
dcl_resource_structured T1[4:7], 16, space=0
dcl_resource_buffer (float,float,float,float) T2[8:11], space=0
dcl_resource_texture2d (float,float,float,float) T3[12:15], space=0
dcl_uav_raw U0[0:3], space=0
dcl_uav_typed_texture2d (uint,uint,uint,uint) U1[4:7], space=0
dcl_uav_typed_buffer (uint,uint,uint,uint) U2[8:11], space=0
dcl_uav_raw U3[12:12], space=0
dcl_resource_texture2dms(4) (float,float,float,float) T4[16:19], space=0
dcl_sampler S1[4:7], mode_comparison, space=0
dcl_uav_structured_opc U4[13:16], 4, space=0
dcl_uav_structured U5[17:20], 16, space=0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 4, 1, 1
mov r0.x, vThreadID.x
"""
_LINES = (
    "ld_raw r1.x, l(4), T0[r0.x + 0].xxxx { nonuniform }",
    "ld_structured r1.xyzw, l(1), l(0), T1[r0.x + 4].xyzw { nonuniform }",
    "ld r1.xyzw, l(1, 1, 1, 1), T2[r0.x + 8].xyzw { nonuniform }",
    "ld r1.xyzw, l(1, 1, 0, 0), T3[r0.x + 12].xyzw { nonuniform }",
    "sample_l r1.xyzw, l(0.5, 0.5, 0, 0), T3[r0.x + 12].xyzw { nonuniform }, S0[1], l(0)",
    "sample_l r1.xyzw, l(0.5, 0.5, 0, 0), T3[12].xyzw, S0[r0.x + 0] { nonuniform }, l(0)",
    "sample_l r1.xyzw, l(0.5, 0.5, 0, 0), T3[r0.x + 12].xyzw { nonuniform },"
    " S0[r0.x + 0] { nonuniform }, l(0)",
    "bufinfo r1.x, T0[r0.x + 0].x { nonuniform }",
    "resinfo r1.xyzw, l(0), T3[r0.x + 12].xyzw { nonuniform }",
    "mov r1.xyzw, CB0[r0.x + 0][1].xyzw { nonuniform }",
    "store_raw U0[r0.x + 0].x { nonuniform }, l(4), r0.x",
    "atomic_iadd U0[r0.x + 0] { nonuniform }, l(8), r0.x",
    "store_uav_typed U1[r0.x + 4].xyzw { nonuniform }, l(1, 1, 1, 1), r0.xxxx",
    "atomic_iadd U1[r0.x + 4] { nonuniform }, l(1, 1, 1, 1), r0.x",
    "store_uav_typed U2[r0.x + 8].xyzw { nonuniform }, l(1, 1, 1, 1), r0.xxxx",
    "atomic_iadd U2[r0.x + 8] { nonuniform }, l(1, 1, 1, 1), r0.x",
    "imm_atomic_exch r1.x, U0[r0.x + 0] { nonuniform }, l(8), r0.x",
    "ld_uav_typed r1.xyzw, l(1, 1, 1, 1), U1[r0.x + 4].xyzw { nonuniform }",
    "ld_uav_typed r1.xyzw, l(1, 1, 1, 1), U2[r0.x + 8].xyzw { nonuniform }",
    "resinfo r1.xyzw, l(0), U1[r0.x + 4].xyzw { nonuniform }",
    "bufinfo r1.x, T2[r0.x + 8].x { nonuniform }",
    "store_structured U5[r0.x + 17].x { nonuniform }, l(0), l(4), r0.x",
    "imm_atomic_alloc r1.x, U4[r0.x + 13] { nonuniform }",
    "imm_atomic_consume r1.x, U4[r0.x + 13] { nonuniform }",
    "ldms r1.xyzw, l(1, 1, 0, 0), T4[r0.x + 16].xyzw { nonuniform }, l(1)",
    "sampleinfo r1.xyzw, T4[r0.x + 16].xyzw { nonuniform }",
    "gather4 r1.xyzw, l(0.5, 0.5, 0, 0), T3[r0.x + 12].xyzw { nonuniform }, S0[1].x",
    "sample_c_lz r1.x, l(0.5, 0.5, 0, 0), T3[12].xxxx, S1[r0.x + 4] { nonuniform }, l(0.5)",
)
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


@pytest.mark.parametrize("line", _LINES)
def test_varying_resources_are_non_uniform(line: str) -> None:
    store = "store_raw U3[12].xyzw, l(0), r1.xyzw\n"
    clear = "mov r1.xyzw, l(0, 0, 0, 0)\n"
    text = _text(f"{_RANGES}{clear}{line}\n{store}ret\n")
    chosen, used = _varying(text)
    assert used
    assert chosen <= _decorated(text, "NonUniform")
    assert "OpCapability ShaderNonUniform" in text
    found = re.search(r"(\w+)\[r0\.x", line)
    assert found
    assert f"OpCapability {_INDEXED[found[1]]}ArrayNonUniformIndexing" in text


def test_uniform_resources_are_not() -> None:
    line = "ld_raw r1.x, l(4), T0[r0.x + 0].xxxx"
    text = _text(f"{_RANGES}{line}\nstore_raw U3[12].x, l(0), r1.x\nret\n")
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
