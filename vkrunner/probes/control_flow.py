"""Probes of control flow: loops, and arrays of resources that one thread of a group indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from translate.dataclass import dataclass
from vkrunner.info.faults import UAV_RANGE_SIZE

if TYPE_CHECKING:
    from vkrunner.probes.trial import Trial

_SEARCH = """cs_5_0
dcl_uav_raw u0
dcl_resource_raw t0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 64, 1, 1
mov r0.x, l(0)
loop
  ishl r0.y, r0.x, l(2)
  ld_raw r1.x, r0.y, t0.xxxx
  uge r0.z, r1.x, vThreadID.x
  breakc_nz r0.z
  iadd r0.x, r0.x, l(1)
endloop
ishl r0.y, vThreadID.x, l(2)
store_raw u0.x, r0.y, r1.x
ret
"""
_COUNT = """cs_5_0
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_raw r0.z, l(0), u0.xxxx
mov r0.x, l(0)
loop
  uge r0.y, r0.x, r0.z
  breakc_nz r0.y
  iadd r0.x, r0.x, l(1)
endloop
store_raw u0.x, l(0), r0.x
ret
"""
_SHADER = """cs_5_1
{declared}
dcl_uav_raw U9[9:9], space=0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 2, 1, 1
if_nz vThreadID.x
  {line}
  store_raw U9[9].x, l(0), r0.x
endif
ret
"""
_UINT = "(uint,uint,uint,uint)"
_TEXEL = f"{_UINT} r0.x, l(0, 0, 0, 0), T0[vThreadID.x + 0].xyzw"
_UAVS = ("storage_texel_buffer_dynamic_indexing", "storage_image_dynamic_indexing")
_NUMBERS = [np.full(4, n, np.uint32) for n in (1, 2)]
_SIZED = [np.zeros(n, np.uint32) for n in (1, 2)]
_TEXTURES = [np.full((1, n), n, np.uint32) for n in (1, 2)]


def spoils_loop_values(trial: Trial) -> bool:
    """Whether a value loaded in a loop is wrong after it.

    Each thread searches an array for its own index, so that threads leave the loop at different
    iterations, and stores the number that it found.
    """
    numbers = np.arange(64, dtype=np.uint32)
    found = trial.run(_SEARCH, t0=numbers, u0=np.zeros_like(numbers))["u0"]
    return not np.array_equal(found, numbers)


def ends_loops(trial: Trial) -> bool:
    """Whether the driver ends a long loop early: a thread counts its 65,536 iterations."""
    iterations = np.array([1 << 16], np.uint32)
    return not np.array_equal(trial.run(_COUNT, u0=iterations)["u0"], iterations)


@dataclass(frozen=True, slots=True)
class _Choice:
    """An array of two resources that the probe indexes.

    `feature` is the device feature for indexing it, `declared` its declaration. `line` loads from
    the resource with the thread's index, or queries its size; thread 1 must get 2. `given` has the
    resources.
    """

    feature: str
    declared: str
    line: str
    given: dict[str, Any]


_CHOICES = (
    _Choice(
        "uniform_buffer_dynamic_indexing",
        "dcl_constantbuffer CB0[0:1][1], dynamicIndexed, space=0",
        "mov r0.x, CB0[vThreadID.x + 0][0].x",
        {"cb0": _NUMBERS},
    ),
    _Choice(
        "storage_buffer_dynamic_indexing",
        "dcl_resource_raw T0[0:1], space=0",
        "ld_raw r0.x, l(0), T0[vThreadID.x + 0].xxxx",
        {"t0": _NUMBERS},
    ),
    _Choice(
        "uniform_texel_buffer_dynamic_indexing",
        f"dcl_resource_buffer {_UINT} T0[0:1], space=0",
        f"ld_indexable(buffer){_TEXEL}",
        {"t0": _NUMBERS},
    ),
    _Choice(
        _UAVS[0],
        f"dcl_uav_typed_buffer {_UINT} U0[0:1], space=0",
        "bufinfo r0.x, U0[vThreadID.x + 0].x",
        {"u0": _SIZED},
    ),
    _Choice(
        "sampled_image_dynamic_indexing",
        f"dcl_resource_texture2d {_UINT} T0[0:1], space=0",
        f"ld_indexable(texture2d){_TEXEL}",
        {"t0": _TEXTURES},
    ),
    _Choice(
        _UAVS[1],
        f"dcl_uav_typed_texture2d {_UINT} U0[0:1], space=0",
        "resinfo_uint r0.x, l(0), U0[vThreadID.x + 0].xyzw",
        {"u0": _TEXTURES},
    ),
)


def takes_another_resource(trial: Trial) -> bool:
    """Whether thread 1, alone in a branch, does not access the resource that it indexes.

    Sizes of typed UAVs, which crash a driver with `uav_range_size`, are not tried there: they have
    the workaround of this fault anyway.
    """
    info = trial.backend.context.info
    harmful = _UAVS if UAV_RANGE_SIZE in info.known_faults else ()
    return any(
        getattr(info.features, choice.feature) and _is_wrong(trial, choice)
        for choice in _CHOICES
        if choice.feature not in harmful
    )


def _is_wrong(trial: Trial, choice: _Choice) -> bool:
    shader = _SHADER.format(declared=choice.declared, line=choice.line)
    found = trial.run(shader, **choice.given, u9=np.zeros(1, np.uint32))["u9"]
    return int(found[0]) != 2
