"""`sm5vk devices`: its report on each device, and its message where there is none."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import vkrunner
from vkrunner.info.faults import FAULTS, notice

from .conftest import Call, python, sm5vk


def rows(call: Call) -> list[dict[str, Any]]:
    code, out, err = call("devices", "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_every_feature_is_there_or_lacking(call: Call, device: vkrunner.Device) -> None:
    names = {field.name for field in dataclasses.fields(vkrunner.DeviceFeatures)}
    row = rows(call)[device.info.index]
    assert row["name"] == device.name
    assert set(row["features"]) | set(row["lacks"]) == names
    assert not set(row["features"]) & set(row["lacks"])
    assert row["features"] == [n for n in row["features"] if getattr(device.features, n)]
    assert row["limits"]["max_workgroup_invocations"] == device.limits.max_workgroup_invocations
    assert row["memory_bytes"] > 0


def test_details_and_known_faults(call: Call, device: vkrunner.Device) -> None:
    """JSON has the faults for every device; text only where there are some."""
    found = rows(call)
    assert found[device.info.index]["faults"] == list(device.faults)
    remedies = {name: FAULTS[name].remedy for name in device.faults}
    assert found[device.info.index]["remedies"] == remedies
    assert found[-1]["faults"] == []
    code, text, _ = call("devices", "--details")
    here, reference = text.split("\n-1: ")
    part = " ".join(here.split(f"{device.info.index}: {device.name}")[1].split())
    has, _ = part.split("lacks")
    assert set(device.features.names()) <= set(has.replace(",", " ").split())
    assert (code, max(map(len, text.splitlines()[1:4])) <= 100) == (0, True)
    for remedy in {*remedies.values()}:
        words = "without a remedy" if remedy == "none" else remedy
        names = ", ".join(name for name in device.faults if remedies[name] == remedy)
        assert f"faults, {words}: {names}" in part
    assert part.count("faults, ") == len({*remedies.values()})
    assert (notice(device.name, device.faults) or "") in part
    assert "faults" not in reference
    assert "may be wrong" not in reference


def test_the_list_is_short(call: Call, device: vkrunner.Device) -> None:
    """One line for each device, one for its faults, and those about wrong results."""
    code, out, err = call("devices")
    assert (code, err) == (0, "")
    here, reference = out.split("\n-1: ")
    _, own = here.split(f"{device.info.index}: {device.name} ({device.info.type}")
    lines = own.splitlines()[1:]
    if device.faults:
        remedies = [FAULTS[name].remedy for name in device.faults]
        assert lines[0].startswith(f"    {len(remedies)} known faults (--details): ")
        for remedy in {*remedies} - {"none"}:
            assert f" {remedies.count(remedy)} {remedy}" in lines[0]
    assert (notice(device.name, device.faults) or "") in " ".join(" ".join(lines[1:]).split())
    assert len(reference.splitlines()) == 1


@pytest.mark.parametrize("wish", ["", "name", "index", "reference", "-1"])
def test_the_variable_names_the_default(
    call: Call, device: vkrunner.Device, monkeypatch: pytest.MonkeyPatch, wish: str
) -> None:
    names = {"name": device.name, "index": str(device.info.index)}
    monkeypatch.setenv("SM5VK_DEVICE", names.get(wish, wish))
    (found,) = [row for row in rows(call) if row["default"]]
    with vkrunner.open_device() as opened:
        assert opened.info.index == found["index"]
    assert wish not in ("reference", "-1") or found["name"] == "reference machine"


def test_a_variable_that_names_none(
    call: Call, device: vkrunner.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SM5VK_DEVICE", "no such device")
    code, out, err = call("devices", "--json")
    assert code == 0
    assert not any(row["default"] for row in json.loads(out))
    assert "SM5VK_DEVICE: no device 'no such device'; there are 0: " in err


DRIVERS: tuple[str, ...] = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")
GIVEN = ("--groups", "1", "--x", "arange:5:f4", "--y", "ones:5:f4", "--Params", "a=1,count=4")
OPEN = """
import sys
import vkrunner
from vkrunner.__main__ import main
assert main(["devices", "--json"]) == 0
print("--", file=sys.stderr)
with vkrunner.open_device() as device: assert device.info.type == "reference"
print("--", file=sys.stderr)
vkrunner.open_device("lavapipe")
"""


def check(variables: Mapping[str, str], advice: str) -> None:
    """Without Vulkan: the list, the fallback with its warning, and the error for a name."""
    done = python("-c", OPEN, **{"SM5VK_DEVICE": "", **variables})
    assert done.returncode == 1
    assert [row["type"] for row in json.loads(done.stdout)] == ["reference"]
    listed, opened, named = done.stderr.split("--\n")
    assert advice in listed
    assert "Traceback" not in listed + opened
    assert "RuntimeWarning: shaders run on the slow reference machine" in opened
    assert advice in opened
    assert f"NoDeviceError: {advice[:20]}" in named
    assert advice in named


def test_without_a_driver() -> None:
    """The loader knows this variable since 1.3.234."""
    check(
        {"VK_LOADER_DRIVERS_DISABLE": "*"} | dict.fromkeys(DRIVERS, ""),
        "no Vulkan driver is installed; on Debian and Ubuntu: apt-get install mesa-vulkan-drivers",
    )


def test_a_variable_that_hides_the_drivers() -> None:
    variables = dict.fromkeys(DRIVERS, "no such file")
    hidden = "VK_DRIVER_FILES names 'no such file', which does not exist, and hides"
    check(variables, hidden)
    done = sm5vk(
        "run", "shaders/saxpy.dxbc", *GIVEN, SM5VK_DEVICE="", SM5VK_VALIDATION="", **variables
    )
    assert (done.returncode, done.stdout) == (0, "u0 (y): float32[5] 1.0 2.0 3.0 4.0 1.0\n")
    (line,) = done.stderr.splitlines()
    assert line.startswith("sm5vk: warning: shaders run on the slow reference machine")
    assert f"{hidden} the installed drivers" in line


def test_a_driver_that_is_no_library(tmp_path: Path) -> None:
    driver = {"library_path": str(tmp_path / "none.so"), "api_version": "1.3.0"}
    manifest = tmp_path / "none.json"
    manifest.write_text(json.dumps({"file_format_version": "1.0.0", "ICD": driver}))
    variables = dict.fromkeys(DRIVERS, str(manifest))
    check(variables, f"no driver of VK_DRIVER_FILES={manifest} has a device; unset it")


def test_without_a_loader(tmp_path: Path) -> None:
    """The dynamic linker finds a file in its place that is no library."""
    (tmp_path / "libvulkan.so.1").write_bytes(b"not a library")
    check(
        {"LD_LIBRARY_PATH": str(tmp_path)},
        "no Vulkan loader (libvulkan.so.1) is installed; on Debian and Ubuntu:"
        " apt-get install libvulkan1 mesa-vulkan-drivers",
    )
