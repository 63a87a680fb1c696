"""`--for`, `--for-device` and `--for-profile`: modules for desktop GPUs, or for one device."""

import copy
import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from checks.profiles import CARD, write

from .conftest import ROOT, SAXPY, TYPED, Call

SHADERS = sorted(
    path
    for name in ("corpus/cs_5_0/*.dxbc", "coverage/compiled/*.O3.dxbc")
    for path in (ROOT / "tests").glob(name)
    if not path.name.startswith(("class_", "interfaces"))  # which need instances
)
# From the SPIR-V specification and Vulkan's appendix "Vulkan Environment for SPIR-V": capabilities
# without a feature, those of execution modes, and those whose feature has another name.
FREE = {"Shader", "ImageQuery", "Sampled1D", "Image1D", "SampledBuffer", "ImageBuffer"}
MODES = {
    *("DenormFlushToZero", "DenormPreserve", "RoundingModeRTE", "RoundingModeRTZ"),
    "SignedZeroInfNanPreserve",
}
FEATURES = {
    "GroupNonUniform": "subgroup_ballot",
    "GroupNonUniformBallot": "subgroup_ballot",
    "MinLod": "resource_min_lod",
    "SampledCubeArray": "image_cube_array",
}
NON_SEMANTIC = "VK_KHR_shader_non_semantic_info"
EXTENSIONS = {  # SPIR-V's extension -> the device's extension that allows it
    "SPV_KHR_float_controls": "VK_KHR_shader_float_controls",
    "SPV_EXT_descriptor_indexing": "VK_EXT_descriptor_indexing",
}
# From the reports of VP_LUNARG_desktop_baseline_2026, and VP_DXVK_requirements
OFFERED = {"robust_buffer_access", "robust_buffer_access2", "robust_image_access"}
FLOAT_CONTROLS = {
    f"{mode}_{width}"
    for mode in ("rounding_mode_rte", "signed_zero_inf_nan_preserve")
    for width in (32, 64)
}


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return write(tmp_path, CARD)


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    path = tmp_path / "a.asm"
    path.write_text(TYPED)
    return path


