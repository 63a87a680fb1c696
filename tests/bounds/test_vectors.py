"""Structures made of whole vectors, at constant byte offsets: loaded and stored as vectors.

Indices come from a table: inside, at the end, past it, and such that their product with the stride
wraps to a place inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

TABLE = np.array([0, 1, 2, 3, 4, 0x7FFFFFFF, 0x08000001, 0x80000000, 0xFFFFFFFF], np.uint32)
STRIDE, COUNT = 32, 3
WORDS = STRIDE // 4
HEAD = f"""cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t1
dcl_input vThreadID.x
dcl_temps 3
dcl_thread_group {len(TABLE)}, 1, 1
"""
INDEX = "ishl r0.y, vThreadID.x, l(2)\nld_raw r0.x, r0.y, t1.xxxx\n"


def structures(count: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.arange(1, count * WORDS + 1, dtype=np.uint32).reshape(count, WORDS)


@pytest.mark.parametrize("register", ["t0", "u0"])
@pytest.mark.parametrize(("first", "length"), [(0, 5), (1, 3)])
def test_loads(device: Any, register: str, first: int, length: int) -> None:
    """Structures of the view are loaded; past its end 0, though the buffer goes on."""
    kind = "resource" if register == "t0" else "uav"
    declared = f"dcl_{kind}_structured {register}, {STRIDE}\ndcl_uav_raw u1\n"
    lines = "".join(
        f"ld_structured r1.xyzw, r0.x, l({offset}), {register}.xyzw\n"
        f"store_raw u1.xyzw, r0.{'zw'[offset // 16]}, r1.xyzw\n"
        for offset in (0, 16)
    )
    strides = f"imul null, r0.z, vThreadID.x, l({STRIDE})\niadd r0.w, r0.z, l(16)\n"
    kernel = device.kernel(HEAD + declared + INDEX + strides + lines + "ret\n")
    data = structures(5)
    view = device.buffer(data).view(first_element=first, num_elements=length, stride=STRIDE)
    out = np.full((len(TABLE), WORDS), 0xCC, np.uint32)
    result = kernel.dispatch((1, 1, 1), t1=TABLE, u1=out, **{register: view})
    expected = np.zeros_like(out)
    shown = data[first : first + length]
    places = TABLE.astype(np.int64)
    inside = places < length
    expected[inside] = shown[places[inside]]
    assert result.u1.tolist() == expected.tolist()


def test_stores(device: Any) -> None:
    """Structures of the view are stored to; what follows the view stays as it was."""
    declared = f"dcl_uav_structured u0, {STRIDE}\n"
    lines = "".join(f"store_structured u0.xyzw, r0.x, l({offset}), r0.xxxx\n" for offset in (0, 16))
    kernel = device.kernel(HEAD + declared + INDEX + "iadd r0.z, r0.x, l(7)\n" + lines + "ret\n")
    data = structures(COUNT + 2)
    buffer = device.buffer(data)
    kernel.dispatch((1, 1, 1), t1=TABLE, u0=buffer.view(num_elements=COUNT, stride=STRIDE))
    expected = data.copy()
    expected[:COUNT] = np.arange(COUNT, dtype=np.uint32)[:, None]
    assert buffer.read().tolist() == expected.tolist()


def test_group_shared(device: Any) -> None:
    """Outside, stores are dropped and loads give 0."""
    declared = f"dcl_uav_raw u1\ndcl_tgsm_structured g0, {STRIDE}, {COUNT}\n"
    lines = f"""iadd r1.xyzw, r0.xxxx, l(1,2,3,4)
store_structured g0.xyzw, r0.x, l(0), r1.xyzw
store_structured g0.xyzw, r0.x, l(16), r1.wzyx
sync_g_t
ld_structured r1.xyzw, r0.x, l(0), g0.xyzw
ld_structured r2.xyzw, r0.x, l(16), g0.xyzw
imul null, r0.z, vThreadID.x, l({STRIDE})
iadd r0.w, r0.z, l(16)
store_raw u1.xyzw, r0.z, r1.xyzw
store_raw u1.xyzw, r0.w, r2.xyzw
"""
    kernel = device.kernel(HEAD + declared + INDEX + lines + "ret\n")
    out = np.full((len(TABLE), WORDS), 0xCC, np.uint32)
    result = kernel.dispatch((1, 1, 1), t1=TABLE, u1=out)
    expected = np.zeros_like(out)
    places = TABLE.astype(np.int64)
    inside = places < COUNT
    steps = np.array([1, 2, 3, 4, 4, 3, 2, 1], np.uint32)
    expected[inside] = places[inside][:, None] + steps
    assert result.u1.tolist() == expected.tolist()
