"""Registers of cs_5_1 whose default binding numbers belong to other classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

HEAD = "cs_5_1\ndcl_globalFlags refactoringAllowed\n"
BODY = "dcl_thread_group 1, 1, 1\n"
BUFFERS = """dcl_resource_raw T0[{high}:{high}], space=0
dcl_uav_raw U0[0:0], space=0
dcl_temps 1
"""
COPY = "ld_raw r0.x, l(0), T0[{high}].x\nstore_raw U0[0].x, l(0), r0.x\nret\n"


@pytest.mark.parametrize("high", [127, 128, 130, 5000, 100000, 4294967294])
def test_a_high_texture_register_beside_a_uav(device: Any, high: int) -> None:
    kernel = device.kernel((HEAD + BUFFERS + BODY + COPY).format(high=high))
    passed = {f"t{high}": np.array([41], np.uint32), "u0": np.zeros(1, np.uint32)}
    assert kernel.dispatch(1, **passed).u0.tolist() == [41]


def test_a_high_uav_beside_a_counter_and_a_report(device: Any) -> None:
    kernel = device.kernel(
        HEAD
        + "dcl_uav_structured_opc U0[0:0], 4, space=0\n"
        + "dcl_uav_raw U1[64:64], space=0\ndcl_uav_raw U2[128:128], space=0\ndcl_temps 1\n"
        + BODY
        + "imm_atomic_alloc r0.x, U0[0]\nstore_raw U1[64].x, l(0), r0.x\n"
        + "store_raw U2[128].x, l(4), r0.x\nret\n",
        guards="report",
    )
    counted = device.buffer(np.zeros(1, np.uint32), counter=9)
    zeros = np.zeros(1, np.uint32)
    result = kernel.dispatch(1, u0=counted, u64=zeros, u128=zeros)
    assert result.u64.tolist() == [9]
    assert result.counters["u0"] == 10
    assert [(v.register, v.byte_offset) for v in result.violations] == [("u128", 4)]


def test_a_high_sampler_beside_a_texture_and_constants(device: Any) -> None:
    """b16 has the default number of s0, s16 that of t0."""
    kernel = device.kernel(
        HEAD
        + "dcl_constantbuffer CB0[16:16][1], immediateIndexed, space=0\n"
        + "dcl_sampler S0[0:0], mode_default, space=0\n"
        + "dcl_sampler S1[16:16], mode_default, space=0\n"
        + "dcl_resource_texture2d (float,float,float,float) T0[0:0], space=0\n"
        + "dcl_uav_raw U0[0:0], space=0\ndcl_temps 3\n"
        + BODY
        + "sample_l_indexable(texture2d)(float,float,float,float) "
        + "r0.x, l(0.5, 0.5, 0, 0), T0[0].xyzw, S0[0], l(0)\n"
        + "sample_l_indexable(texture2d)(float,float,float,float) "
        + "r1.x, l(0.5, 0.5, 0, 0), T0[0].xyzw, S1[16], l(0)\n"
        + "store_raw U0[0].x, l(0), r0.x\nstore_raw U0[0].x, l(4), r1.x\n"
        + "mov r2.x, CB0[16][0].x\nstore_raw U0[0].x, l(8), r2.x\nret\n"
    )
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
    source = (HEAD + BUFFERS + BODY + COPY).format(high=1)
    with pytest.raises(vkrunner.LimitError, match="100001"):
        device.kernel(source, bindings={"t1": (0, 100000)})
    options = translate.Options(bindings={"u0": (0, 32768)})
    module = translate.to_spirv(translate.load(source), options)
    with pytest.raises(vkrunner.LimitError, match="32769"):
        device.kernel(module)
