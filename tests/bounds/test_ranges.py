"""Ranges of one register (cs_5_1) indexed at run time: outside of the range nothing is bound."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import translate

from ..listings import listing

THREADS = 4
INSIDE = 1  # this thread names the range's register; one thread is before it, two are after it
PICKS = {"uniform": ((1, 1, 1), THREADS), "divergent": ((THREADS, 1, 1), 1)}
WORDS = np.array([11, 12, 13, 14], np.uint32)
TEXELS = np.array([[3, 5, 6, 9]], np.float32)  # one row
NAMED = "[vThreadID.x + 0]"


@dataclass(frozen=True)
class Read:
    """`line` fills r0 from the range: `inside` in the thread that names its register, else 0."""

    name: str
    declared: Sequence[str]
    line: str
    given: dict[str, Any]
    inside: Sequence[int]
    reported: str = ""  # the register that reports name; samples and queries have no report


def bits(*numbers: float) -> list[int]:
    return np.array(numbers, np.float32).view(np.uint32).tolist()


_TEXTURE = "dcl_resource_texture2d (float,float,float,float) T0[{0}:{0}], space=0"
_SAMPLER = "dcl_sampler S0[{0}:{0}], mode_default, space=0"
_SAMPLED = "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0.625, 0.5, 0, 0)"
_FIRST = "l(0, 0, 0, 0)"

READS = (
    Read(
        "raw",
        ["dcl_resource_raw T0[1:1], space=0"],
        f"ld_raw r0.xyzw, l(0), T0{NAMED}.xyzw {{nonuniform}}",
        {"t1": WORDS}, WORDS.tolist(), "t1",
    ),
    Read(
        "structured",
        ["dcl_resource_structured T0[1:1], 16, space=0"],
        f"ld_structured r0.xyzw, l(0), l(0), T0{NAMED}.xyzw {{nonuniform}}",
        {"t1": WORDS}, WORDS.tolist(), "t1",
    ),
    Read(
        "constants",
        ["dcl_constantbuffer CB0[1:1][1], dynamicIndexed, space=0"],
        f"mov r0.xyzw, CB0{NAMED}[0].xyzw {{nonuniform}}",
        {"cb1": WORDS}, WORDS.tolist(), "cb1",
    ),
    Read(
        "typed buffer",
        ["dcl_resource_buffer (uint,uint,uint,uint) T0[1:1], space=0"],
        f"ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, {_FIRST}, T0{NAMED}.xyzw"
        " {nonuniform}",
        {"t1": WORDS[:1]}, [11, 0, 0, 1], "t1",
    ),
    Read(
        "texture",
        [_TEXTURE.format(1)],
        f"ld_indexable(texture2d)(float,float,float,float) r0.xyzw, {_FIRST}, T0{NAMED}.xyzw"
        " {nonuniform}",
        {"t1": TEXELS}, bits(3, 0, 0, 1), "t1",
    ),
    Read(
        "sampled texture",
        [_TEXTURE.format(1), _SAMPLER.format(0)],
        f"{_SAMPLED}, T0{NAMED}.xyzw {{nonuniform}}, S0[0], l(0)",
        {"t1": TEXELS}, bits(6, 0, 0, 1),
    ),
    Read(
        "sampler",
        [_TEXTURE.format(0), _SAMPLER.format(1)],
        f"{_SAMPLED}, T0[0].xyzw, S0{NAMED} {{nonuniform}}, l(0)",
        {"t0": TEXELS}, bits(6, 0, 0, 1),
    ),
    Read(
        "size of a buffer",
        ["dcl_resource_raw T0[1:1], space=0"],
        f"bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.xyzw, T0{NAMED}.xyzw"
        " {nonuniform}",
        {"t1": WORDS}, [16] * 4,
    ),
    Read(
        "size of a texture",
        [_TEXTURE.format(1)],
        "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xyzw, l(0),"
        f" T0{NAMED}.xyzw {{nonuniform}}",
        {"t1": TEXELS}, [4, 1, 0, 1],
    ),
)  # fmt: skip


def shader(declared: Sequence[str], lines: Sequence[str], pick: str) -> str:
    """A shader whose `lines` leave their result in r0, which is stored to u9."""
    every = [*declared, "dcl_uav_structured U9[9:9], 16, space=0"]
    body = ["mov r0.xyzw, l(0, 0, 0, 0)", *lines]
    body.append("store_structured U9[9].xyzw, vThreadID.x, l(0), r0.xyzw")
    return listing(body, every, group=PICKS[pick][0], profile="cs_5_1")


def dispatched(
    device: Any,
    declared: Sequence[str],
    lines: Sequence[str],
    pick: str = "divergent",
    guards: str = "d3d",
    **given: Any,
) -> Any:
    with closing(device.kernel(shader(declared, lines, pick), guards=guards)) as kernel:
        return kernel.dispatch(PICKS[pick][1], **given, u9=np.full((THREADS, 4), 7, np.uint32))


def reported(result: Any) -> list[tuple[str, int, str]]:
    return sorted((v.register, v.thread[0], v.cause) for v in result.violations)


def outside(register: str) -> list[tuple[str, int, str]]:
    """The reports of all threads but the one that names the range's register."""
    return [(register, n, "outside") for n in range(THREADS) if n != INSIDE]


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("read", READS, ids=lambda read: read.name)
def test_reads(device: Any, read: Read, pick: str, guards: str) -> None:
    samplers = {
        f"s{n}": device.sampler("point") for n in (0, 1) if _SAMPLER.format(n) in read.declared
    }
    result = dispatched(device, read.declared, [read.line], pick, guards, **read.given, **samplers)
    expected = np.zeros((THREADS, 4), np.uint32)
    expected[INSIDE] = read.inside
    np.testing.assert_array_equal(result.u9, expected)
    wanted = outside(read.reported) if guards == "report" and read.reported else []
    assert reported(result) == wanted


