"""`Kernel.groups_for`: the least number of groups that has a thread for every element."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner import Device, InvalidValueError, WrongTypeError

LISTING = (Path(__file__).parent / "data/groups.asm").read_text("utf-8")


@pytest.mark.parametrize("threads", [(1,), (8,), (9,), (17, 4), (16, 5), (8, 8, 3), (20, 12, 7)])
def test_every_element_has_a_thread_and_no_group_is_in_vain(
    device: Device, threads: tuple[int, ...]
) -> None:
    kernel = device.kernel(LISTING)
    groups = kernel.groups_for(*threads)
    x, y, z = (*threads, 1, 1)[:3]
    for fewer in np.vstack([np.zeros(3, int), np.eye(3, dtype=int)]):
        less = np.subtract(groups, fewer).tolist()
        result = kernel.dispatch(less, u0=np.zeros((16, 16, 64), "u4"))
        assert result.u0[:z, :y, :x].all() == (not fewer.any())


@pytest.mark.parametrize("threads", [(), (1, 2, 3, 4), (-1,), (1.5,), (True,), ("8",)])
def test_threads_are_whole_numbers(device: Device, threads: tuple[Any, ...]) -> None:
    kernel = device.kernel(LISTING)
    assert kernel.groups_for(0, 5) == (0, 2, 1)
    assert kernel.groups_for(np.int64(2**40)) == (2**37, 1, 1)
    with pytest.raises(InvalidValueError):
        kernel.groups_for(*threads)


def test_groups_in_an_array(device: Device) -> None:
    kernel, words = device.kernel(LISTING), np.zeros((16, 16, 64), "u4")
    groups = kernel.groups_for(17, 4)
    expected = kernel.dispatch(groups, u0=words).u0
    for given in (np.array(groups), np.array(groups[:2], np.uint8), [np.int64(n) for n in groups]):
        np.testing.assert_array_equal(kernel.dispatch(given, u0=words).u0, expected)
    for wrong in (np.array(groups) / 1, words):
        with pytest.raises(InvalidValueError, match="groups_for") as caught:
            kernel.dispatch(wrong, u0=words)
        assert len(str(caught.value)) < 200
    advice = r"not a tuple: pass kernel\.groups_for\(width, height\), x first$"
    with pytest.raises(WrongTypeError, match=advice):
        kernel.groups_for((48, 64, 4))  # type: ignore[arg-type]
    with pytest.raises(WrongTypeError, match="ndarray") as caught:
        kernel.groups_for(17, words)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200
