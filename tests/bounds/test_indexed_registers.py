"""`t[r]`, `s[r]` and `cb[r][r]` before cs_5_1: gaps, several kinds, indices outside of all."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..listings import listing, store

TEXTURE = "dcl_resource_texture2d ({0},{0},{0},{0}) t{1}"
NUMBERS = (0, 1, 2, 3, 5, 7, 0xFFFFFFFF, 0x80000002)
PAIRS = np.array([(t, s) for t in NUMBERS for s in NUMBERS], np.uint32)


def run(device: Any, declared: Sequence[str], *code: str, **bound: Any) -> Any:
    """r3 of a thread for each pair of numbers, which are in r0."""
    lines = ["ishl r1.w, vThreadID.x, l(3)", "ld_raw r0.xy, r1.w, t20.xyxx", *code, store("r3")]
    declared = [*declared, "dcl_resource_raw t20", "dcl_uav_structured u0, 16"]
    with closing(device.kernel(listing(lines, declared, group=(1, 1, 1)))) as kernel:
        seen = np.full((len(PAIRS), 4), 0xEE, np.uint32)
        return kernel.dispatch(len(PAIRS), t20=PAIRS, u0=seen, **bound).u0


def image(number: int, dtype: type[np.generic]) -> Any:
    return np.full((1, 1, 4), 10 + number, dtype)


# How the texture and the sampler are named, and which ones r0.x and r0.y then select
NAMES = {
    "each by its own": ("t[r0.x + 0]", "s[r0.y + 0]", lambda t, s: (t, s)),
    "moved": ("t[r0.x + 2]", "s[r0.y + 3]", lambda t, s: (t + 2, s + 3)),
    "both by one": ("t[r0.x + 2]", "s[r0.x + 3]", lambda t, s: (t + 2, t + 3)),
    "texture alone": ("t[r0.x + 0]", "s3", lambda t, s: (t, 3)),
    "sampler alone": ("t2", "s[r0.y + 0]", lambda t, s: (2, s)),
}


@pytest.mark.parametrize("how", NAMES)
def test_texture_and_sampler(device: Any, how: str) -> None:
    """Right of the texture s0 gives a texel of it, and s3 the border, which is 1."""
    texture, sampler, registers = NAMES[how]
    declared = [TEXTURE.format("float", n) for n in (0, 2, 5)]
    declared += [f"dcl_sampler s{n}, mode_default" for n in (0, 3)]
    code = (
        "mov r2.xy, l(4.0,0.5,0,0)",
        "sample_l_indexable(texture2d)(float,float,float,float) "
        f"r3.xyzw, r2.xyxx, {texture}.xyzw, {sampler}, l(0)",
    )
    bound = {f"t{n}": image(n, np.float32) for n in (0, 2, 5)}
    bound |= {"s0": device.sampler("point"), "s3": device.sampler("point", "border")}
    found = run(device, declared, *code, **bound).view(np.float32)
    for (first, second), texel in zip(PAIRS.tolist(), found, strict=True):
        t, s = (number & 0xFFFFFFFF for number in registers(first, second))
        exists = t in (0, 2, 5) and s in (0, 3)
        assert texel.tolist() == [exists * (10 + t if s == 0 else 1)] * 4, (t, s)


def test_textures_of_several_kinds(device: Any) -> None:
    """Floats and integers are read as they are; texels of another dimension are undefined."""
    declared = [TEXTURE.format("float", n) for n in (0, 3)]
    declared += [TEXTURE.format("uint", n) for n in (1, 5)]
    declared += ["dcl_resource_texture1d (float,float,float,float) t2"]
    code = (
        "mov r2.xyzw, l(0,0,0,0)",
        "ld_indexable(texture2d)(float,float,float,float) r3.xyzw, r2.xyzw, t[r0.x + 0].xyzw",
    )
    bound = {f"t{n}": image(n, np.float32) for n in (0, 3)}
    bound |= {f"t{n}": image(n, np.uint32) for n in (1, 5)}
    bound["t2"] = image(2, np.float32)[0]
    found = run(device, declared, *code, **bound)
    for (number, _), texel in zip(PAIRS.tolist(), found, strict=True):
        if number == 2:
            continue
        expected = {0: np.float32(10), 3: np.float32(13), 1: np.uint32(11), 5: np.uint32(15)}
        bits = expected[number].view(np.uint32) if number in expected else 0
        assert texel.tolist() == [bits] * 4, number


def test_samples_are_of_floats(device: Any) -> None:
    """A sample through an index may select only textures that it can filter."""
    declared = [TEXTURE.format("float", 0), TEXTURE.format("uint", 1)]
    declared += ["dcl_sampler s0, mode_default"]
    code = (
        "mov r2.xy, l(0.5,0.5,0,0)",
        "sample_l_indexable(texture2d)(float,float,float,float) r3.xyzw, r2.xyxx, "
        "t[r0.x + 0].xyzw, s0, l(0)",
    )
    bound = {"t0": image(0, np.float32), "t1": image(1, np.uint32)}
    found = run(device, declared, *code, s0=device.sampler("point"), **bound).view(np.float32)
    for (number, _), texel in zip(PAIRS.tolist(), found, strict=True):
        assert number == 1 or texel.tolist() == [10.0 * (number == 0)] * 4, number


def test_sizes_of_textures(device: Any) -> None:
    declared = [TEXTURE.format("float", n) for n in (0, 2)]
    code = (
        "resinfo_indexable(texture2d)(float,float,float,float)_uint r3.xyzw, l(0), t[r0.x + 0].xyzw"
    )
    bound = {f"t{n}": np.zeros((n + 1, n + 2, 4), np.float32) for n in (0, 2)}
    found = run(device, declared, code, **bound)
    for (number, _), size in zip(PAIRS.tolist(), found, strict=True):
        exists = number in (0, 2)
        assert size.tolist() == [exists * n for n in (number + 2, number + 1, 0, 1)], number


def test_structured_buffers(device: Any) -> None:
    """Each buffer has as many structures as its register number."""
    declared = [f"dcl_resource_structured t{n}, 16" for n in (1, 3, 5)]
    code = (
        "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) "
        "r3.xyzw, r0.y, l(0), t[r0.x + 0].xyzw"
    )
    vectors = {n: np.arange(4 * n, dtype=np.uint32).reshape(n, 4) + 100 * n for n in (1, 3, 5)}
    found = run(device, declared, code, **{f"t{n}": given for n, given in vectors.items()})
    for (number, index), vector in zip(PAIRS.tolist(), found, strict=True):
        there = number in vectors and index < number
        assert vector.tolist() == (vectors[number][index].tolist() if there else [0] * 4)


def test_constant_buffers(device: Any) -> None:
    """Buffers of different lengths; two operands of one instruction name the same."""
    lengths = {0: 4, 2: 2, 3: 8}
    declared = [f"dcl_constantbuffer CB{n}[{k}], dynamicIndexed" for n, k in lengths.items()]
    code = "iadd r3.xyzw, cb[r0.x + 0][r0.y + 0].xyzw, cb[r0.x + 0][r0.y + 1].wzyx"
    vectors = {
        n: np.arange(4 * k, dtype=np.uint32).reshape(k, 4) + 100 * n for n, k in lengths.items()
    }
    found = run(device, declared, code, **{f"cb{n}": given for n, given in vectors.items()})

    def at(number: int, index: int) -> Any:
        there = number in vectors and index < lengths[number]
        return vectors[number][index] if there else np.zeros(4, np.uint32)

    for (number, index), total in zip(PAIRS.tolist(), found, strict=True):
        expected = at(number, index) + at(number, (index + 1) % 2**32)[::-1]
        assert total.tolist() == expected.tolist(), (number, index)
