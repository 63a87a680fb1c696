"""Tests that ci/package.sh runs outside the clone, with only the wheel and pytest installed."""

from pathlib import Path

import numpy as np

import sm5vk
import translate
import vkrunner


def test_the_packages_are_those_of_the_wheel() -> None:
    for package in (sm5vk, translate, vkrunner):
        assert "site-packages" in Path(package.__file__).parts
        assert (Path(package.__file__).parent / "py.typed").is_file()


def test_a_kernel_from_a_listing_and_from_a_container() -> None:
    listing = Path("saxpy.asm").read_text()
    x, y = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    with sm5vk.open_device("reference") as device:
        for source in (listing, sm5vk.assemble(listing)):
            result = device.kernel(source).dispatch((1, 1, 1), t0=x, u0=y, cb0={"a": 2, "count": 8})
            np.testing.assert_array_equal(result.u0, 2 * x + 1)
