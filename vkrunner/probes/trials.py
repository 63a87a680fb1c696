"""Probes: small shaders that show whether a device has a known fault, or needs tests and modes.

A probe is translated without workarounds and other options that depend on faults. A process of its
own runs it (`asking`), since the driver may crash or hang.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from translate.dataclass import dataclass
from vkrunner.errors import FeatureError, LimitError
from vkrunner.info.faults import (
    ARRAY_LENGTH_IN_BRANCH,
    ARRAY_LENGTH_NON_UNIFORM,
    BUFFER_LOADS_OUTSIDE,
    BUFFERS_OUTSIDE,
    FLOAT_ZEROS,
    IMAGES_OUTSIDE,
    LOOP_LIMIT,
    LOOP_VALUES,
    MEMORY_BARRIERS,
    MIPS_OF_VIEWS,
    NEGATIVE_ZERO_LIMITS,
    RANGE_INDEX_IN_BRANCH,
    SELECT_SIGNED_ZERO,
    SLICES_OUTSIDE,
    SMALL_UAVS_OUTSIDE,
    Topic,
)
from vkrunner.probes.arithmetic import (
    NEAREST,
    has_powers,
    has_sines,
    keeps_halves,
    rounds_integers,
    rounds_to_nearest,
)
from vkrunner.probes.control_flow import ends_loops, spoils_loop_values, takes_another_resource
from vkrunner.probes.robust_accesses import buffers_fail, images_fail, loads_fail
from vkrunner.probes.samples import SAMPLES, is_exact
from vkrunner.probes.trial import Trial
from vkrunner.resources.textures import make_texture

Subject: TypeAlias = Topic | Literal["samples", "rounding"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about a device, and the function that answers it.

    `name` is that of a fault, of a kind of operands in `Options.exact_samples`, of a function in
    `Options.exact_functions`, or of a float mode that is not needed. The function is not called on
    a device that lacks one of `features`, where the answer is False. `cautious` is the answer if
    the driver fails, with which kernels rely on nothing that was not seen.
    """

    name: str
    subject: Subject
    shows: Callable[[Trial], bool]
    features: tuple[str, ...] = ()
    cautious: bool = True


_SIZES = """cs_5_1
dcl_resource_structured T0[0:1], 4, space=0
dcl_uav_raw U0[0:0], space=0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 2, 1, 1
"""
_NON_UNIFORM = """ishl r0.x, vThreadID.x, l(2)
bufinfo r0.y, T0[vThreadID.x + 0].x { nonuniform }
store_raw U0[0].x, r0.x, r0.y
ret
"""
_IN_BRANCH = """if_nz vThreadID.x
  bufinfo r0.y, T0[vThreadID.x + 0].x
  store_raw U0[0].x, l(4), r0.y
endif
ret
"""
_FLOATS = """cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 3
dcl_thread_group {threads}, 1, 1
"""
# x + 0, x * 0 and x / 0 for three x, with a zero that a driver finds by unrolling the loop
_ZEROS = """ld_raw r0.xyz, l(0), u0.xyzx
mov r1.x, l(0)
loop
  uge r1.y, r1.x, l(1)
  breakc_nz r1.y
  utof r1.z, r1.x
  add r2.x, r0.x, r1.z
  mul r2.y, r0.y, r1.z
  div r2.z, r0.z, r1.z
  iadd r1.x, r1.x, l(1)
endloop
store_raw u0.xyz, l(0), r2.xyzx
ret
"""
_LIMITS = """ld_raw r0.xy, l(0), u0.xyxx
max r1.x, r0.x, l(0x80000000)
min r1.y, r0.y, l(0x80000000)
store_raw u0.xy, l(0), r1.xyxx
ret
"""
_CHOICE = """mov r0.x, l(0)
switch vThreadID.x
  case l(1)
  mov r0.x, l(-1.0)
  break
endswitch
ishl r0.y, vThreadID.x, l(2)
store_raw u0.x, r0.y, r0.x
ret
"""


def _finds_zeros(trial: Trial) -> bool:
    """Whether -0 + 0, infinity * 0 and 1 / 0 do not give +0, a NaN and +infinity."""
    x = np.array([-0.0, np.inf, 1.0], np.float32)
    found = np.asarray(trial.run(_FLOATS.format(threads=1) + _ZEROS, u0=x)["u0"])
    total, product, quotient = found.view(np.float32)
    return bool(np.signbit(total) or not np.isnan(product) or not np.isposinf(quotient))


def _mistakes_zeros(trial: Trial) -> bool:
    """Whether thread 0 does not get 0.0 where a `switch` gives thread 1 the value -1.0."""
    found = trial.run(_FLOATS.format(threads=2) + _CHOICE, u0=np.zeros(2, np.uint32))["u0"]
    return int(found[0]) != 0


def _loses_negative_zeros(trial: Trial) -> bool:
    """Whether max(-1, -0.0) and min(1, -0.0) are not -0.0."""
    x = np.array([-1, 1], np.float32)
    found = np.asarray(trial.run(_FLOATS.format(threads=1) + _LIMITS, u0=x)["u0"])
    return not bool(np.signbit(found.view(np.float32)).all())


