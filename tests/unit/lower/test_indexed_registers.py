"""The size of `t[r]`, `s[r]` and `cb[r][r]` in modules: no copies of whole instructions."""

import re
from collections import Counter
from typing import Any

import pytest

import translate


def counted(
    textures: int,
    samplers: int,
    *samples: str,
    buffers: int = 0,
    declared: tuple[str, ...] = (),
    **options: Any,
) -> Counter[str]:
    """The number of each SPIR-V instruction in the module of some samples."""
    results = range(2, 2 + len(samples))
    lines = [
        "cs_5_0",
        "dcl_globalFlags refactoringAllowed",
        *(f"dcl_constantbuffer CB{n}[8], dynamicIndexed" for n in range(buffers)),
        *(f"dcl_resource_texture2d (float,float,float,float) t{n}" for n in range(textures)),
        *(f"dcl_sampler s{n}, mode_default" for n in range(samplers)),
        *declared,
        "dcl_uav_raw u0",
        f"dcl_temps {2 + len(samples)}",
        "dcl_thread_group 1, 1, 1",
        "ld_raw r0.xyzw, l(0), u0.xyzw",
        "ld_raw r1.xyzw, l(16), u0.xyzw",
        *(line.replace("RESULT", f"r{n}") for n, line in zip(results, samples, strict=True)),
        *(f"store_raw u0.xyzw, l({16 * n}), r{n}.xyzw" for n in results),
        "ret",
    ]
    program = translate.load("\n".join(lines) + "\n")
    module = translate.to_spirv(program, translate.Options(**options))
    return Counter(re.findall(r"\bOp\w+", module.text()))


def sample(texture: str, sampler: str, coordinates: str = "r1.xyxx") -> str:
    return (
        f"sample_l_indexable(texture2d)(float,float,float,float) RESULT.xyzw, {coordinates}, "
        f"t[{texture}].xyzw, s[{sampler}], r1.z"
    )


def test_coordinates_are_tested_once() -> None:
    """Once for all textures and samplers; only the sampling instruction is repeated for each."""
    few, many = (counted(n, n, sample("r0.x + 0", "r0.y + 0")) for n in (3, 9))
    assert (few["OpImageSampleExplicitLod"], many["OpImageSampleExplicitLod"]) == (9, 81)
    tests = ("OpFOrdLessThan", "OpFOrdGreaterThan", "OpExtInst", "OpSelect", "OpBitwiseAnd")
    assert {name: few[name] for name in tests} == {name: many[name] for name in tests}
    assert any(few[name] for name in tests)


def test_one_index_is_no_product() -> None:
    found = counted(9, 9, sample("r0.x + 0", "r0.x + 0"))
    assert found["OpImageSampleExplicitLod"] == 9
    assert found["OpSwitch"] == 2  # including the one for the textures' sizes


def test_only_textures_of_the_dimension_are_sampled() -> None:
    """The instruction was compiled for 2D textures, which a volume or a buffer is not."""
    others = (
        "dcl_resource_texture3d (float,float,float,float) t3",
        "dcl_resource_buffer (float,float,float,float) t4",
        "dcl_resource_structured t5, 16",
    )
    alone, among_others = (
        counted(3, 1, sample("r0.x + 0", "0"), declared=declared) for declared in ((), others)
    )
    assert among_others["OpImageSampleExplicitLod"] == alone["OpImageSampleExplicitLod"] == 3


def test_samples_of_one_pair_share_a_selection() -> None:
    first = sample("r0.x + 0", "r0.y + 0")
    same = sample("r0.x + 0", "r0.y + 0", "r1.zwzz")
    other = sample("r0.z + 0", "r0.y + 0", "r1.zwzz")
    one, two, apart = (
        counted(4, 4, *samples, sampling="device")
        for samples in ([first], [first, same], [first, other])
    )
    assert one["OpSwitch"] == two["OpSwitch"] == 5
    assert apart["OpSwitch"] == 10
    assert two["OpImageSampleExplicitLod"] == 2 * one["OpImageSampleExplicitLod"] == 32


def test_buffers_are_loaded_from_once() -> None:
    """One vector and one comparison for each buffer, however many operands read them."""
    one, two_slots, three_vectors = (
        counted(0, 0, f"imad RESULT.xyzw, {', '.join(operands)}", buffers=5)
        for operands in (
            ["cb[r0.x + 0][r0.y + 0].xyzw"] * 3,
            [f"cb[r0.{slot} + 0][r0.y + 0].xyzw" for slot in "xzx"],
            [f"cb[r0.x + 0][r0.y + {n}].wzyx" for n in range(3)],
        )
    )
    assert two_slots["OpLoad"] - one["OpLoad"] == 1  # r0.z
    assert three_vectors["OpLoad"] - one["OpLoad"] == 10
    assert (one["OpIEqual"], two_slots["OpIEqual"], three_vectors["OpIEqual"]) == (5, 10, 5)


def test_products_beyond_the_limit_are_refused() -> None:
    """They are refused before they are built: 2 samples of 9 textures, 9 samplers: 162 copies."""
    samples = [sample(f"r0.{one} + 0", "r0.z + 0") for one in "xy"]
    with pytest.raises(
        translate.UnsupportedError, match=r"becomes 1296 operations.*=1200 .* allows"
    ):
        counted(9, 9, *samples, max_instructions=1200, sampling="device")
    loads = ["mov RESULT.x, cb[r0.x + 0][r0.y + 0].x"] * 20
    with pytest.raises(translate.UnsupportedError, match=r"becomes 4\d{4} operations.*=40000 "):
        counted(0, 0, *loads, buffers=30, max_instructions=40000)
