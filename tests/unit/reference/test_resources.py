"""Views, aliases, and errors of resources."""

from typing import Any

import numpy as np
import pytest

import translate
from translate import OptionError, reference
from translate.reference import Buffer, Sampler, Texture

from .listings import ID, buffer, execute, listing, words

COPY = listing(
    [f"ld_structured r0.x, {ID}, l(0), t0.xxxx", f"store_structured u0.x, {ID}, l(0), r0.x", "ret"],
    ["dcl_resource_structured t0, 4", "dcl_uav_structured u0, 4"],
)


def test_a_view_has_its_own_start_and_end() -> None:
    source = np.arange(20, dtype=np.uint32)
    view = buffer(source, offset=12, size=20)
    target = buffer(np.full(12, 99, np.uint32), offset=8, size=24)
    outcome = execute(COPY, t0=view, u0=target)
    assert words(outcome).tolist() == [99, 99, 3, 4, 5, 6, 7, 0, 99, 99, 99, 99]
    kinds = [(v.register, v.index) for v in outcome.findings.violations]
    assert kinds == [("t0", 5), ("t0", 6), ("t0", 7), ("u0", 6), ("u0", 7)]


@pytest.mark.parametrize("nbytes", [1, 4, 20, 30, 32])
def test_a_constant_buffer_ends_with_a_whole_vector(nbytes: int) -> None:
    """Zeros fill the last one."""
    data = np.arange(1, 1 + nbytes, dtype=np.uint8)
    read = [f"mov r0.x, {ID}", "mov r0.xyzw, cb0[r0.x + 0].xyzw"]
    stored = [f"store_structured u0.xyzw, {ID}, l(0), r0.xyzw", "ret"]
    declared = ["dcl_constantbuffer cb0[2], dynamicIndexed", "dcl_uav_structured u0, 16"]
    found = execute(listing(read + stored, declared), cb0=Buffer(data), u0=np.zeros(32, np.uint32))
    wanted = np.zeros(8 * 16, np.uint8)
    wanted[:nbytes] = data
    assert words(found).tolist() == wanted.view(np.uint32).tolist()
    first_outside = 1 if nbytes <= 16 else 2
    assert [v.index for v in found.findings.violations] == list(range(first_outside, 8))


def test_views_of_the_same_array_are_the_same_memory() -> None:
    data = np.arange(8, dtype=np.uint32).view(np.uint8)
    outcome = reference.run(
        translate.load(COPY), {"t0": Buffer(data), "u0": Buffer(data, offset=4)}, (1, 1, 1)
    )
    # Loads of all lanes come before their stores.
    assert words(outcome).tolist() == [0, 0, 1, 2, 3, 4, 5, 6]
    assert data.view(np.uint32).tolist() == list(range(8))


SAMPLED = listing(
    ["ld_indexable(texture2d)(float,float,float,float) r0.x, l(0,0,0,0), t0.xyzw", "ret"],
    ["dcl_resource_texture2d (float,float,float,float) t0"],
)
STORED = listing(
    ["store_uav_typed u0.xyzw, l(0,0,0,0), l(0,0,0,0)", "ret"],
    ["dcl_uav_typed_texture2d (float,float,float,float) u0"],
)
COUNTED = listing(
    ["atomic_iadd u0, l(0,0,0,0), l(1)", "ret"], ["dcl_uav_typed_buffer (uint,uint,uint,uint) u0"]
)
DWORDS = np.zeros(4, np.uint32)
SHAPE = r"u8\[slices, height, width, samples, {}\]"


def image(format: str, *shape: int, **more: Any) -> Texture:
    return Texture((np.zeros(shape, np.uint8),), format, **more)


