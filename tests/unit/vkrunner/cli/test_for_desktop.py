"""`--for desktop`: modules declare only what the interface lists, and desktop GPUs offer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from vkrunner.__main__ import main

from .test_flags import TYPED

ROOT = Path(__file__).parents[4]
SAXPY = ROOT / "shaders/saxpy.dxbc"
SHADERS = sorted(
    path
    for name in ("corpus/cs_5_0/*.dxbc", "coverage/compiled/*.O3.dxbc")
    for path in (ROOT / "tests").glob(name)
    if not path.name.startswith(("class_", "interfaces"))  # which need instances
)
# From the SPIR-V specification and Vulkan's appendix "Vulkan Environment for SPIR-V": capabilities
# without a feature, then each capability's feature by the names of the interface.
FREE = {"Shader", "ImageQuery", "Sampled1D", "Image1D", "SampledBuffer", "ImageBuffer"}
FEATURES = {
    "Float16": "float16",
    "Float64": "float64",
    "GroupNonUniform": "subgroup_ballot",
    "GroupNonUniformBallot": "subgroup_ballot",
    "ImageCubeArray": "image_cube_array",
    "ImageGatherExtended": "image_gather_extended",
    "MinLod": "resource_min_lod",
    "RuntimeDescriptorArray": "runtime_descriptor_array",
    "SampledCubeArray": "image_cube_array",
    "SampledImageArrayDynamicIndexing": "sampled_image_dynamic_indexing",
    "SampledImageArrayNonUniformIndexing": "sampled_image_non_uniform_indexing",
    "StorageBufferArrayDynamicIndexing": "storage_buffer_dynamic_indexing",
    "StorageBufferArrayNonUniformIndexing": "storage_buffer_non_uniform_indexing",
    "StorageImageArrayDynamicIndexing": "storage_image_dynamic_indexing",
    "StorageImageArrayNonUniformIndexing": "storage_image_non_uniform_indexing",
    "StorageImageExtendedFormats": "storage_image_extended_formats",
    "StorageImageReadWithoutFormat": "storage_image_read_without_format",
    "StorageImageWriteWithoutFormat": "storage_image_write_without_format",
    "StorageTexelBufferArrayDynamicIndexing": "storage_texel_buffer_dynamic_indexing",
    "StorageTexelBufferArrayNonUniformIndexing": "storage_texel_buffer_non_uniform_indexing",
    "UniformBufferArrayDynamicIndexing": "uniform_buffer_dynamic_indexing",
    "UniformBufferArrayNonUniformIndexing": "uniform_buffer_non_uniform_indexing",
    "UniformTexelBufferArrayDynamicIndexing": "uniform_texel_buffer_dynamic_indexing",
    "UniformTexelBufferArrayNonUniformIndexing": "uniform_texel_buffer_non_uniform_indexing",
}
MODES = {  # a mode's capability has its name
    "DenormFlushToZero": "denorm_flush_to_zero",
    "DenormPreserve": "denorm_preserve",
    "RoundingModeRTE": "rounding_mode_rte",
    "RoundingModeRTZ": "rounding_mode_rtz",
    "SignedZeroInfNanPreserve": "signed_zero_inf_nan_preserve",
}
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
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: Any) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.stem)
def test_modules_declare_what_the_interface_lists(path: Path) -> None:
    program = translate.load(path)
    module = translate.to_spirv(program, vkrunner.options_for("desktop", program))
    text, interface = module.text(), module.interface
    declared = set(re.findall(r"OpCapability (\w+)", text))
    modes = {f"{MODES[mode]}_{width}" for mode, width in
             re.findall(r"OpExecutionMode %\w+ (\w+) (16|32|64)$", text, re.MULTILINE)}  # fmt: skip
    needed = {FEATURES[name] for name in declared - FREE - {*MODES, "ShaderNonUniform"}}
    assert needed <= set(interface.features)
    assert set(interface.features) - needed <= OFFERED
    assert modes == set(interface.float_controls) <= FLOAT_CONTROLS
    assert not modes or declared >= {name for name in MODES if f"{MODES[name]}_32" in modes}
    extensions = {EXTENSIONS[name] for name in re.findall(r'OpExtension "(\w+)"', text)}
    assert extensions <= set(interface.extensions)
    assert ("VK_EXT_robustness2" in interface.extensions) == (
        "robust_buffer_access2" in interface.features
    )


def test_the_command(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    out, facts = tmp_path / "a.spv", tmp_path / "a.json"
    words = ("--for", "desktop", "-o", out, "--interface", facts)
    assert call("translate", SAXPY, *words) == (0, "", "")
    options = vkrunner.options_for("desktop", SAXPY)
    assert options.robust_access == OFFERED
    assert out.read_bytes() == translate.to_spirv(translate.load(SAXPY), options).to_bytes()
    interface = json.loads(facts.read_text())
    assert interface["features"] == ["robust_buffer_access", "robust_buffer_access2"]
    assert interface["extensions"] == ["VK_KHR_shader_float_controls", "VK_EXT_robustness2"]
    assert interface["float_controls"] == [
        "rounding_mode_rte_32",
        "signed_zero_inf_nan_preserve_32",
    ]


def test_many_shaders(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    words = ("--output-dir", tmp_path, "-j", "1", "--for", "desktop")
    assert call("translate", SAXPY, *words)[0] == 0
    options = vkrunner.options_for("desktop")
    made = translate.to_spirv(translate.load(SAXPY), options).to_bytes()
    assert (tmp_path / "saxpy.dxbc.spv").read_bytes() == made


def test_features_that_some_gpus_lack(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """Intel's older GPUs load no texels of unknown format."""
    path = tmp_path / "a.asm"
    path.write_text(TYPED)
    code, out, err = call("translate", path, "-S", "--for", "desktop")
    assert (code, out) == (3, "")
    assert "desktop lacks features of the shader: storage_image_read_without_format" in err
    assert "--format u0=FORMAT says what will be bound" in err
    words = ("translate", path, "-S", "--for", "desktop", "--format", "u0=r32_uint")
    assert call(*words)[0] == 0


def test_wrong_names(call: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = call("translate", SAXPY, "--for", "phones")
    assert (code, "invalid choice: 'phones'" in err) == (2, True)
    wrong: Any = "phones"
    with pytest.raises(vkrunner.UnknownNameError, match="'phones'"):
        vkrunner.options_for(wrong)
