"""`--for-device` and `--for-profile` give the module of a kernel on that device."""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from tests.unit.vkrunner.info.profiles import CARD, write
from vkrunner.__main__ import main

from .test_flags import TYPED

ROOT = Path(__file__).parents[4]
SAXPY = ROOT / "shaders/saxpy.dxbc"
Outcome = tuple[int, str, str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*words: Any) -> Outcome:
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return write(tmp_path, CARD)


def test_a_device(call: Callable[..., Outcome], device: vkrunner.Device, tmp_path: Path) -> None:
    out = tmp_path / "a.spv"
    index = device.info.index
    assert call("translate", SAXPY, "--for-device", index, "-o", out) == (0, "", "")
    options = translate.Options(
        float_controls=device.info.float_controls,
        robust_access=device.info.features.robust_access,
        denormal_test="bits" if device.info.is_cpu else "comparison",
    )
    assert out.read_bytes() == translate.to_spirv(translate.load(SAXPY), options).to_bytes()


def test_a_profile(call: Callable[..., Outcome], profile: Path) -> None:
    """The device flushes denormals; by default integer instructions do."""
    plain = call("translate", SAXPY, "-S")[1]
    code, out, err = call("translate", SAXPY, "-S", "--for-profile", profile)
    assert (code, err) == (0, "")
    assert re.search(r"OpExecutionMode %\w+ DenormFlushToZero 32", out)
    assert out.count("OpFunctionCall") < plain.count("OpFunctionCall")
    named = f"{profile}#VP_VULKANINFO_a_card"
    assert call("translate", SAXPY, "-S", "--for-profile", named) == (0, out, "")


def test_flags_go_before(call: Callable[..., Outcome], profile: Path) -> None:
    words = ("--for-profile", profile, "--float-controls", "none")
    assert call("translate", SAXPY, "-S", *words) == call("translate", SAXPY, "-S")


def test_many(call: Callable[..., Outcome], profile: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("--output-dir", out, "-j", "1", "--for-profile", profile)
    assert call("translate", SAXPY, *words)[0] == 0
    info = vkrunner.load_profile(profile)
    options = translate.Options(
        float_controls=info.float_controls, robust_access=info.features.robust_access
    )
    made = translate.to_spirv(translate.load(SAXPY), options).to_bytes()
    assert (out / "saxpy.dxbc.spv").read_bytes() == made


def test_shaders_that_the_device_cannot_run(
    call: Callable[..., Outcome], profile: Path, tmp_path: Path
) -> None:
    """The card reads only typed UAVs of one component, so the format has to be known."""
    path = tmp_path / "a.asm"
    path.write_text(TYPED)
    code, out, err = call("translate", path, "-S", "--for-profile", profile)
    assert (code, out) == (3, "")
    assert "a card lacks features of the shader: storage_image_read_without_format" in err
    assert "--format u0=FORMAT says what will be bound" in err
    words = ("translate", path, "-S", "--for-profile", profile, "--format", "u0=r32_uint")
    code, out, err = call(*words)
    assert (code, err) == (0, "")
    assert "R32ui" in out
    text = tmp_path / "a.ir"
    assert call("translate", path, "--dump-ir", "-o", text)[0] == 0
    assert call("translate", text, "--from-ir", "--for-profile", profile)[0] == 3


@pytest.mark.parametrize(
    ("version", "extensions", "is_there"),
    [
        ("1.3.204", {}, True),
        ("1.2.198", {}, False),
        ("1.1.0", {"VK_KHR_shader_non_semantic_info": 1}, True),
    ],
)
def test_debug_information_takes_an_extension(
    call: Callable[..., Outcome],
    tmp_path: Path,
    version: str,
    extensions: dict[str, int],
    is_there: bool,
) -> None:
    other: Any = copy.deepcopy(CARD)
    other["profiles"]["VP_VULKANINFO_a_card"]["api-version"] = version
    other["capabilities"]["device"]["extensions"] = extensions
    words = ("translate", SAXPY, "-S", "--for-profile", write(tmp_path, other))
    assert call(*words)[0] == 0
    code, _, err = call(*words, "--debug-info")
    assert (code, "lacks features of the shader: non_semantic_info" in err) == (
        (0, False) if is_there else (3, True)
    )


def test_limits(call: Callable[..., Outcome], tmp_path: Path) -> None:
    small: Any = copy.deepcopy(CARD)
    properties = small["capabilities"]["device"]["properties"]["VkPhysicalDeviceProperties"]
    properties["limits"]["maxComputeWorkGroupInvocations"] = 32
    code, _, err = call("translate", SAXPY, "-S", "--for-profile", write(tmp_path, small))
    assert (code, "64 threads in a group; a card allows 32" in err) == (2, True)


def test_inspect(call: Callable[..., Outcome], profile: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.asm"
    path.write_text(TYPED)
    words = ("inspect", path, "--json", "--for-profile", profile)
    assert "storage_image_read_without_format" in json.loads(call(*words)[1])["features"]
    words = (*words, "--format", "u0=r32_uint")
    assert json.loads(call(*words)[1])["resources"][0]["format"] == "r32_uint"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--for-device", "no such"], 3, "no device 'no such'"),
        (["--for-device", "reference"], 2, "--for-device takes a Vulkan device"),
        (["--for-profile", "none.json"], 2, "none.json: No such file"),
        (["--for-profile", "none.json", "--for-device", "0"], 2, "not allowed with argument"),
    ],
)
def test_wrong_usage(
    call: Callable[..., Outcome], device: Any, words: list[str], code: int, message: str
) -> None:
    found, out, err = call("translate", SAXPY, *words)
    assert (found, out) == (code, "")
    assert message in err


def test_a_device_of_devices(device: vkrunner.Device) -> None:
    """A device that was not tried is not relied on, except by name."""
    (info,) = (i for i in vkrunner.devices() if i.index == device.info.index)
    options = vkrunner.options_for(device, SAXPY)
    workarounds = options.workarounds.intersection(info.known_faults)
    untried = dataclasses.replace(options, workarounds=workarounds, robust_access=frozenset())
    assert vkrunner.options_for(info, SAXPY) == untried
    names = info.features.robust_access
    assert vkrunner.options_for(info, SAXPY, robust_access=names).robust_access == names
    assert dataclasses.replace(info, index=0).float_controls == device.info.float_controls