# A listing, the resource of t0 or else u0, and the error
REFUSED: list[tuple[str, Buffer | Sampler | Texture, str]] = [
    (COPY, Buffer(DWORDS), "u8"),
    (COPY, Buffer(np.zeros(8, np.uint8), offset=4, size=8), "leaves the buffer of 8 bytes"),
    (COPY, Buffer(np.zeros(8, np.uint8), offset=2), "a multiple of 4"),
    (COPY, Sampler(), "takes a buffer"),
    (SAMPLED, image("r32_uint", 1, 2, 2, 1, 4), "read as float; r32_uint is not"),
    (SAMPLED, image("r32_float", 1, 2, 2, 1, 4, dimension="3d"), "declared as 2d; 3d is bound"),
    (SAMPLED, image("r32_float", 2, 2, 4), SHAPE.format(4)),
    (SAMPLED, buffer(DWORDS), "takes a texture, or a buffer with a format"),
    (SAMPLED, buffer(DWORDS, format="r32_float"), "declared as 2d; buffer is bound"),
    (SAMPLED, buffer(DWORDS, format="bc1_unorm"), "no buffer has bc1_unorm"),
    (SAMPLED, image("bc1_unorm", 1, 2, 3, 1, 8), "bc1_unorm needs the extents of each mip"),
    (SAMPLED, image("bc1_unorm", 1, 2, 3, 1, 8, extents=((8, 8),)),
     "a mip of 8 by 8 texels has 2 by 2 blocks, not 2 by 3"),
    (SAMPLED, image("bc7_unorm", 1, 2, 2, 1, 8, extents=((8, 8),)), SHAPE.format(16)),
    (STORED, image("bc1_unorm", 1, 1, 1, 1, 8, extents=((4, 4),)), r"u0.*bc1_unorm"),
    (COUNTED, buffer(DWORDS, format="r8g8b8a8_uint"), r"r32_uint.*r32_sint"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "resource", "message"), REFUSED, ids=[r[2] for r in REFUSED])
def test_values_that_do_not_fit(text: str, resource: Any, message: str) -> None:
    given: dict[str, Any] = {"u0": np.zeros(8, np.uint32)}
    given["t0" if " t0" in text else "u0"] = resource
    with pytest.raises(OptionError, match=message):
        execute(text, **given)


def test_stores_of_formats_and_textures() -> None:
    text = listing(
        [f"utof r0.x, {ID}", "mul r0.xyzw, r0.xxxx, l(0.125,0.25,0.5,1.0)",
         f"store_uav_typed u0.xyzw, {ID}, r0.xyzw", "ret"],
        ["dcl_uav_typed_texture2d (float,float,float,float) u0"],
    )  # fmt: skip
    texture = Texture((np.full((1, 8, 4, 1, 4), 9, np.uint8),), "r8g8b8a8_unorm")
    outcome = execute(text, u0=texture)
    (mip,) = outcome.written.textures["u0"]
    # Thread n stores at (n, n); clamped to 1, scaled by 255 and rounded.
    expected = [[0, 0, 0, 0], [32, 64, 128, 255], [64, 128, 255, 255], [96, 191, 255, 255]]
    assert [mip[0, n, n, 0].tolist() for n in range(4)] == expected
    assert int((mip == 9).all(axis=-1).sum()) == 28
    assert (texture.mips[0] == 9).all()
    assert outcome.findings.violation_count == 4


def test_counters_start_at_a_value_and_null_ones_give_zero() -> None:
    text = listing(
        ["imm_atomic_alloc r0.x, u0", "imm_atomic_consume r0.y, u1", "imm_atomic_alloc r0.z, u2",
         f"store_structured u3.xyz, {ID}, l(0), r0.xyzx", "ret"],
        ["dcl_uav_structured_opc u0, 4", "dcl_uav_structured_opc u1, 4",
         "dcl_uav_structured_opc u2, 4", "dcl_uav_structured u3, 12"],
        group=(3, 1, 1),
    )  # fmt: skip
    data = np.zeros(4, np.uint32)
    outcome = execute(
        text, u0=buffer(data.copy(), counter=7), u1=buffer(data.copy(), counter=1),
        u2=buffer(data.copy()), u3=np.zeros(9, np.uint32),
    )  # fmt: skip
    rows = words(outcome, "u3").reshape(3, 3).tolist()
    assert rows == [[7, 0, 0], [8, 0xFFFFFFFF, 0], [9, 0xFFFFFFFE, 0]]
    assert outcome.written.counters == {"u0": 10, "u1": 0xFFFFFFFE}


def test_a_negative_number_of_groups() -> None:
    with pytest.raises(OptionError):
        reference.run(translate.load(COPY), {}, (1, -1, 1))