# declaration, instruction, what u1 holds, what the thread inside finds in r0.x, and leaves
WRITES = {
    "raw store": (
        "dcl_uav_raw U0[1:1], space=0",
        f"store_raw U0{NAMED}.x {{nonuniform}}, l(4), l(99)",
        WORDS, 0, [11, 99, 13, 14],
    ),
    "structured store": (
        "dcl_uav_structured U0[1:1], 8, space=0",
        f"store_structured U0{NAMED}.xy {{nonuniform}}, l(1), l(0), l(98, 99, 0, 0)",
        WORDS.reshape(2, 2), 0, [11, 12, 98, 99],
    ),
    "typed store": (
        "dcl_uav_typed_buffer (uint,uint,uint,uint) U0[1:1], space=0",
        f"store_uav_typed U0{NAMED}.xyzw {{nonuniform}}, l(2, 2, 2, 2), l(99, 0, 0, 0)",
        WORDS, 0, [11, 12, 99, 14],
    ),
    "texture store": (
        "dcl_uav_typed_texture2d (uint,uint,uint,uint) U0[1:1], space=0",
        f"store_uav_typed U0{NAMED}.xyzw {{nonuniform}}, l(2, 0, 0, 0), l(99, 0, 0, 0)",
        WORDS.reshape(1, 4), 0, [11, 12, 99, 14],
    ),
    "atomic": (
        "dcl_uav_raw U0[1:1], space=0",
        f"imm_atomic_iadd r0.x, U0{NAMED} {{nonuniform}}, l(4), l(100)",
        WORDS, 12, [11, 112, 13, 14],
    ),
    "typed atomic": (
        "dcl_uav_typed_buffer (uint,uint,uint,uint) U0[1:1], space=0",
        f"imm_atomic_umax r0.x, U0{NAMED} {{nonuniform}}, l(1, 0, 0, 0), l(100)",
        WORDS, 12, [11, 100, 13, 14],
    ),
}  # fmt: skip


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("name", WRITES)
def test_writes(device: Any, name: str, pick: str, guards: str) -> None:
    declared, line, held, found, left = WRITES[name]
    result = dispatched(device, [declared], [line], pick, guards, u1=held)
    assert result.u1.reshape(-1).tolist() == left
    assert result.u9[:, 0].tolist() == [found if n == INSIDE else 0 for n in range(THREADS)]
    assert reported(result) == (outside("u1") if guards == "report" else [])