def words_of(name: str) -> str:
    """A name as the interface writes it: `RoundingModeRTE` as `rounding_mode_rte`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()


def feature_of(capability: str) -> str:
    """The feature of a capability; those of indexing have no `Array` in their names."""
    plain = re.sub("Array(?=Dynamic|NonUniform)", "", capability)
    return FEATURES.get(capability) or words_of(plain)


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.stem)
def test_modules_declare_what_the_interface_lists(path: Path) -> None:
    program = translate.load(path)
    module = translate.to_spirv(program, vkrunner.options_for("desktop", program))
    text, interface = module.text(), module.interface
    declared = set(re.findall(r"OpCapability (\w+)", text))
    executed = re.findall(r"OpExecutionMode %\w+ (\w+) (16|32|64)$", text, re.MULTILINE)
    modes = {f"{words_of(mode)}_{width}" for mode, width in executed}
    needed = {feature_of(name) for name in declared - FREE - {*MODES, "ShaderNonUniform"}}
    assert needed <= set(interface.features)
    assert set(interface.features) - needed <= OFFERED
    assert modes == set(interface.float_controls) <= FLOAT_CONTROLS
    assert not modes or declared >= {name for name in MODES if f"{words_of(name)}_32" in modes}
    extensions = {EXTENSIONS[name] for name in re.findall(r'OpExtension "(\w+)"', text)}
    assert extensions <= set(interface.extensions)
    assert ("VK_EXT_robustness2" in interface.extensions) == (
        "robust_buffer_access2" in interface.features
    )


def test_desktop_gpus(call: Call, tmp_path: Path) -> None:
    out, facts = tmp_path / "a.spv", tmp_path / "a.json"
    words = ("--for", "desktop", "-o", out, "--interface", facts)
    assert call("translate", SAXPY, *words) == (0, "", "")
    options = vkrunner.options_for("desktop", SAXPY)
    assert options.robust_access == OFFERED
    assert out.read_bytes() == translate.to_spirv(translate.load(SAXPY), options).to_bytes()
    interface = json.loads(facts.read_text())
    assert interface["features"] == ["robust_buffer_access", "robust_buffer_access2"]
    assert interface["extensions"] == ["VK_KHR_shader_float_controls", "VK_EXT_robustness2"]
    controls = ["rounding_mode_rte_32", "signed_zero_inf_nan_preserve_32"]
    assert interface["float_controls"] == controls


def test_a_wrong_name() -> None:
    wrong: Any = "phones"
    with pytest.raises(vkrunner.UnknownNameError, match="'phones'"):
        vkrunner.options_for(wrong)


def test_a_device(call: Call, device: vkrunner.Device, tmp_path: Path) -> None:
    out = tmp_path / "a.spv"
    index = device.info.index
    assert call("translate", SAXPY, "--for-device", index, "-o", out) == (0, "", "")
    options = translate.Options(
        float_controls=device.info.float_controls,
        robust_access=device.info.features.robust_access,
        denormal_test="bits" if device.info.is_cpu else "comparison",
    )
    assert out.read_bytes() == translate.to_spirv(translate.load(SAXPY), options).to_bytes()


def test_a_profile(call: Call, profile: Path) -> None:
    """The device flushes denormals; by default integer instructions do."""
    plain = call("translate", SAXPY, "-S")[1]
    code, out, err = call("translate", SAXPY, "-S", "--for-profile", profile)
    assert (code, err) == (0, "")
    assert re.search(r"OpExecutionMode %\w+ DenormFlushToZero 32", out)
    assert out.count("OpFunctionCall") < plain.count("OpFunctionCall")
    named = f"{profile}#VP_VULKANINFO_a_card"
    assert call("translate", SAXPY, "-S", "--for-profile", named) == (0, out, "")


def test_capabilities_that_are_named_again_and_again(call: Call, tmp_path: Path) -> None:
    """Each is read once; the last mention counts, as it did before."""
    path = tmp_path / "many.json"
    fields = {f"field{n}": n for n in range(3000)}
    every = {"a": {"properties": {"Some": fields}}, "b": {"properties": {"Some": {"field1": 0}}}}
    names = ["a", ["a"] * 3000, "b"] * 2000
    profile = {"api-version": "1.3.204", "capabilities": names}
    path.write_text(json.dumps({"profiles": {"p": profile}, "capabilities": every}))
    code, _, err = call(
        "translate", str(SAXPY), "--for-profile", str(path), "-o", str(tmp_path / "x.spv")
    )
    assert (code, err) == (0, ""), err


def test_flags_go_before(call: Call, profile: Path) -> None:
    words = ("--for-profile", profile, "--float-controls", "none")
    assert call("translate", SAXPY, "-S", *words) == call("translate", SAXPY, "-S")


def test_many_shaders(call: Call, profile: Path, tmp_path: Path) -> None:
    info = vkrunner.load_profile(profile)
    of_profile = translate.Options(
        float_controls=info.float_controls, robust_access=info.features.robust_access
    )
    for name, value, options in (
        ("--for-profile", profile, of_profile),
        ("--for", "desktop", vkrunner.options_for("desktop")),
    ):
        out = tmp_path / name
        assert call("translate", SAXPY, "--output-dir", out, "-j", "1", name, value)[0] == 0
        made = translate.to_spirv(translate.load(SAXPY), options).to_bytes()
        assert (out / "saxpy.dxbc.spv").read_bytes() == made


def test_shaders_that_the_device_cannot_run(call: Call, profile: Path, typed: Path) -> None:
    """The card reads only typed UAVs of one component, so the format has to be known.

    Intel's older GPUs load no texels of unknown format either.
    """
    for name, flag in ("a card", ("--for-profile", profile)), ("desktop", ("--for", "desktop")):
        code, out, err = call("translate", typed, "-S", *flag)
        assert (code, out) == (3, "")
        assert f"{name} lacks features of the shader: storage_image_read_without_format" in err
        assert "--format u0=FORMAT (of uint, such as r32_uint) says what will be bound" in err
        code, out, err = call("translate", typed, "-S", *flag, "--format", "u0=r32_uint")
        assert (code, err) == (0, "")
        assert "R32ui" in out
    text = typed.with_suffix(".ir")
    assert call("translate", typed, "--dump-ir", "-o", text)[0] == 0
    assert call("translate", text, "--from-ir", "--for-profile", profile)[0] == 3


@pytest.mark.parametrize(
    ("declared", "example"), [("uint2", "r32g32_uint"), ("uint3", "r32g32b32a32_uint")]
)
def test_the_example_of_a_format_has_the_declared_components(
    call: Call, typed: Path, declared: str, example: str
) -> None:
    typed.write_text(
        "// Resource Bindings:\n//\n"
        "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
        "// ------------------------------ ---------- ------- ----------- -------------- ------\n"
        f"// texels                              UAV   {declared}         buf           u0      1\n"
        f"//\n{TYPED}"
    )
    _, _, err = call("translate", typed, "-S", "--for", "desktop")
    assert f"--format u0=FORMAT (of {declared}, such as {example}) says" in err


def test_many_shaders_that_the_device_cannot_run(call: Call, tmp_path: Path, typed: Path) -> None:
    """They are refused as each alone is; the others are translated, now and later."""
    out = tmp_path / "out"
    words = ("translate", SAXPY, typed, "--output-dir", out, "-j", "1")
    assert call(*words)[0] == 0
    assert len([*out.rglob("*.spv")]) == 2
    for _ in range(2):
        code, _, err = call(*words, "--for", "desktop")
        assert code == 1
        assert "error: desktop lacks features of the shader: storage_image_read_without" in err
        assert "; translate it alone with --format u0=FORMAT (of uint, such as r32_uint)" in err
        assert [path.name for path in out.rglob("*.spv")] == [f"{SAXPY.name}.spv"]
    assert call(*words)[0] == 0
    assert len([*out.rglob("*.spv")]) == 2


@pytest.mark.parametrize(
    ("version", "offered", "target"),
    [
        ("1.3.204", (), "vulkan1.3"),
        ("1.3.204", (NON_SEMANTIC,), "vulkan1.3"),
        ("1.2.198", (), None),
        ("1.1.0", (NON_SEMANTIC,), "vulkan1.1"),
    ],
)
def test_debug_information_takes_an_extension(
    call: Call, tmp_path: Path, version: str, offered: tuple[str, ...], target: str | None
) -> None:
    """Of a device of Vulkan 1.3 it takes none, because the module is for that version."""
    other: Any = copy.deepcopy(CARD)
    other["profiles"]["VP_VULKANINFO_a_card"]["api-version"] = version
    other["capabilities"]["device"]["extensions"] = dict.fromkeys(offered, 1)
    into = tmp_path / "interface.json"
    words = ("translate", SAXPY, "-S", "--interface", into, "--for-profile", write(tmp_path, other))
    assert call(*words)[0] == 0
    assert json.loads(into.read_text())["target"] == "vulkan1.1"
    code, _, err = call(*words, "--debug-info")
    if target is None:
        assert code == 3
        assert "lacks features of the shader: non_semantic_info" in err
        return
    interface = json.loads(into.read_text())
    assert interface["target"] == target
    assert (NON_SEMANTIC in interface["extensions"]) == (target != "vulkan1.3")


def test_limits(call: Call, tmp_path: Path) -> None:
    small: Any = copy.deepcopy(CARD)
    properties = small["capabilities"]["device"]["properties"]["VkPhysicalDeviceProperties"]
    properties["limits"]["maxComputeWorkGroupInvocations"] = 32
    code, _, err = call("translate", SAXPY, "-S", "--for-profile", write(tmp_path, small))
    assert (code, "64 threads in a group; a card allows 32" in err) == (2, True)


def test_inspect(call: Call, profile: Path, typed: Path) -> None:
    words = ("inspect", typed, "--json", "--for-profile", profile)
    assert "storage_image_read_without_format" in json.loads(call(*words)[1])["features"]
    words = (*words, "--format", "u0=r32_uint")
    assert json.loads(call(*words)[1])["resources"][0]["format"] == "r32_uint"


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
