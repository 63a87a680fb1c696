"""A UAV shares no texels, bytes or counter with another register of its dispatch.

D3D11 unbinds the input view, and ignores a call that sets two UAVs (Direct3D 11.3 functional
specification §5.3.9.4).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vkrunner import OverlapError

from ..listings import listing

# A load that does not change in the loop; each round stores to the element that it reads.
LOOP = listing(
    ["mov r0.x, l(0)", "loop", "uge r0.y, r0.x, l(4)", "breakc_nz r0.y",
     "ld_structured r0.z, l(0), l(0), t0.x", "iadd r0.w, r0.z, l(1)",
     "store_structured u0.x, l(0), l(0), r0.w", "store_structured u1.x, r0.x, l(0), r0.z",
     "iadd r0.x, r0.x, l(1)", "endloop"],
    ["dcl_resource_structured t0, 4", "dcl_uav_structured u0, 4", "dcl_uav_structured u1, 4"],
    group=(1, 1, 1),
)  # fmt: skip
UINT = "(uint,uint,uint,uint)"
TYPED = listing(
    ["ld_raw r0.x, l(0), t1.x", f"ld_indexable(buffer){UINT} r0.y, l(0, 0, 0, 0), t0.yxzw",
     "store_uav_typed u0.xyzw, l(0, 0, 0, 0), CB0[0].x", "store_raw u1.xy, l(0), r0.xyxx"],
    ["dcl_constantbuffer CB0[1], immediateIndexed", f"dcl_resource_buffer {UINT} t0",
     "dcl_resource_raw t1", f"dcl_uav_typed_buffer {UINT} u0", "dcl_uav_raw u1"],
    group=(1, 1, 1),
)  # fmt: skip
RANGE = listing(
    ["store_raw U0[0].x, l(0), l(1)", "store_raw U0[3].x, l(0), l(4)"],
    ["dcl_uav_raw U0[0:3], space=0"],
    group=(1, 1, 1),
    profile="cs_5_1",
)
COUNTERS = listing(
    ["imm_atomic_alloc r0.x, u0", "imm_atomic_alloc r0.y, u1"],
    ["dcl_uav_structured_opc u0, 4", "dcl_uav_structured_opc u1, 4"],
    group=(1, 1, 1),
)
# Each texel of a mip, from the first of four
HALVE = listing(
    ["ishl r0.xy, vThreadID.xyxx, l(1, 1, 0, 0)", "mov r0.zw, vThreadID.zzzz", "mov r0.w, l(0)",
     f"ld_indexable(texture2darray){UINT} r0.x, r0.xyzw, t0.xyzw",
     "store_uav_typed u0.xyzw, vThreadID.xyzz, r0.xxxx"],
    [f"dcl_resource_texture2darray {UINT} t0", f"dcl_uav_typed_texture2darray {UINT} u0"],
    group=(1, 1, 1),
)  # fmt: skip


def refused(one: str, other: str, what: str) -> Any:
    pattern = f"{one} and {other} show the same {what}.*pass a copy, device.*or views of different"
    return pytest.raises(OverlapError, match=pattern.replace("[", r"\["))


Dispatch = Callable[..., Any]
ONES = np.ones(3, np.uint32)


def recorded(device: Any, kernel: Any, **given: Any) -> None:
    with device.record() as work:
        work.dispatch(kernel, 1, **given)
    work.submit().wait()


WAYS: dict[str, Dispatch] = {
    "dispatch": lambda on, kernel, **given: kernel.dispatch(1, **given),
    "async": lambda on, kernel, **given: kernel.dispatch_async(1, **given).result(),
    "indirect": lambda on, kernel, **given: kernel.dispatch_indirect(on.buffer(ONES), **given),
    "recorded": recorded,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_buffer_that_is_read_and_written(device: Any, way: str) -> None:
    kernel, dispatch = device.kernel(LOOP), WAYS[way]
    own, other = (device.buffer(np.array([5, 0, 0, 0], np.uint32)) for _ in range(2))
    seen = np.zeros(4, np.uint32)
    for _ in range(2):
        with refused("t0", "u0", "bytes"):
            dispatch(device, kernel, t0=own, u0=own, u1=seen)
        dispatch(device, kernel, t0=own, u0=other, u1=seen)
    with refused("u0", "u1", "bytes"):
        dispatch(device, kernel, t0=None, u0=own.view(0, 3), u1=own.view(2, 2))
    assert own.read().tolist() == [5, 0, 0, 0]
    assert other.read().tolist() == [6, 0, 0, 0]


def test_the_way_out(device: Any) -> None:
    kernel, seen = device.kernel(LOOP), np.zeros(4, np.uint32)
    buffer = device.buffer(np.array([5, 0, 0, 0], np.uint32))
    result = kernel.dispatch(1, t0=device.buffer(buffer.read()), u0=buffer, u1=seen)
    assert result.u1.tolist() == [5, 5, 5, 5]
    result = kernel.dispatch(1, t0=buffer.view(0, 1), u0=buffer.view(1, 2), u1=seen)
    assert result.u1.tolist() == [6, 6, 6, 6]
    assert buffer.read().tolist() == [6, 7, 0, 0]


def test_null_and_empty_views(device: Any) -> None:
    kernel, seen = device.kernel(LOOP), np.zeros(4, np.uint32)
    buffer = device.buffer(np.array([5, 0, 0, 0], np.uint32))
    for empty in (None, buffer.view(1, 0)):
        assert kernel.dispatch(1, t0=empty, u0=buffer, u1=seen).u1.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("bound", ["cb0", "t0", "t1", "u1"])
def test_every_kind_of_register(device: Any, bound: str) -> None:
    buffer = device.buffer(np.arange(8, dtype=np.uint32))
    views = {"cb0": buffer.view(0, 1), "t0": buffer.view(0, 1, format="r32_uint")}
    given: dict[str, Any] = {name: np.zeros(4, np.uint32) for name in ("cb0", "t0", "t1", "u1")}
    given[bound] = views.get(bound, buffer)
    kernel = device.kernel(TYPED)
    one, other = sorted((bound, "u0"), key=lambda name: (name[0] == "u", name))
    with refused(one, other, "bytes"):
        kernel.dispatch(1, **given, u0=buffer.view(0, 1, format="r32_uint"))
    kernel.dispatch(1, **given, u0=np.zeros(4, np.uint32))


def test_registers_that_only_read(device: Any) -> None:
    buffer = device.buffer(np.arange(5, 13, dtype=np.uint32))
    views = {"cb0": buffer.view(1, 1), "t0": buffer.view(0, 1, format="r32_uint"), "t1": buffer}
    given = {"u0": np.zeros(1, np.uint32), "u1": np.zeros(2, np.uint32)}
    result = device.kernel(TYPED).dispatch(1, **views, **given)
    assert result.u0.tolist() == [9]
    assert result.u1.tolist() == [5, 5]


def test_elements_of_a_range(device: Any) -> None:
    buffer, other = (device.buffer(np.zeros(256, np.uint32)) for _ in range(2))
    parts = [buffer.view(64 * n, 64) for n in range(4)]
    kernel = device.kernel(RANGE)
    with refused("u0[1]", "u0[3]", "bytes"):
        kernel.dispatch(1, u0=[parts[0], parts[3], other, buffer.view(255, 1)])
    kernel.dispatch(1, u0=parts[::-1])
    assert np.flatnonzero(buffer.read()).tolist() == [0, 192]
    assert buffer.read()[[0, 192]].tolist() == [4, 1]


def test_a_counter_of_two_registers(device: Any) -> None:
    buffer = device.buffer(np.zeros(128, np.uint32), counter=0)
    kernel = device.kernel(COUNTERS)
    with pytest.raises(OverlapError, match=r"u0.*u1"):
        kernel.dispatch(1, u0=buffer, u1=buffer)
    with pytest.raises(OverlapError, match=r"u0\.counter.*u1\.counter"):
        kernel.dispatch(1, u0=buffer.view(0, 64), u1=buffer.view(64, 64))


def test_mips_and_slices(device: Any) -> None:
    """Mips are made from the one before, slices from others; whole mips are not both."""
    texels = np.arange(2 * 8 * 8, dtype=np.uint32).reshape(2, 8, 8)
    texture = device.texture(texels, dimension="2darray", mips=3)
    kernel = device.kernel(HALVE)
    for mip, size in ((1, 4), (2, 2)):
        kernel.dispatch((size, size, 2), t0=texture.view(mip - 1), u0=texture.view(mip))
    np.testing.assert_array_equal(texture.read(1), texels[:, ::2, ::2])
    np.testing.assert_array_equal(texture.read(2), texels[:, ::4, ::4])
    slices = [texture.view(0, first_slice=n, num_slices=1) for n in range(2)]
    kernel.dispatch((4, 4, 1), t0=slices[0], u0=slices[1])
    np.testing.assert_array_equal(texture.read()[1, :4, :4], texels[0, ::2, ::2])
    for t0, u0 in ((texture, slices[1]), (slices[0], texture), (texture.view(1), texture.view(1))):
        with refused("t0", "u0", "texels"):
            kernel.dispatch(1, t0=t0, u0=u0)


def test_slices_of_a_volume(device: Any) -> None:
    kernel = device.kernel(HALVE.replace("texture2darray", "texture3d"))
    texture = device.texture(np.zeros((4, 4, 4), np.uint32), dimension="3d", mips=2)
    with refused("t0", "u0", "texels"):
        kernel.dispatch(1, t0=texture, u0=texture.view(first_w_slice=1, num_w_slices=1))
    kernel.dispatch(1, t0=texture.view(1), u0=texture.view(0, first_w_slice=1, num_w_slices=1))


def test_groups_from_a_buffer_that_the_shader_writes(device: Any) -> None:
    """The numbers are read before the dispatch begins."""
    groups = device.buffer(np.array([3, 1, 1], np.uint32))
    lines = ["store_raw u0.x, l(0), l(1)", "atomic_iadd u0, l(8), l(1)"]
    kernel = device.kernel(listing(lines, ["dcl_uav_raw u0"], group=(1, 1, 1)))
    kernel.dispatch_indirect(groups, u0=groups)
    assert groups.read().tolist() == [1, 1, 4]
    kernel.dispatch_indirect(groups, u0=groups)
    assert groups.read().tolist() == [1, 1, 8]
