"""Options for a target device: from an open device, or from a Vulkan profile."""

import copy
import dataclasses
import re
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import translate
import vkrunner
from checks.profiles import CARD, write
from translate import FloatControl
from translate.target_device import LARGEST_VIEW

ROOT = Path(__file__).parents[4]
SAXPY = ROOT / "shaders/saxpy.dxbc"
DYNAMIC = ROOT / "tests/coverage/compiled/ranges.cs_5_1.O3.dxbc"
IN_BRANCH = "array_length_in_branch"
NON_UNIFORM = "array_length_non_uniform"
FLOAT_CONTROLS = "VkPhysicalDeviceFloatControlsProperties"


def changed(**rows: Any) -> Any:
    """The card's file with other rows in its profile."""
    made: Any = copy.deepcopy(CARD)
    made["profiles"]["VP_VULKANINFO_a_card"] |= rows
    return made


def loaded(folder: Path, **parts: Any) -> vkrunner.DeviceInfo:
    """The card with other features or properties of these structures alone."""
    made: Any = copy.deepcopy(CARD)
    made["capabilities"]["device"] |= parts
    return vkrunner.load_profile(write(folder, made))


def test_a_profile_is_read(tmp_path: Path) -> None:
    info = vkrunner.load_profile(write(tmp_path, CARD))
    assert (info.name, info.driver, info.driver_version) == ("a card", "a driver", "1.2")
    assert info.api_version == "1.3.204"
    assert info.extensions == {"VK_EXT_robustness2"}
    assert info.float_controls == {
        "denorm_flush_to_zero_32",
        "denorm_preserve_64",
        "rounding_mode_rte_32",
    }
    assert sorted(info.features.names()) == [
        "float64",
        "non_semantic_info",
        "null_descriptor",
        "runtime_descriptor_array",
        "storage_buffer_dynamic_indexing",
        "storage_image_write_without_format",
        "subgroup_ballot",
    ]
    assert info.limits.max_workgroup_size == (1024, 1024, 64)
    assert info.limits.max_shared_memory_bytes == 49152
    assert info.limits.max_bound_descriptor_sets > 1 << 60  # the profile does not have it


def test_a_profile_describes_the_device_that_it_was_written_for(
    device: vkrunner.Device, tmp_path: Path
) -> None:
    """A device's properties, written by hand as by vulkaninfo, give the same options."""
    info = device.info
    names = {
        "float64": "shaderFloat64",
        "robust_buffer_access": "robustBufferAccess",
        "robust_image_access": "robustImageAccess",
        "robust_buffer_access2": "robustBufferAccess2",
        "storage_image_read_without_format": "shaderStorageImageReadWithoutFormat",
        "uniform_texel_buffer_dynamic_indexing": "shaderUniformTexelBufferArrayDynamicIndexing",
        "sampled_image_non_uniform_indexing": "shaderSampledImageArrayNonUniformIndexing",
    }
    features = {field: getattr(info.features, name) for name, field in names.items()}
    read = loaded(tmp_path, features={"VkPhysicalDeviceFeatures": features}).features
    assert {n: getattr(read, n) for n in names} == {n: getattr(info.features, n) for n in names}


@pytest.mark.parametrize("stages", ["VK_SHADER_STAGE_COMPUTE_BIT", "VK_SHADER_STAGE_FRAGMENT_BIT"])
@pytest.mark.parametrize("operations", ["VK_SUBGROUP_FEATURE_BALLOT_BIT", "", None])
def test_subgroups_in_the_struct_of_a_later_version(
    tmp_path: Path, stages: str, operations: str | None
) -> None:
    subgroups = {"subgroupSupportedOperations": [operations], "subgroupSupportedStages": [stages]}
    info = loaded(tmp_path, properties={"VkPhysicalDeviceVulkan11Properties": subgroups})
    assert info.features.subgroup_ballot == (bool(operations) and "COMPUTE" in stages)


def test_no_view_is_so_large_that_cut_addresses_are_inside(tmp_path: Path) -> None:
    """An index that might wrap is limited to a place outside of every view."""
    limits = {"limits": {"maxStorageBufferRange": 2**32 - 1}}
    info = loaded(tmp_path, properties={"VkPhysicalDeviceProperties": limits})
    assert info.limits.max_storage_buffer_range == LARGEST_VIEW


