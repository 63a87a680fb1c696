"""Ranges (cs_5_1) in branches: the threads there agree on an index, the others may have another."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..listings import blocks, listing

FAULT = "range_index_in_branch"
THREADS, ALONE = 16, 5  # threads that drivers run together, several times
SHOWN = "store_structured U9[9].x, vThreadID.x, l(0), r0.x"
LINE = "the access"


@dataclass(frozen=True)
class Way:
    """Lines with an access to element r2.x, and the elements that a thread accesses in turn."""

    lines: Sequence[str]
    elements: Callable[[int], Sequence[int]]


ELEMENTS: dict[str, Callable[[int], Sequence[int]]] = {
    "thread IDs": lambda thread: [1] * (thread == ALONE),
    "loaded in the branch": lambda thread: [1] * (thread >= ALONE),
    "out of the range elsewhere": lambda thread: [1] * (thread >= ALONE),
    "a loop that threads leave": lambda thread: [n & 1 for n in range(min(thread + 1, 6))],
    "after a return": lambda thread: [1] * (thread >= ALONE),
    "a case": lambda thread: {0: [0], 3: [1]}.get(thread % 4, []),
}
WAYS = {
    name: Way([line.strip() for line in lines.splitlines()], ELEMENTS[name])
    for name, lines in blocks(Path(__file__).parent / "data/branches.asm").items()
}


@dataclass(frozen=True)
class Kind:
    """An access: the feature of its index, and what r0.x gets from an element."""

    feature: str
    declared: Sequence[str]
    line: str
    given: Callable[[vkrunner.Device], dict[str, Any]]
    found: tuple[int, int] = (7, 7)
    added: int = 0  # by each access to its element's first number


BUFFERS = [np.full(3 + n, 10 + n, np.uint32) for n in range(2)]
IMAGES = [np.full((1, 2 + n), 10 + n, np.uint32) for n in range(2)]
FLOATS = [image.astype(np.float32) for image in IMAGES]
TEXELS = np.array([[3, 5, 6, 9]], np.float32)
UINT, FLOAT = ("(" + ",".join([name] * 4) + ")" for name in ("uint", "float"))
ZERO = "l(0, 0, 0, 0)"
_TEXTURE = f"dcl_resource_texture2d {FLOAT} T0"


def bits(*numbers: float) -> tuple[int, int]:
    first, second = np.array(numbers, np.float32).view(np.uint32).tolist()
    return first, second


def given(register: str, values: Sequence[Any]) -> Callable[[vkrunner.Device], dict[str, Any]]:
    return lambda on: {register: values}


def samplers(on: vkrunner.Device) -> dict[str, Any]:
    return {"t0": TEXELS, "s0": [on.sampler("point", mode) for mode in ("clamp", "wrap")]}


def pairs(on: vkrunner.Device) -> dict[str, Any]:
    return {**samplers(on), "t0": [TEXELS, TEXELS + 1]}


KINDS = {
    "constants": Kind(
        "uniform_buffer_dynamic_indexing",
        ["dcl_constantbuffer CB0[0:1][1], dynamicIndexed, space=0"],
        "mov r0.x, CB0[r2.x + 0][0].x",
        given("cb0", [np.full(4, 10 + n, np.uint32) for n in range(2)]), (10, 11),
    ),
    "load": Kind(
        "storage_buffer_dynamic_indexing", ["dcl_resource_structured T0[0:1], 4, space=0"],
        "ld_structured r0.x, l(0), l(0), T0[r2.x + 0].xxxx", given("t0", BUFFERS), (10, 11),
    ),
    "size": Kind(
        "storage_buffer_dynamic_indexing", ["dcl_uav_raw U0[0:1], space=0"],
        "bufinfo r0.x, U0[r2.x + 0].x", given("u0", BUFFERS), (12, 16),
    ),
    "atomic": Kind(
        "storage_buffer_dynamic_indexing", ["dcl_uav_raw U0[0:1], space=0"],
        "atomic_iadd U0[r2.x + 0], l(0), l(3)", given("u0", BUFFERS), added=3,
    ),
    "typed load": Kind(
        "uniform_texel_buffer_dynamic_indexing", [f"dcl_resource_buffer {UINT} T0[0:1], space=0"],
        f"ld_indexable(buffer){UINT} r0.x, {ZERO}, T0[r2.x + 0].xyzw", given("t0", BUFFERS),
        (10, 11),
    ),
    "typed size": Kind(
        "uniform_texel_buffer_dynamic_indexing", [f"dcl_resource_buffer {UINT} T0[0:1], space=0"],
        "bufinfo r0.x, T0[r2.x + 0].x", given("t0", BUFFERS), (3, 4),
    ),
    "typed UAV size": Kind(
        "storage_texel_buffer_dynamic_indexing", [f"dcl_uav_typed_buffer {UINT} U0[0:1], space=0"],
        "bufinfo r0.x, U0[r2.x + 0].x", given("u0", BUFFERS), (3, 4),
    ),
    "texture load": Kind(
        "sampled_image_dynamic_indexing", [f"{_TEXTURE}[0:1], space=0"],
        f"ld_indexable(texture2d){FLOAT} r0.x, {ZERO}, T0[r2.x + 0].xyzw", given("t0", FLOATS),
        bits(10, 11),
    ),
    "texture size": Kind(
        "sampled_image_dynamic_indexing", [f"{_TEXTURE}[0:1], space=0"],
        "resinfo_uint r0.x, l(0), T0[r2.x + 0].xyzw", given("t0", FLOATS), (2, 3),
    ),
    "sampler": Kind(
        "sampled_image_dynamic_indexing",
        [f"{_TEXTURE}[0:0], space=0", "dcl_sampler S0[0:1], mode_default, space=0"],
        f"sample_l_indexable(texture2d){FLOAT} r0.x, l(1.1, 0.5, 0, 0), T0[0].xyzw,"
        " S0[r2.x + 0], l(0)",
        samplers, bits(9, 3),
    ),
    "texture and sampler": Kind(
        "sampled_image_dynamic_indexing",
        [f"{_TEXTURE}[0:1], space=0", "dcl_sampler S0[0:1], mode_default, space=0"],
        f"sample_l_indexable(texture2d){FLOAT} r0.x, l(1.1, 0.5, 0, 0), T0[r2.x + 0].xyzw,"
        " S0[r2.x + 0], l(0)",
        pairs, bits(9, 4),
    ),
    "texture UAV size": Kind(
        "storage_image_dynamic_indexing", [f"dcl_uav_typed_texture2d {UINT} U0[0:1], space=0"],
        "resinfo_uint r0.x, l(0), U0[r2.x + 0].xyzw", given("u0", IMAGES), (2, 3),
    ),
    "texture atomic": Kind(
        "storage_image_dynamic_indexing", [f"dcl_uav_typed_texture2d {UINT} U0[0:1], space=0"],
        f"atomic_iadd U0[r2.x + 0], {ZERO}, l(3)", given("u0", IMAGES), added=3,
    ),
}  # fmt: skip


def shader(kind: Kind, way: Way) -> str:
    declared = ["dcl_resource_structured T9[9:9], 8, space=0"]
    declared += [*kind.declared, "dcl_uav_structured U9[9:9], 4, space=0"]
    lines = [kind.line if line == LINE else line for line in way.lines]
    body = ["mov r0.x, l(7)", *lines, SHOWN]
    return listing(body, declared, group=(THREADS, 1, 1), profile="cs_5_1")


def dispatched(on: vkrunner.Device, kernel: Any, kind: Kind) -> Any:
    table = np.full((THREADS, 2), 1, np.uint32)
    table[:ALONE] = 0, 0x3FFFFFFF
    return kernel.dispatch(1, t9=table, u9=np.zeros(THREADS, np.uint32), **kind.given(on))


def expected(kind: Kind, way: Way) -> list[int]:
    accessed = [way.elements(thread) for thread in range(THREADS)]
    return [kind.found[elements[-1]] if elements else 7 for elements in accessed]


@pytest.mark.parametrize("guards", ["d3d", "off"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", KINDS)
def test_the_resource_is_that_of_the_threads_there(
    device: vkrunner.Device, name: str, way: str, guards: Any
) -> None:
    kind, taken = KINDS[name], WAYS[way]
    with closing(device.kernel(shader(kind, taken), guards=guards)) as kernel:
        result = dispatched(device, kernel, kind)
    assert result["u9"].tolist() == expected(kind, taken)
    for element in range(2) if kind.added else ():
        times = sum(list(taken.elements(n)).count(element) for n in range(THREADS))
        first = int(np.ravel(result["u0"][element])[0])
        assert first == 10 + element + times * kind.added


def test_counters(device: vkrunner.Device) -> None:
    kind = Kind(
        "storage_buffer_dynamic_indexing", ["dcl_uav_structured_opc U0[0:1], 4, space=0"],
        "imm_atomic_alloc r5.x, U0[r2.x + 0]",
        lambda on: {"u0": [on.buffer(buffer, counter=0) for buffer in BUFFERS]},
    )  # fmt: skip
    text = shader(kind, WAYS["loaded in the branch"])
    with closing(device.kernel(text)) as kernel:
        counted = kind.given(device)
        again = Kind(kind.feature, kind.declared, kind.line, lambda on: counted)
        dispatched(device, kernel, again)
    assert [buffer.counter for buffer in counted["u0"]] == [0, THREADS - ALONE]


def test_a_device_has_the_fault_that_shaders_show(device: vkrunner.Device) -> None:
    """Without the workaround the results of some kinds are wrong where the device has the fault."""
    wrong: list[str] = []
    way = WAYS["loaded in the branch"]
    crashing = {"uav_range_size"}.intersection(device.faults)
    for name, kind in KINDS.items():
        if getattr(device.features, kind.feature) and kind.found != (7, 7):
            options: Any = {"workarounds": crashing, "guards": "off"}
            with closing(device.kernel(shader(kind, way), **options)) as kernel:
                if dispatched(device, kernel, kind)["u9"].tolist() != expected(kind, way):
                    wrong.append(name)
    assert bool(wrong) == (FAULT in device.faults), wrong


def module(line: str, **options: Any) -> translate.SpirvModule:
    kind = Kind("", KINDS["load"].declared, line, KINDS["load"].given)
    return translate.to_spirv(
        translate.load(shader(kind, WAYS["thread IDs"])), translate.Options(**options)
    )


def test_finished_modules(device: vkrunner.Device) -> None:
    """One that would meet the fault is refused where the device has it."""
    line = KINDS["load"].line
    tables = "dynamic"  # or another fault would be met
    bare = module(line, size_tables=tables)
    safe = module(line, size_tables=tables, workarounds={FAULT})
    assert bare.interface.exposed_to == (FAULT,)
    assert "subgroup_ballot" not in bare.interface.features
    assert safe.interface.exposed_to == ()
    assert "subgroup_ballot" in safe.interface.features
    if FAULT in device.faults:
        with pytest.raises(vkrunner.FeatureError, match=FAULT):
            device.kernel(bare)


@pytest.mark.parametrize("index", ["1", "vThreadGroupID.x + 0"])
def test_an_index_that_all_threads_share_needs_nothing(index: str) -> None:
    text = f"ld_structured r0.x, l(0), l(0), T0[{index}].xxxx"
    found = module(text, workarounds={FAULT}).interface
    assert found.exposed_to == ()
    assert "subgroup_ballot" not in found.features