@pytest.mark.parametrize("pick", PICKS)
def test_counters(device: Any, pick: str) -> None:
    line = f"imm_atomic_alloc r0.x, U0{NAMED} {{nonuniform}}"
    counted = device.buffer(WORDS, counter=5)
    declared = ["dcl_uav_structured_opc U0[1:1], 4, space=0"]
    result = dispatched(device, declared, [line], pick, u1=counted)
    assert result.u9[:, 0].tolist() == [5 if n == INSIDE else 0 for n in range(THREADS)]
    assert counted.counter == 6


def test_some_accesses_name_the_register_by_a_constant(device: Any) -> None:
    """An access by a constant register, before and after one by an index."""
    lines = [
        "ld_raw r0.x, l(0), T0[1].xxxx",
        f"ld_raw r0.y, l(4), T0{NAMED}.xxxx {{nonuniform}}",
        "ld_raw r0.z, l(8), T0[1].xxxx",
    ]
    result = dispatched(device, ["dcl_resource_raw T0[1:1], space=0"], lines, t1=WORDS)
    expected = [[11, 12 if n == INSIDE else 0, 13, 0] for n in range(THREADS)]
    assert result.u9.tolist() == expected


SAMPLES = {  # the sample at u = 1.25: the second texel if the sampler wraps, the last by default
    "a bounded range": ("0:1", 2, [5, 5, 0, 0]),
    "a bounded range with nothing given": ("0:1", 0, [9, 9, 0, 0]),
    "an unbounded range": ("0:*", 3, [5, 5, 5, 0]),
    "an unbounded range with nothing given": ("0:*", 0, [9, 0, 0, 0]),
}


@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("name", SAMPLES)
def test_samplers_outside_of_their_range(device: Any, name: str, pick: str) -> None:
    """An index that names no sampler gives 0; D3D leaves the result undefined (FS §7.11.2).

    A sampler of the range that is not given is D3D11's default: linear and clamp. An unbounded
    range is as long as its list, and has at least one sampler.
    """
    registers, given, expected = SAMPLES[name]
    declared = [_TEXTURE.format(0), f"dcl_sampler S0[{registers}], mode_default, space=0"]
    line = f"{_SAMPLED}, T0[0].xyzw, S0{NAMED} {{nonuniform}}, l(0)".replace("0.625", "1.25")
    if pick == "uniform":
        line = line.replace(" {nonuniform}", "")
    states = [device.sampler("point", "wrap") for _ in range(given)]
    arguments: dict[str, Any] = {"s0": states} if given else {}
    result = dispatched(device, declared, [line], pick, t0=TEXELS, **arguments)
    assert result.u9[:, 0].view(np.float32).tolist() == expected


def test_views_that_no_descriptor_shows(device: Any) -> None:
    """The view of a single register may begin at any element, however the register is named."""
    line = f"ld_raw r0.x, l(4), T0{NAMED}.xxxx {{nonuniform}}"
    view = device.buffer(np.arange(100, 200, dtype=np.uint32)).view(3, 2)
    result = dispatched(device, ["dcl_resource_raw T0[1:1], space=0"], [line], t1=view)
    assert result.u9[:, 0].tolist() == [104 if n == INSIDE else 0 for n in range(THREADS)]


def test_an_index_that_folds_to_a_constant(device: Any) -> None:
    """It is uniform, whatever the shader says, and needs no device feature."""
    declared = ["dcl_resource_raw T0[0:1], space=0"]
    lines = ["mov r1.x, l(1)", "bufinfo r0.x, T0[r1.x + 0].x { nonuniform }"]
    buffers = [np.zeros(3, np.uint32), np.zeros(9, np.uint32)]
    assert dispatched(device, declared, lines, t0=buffers).u9[0, 0] == 36
    module = translate.to_spirv(translate.load(shader(declared, lines, "divergent")))
    assert "NonUniform" not in module.text()
