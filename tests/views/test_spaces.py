"""Register spaces (cs_5_1): a shader may have more than the device has descriptor sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

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


def test_finished_modules_keep_their_sets(device: Any) -> None:
    if isinstance(device, vkrunner.ReferenceDevice):
        return
    module = translate.to_spirv(translate.load(shader("spaces")))
    with pytest.raises(vkrunner.LimitError):
        device.kernel(module)
