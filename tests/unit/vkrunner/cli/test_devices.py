"""`sm5vk devices`: its report on each device, and its message where there is none."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vkrunner
from vkrunner.__main__ import main
from vkrunner.info.faults import FAULTS, notice

ROOT = Path(__file__).parents[4]
NO_DRIVER = dict.fromkeys(("VK_DRIVER_FILES", "VK_ICD_FILENAMES"), "no such file")


def rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["devices", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_feature_is_there_or_lacking(
    device: vkrunner.Device, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {field.name for field in dataclasses.fields(vkrunner.DeviceFeatures)}
    row = rows(capsys)[device.info.index]
    assert set(row["features"]) | set(row["lacks"]) == names
    assert not set(row["features"]) & set(row["lacks"])
    assert row["features"] == [n for n in row["features"] if getattr(device.features, n)]
    assert row["limits"]["max_workgroup_invocations"] == device.limits.max_workgroup_invocations
    assert row["memory_bytes"] > 0


def test_details_have_them_too(device: vkrunner.Device, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["devices", "--details"]) == 0
    text = capsys.readouterr().out
    part = text.split(f"{device.info.index}: {device.name}")[1].split("\n-1: ")[0]
    has, _ = part.split("lacks")
    words = has.replace(",", " ").split()
    assert all(name in words for name in device.features.names())
    assert max(map(len, text.splitlines()[1:4])) <= 100


def test_known_faults(device: vkrunner.Device, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON has them for every device; text only where there are some."""
    found = rows(capsys)
    assert found[device.info.index]["faults"] == list(device.faults)
    remedies = {name: FAULTS[name].remedy for name in device.faults}
    assert found[device.info.index]["remedies"] == remedies
    assert found[-1]["faults"] == []
    assert main(["devices", "--details"]) == 0
    here, reference = capsys.readouterr().out.split("\n-1: ")
    part = " ".join(here.split(f"{device.info.index}: {device.name}")[1].split())
    for remedy in {*remedies.values()}:
        words = "without a remedy" if remedy == "none" else remedy
        names = ", ".join(name for name in device.faults if remedies[name] == remedy)
        assert f"faults, {words}: {names}" in part
    assert part.count("faults, ") == len({*remedies.values()})
    assert (notice(device.name, device.faults) or "") in part
    assert "faults" not in reference
    assert "may be wrong" not in reference


def test_the_list_is_short(device: vkrunner.Device, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each device, one for its faults, and those about wrong results."""
    assert main(["devices"]) == 0
    here, reference = capsys.readouterr().out.split("\n-1: ")
    lines = here.split(f"{device.info.index}: {device.name}")[1].splitlines()[1:]
    if device.faults:
        remedies = [FAULTS[name].remedy for name in device.faults]
        assert lines[0].startswith(f"    {len(remedies)} known faults (--details): ")
        for remedy in {*remedies} - {"none"}:
            assert f" {remedies.count(remedy)} {remedy}" in lines[0]
    assert (notice(device.name, device.faults) or "") in " ".join(" ".join(lines[1:]).split())
    assert len(reference.splitlines()) == 1


@pytest.mark.parametrize(("wish", "name"), [("reference", "reference machine"), ("-1", None)])
def test_the_variable_names_the_default(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wish: str,
    name: str | None,
) -> None:
    monkeypatch.setenv("SM5VK_DEVICE", wish)
    found = [row["name"] for row in rows(capsys) if row["default"]]
    assert found == [name or "reference machine"]


def test_the_default_is_the_opened_device(
    device: vkrunner.Device, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for wish in ("", device.name, str(device.info.index)):
        monkeypatch.setenv("SM5VK_DEVICE", wish)
        (found,) = [row["index"] for row in rows(capsys) if row["default"]]
        with vkrunner.open_device() as opened:
            assert opened.info.index == found


def test_a_variable_that_names_none(
    device: vkrunner.Device, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SM5VK_DEVICE", "no such device")
    assert main(["devices", "--json"]) == 0
    out, err = capsys.readouterr()
    assert not any(row["default"] for row in json.loads(out))
    assert "SM5VK_DEVICE: no device 'no such device'; there are 0: " in err


def without(words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a process that lacks something."""
    there = {key: value for key, value in os.environ.items() if key != "SM5VK_DEVICE"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**there, **environment},
        capture_output=True,
        text=True,
    )


OPEN = "import vkrunner\nwith vkrunner.open_device({}) as device: print(device.info.type)"


def check(environment: dict[str, str], advice: str) -> None:
    """Without Vulkan: the list, the fallback with its warning, and the error for a name."""
    listed = without(["-m", "vkrunner", "devices", "--json"], **environment)
    assert listed.returncode == 0
    assert [row["type"] for row in json.loads(listed.stdout)] == ["reference"]
    assert advice in listed.stderr
    opened = without(["-c", OPEN.format("")], **environment)
    assert opened.stdout == "reference\n"
    assert "RuntimeWarning: shaders run on the slow reference machine" in opened.stderr
    assert advice in opened.stderr
    named = without(["-c", OPEN.format("'lavapipe'")], **environment)
    assert named.returncode == 1
    assert f"NoDeviceError: {advice[:20]}" in named.stderr
    assert advice in named.stderr


def test_without_a_driver() -> None:
    """The loader knows this variable since 1.3.234."""
    check(
        {"VK_LOADER_DRIVERS_DISABLE": "*", "VK_DRIVER_FILES": "", "VK_ICD_FILENAMES": ""},
        "no Vulkan driver is installed; on Debian and Ubuntu: apt-get install mesa-vulkan-drivers",
    )


def test_a_variable_that_hides_the_drivers() -> None:
    check(NO_DRIVER, "VK_DRIVER_FILES names 'no such file', which does not exist, and hides")


def test_a_driver_that_is_no_library(tmp_path: Path) -> None:
    driver = {"library_path": str(tmp_path / "none.so"), "api_version": "1.3.0"}
    manifest = tmp_path / "none.json"
    manifest.write_text(json.dumps({"file_format_version": "1.0.0", "ICD": driver}))
    variables = dict.fromkeys(("VK_DRIVER_FILES", "VK_ICD_FILENAMES"), str(manifest))
    check(variables, f"no driver of VK_DRIVER_FILES={manifest} has a device; unset it")


def test_without_a_loader(tmp_path: Path) -> None:
    """The dynamic linker finds a file in its place that is no library."""
    (tmp_path / "libvulkan.so.1").write_bytes(b"not a library")
    check(
        {"LD_LIBRARY_PATH": str(tmp_path)},
        "no Vulkan loader (libvulkan.so.1) is installed; on Debian and Ubuntu:"
        " apt-get install libvulkan1 mesa-vulkan-drivers",
    )