@pytest.mark.parametrize(
    ("independence", "kept"),
    [
        ("ALL", {"denorm_preserve_16"}),
        ("32_BIT_ONLY", set[str]()),  # without doubles halves have to be treated alike
        ("32_BIT_ONLY and doubles", {"denorm_preserve_16", "denorm_preserve_64"}),
        ("NONE and doubles", set[str]()),
    ],
)
def test_denormals_are_kept_in_one_width_alone_where_that_is_allowed(
    tmp_path: Path, independence: str, kept: set[str]
) -> None:
    """A device refuses a module with modes that it does not allow together."""
    choice, *doubles = independence.split(" and ")
    controls = {
        "denormBehaviorIndependence": f"VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_{choice}",
        "shaderDenormFlushToZeroFloat32": True,
        "shaderDenormPreserveFloat16": True,
        "shaderDenormPreserveFloat64": bool(doubles),
    }
    info = loaded(tmp_path, properties={FLOAT_CONTROLS: controls})
    assert info.float_controls == {"denorm_flush_to_zero_32", *kept}


HALVES = (Path(__file__).parent / "data/porting.asm").read_text("utf-8")


@pytest.mark.parametrize(
    ("independence", "halves", "offered"),
    [
        ("ALL", True, True),
        ("32_BIT_ONLY", True, True),
        ("NONE", True, False),  # floats are rounded to the nearest
        ("ALL", False, False),
    ],
)
def test_halves_have_a_rounding_of_their_own_where_that_is_allowed(
    tmp_path: Path, independence: str, halves: bool, offered: bool
) -> None:
    controls = {
        "roundingModeIndependence": f"VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_{independence}",
        "shaderRoundingModeRTZFloat16": True,
        "shaderSignedZeroInfNanPreserveFloat16": True,
    }
    features = {"VkPhysicalDeviceVulkan12Features": {"shaderFloat16": halves}}
    info = loaded(tmp_path, features=features, properties={FLOAT_CONTROLS: controls})
    assert info.features.float16 == halves
    rounding = {"rounding_mode_rtz_16"} if offered else set[str]()
    assert info.float_controls == {"signed_zero_inf_nan_preserve_16", *rounding}


TO_HALVES = HALVES.replace("f16tof32", "f32tof16")
WITH_DOUBLES = TO_HALVES.replace("temps 1", "temps 2").replace(
    "f32tof16 r0.x, vThreadID.x", "ftod r1.xy, vThreadID.x\ndtof r0.x, r1.xy\nf32tof16 r0.x, r0.x"
)
KEPT = frozenset({"denorm_preserve_16", "signed_zero_inf_nan_preserve_16"})
ROUNDED = KEPT | {"rounding_mode_rtz_16"}


@pytest.mark.parametrize(
    ("listing", "controls", "declared"),
    [
        (TO_HALVES, ROUNDED, ["DenormPreserve", "RoundingModeRTZ", "SignedZeroInfNanPreserve"]),
        (TO_HALVES, KEPT, ["DenormPreserve", "SignedZeroInfNanPreserve"]),
        (HALVES, ROUNDED, ["DenormPreserve"]),
        (HALVES, frozenset[FloatControl](), []),
        # Doubles would have to be rounded so too
        (WITH_DOUBLES, ROUNDED, ["DenormPreserve", "SignedZeroInfNanPreserve"]),
        (HALVES.replace("f16tof32", "utof"), ROUNDED, []),
    ],
    ids=["all modes", "rounds either way", "from halves", "no modes", "doubles", "no halves"],
)
def test_halves_are_rounded_by_the_device_under_its_modes(
    listing: str, controls: frozenset[FloatControl], declared: list[str]
) -> None:
    """They are declared where an instruction needs them."""
    options = translate.Options(float_controls=controls)
    module = translate.to_spirv(translate.load(listing), options)
    text, by_device = module.text(), "RoundingModeRTZ" in declared
    assert re.findall(r"OpExecutionMode %main (\w+) 16", text) == declared
    assert ("OpFConvert %half" in text) == by_device
    if listing is HALVES:  # with the mode the device's conversion is enough
        assert "UnpackHalf2x16" in text
        assert ("OpSelect %" in text) == ("DenormPreserve" not in declared)
    assert ("PackHalf2x16 %" in text) == ("f32tof16" in listing and not by_device)
    assert ("float16" in module.interface.features) == by_device
    assert ("VK_KHR_shader_float16_int8" in module.interface.extensions) == by_device


