"""Accesses outside of textures and buffers whose checks may be left to the device.

Drivers offer robust accesses and fail in them: for textures of one slice, or of small texels. The
tests run with the device's own options, and with every check.
"""

from contextlib import closing
from typing import Any

import numpy as np
import pytest

import translate
from checks.interpret import interpret
from translate.ir.row import Stage
from translate.options import Options
from translate.passes.pipeline import run_passes
from translate.pipeline import lowered
from translate.reference.resources import Buffer

from ..conftest import needs
from ..listings import listing, store

OPTIONS: list[dict[str, Any]] = [{}, {"guards": "report"}, {"robust_access": frozenset()}]
IDS = ["d3d", "report", "checked"]
OUTSIDE = (1, 2, 5, 0x40000001, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)  # slices
# Dimension, a texture's shape, and its view's first slice
ONE_SLICE = [
    *(("1darray", (1, 4), None), ("1darray", (3, 4), 1), ("3d", (1, 4, 4), None)),
    *(("2darray", (1, 4, 4), None), ("2darray", (3, 4, 4), 1)),
]
# name -> instruction; r0 has the coordinates, r1.x takes the result
ACCESSES = {
    "store": "store_uav_typed u0.xyzw, r0.xyzw, l(99, 99, 99, 99)",
    "atomic": "atomic_iadd u0, r0.xyzw, l(1000)",
    "imm_atomic": "imm_atomic_iadd r1.x, u0, r0.xyzw, l(1000)",
    "load_uav": "ld_uav_typed_indexable(texture{0})(uint,uint,uint,uint) r1.xyzw, r0.xyzw, u0.xyzw",
    "load": "ld_indexable(texture{0})(uint,uint,uint,uint) r1.xyzw, r0.xyzw, t0.xyzw",
}


def one_slice_shader(dimension: str, access: str) -> str:
    declaration = "dcl_resource_texture" if access == "load" else "dcl_uav_typed_texture"
    register = "t0" if access == "load" else "u0"
    place = "y" if dimension == "1darray" else "z"
    declared = [f"{declaration}{dimension} (uint,uint,uint,uint) {register}"]
    declared += ["dcl_resource_structured t1, 4", "dcl_uav_structured u1, 4"]
    lines = [f"mov {one}.xyzw, l(0, 0, 0, 0)" for one in ("r0", "r1")]
    lines.append(f"ld_structured r0.{place}, vThreadID.x, l(0), t1.xxxx")
    lines.append(ACCESSES[access].format(dimension))
    lines.append("store_structured u1.x, vThreadID.x, l(0), r1.x")
    return listing(lines, declared, group=(len(OUTSIDE), 1, 1))


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize(("dimension", "shape", "first"), ONE_SLICE)
def test_slices_of_one(
    device: Any, dimension: str, shape: Any, first: int | None, access: str, options: dict[str, Any]
) -> None:
    """Whatever the slice, nothing but slice 0 is there."""
    texels = np.arange(1, 1 + np.prod(shape), dtype=np.uint32).reshape(shape)
    texture = device.texture(texels, format="r32_uint", dimension=dimension)
    view = texture if first is None else texture.view(first_slice=first, num_slices=1)
    kernel = device.kernel(one_slice_shader(dimension, access), **options)
    seen = np.full(len(OUTSIDE), 7, np.uint32)
    bound = {"t0" if access == "load" else "u0": view}
    result = kernel.dispatch(1, t1=np.array(OUTSIDE, np.uint32), u1=seen, **bound)
    assert not result.u1.any()
    np.testing.assert_array_equal(texture.read(), texels)
    if "guards" in options:
        assert result.violations.total == len(OUTSIDE)


SMALL: dict[str, tuple[type[np.generic], int, str]] = {
    "r8_unorm": (np.uint8, 1, "float"),
    "r8_snorm": (np.int8, 1, "float"),
    "r8_uint": (np.uint8, 1, "uint"),
    "r8_sint": (np.int8, 1, "sint"),
    "r8g8_unorm": (np.uint8, 2, "float"),
    "r8g8_uint": (np.uint8, 2, "uint"),
    "r16_unorm": (np.uint16, 1, "float"),
    "r16_uint": (np.uint16, 1, "uint"),
    "r16_float": (np.float16, 1, "float"),
    "r8g8b8a8_unorm": (np.uint8, 4, "float"),
    "r32_float": (np.float32, 1, "float"),
}
ROW = listing(
    ["mov r0.xyzw, l(0, 0, 0, 0)", "imul null, r0.x, vThreadID.x, l({1})",
     "ld_uav_typed_indexable(texture2d)({0},{0},{0},{0}) r0.xyzw, r0.xyzw, u1.xyzw", store("r0")],
    ["dcl_uav_typed_texture2d ({0},{0},{0},{0}) u1", "dcl_uav_structured u0, 16"],
    group=(32, 1, 1),
)  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS[:2], ids=IDS[:2])
@pytest.mark.parametrize("step", [1, 16, 0x40000001])
@pytest.mark.parametrize("format", SMALL)
def test_loads_of_any_texels(device: Any, format: str, step: int, options: dict[str, Any]) -> None:
    dtype, channels, component = SMALL[format]
    texels = np.full((1, 4, channels), 100).astype(dtype)
    texture = device.texture(texels, format=format, dimension="2d")
    kernel = device.kernel(ROW.format(component, step), **options)
    scalar = np.float32 if component == "float" else np.uint32
    with needs(device, "storage_image_extended_formats"):
        seen = kernel.dispatch(1, u1=texture, u0=np.zeros((32, 4), scalar)).u0
        inside = (np.arange(32, dtype=np.uint64) * step & 0xFFFFFFFF) < 4
        assert seen[inside, 0].all()
        expected = np.zeros(4)
        expected[3] = channels < 4  # where the format lacks alpha
        np.testing.assert_array_equal(seen[~inside], np.tile(expected, (sum(~inside), 1)))


