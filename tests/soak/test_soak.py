"""A short soak of every path, disturbed at any moment; nothing may grow after the warm-up."""

from typing import Any

import pytest

import vkrunner
from checks.driver import CountingDriver
from checks.running.processes import run_python
from checks.soak import __main__ as soaking
from checks.soak.paths import Paths


def quiet(text: str) -> None:
    """Nothing is printed within tests."""


LONG = pytest.mark.thorough(reason="a soak")


@pytest.mark.slow(reason="a soak")
@pytest.mark.parametrize(
    "kind", ["shared", *(pytest.param(kind, marks=LONG) for kind in ("staged", "written"))]
)
def test_every_path(device: vkrunner.Device, kind: str) -> None:
    """In a process of its own: what other tests leave behind would move the memory's size."""
    where = ["--device", str(device.info.index), "--memory", kind]
    said = run_python("-m", "checks.soak", "--dispatches", "3000", "--cycles", "0", *where)
    assert said.count(" dispatches, ") >= 2  # after the warm-up, and at the end


def test_the_same_paths_on_the_reference_machine() -> None:
    with vkrunner.open_device("reference") as machine:
        paths = Paths(machine)
        for number in range(2 * len(paths.turns)):
            assert paths.turns[number % len(paths.turns)](number) > 0


@LONG
def test_opening_and_closing(device: vkrunner.Device) -> None:
    soaking.cycles(device.info.index, soaking.WARM_CYCLES + 30, quiet, validated=6)


@LONG
def test_growth_is_seen(device: vkrunner.Device, counting_driver: CountingDriver) -> None:
    """A path that keeps what it makes ends the soak."""
    kept: list[Any] = []

    class Keeping(Paths):
        def short_lived(self, number: int) -> int:
            kept.append(self.device.buffer(1 << 20))
            return super().short_lived(number)

    with (
        vkrunner.open_device(device.info.index) as own,
        pytest.raises(AssertionError, match=r"grown: .*device_bytes"),
    ):
        soaking.soak(own, counting_driver, 3000, quiet, Keeping)