@pytest.mark.parametrize(
    ("driver", "test"),
    [("VK_DRIVER_ID_MESA_LLVMPIPE", "bits"), ("VK_DRIVER_ID_MESA_RADV", "comparison"), (None, "")],
)
def test_drivers_of_cpus_test_bits(tmp_path: Path, driver: str | None, test: str) -> None:
    """A profile names the driver; another profile is taken for a GPU's."""
    named = {"driverID": driver} if driver else {}
    info = loaded(tmp_path, properties={"VkPhysicalDeviceDriverProperties": named})
    assert vkrunner.options_for(info, SAXPY).denormal_test == (test or "comparison")
    assert vkrunner.options_for(info, SAXPY, denormal_test="bits").denormal_test == "bits"


@pytest.mark.parametrize(
    "named",
    [
        {"driverID": ["VK_DRIVER_ID_MESA_RADV"]},
        {"driverName": "llvmpipe", "driverInfo": f"Mesa {'2' * 5000}.1"},
    ],
)
def test_drivers_with_odd_descriptions(tmp_path: Path, named: dict[str, Any]) -> None:
    info = loaded(tmp_path, properties={"VkPhysicalDeviceDriverProperties": named})
    assert not info.is_cpu


def test_an_open_device_says_whether_it_is_a_cpu(device: vkrunner.Device) -> None:
    is_cpu = device.info.type in ("cpu", "reference")
    assert device.info.is_cpu == is_cpu
    found = vkrunner.options_for(device, SAXPY).denormal_test
    assert found == ("bits" if is_cpu else "comparison")


def test_profiles_require_and_choose(tmp_path: Path) -> None:
    """A profile has its requirements, and what all of its alternatives have."""

    def capability(*fields: str, **properties: Any) -> dict[str, Any]:
        return {
            "features": {"VkPhysicalDeviceFeatures": dict.fromkeys(fields, True)},
            "properties": {FLOAT_CONTROLS: properties},
        }

    flush = {"shaderDenormFlushToZeroFloat32": True}
    both = {**flush, "shaderRoundingModeRTEFloat32": True}
    file = {
        "capabilities": {
            "base": capability("shaderFloat64"),
            "one": capability("shaderInt64", "shaderInt16", **flush),
            "other": capability("shaderInt16", **both),
        },
        "profiles": {
            "below": {"api-version": "1.2.198", "capabilities": ["base"]},
            "above": {"profiles": ["below"], "capabilities": [["one", "other"]]},
        },
    }
    path = write(tmp_path, file)
    info = vkrunner.load_profile(path, "above")
    assert sorted(info.features.names()) == ["float64", "int16"]
    assert info.float_controls == {"denorm_flush_to_zero_32"}
    assert vkrunner.load_profile(path, "below").features.names() == ["float64"]
    with pytest.raises(vkrunner.MissingError, match=r"2.*below, above"):
        vkrunner.load_profile(path)
    with pytest.raises(vkrunner.UnknownNameError, match=r"'x'.*below, above"):
        vkrunner.load_profile(path, "x")


def chain(length: int, times: int) -> dict[str, Any]:
    """Profiles of which each requires the next so many times."""
    rows = {f"p{n}": {"profiles": [f"p{n + 1}"] * times} for n in range(length)}
    rows[f"p{length}"] = {"capabilities": ["base"]}
    profiles = {name: {"api-version": "1.2.198", **row} for name, row in rows.items()}
    features = {"VkPhysicalDeviceFeatures": {"shaderFloat64": True}}
    return {"capabilities": {"base": {"features": features}}, "profiles": profiles}


def test_each_required_profile_is_read_once(tmp_path: Path) -> None:
    """Doubled requirements of 40 profiles in a row are 2^40 ways to the last one."""
    info = vkrunner.load_profile(write(tmp_path, chain(40, 2)), "p0")
    assert info.features.names() == ["float64"]


@pytest.mark.parametrize("kind", ["capabilities", "profiles"])
def test_the_time_of_a_profile_grows_with_its_size(tmp_path: Path, kind: str) -> None:
    """Copies of all guarantees for each capability took quadratic time."""

    def seconds(count: int) -> float:
        extensions = {f"c{n}": {"extensions": {f"e{n}": 1}} for n in range(count)}
        every = {f"p{n}": {"capabilities": [f"c{n}"]} for n in range(count)}
        names = [*extensions] if kind == "capabilities" else [*every]
        file = {"capabilities": extensions, "profiles": {"top": {kind: names}, **every}}
        path = write(tmp_path, file)
        started = time.process_time()
        assert len(vkrunner.load_profile(path, "top").extensions) == count
        return time.process_time() - started

    assert min(seconds(6000) for _ in range(3)) < 9 * min(seconds(1500) for _ in range(3))