UINT = "(uint,uint,uint,uint)"
BUFFERS = listing(
    ["ld_structured r0.x, vThreadID.x, l(0), t3.xxxx", "ld_raw r1.x, r0.x, t0.xxxx",
     "ld_structured r1.y, r0.x, l(4), t1.xxxx",
     f"ld_indexable(buffer){UINT} r1.z, r0.xxxx, t2.yzxw",
     "store_structured u0.xyz, vThreadID.x, l(0), r1.xyzx", "store_raw u1.x, r0.x, l(99)",
     "store_structured u2.xyzw, r0.x, l(0), l(99, 99, 99, 99)",
     "store_uav_typed u3.xyzw, r0.xxxx, l(99, 99, 99, 99)"],
    ["dcl_resource_raw t0", "dcl_resource_structured t1, 16", f"dcl_resource_buffer {UINT} t2",
     "dcl_resource_structured t3, 4", "dcl_uav_structured u0, 12", "dcl_uav_raw u1",
     "dcl_uav_structured u2, 16", f"dcl_uav_typed_buffer {UINT} u3"],
    group=(16, 1, 1),
)  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_views_that_end_within_their_buffer(device: Any, options: dict[str, Any]) -> None:
    """Views of 256 bytes in buffers of 1024."""
    far = (0x40000001, 0x7FFFFFFF, 0x80000000, 0xAAAAAAAB, 0xC0000000, 0xFFFFFFFF)
    places = np.array([256, 260, 512, 0x10000, 0x20000, 1 << 20, 1 << 28, 1 << 29, 3 << 28, *far])
    places = np.resize(places.astype(np.uint32), 16)
    names = ("t0", "t1", "t2", "u1", "u2", "u3")
    buffers = {name: device.buffer(np.full(256, 7, np.uint32)) for name in names}
    bound: dict[str, Any] = {}
    for name, buffer in buffers.items():
        count = 16 if name in ("t1", "u2") else 64
        typed = {"format": "r32_uint"} if name in ("t2", "u3") else {}
        bound[name] = buffer.view(count, count, **typed)
    kernel = device.kernel(BUFFERS, **options)
    seen = kernel.dispatch(1, t3=places, u0=np.ones((16, 3), np.uint32), **bound).u0
    assert not seen.any()
    for buffer in buffers.values():
        assert (buffer.read() == 7).all()


# Without guards a load happens only where the shader has it: its address may be anything else

LENGTH = 64
# t1 is read at an index that the loop's second way out keeps inside
LISTING = listing(
    ["ld_structured r0.x, vThreadID.x, l(0), t0.xxxx", "mov r1.xy, l(0, 0, 0, 0)", "loop",
     "uge r0.y, r1.x, l(4)", "breakc_nz r0.y", f"uge r0.y, r0.x, l({LENGTH})", "breakc_nz r0.y",
     "ld_structured r0.z, r0.x, l(0), t1.xxxx", "iadd r1.y, r1.y, r0.z", "iadd r1.x, r1.x, l(1)",
     "endloop", "store_structured u0.x, vThreadID.x, l(0), r1.y"],
    ["dcl_resource_structured t0, 4", "dcl_resource_structured t1, 4", "dcl_uav_structured u0, 4"],
    group=(8, 1, 1),
)  # fmt: skip
INDICES = [0, 1, 2, LENGTH - 1, LENGTH, 0x10000000, 0x3FFFFFFF, 0xFFFFFFFF]
GIVEN = {
    "t0": np.array(INDICES, np.uint32),
    "t1": np.arange(1, LENGTH + 1, dtype=np.uint32),
    "u0": np.zeros(8, np.uint32),
}
SUMS = [4 * (n + 1) if n < LENGTH else 0 for n in INDICES]


@pytest.mark.parametrize("optimize", [True, False])
def test_a_load_stays_after_a_way_out_that_keeps_it_inside(device: Any, optimize: bool) -> None:
    """A device may end the process for an address so far outside."""
    with closing(device.kernel(LISTING, guards="off", optimize=optimize)) as kernel:
        assert kernel.dispatch(1, **GIVEN).u0.tolist() == SUMS


def test_the_optimised_module_has_no_access_outside() -> None:
    """The interpreter raises an error for one."""
    options = Options(guards="off")
    module = lowered(translate.load(LISTING), options)
    run_passes(module, options)
    resources = {name: Buffer(words.copy().view(np.uint8)) for name, words in GIVEN.items()}
    outcome = interpret(module, Stage.WINDOWED, resources, (1, 1, 1))
    assert outcome.written.buffers["u0"].view(np.uint32).tolist() == SUMS