def _gets_another_size(body: str) -> Callable[[Trial], bool]:
    """A probe: whether thread 1 does not get the size of the buffer that it indexes."""

    def shows(trial: Trial) -> bool:
        buffers = [np.zeros(1, np.uint32), np.zeros(2, np.uint32)]
        seen = trial.run(_SIZES + body, t0=buffers, u0=np.zeros(2, np.uint32))["u0"]
        return int(seen[1]) != len(buffers[1])

    return shows


def _or_cannot_run(shows: Callable[[Trial], bool]) -> Callable[[Trial], bool]:
    """The probe, but True (faulty) on a device with too few resources, so that kernels check."""

    def cautious(trial: Trial) -> bool:
        try:
            return shows(trial)
        except (FeatureError, LimitError):
            return True

    return cautious


def _images_fail(trial: Trial) -> bool:
    return images_fail(trial, ("1d", "2d"))


def _slices_fail(trial: Trial) -> bool:
    return images_fail(trial, ("1darray", "2darray", "3d"), ((1, 1), (1, 3), (2, 4)))


def _small_uavs_fail(trial: Trial) -> bool:
    return any(images_fail(trial, ("1d", "2d"), format=f) for f in ("r8_uint", "r16_uint"))


_MIP = """cs_5_0
dcl_resource_texture2d (uint,uint,uint,uint) t0
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_indexable(texture2d)(uint,uint,uint,uint) r0.x, l(0, 0, 0, 0), t0.xyzw
store_raw u0.x, l(0), r0.x
ret
"""
# Each thread reaches the barrier as often as its index says.
_FENCES = """cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 64, 1, 1
mov r0.x, l(0)
loop
  uge r0.y, r0.x, vThreadID.x
  breakc_nz r0.y
  iadd r0.x, r0.x, l(1)
  sync_g
endloop
ishl r1.x, vThreadID.x, l(2)
store_raw u0.x, r1.x, l(1)
ret
"""


def _takes_another_mip(trial: Trial) -> bool:
    mips = [np.full((8 >> mip, 8 >> mip), mip, np.uint32) for mip in range(3)]
    texture = make_texture(trial.backend, mips[0], "r32_uint", "2d", mips[1:], None)
    view = texture.view(mip=1, num_mips=2)
    formats = {"t0": texture.format}
    return int(trial.run(_MIP, formats=formats, t0=view, u0=np.zeros(1, np.uint32))["u0"][0]) != 1


def _loses_threads(trial: Trial) -> bool:
    return not trial.run(_FENCES, u0=np.zeros(64, np.uint32))["u0"].all()


PROBES: Sequence[Probe] = (
    Probe(LOOP_VALUES, "loops", spoils_loop_values),
    Probe(LOOP_LIMIT, "loops", ends_loops),
    Probe(MEMORY_BARRIERS, "barriers", _loses_threads),
    Probe(
        ARRAY_LENGTH_NON_UNIFORM,
        "ranges",
        _gets_another_size(_NON_UNIFORM),
        ("storage_buffer_non_uniform_indexing",),
    ),
    Probe(
        ARRAY_LENGTH_IN_BRANCH,
        "ranges",
        _gets_another_size(_IN_BRANCH),
        ("storage_buffer_dynamic_indexing",),
    ),
    Probe(RANGE_INDEX_IN_BRANCH, "ranges", takes_another_resource),
    Probe(IMAGES_OUTSIDE, "textures", _or_cannot_run(_images_fail), ("robust_image_access",)),
    Probe(SLICES_OUTSIDE, "textures", _or_cannot_run(_slices_fail), ("robust_image_access",)),
    Probe(
        SMALL_UAVS_OUTSIDE,
        "textures",
        _or_cannot_run(_small_uavs_fail),
        ("robust_image_access", "storage_image_extended_formats"),
    ),
    Probe(
        BUFFER_LOADS_OUTSIDE,
        "buffers",
        _or_cannot_run(loads_fail),
        ("robust_buffer_access",),
    ),
    Probe(
        BUFFERS_OUTSIDE,
        "buffers",
        _or_cannot_run(buffers_fail),
        ("robust_buffer_access2",),
    ),
    Probe(MIPS_OF_VIEWS, "textures", _takes_another_mip),
    Probe(FLOAT_ZEROS, "floats", _finds_zeros),
    Probe(SELECT_SIGNED_ZERO, "floats", _mistakes_zeros),
    Probe(NEGATIVE_ZERO_LIMITS, "minima", _loses_negative_zeros),
    *(Probe(kind, "samples", partial(is_exact, kind=kind), cautious=False) for kind in SAMPLES),
    Probe(NEAREST, "rounding", rounds_to_nearest, cautious=False),
    Probe("halves", "halves", keeps_halves, cautious=False),
    Probe("sines", "sines", has_sines, cautious=False),
    Probe("powers", "powers", has_powers, cautious=False),
    Probe("integers", "integers", rounds_integers, cautious=False),
)
