"""Probes: small shaders that show whether a driver has one of the known faults.

A device is probed when its faults are first asked for, and once. What is known of it without a
probe stands in `DeviceInfo.known_faults`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import translate
from vkrunner.device_objects import next_token
from vkrunner.device_options import ARRAY_LENGTH_IN_BRANCH, ARRAY_LENGTH_NON_UNIFORM
from vkrunner.shader import Shader
from vkrunner.vulkan.command_list import CommandList
from vkrunner.vulkan.descriptor import Bound
from vkrunner.vulkan.dispatch import run
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.pipeline import Pipeline
from vkrunner.vulkan.storage import Transient

_SIZES_BYTES = (4, 8)  # of the two buffers, in structures of 4 bytes
_SIZE_OF_SECOND = 2
_OPTIONS = translate.Options(guards="off", validate=False)

_HEADER = """cs_5_1
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


@dataclass(frozen=True, slots=True)
class _Probe:
    """The second thread stores the second buffer's size, unless the driver has the fault.

    `feature` is what the shader needs.
    """

    fault: str
    feature: str
    body: str


_PROBES = (
    _Probe(ARRAY_LENGTH_NON_UNIFORM, "storage_buffer_non_uniform_indexing", _NON_UNIFORM),
    _Probe(ARRAY_LENGTH_IN_BRANCH, "storage_buffer_dynamic_indexing", _IN_BRANCH),
)


def faults_of(logical: LogicalDevice) -> tuple[str, ...]:
    """The names of the device's known faults. Raises VulkanError as a dispatch does."""
    if logical.known_faults is None:
        logical.known_faults = tuple(p.fault for p in _PROBES if _has_fault(logical, p))
    return logical.known_faults


def _has_fault(logical: LogicalDevice, probe: _Probe) -> bool:
    if probe.fault in logical.info.known_faults:
        return True
    if not getattr(logical.info.features, probe.feature):
        return False
    return _size_seen(logical, Shader(_HEADER + probe.body)) != _SIZE_OF_SECOND


def _size_seen(logical: LogicalDevice, shader: Shader) -> int:
    """The value that the second thread stored."""
    work = CommandList(logical)
    pipeline = Pipeline(logical, shader.module(_OPTIONS), next_token())
    buffers, seen = pipeline.interface
    transient = Transient(logical, work.stack, 8)
    transient.incoming[:] = 0
    bound = [
        *(
            Bound(buffers, n, logical.slot(size, work.stack, host=False), size=size)
            for n, size in enumerate(_SIZES_BYTES)
        ),
        Bound(seen, slot=transient.device, size=transient.nbytes, transient=transient),
    ]
    run(logical, work, pipeline, bound, (1, 1, 1))
    return int(transient.outgoing.view(np.uint32)[1])
