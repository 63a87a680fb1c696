"""Constant buffers that stay on the device: past their end 0 is read, as in D3D.

Source: Direct3D 11.3 functional specification, "Constant Buffers", out-of-bounds reads.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner import Device

from ..listings import listing

VECTORS = Path(__file__).parent / "offsets.dxbc"  # writes float4 a, float2 b, float c
OFFSETS = [*range(16, 32), *range(8, 16), *range(52, 56)]  # of what it writes, in cb2

ADD_ONE = listing(
    ["ishl r0.x, vThreadID.x, l(2)", "ld_raw r0.y, r0.x, u0.xxxx", "iadd r0.y, r0.y, l(1)",
     "store_raw u0.x, r0.x, r0.y"],
    ["dcl_uav_raw u0"], group=(16, 1, 1),
)  # fmt: skip


def seen(device: Device, constants: Any) -> bytes:
    kernel = device.kernel(VECTORS)
    return kernel.dispatch(1, cb2=constants, written=np.zeros(7, np.uint32)).written.tobytes()


def expected(data: bytes) -> bytes:
    whole = data + bytes(64)
    return bytes(whole[offset] for offset in OFFSETS)


@pytest.mark.parametrize("size", [0, 1, 4, 15, 16, 18, 30, 32, 48, 54, 56, 64, 100])
def test_buffers_of_any_size(device: Device, size: int) -> None:
    data = bytes(range(1, size + 1))
    assert seen(device, data) == expected(data)
    if size:
        assert seen(device, device.buffer(data)) == expected(data)


@pytest.mark.parametrize("first", range(0, 9, 3))
@pytest.mark.parametrize("count", [None, 0, 1, 3, 4])
def test_views_of_any_vectors(device: Device, first: int, count: int | None) -> None:
    data = bytes(range(1, 177))
    view = device.buffer(data).view(first_element=first, num_elements=count)
    end = len(data) if count is None else 16 * (first + count)
    assert seen(device, view) == expected(data[16 * first : end])


def test_later_writes_are_seen(device: Device) -> None:
    """The same dispatch again, with other contents of the same buffer."""
    kernel = device.kernel(VECTORS)
    buffer, written = device.buffer(bytes(20)), np.zeros(7, np.uint32)
    for number in range(4):
        data = bytes([number] * 20)
        buffer.write(data)
        result = kernel.dispatch(1, cb2=buffer, written=written)
        assert result.written.tobytes() == expected(data)


def test_shader_writes_are_seen_in_order(device: Device) -> None:
    """A buffer is written, read as constants, and written again, several times."""
    numbers = np.arange(5, dtype=np.uint32)
    buffer, add = device.buffer(numbers), device.kernel(ADD_ONE)
    reader, target = device.kernel(VECTORS), device.buffer(np.zeros(7, np.uint32))
    for turn in range(1, 5):
        add.dispatch(1, u0=buffer)
        reader.dispatch(1, cb2=buffer, written=target)
        assert target.read().tobytes() == expected((numbers + turn).tobytes())


def test_in_a_recording(device: Device) -> None:
    """Constants that shaders write before and after they are read, in one submission and again."""
    numbers = np.arange(5, dtype=np.uint32)
    buffer, add, reader = device.buffer(numbers), device.kernel(ADD_ONE), device.kernel(VECTORS)
    targets = [device.buffer(np.zeros(7, np.uint32)) for _ in range(2)]
    with device.record() as work:
        for target in targets:
            work.dispatch(add, 1, u0=buffer)
            work.dispatch(reader, 1, cb2=buffer, written=target)
    for turn in range(3):
        work.submit().wait()
        for step, target in enumerate(targets):
            data = (numbers + 2 * turn + step + 1).tobytes()
            assert target.read().tobytes() == expected(data)