def test_a_profile_has_few_lists_of_alternatives(tmp_path: Path) -> None:
    lists = [["base", f"c{n}"] for n in range(257)]
    capabilities: dict[str, Any] = {name: {} for names in lists for name in names}
    for names in (lists[:-1], lists):
        file = {"capabilities": capabilities, "profiles": {"top": {"capabilities": names}}}
        path = write(tmp_path, file)
        refused = pytest.raises(vkrunner.FileError, match="256 lists of alternatives")
        with refused if names is lists else nullcontext():
            vkrunner.load_profile(path, "top")


def test_profiles_do_not_nest_without_end(tmp_path: Path) -> None:
    with pytest.raises(vkrunner.FileError, match="profiles require each other, 51 in a row"):
        vkrunner.load_profile(write(tmp_path, chain(2000, 1)), "p0")


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ([], "is not a Vulkan profile"),
        ({"profiles": {}, "capabilities": {}}, "has 0 profiles.*: none"),
        ({"profiles": [], "capabilities": {}}, "profiles is not a JSON object"),
        (changed(capabilities=["x"]), "capability x is not a JSON object"),
        (changed(capabilities=["\x1b"]), r"capability \\x1b is not a JSON object"),
        (changed(profiles=["\x1b"]), r"profile \\x1b is not a JSON object"),
        (changed(capabilities="x"), "needs a list of names, not str"),
        (changed(profiles=["VP_VULKANINFO_a_card"]), "requires itself"),
        (changed(**{"api-version": "new"}), "api-version 'new'"),
    ],
)
def test_invalid_profiles(profile: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(vkrunner.ArgumentError, match=message):
        vkrunner.load_profile(write(tmp_path, profile))


def test_invalid_json_and_limits_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for data in (b"{", b"\xff", b"[" * 100_000):
        path.write_bytes(data)
        with pytest.raises(vkrunner.FileError, match="JSON"):
            vkrunner.load_profile(path)
    for limits in ({"maxComputeWorkGroupSize": 7}, {"maxPushConstantsSize": "x"}):
        with pytest.raises(vkrunner.FileError):
            loaded(tmp_path, properties={"VkPhysicalDeviceProperties": {"limits": limits}})


def test_options_are_those_of_a_kernel(device: vkrunner.Device) -> None:
    """The module is the one that the runner would dispatch, without another translation."""
    for path in (SAXPY, DYNAMIC):
        module = translate.to_spirv(translate.load(path), vkrunner.options_for(device, path))
        kernel = device.kernel(path)
        assert device.kernel(module).interface == kernel.interface
        options = vkrunner.options_for(device, path)
        assert options.float_controls == device.info.float_controls
        assert options.robust_access == device.info.features.robust_access
    with pytest.raises(vkrunner.UnknownNameError, match="'speed'"):
        vkrunner.options_for(device, SAXPY, speed=9)


@pytest.mark.parametrize("faults", [(), (IN_BRANCH,), (NON_UNIFORM,)])
def test_faults_that_are_known_by_name(faults: tuple[str, ...], tmp_path: Path) -> None:
    card = vkrunner.load_profile(write(tmp_path, CARD))
    info = dataclasses.replace(card, known_faults=faults)
    tables = {(): "none", (IN_BRANCH,): "dynamic", (NON_UNIFORM,): "none"}[faults]
    assert vkrunner.options_for(info, DYNAMIC).size_tables == tables
    assert vkrunner.options_for(info, SAXPY).size_tables == "none"
    chosen = vkrunner.options_for(info, DYNAMIC, size_tables="none", guards="off")
    assert (chosen.size_tables, chosen.guards) == ("none", "off")
    everything = {(): "none", (IN_BRANCH,): "dynamic", (NON_UNIFORM,): "non_uniform"}[faults]
    assert vkrunner.options_for(info).size_tables == everything


def test_denormals_are_flushed_or_preserved() -> None:
    flush = frozenset[FloatControl]({"denorm_flush_to_zero_32"})
    both = frozenset[FloatControl]({"denorm_flush_to_zero_32", "denorm_preserve_32"})
    one, other = (translate.Options(float_controls=controls) for controls in (flush, both))
    program = translate.load(SAXPY)
    made = [translate.to_spirv(program, options).to_bytes() for options in (one, other)]
    assert made[0] == made[1]
