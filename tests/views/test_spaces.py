"""Register spaces (cs_5_1), of which a device may have fewer sets; registers of high numbers."""

from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..commands import ROOT
from ..listings import listing
from .shaders import shader

Array = np.ndarray[Any, Any]

NAMES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def number(n: int) -> Array:
    return np.array([n], np.uint32)


def dispatch(kernel: Any, lists: list[Any], found: Any) -> Any:
    return kernel.dispatch(
        1,
        **{name: number(100 + n) for n, name in enumerate(NAMES)},
        Constants={"constant": 109},
        counted=number(0),
        image=np.array([[1, 110]], np.float32),
        list=lists,
        found=found,
    )


@pytest.mark.parametrize("guards", ["d3d", "report"])
def test_more_spaces_than_sets(device: Any, guards: str) -> None:
    """Views of one buffer that are not aligned for the device need a table of windows as well."""
    kernel = device.kernel(shader("spaces"), guards=guards)
    buffer = device.buffer(np.arange(111, 114, dtype=np.uint32))
    arrays, views = [number(111 + n) for n in range(3)], [buffer.view(n, 1) for n in range(3)]
    for lists in (arrays, views, arrays):
        result = dispatch(kernel, lists, np.zeros(15, np.uint32))
        np.testing.assert_array_equal(result["found"], [*range(100, 114), 7])
        assert result.counters["u0_space10"] == 1
        if guards == "report":
            assert [(v.register, v.index) for v in result.violations] == [("u1_space12", 99)]


def test_default_sets_are_spaces() -> None:
    """Only the runner packs sets: modules for other engines have a set for each space."""
    interface = translate.to_spirv(translate.load(shader("spaces"))).interface
    assert interface["fourth"].set == 3
    assert interface["list"].set == 4294967294


def test_each_register_has_a_set_of_the_device(device: Any) -> None:
    if isinstance(device, vkrunner.ReferenceDevice):
        return  # the reference machine binds by register
    kernel = device.kernel(shader("spaces"))
    places = [(b.set, b.binding) for b in kernel.interface]
    assert len(set(places)) == len(places) == 16
    assert all(b.set < device.limits.max_bound_descriptor_sets for b in kernel.interface)
    assert (kernel.interface["second"].set, kernel.interface["second"].binding) == (1, 32)


def test_chosen_bindings_are_kept(device: Any) -> None:
    """A set that the device lacks is refused if the caller asked for it."""
    if isinstance(device, vkrunner.ReferenceDevice):
        return
    chosen = {"t0_space8": (1, 77), "t0": (0, 1)}
    kernel = device.kernel(shader("spaces"), bindings=chosen)
    assert {r: (kernel.interface[r].set, kernel.interface[r].binding) for r in chosen} == chosen
    lists = [number(111 + n) for n in range(3)]
    result = dispatch(kernel, lists, np.zeros(15, np.uint32))
    np.testing.assert_array_equal(result["found"], [*range(100, 114), 7])
    with pytest.raises(vkrunner.LimitError, match="1001"):
        device.kernel(shader("spaces"), bindings={"t0_space8": (1000, 0)})
    with pytest.raises(vkrunner.LimitError, match="1001"):
        device.kernel(ROOT / "shaders/saxpy.dxbc", layout={"t": (1000, 0)})


def test_finished_modules_keep_their_sets(device: Any) -> None:
    if isinstance(device, vkrunner.ReferenceDevice):
        return
    module = translate.to_spirv(translate.load(shader("spaces")))
    with pytest.raises(vkrunner.LimitError):
        device.kernel(module)


# --- high registers, whose default binding numbers belong to other classes ------------------------


def written(lines: list[str], declared: list[str]) -> str:
    return listing(lines, declared, group=(1, 1, 1), profile="cs_5_1")


def copying(high: int) -> str:
    declared = [f"dcl_resource_raw T0[{high}:{high}], space=0", "dcl_uav_raw U0[0:0], space=0"]
    return written([f"ld_raw r0.x, l(0), T0[{high}].x", "store_raw U0[0].x, l(0), r0.x"], declared)


@pytest.mark.parametrize("high", [127, 128, 130, 5000, 100000, 4294967294])
def test_a_high_texture_register_beside_a_uav(device: Any, high: int) -> None:
    kernel = device.kernel(copying(high))
    passed = {f"t{high}": np.array([41], np.uint32), "u0": np.zeros(1, np.uint32)}
    assert kernel.dispatch(1, **passed).u0.tolist() == [41]


def test_a_high_uav_beside_a_counter_and_a_report(device: Any) -> None:
    declared = ["dcl_uav_structured_opc U0[0:0], 4, space=0"]
    declared += [f"dcl_uav_raw U{n}[{64 * n}:{64 * n}], space=0" for n in (1, 2)]
    lines = ["imm_atomic_alloc r0.x, U0[0]", "store_raw U1[64].x, l(0), r0.x"]
    lines.append("store_raw U2[128].x, l(4), r0.x")
    kernel = device.kernel(written(lines, declared), guards="report")
    counted = device.buffer(np.zeros(1, np.uint32), counter=9)
    zeros = np.zeros(1, np.uint32)
    result = kernel.dispatch(1, u0=counted, u64=zeros, u128=zeros)
    assert result.u64.tolist() == [9]
    assert result.counters["u0"] == 10
    assert [(v.register, v.byte_offset) for v in result.violations] == [("u128", 4)]


def test_a_high_sampler_beside_a_texture_and_constants(device: Any) -> None:
    """b16 has the default number of s0, s16 that of t0."""
    declared = [
        "dcl_constantbuffer CB0[16:16][1], immediateIndexed, space=0",
        *(f"dcl_sampler S{n}[{n * 16}:{n * 16}], mode_default, space=0" for n in (0, 1)),
        "dcl_resource_texture2d (float,float,float,float) T0[0:0], space=0",
        "dcl_uav_raw U0[0:0], space=0",
    ]
    sample = "sample_l_indexable(texture2d)(float,float,float,float) {}, l(0.5, 0.5, 0, 0), "
    lines = [sample.format("r0.x") + "T0[0].xyzw, S0[0], l(0)"]
    lines += [sample.format("r0.y") + "T0[0].yxzw, S1[16], l(0)", "mov r0.z, CB0[16][0].x"]
    kernel = device.kernel(written([*lines, "store_raw U0[0].xyz, l(0), r0.xyzx"], declared))
    result = kernel.dispatch(
        1,
        cb16=np.array([3, 0, 0, 0], np.float32),
        s0=device.sampler("point"),
        s16=device.sampler("linear"),
        t0=np.array([[1, 2], [3, 4]], np.float32),
        u0=np.zeros(3, np.float32),
    )
    assert result.u0.tolist() == [4, 2.5, 3]


def test_chosen_numbers_are_limited(device: Any) -> None:
    """lavapipe returns zeros for binding numbers from 65,535 on."""
    if isinstance(device, vkrunner.ReferenceDevice):
        return
    source = copying(1)
    with pytest.raises(vkrunner.LimitError, match="100001"):
        device.kernel(source, bindings={"t1": (0, 100000)})
    options = translate.Options(bindings={"u0": (0, 32768)})
    module = translate.to_spirv(translate.load(source), options)
    with pytest.raises(vkrunner.LimitError, match="32769"):
        device.kernel(module)
