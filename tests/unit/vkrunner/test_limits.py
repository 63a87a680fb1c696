"""Limits and features are compared before anything is created: one error, with figure and limit.

The device's own figures are replaced by smaller ones, so that every device reaches them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from vkrunner import ArgumentError, Device, FeatureError, LimitError

DATA = Path(__file__).parent / "data"
Narrow = Callable[..., None]


@pytest.fixture
def own(device: Device) -> Iterator[Device]:
    with vkrunner.open_device(device.info.index) as opened:
        yield opened


@pytest.fixture
def narrow(own: Device) -> Narrow:
    """Replaces limits of `own`; features by a frozenset of those to take away."""

    def change(without: frozenset[str] = frozenset(), **limits: Any) -> None:
        info = own._logical.info
        own._logical.info = dataclasses.replace(
            info,
            limits=dataclasses.replace(info.limits, **limits),
            features=dataclasses.replace(info.features, **dict.fromkeys(without, False)),
        )

    return change


def saxpy(device: Device, groups: Any = 1, **changes: Any) -> vkrunner.Result:
    ones = np.ones(100, np.float32)
    given: dict[str, Any] = {"x": ones, "y": ones, "Params": {"a": 1, "count": 100}}
    return device.kernel(DATA / "saxpy.dxbc").dispatch(groups, **{**given, **changes})


@pytest.mark.parametrize(
    ("shader", "limits", "message"),
    [
        ("shared", {"max_workgroup_size": (1024, 64, 64)}, None),
        ("shared", {"max_workgroup_size": (255, 64, 64)}, r"a thread group of \(256, 1, 1\)"),
        ("shared", {"max_workgroup_invocations": 128}, "256 threads in a group; .* allows 128"),
        ("shared", {"max_shared_memory_bytes": 1000}, "16384 bytes of group-shared memory"),
        ("spaces", {"max_bound_descriptor_sets": 3}, "4 descriptor sets; .* allows 3"),
        ("saxpy", {"max_storage_buffers": 1}, "2 storage buffers; .* allows 1"),
        ("saxpy", {"max_uniform_buffers": 0}, "1 constant buffers"),
        ("sizes", {"max_sampled_images": 0}, "1 typed buffers"),
        ("sizes", {"max_storage_images": 0}, "1 typed UAVs"),
        ("saxpy", {"max_resources": 2}, "3 resources"),
    ],
)
def test_what_a_shader_needs(
    own: Device, narrow: Narrow, shader: str, limits: dict[str, Any], message: str | None
) -> None:
    narrow(**limits)
    if message is None:
        own.kernel(DATA / f"{shader}.dxbc")
        return
    with pytest.raises(LimitError, match=message):
        own.kernel(DATA / f"{shader}.dxbc")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_storage_buffer_range": 399}, r"t0 \(x\): 400 bytes; .* allows 399"),
        ({"max_uniform_buffer_range": 15}, r"cb0 \(Params\): 16 bytes; .* allows 15"),
        ({"max_memory_allocation_bytes": 300}, "a buffer of 400 bytes"),
        ({"max_workgroup_count": (7, 9, 9)}, "8 groups in x: .* allows 7"),
    ],
)
def test_what_a_dispatch_needs(
    own: Device, narrow: Narrow, limits: dict[str, Any], message: str
) -> None:
    narrow(**limits)
    with pytest.raises(LimitError, match=message):
        saxpy(own, 8)


def test_elements_of_typed_buffers(own: Device, narrow: Narrow) -> None:
    narrow(max_texel_buffer_elements=4)
    kernel = own.kernel(DATA / "typed.dxbc")
    with pytest.raises(LimitError, match=r"t0 \(source\): 5 elements; .* allows 4"):
        kernel.dispatch(1, t0=np.zeros(5, "f4"), u0=np.zeros(1, "u4"), u1=np.zeros((1, 4), "f4"))


@pytest.mark.parametrize("groups", [(65536, 1, 1), (1, 65536, 1), (1, 1, 65536), 2**32])
def test_more_groups_than_d3d_allows(device: Device, groups: Any) -> None:
    with pytest.raises(LimitError, match=r"groups in [xyz]: D3D allows 65535"):
        saxpy(device, groups)


@pytest.mark.parametrize("groups", [-1, (1, -1, 1), 1.5, "3", None, (), (1, 1, 1, 1), (1, True)])
def test_what_is_no_number_of_groups(device: Device, groups: Any) -> None:
    with pytest.raises(ArgumentError, match="groups are up to three whole numbers from 0 on"):
        saxpy(device, groups)


def test_the_most_groups_in_x(device: Device) -> None:
    saxpy(device, (np.int64(65535),), Params={"a": 1, "count": 0})


def test_a_dispatch_may_wait_for_ever(device: Device) -> None:
    saxpy(device, timeout=float("inf"))


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_what_is_no_timeout(device: Device, timeout: float) -> None:
    with pytest.raises(ArgumentError, match="a timeout is a positive number of seconds"):
        saxpy(device, timeout=timeout)


@pytest.mark.parametrize("missing", [None, np.zeros(0, np.float32)])
def test_null_needs_a_feature(own: Device, narrow: Narrow, missing: Any) -> None:
    narrow(frozenset({"null_descriptor"}))
    with pytest.raises(FeatureError, match=r"t0 \(x\) is null or empty: .*null_descriptor"):
        saxpy(own, x=missing)


def test_a_shaders_features(own: Device, narrow: Narrow) -> None:
    narrow(frozenset({"float64"}))
    with pytest.raises(FeatureError, match="lacks what the shader needs: float64"):
        own.kernel(DATA / "double.dxbc")


def test_no_clock_no_time(own: Device, narrow: Narrow) -> None:
    narrow(frozenset({"timestamps"}))
    assert saxpy(own).duration_ns is None


def test_a_target_that_is_too_new(own: Device) -> None:
    own._logical.info = dataclasses.replace(own.info, api_version="1.1.0")
    own.kernel(DATA / "saxpy.dxbc", target="vulkan1.1")
    with pytest.raises(FeatureError, match=r"target is vulkan1\.2; .* has 1\.1\.0"):
        own.kernel(DATA / "saxpy.dxbc", target="vulkan1.2")


def test_a_format_that_the_device_does_not_take(own: Device) -> None:
    """No version of Vulkan asks a driver to store to r32g32b32, and none is known that does."""
    kernel = own.kernel(DATA / "typed.dxbc")
    seen = np.zeros((1, 4), np.float32)
    with pytest.raises(FeatureError, match=r"u0 \(target\): .* does not take r32g32b32_uint"):
        kernel.dispatch(1, t0=np.zeros(1, "f4"), u0=np.zeros((1, 3), "u4"), u1=seen)


def test_unknown_options(device: Device) -> None:
    with pytest.raises(ArgumentError, match="no option 'guard'; there are guards, target"):
        device.kernel(DATA / "saxpy.dxbc", guard="off")
