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
    "bufinfo r1.x, T0[r0.x + 0].x { nonuniform }",
    "resinfo r1.xyzw, l(0), T3[r0.x + 12].xyzw { nonuniform }",
    "mov r1.xyzw, CB0[r0.x + 0][1].xyzw { nonuniform }",
    "store_raw U0[r0.x + 0].x { nonuniform }, l(4), r0.x",
    "atomic_iadd U0[r0.x + 0] { nonuniform }, l(8), r0.x",
    "store_uav_typed U1[r0.x + 4].xyzw { nonuniform }, l(1, 1, 1, 1), r0.xxxx",
    "atomic_iadd U1[r0.x + 4] { nonuniform }, l(1, 1, 1, 1), r0.x",
    "store_uav_typed U2[r0.x + 8].xyzw { nonuniform }, l(1, 1, 1, 1), r0.xxxx",
    "atomic_iadd U2[r0.x + 8] { nonuniform }, l(1, 1, 1, 1), r0.x",
)
_ARRAYS = {"%cb0", "%s0", "%t0", "%t4", "%t8", "%t12", "%u0", "%u4", "%u8"}
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


@pytest.mark.parametrize("refactoring", [True, False])
def test_precise_arithmetic_is_not_contracted(refactoring: bool) -> None:
    flags = "dcl_globalFlags refactoringAllowed\n" if refactoring else ""
    text = _text(
        f"cs_5_0\n{flags}dcl_uav_raw u0\n{_HEAD}ld_raw r0.xy, l(0), u0.xyxx\n"
        "mad r0.x, r0.x, l(0.3), r0.y\ndiv r0.x, r0.x, l(7.0)\nstore_raw u0.x, l(0), r0.x\nret\n"
    )
    rounded = {n for n, name, _ in _instructions(text) if name in ("OpFMul", "OpFAdd", "OpFDiv")}
    assert len(rounded) == 3
    assert _decorated(text, "NoContraction") & rounded == (set() if refactoring else rounded)


def test_atomics_are_seen_by_the_device() -> None:
    text = _text(f"cs_5_0\ndcl_uav_raw u0\n{_HEAD}atomic_iadd u0, l(0), vThreadID.x\nret\n")
    (words,) = [words for _, name, words in _instructions(text) if name == "OpAtomicIAdd"]
    assert words[2:4] == ["%uint_1", "%uint_0"]
