"""Choosing a device, on descriptions of machines that are not here."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import vkrunner
from vkrunner import Device, DeviceInfo, NoDeviceError, choose
from vkrunner.vulkan.instance import Instance

ROWS = [
    ("llvmpipe (LLVM 15.0.6, 256 bits)", "cpu", "llvmpipe"),
    ("Intel(R) UHD Graphics", "integrated", "Intel open-source Mesa driver"),
    ("NVIDIA GeForce", "discrete", "NVIDIA"),
    ("Old Card", "discrete", "Old"),
]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, device: Device) -> Any:
    """Replaces this machine's devices by rows of ROWS."""
    monkeypatch.delenv(choose.VARIABLE, raising=False)

    def install(*numbers: int) -> None:
        found = [_info(device, i, *ROWS[n]) for i, n in enumerate(numbers)]
        monkeypatch.setattr(choose, "_described", lambda instance: [(i.name, i) for i in found])

    return install


def _info(device: Device, index: int, name: str, kind: str, driver: str) -> DeviceInfo:
    missing = "Vulkan 1.1 is needed, it has 1.0.2" if name == "Old Card" else None
    changes: dict[str, Any] = {"name": name, "type": kind, "driver": driver}
    return dataclasses.replace(device.info, index=index, missing=missing, **changes)


def chosen(wish: Any) -> str:
    return choose.choose(Instance(None, 0, False), wish)[1].name


@pytest.mark.parametrize(
    ("machine_has", "wish", "name"),
    [
        ((0, 1, 2), None, "NVIDIA GeForce"),
        ((0, 1), None, "Intel(R) UHD Graphics"),
        ((0,), None, "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ((3, 0), None, "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ((2, 1, 0), "lavapipe", "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ((2, 1, 0), "uhd", "Intel(R) UHD Graphics"),
        ((2, 1, 0), "mesa", "Intel(R) UHD Graphics"),
        ((2, 1, 0), 1, "Intel(R) UHD Graphics"),
        ((2, 1, 0), "1", "Intel(R) UHD Graphics"),
    ],
)
def test_the_device_that_is_chosen(
    machine: Any, machine_has: tuple[int, ...], wish: Any, name: str
) -> None:
    machine(*machine_has)
    assert chosen(wish) == name


def test_the_variable_stands_for_the_argument(
    machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(2, 1, 0)
    monkeypatch.setenv(choose.VARIABLE, "uhd")
    assert chosen(None) == "Intel(R) UHD Graphics"
    assert chosen("nvidia") == "NVIDIA GeForce"


@pytest.mark.parametrize("wish", ["amd", 3, -1, "7"])
def test_no_such_device(machine: Any, wish: Any) -> None:
    machine(2, 1)
    with pytest.raises(NoDeviceError, match="there are 0: NVIDIA GeForce; 1: Intel"):
        chosen(wish)


def test_a_device_that_cannot_be_used(machine: Any) -> None:
    machine(3)
    for wish in (None, "old", 0):
        with pytest.raises(NoDeviceError, match=r"Old Card cannot be used: Vulkan 1\.1 is needed"):
            chosen(wish)


def test_devices_of_this_machine(device: Device) -> None:
    *found, last = vkrunner.devices()
    assert [info.index for info in found] == list(range(len(found)))
    assert (last.index, last.type) == (-1, "reference")
    assert device.info in [*found, last]
    assert device.limits.max_workgroup_invocations >= 128  # Vulkan's required minimum
    assert device.name == device.info.name
