"""The hosts of the documents, in C and C++: from SPIR-V and interface JSON to NumPy's results.

The programs use nothing of this package. They are compiled as their page says, with every warning
as an error, and run with the validation layer where it is installed.
"""

import hashlib
import json
import os
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.running.shaders import listing
from translate.options import FLOAT_CONTROLS
from vkrunner.__main__ import main

from ..docs.test_porting import FEATURES_HEAD, rows_below
from ..specialized import LISTING, named, showing
from .conftest import Language, check_float_mode

ROOT = Path(__file__).parents[2]
SAXPY = ROOT / "shaders/saxpy.dxbc"
Run = Callable[..., str]  # returns what a host says on standard error


@pytest.fixture(scope="session")
def host(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled host."""
    source = ROOT / f"docs/host/host{language.suffix}"
    return language.build(tmp_path_factory.mktemp("host") / "host", source)


@pytest.fixture
def run(
    host: Path, device: vkrunner.Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Translate a shader or listing on the command line and run it, in the test's folder."""
    monkeypatch.chdir(tmp_path)

    def call(shader: Path | str, groups: str, *bound: str, options: str = "") -> str:
        if isinstance(shader, str):
            Path("shader.asm").write_text(shader)
            shader = Path("shader.asm")
        words = [str(shader), "-o", "a.spv", "--interface", "a.json", *options.split()]
        assert main(["translate", *words]) == 0
        return execute(host, *groups.split(), *bound)

    return call


def execute(host: Path, *words: str) -> str:
    """Run the module of the folder; the validation layer has to be silent."""
    command = [str(host), "a.spv", "a.json", *words]
    environment = dict(os.environ)
    if os.environ.get("SM5VK_VALIDATION"):
        environment["VK_INSTANCE_LAYERS"] = "VK_LAYER_KHRONOS_validation"
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert "VUID" not in done.stdout + done.stderr
    assert done.returncode == (done.stderr != "")
    return done.stderr


def check_saxpy(run: Run, options: str) -> None:
    rng = np.random.default_rng(7)
    x, y = rng.integers(-99, 99, (2, 1000)).astype(np.float32)
    x.tofile("x")
    y.tofile("y")
    Path("p").write_bytes(np.float32(3).tobytes() + np.uint32(990).tobytes())
    assert run(SAXPY, "16 1 1", "t0=x", "u0=y:z", "cb0=p", options=options) == ""
    expected = np.where(np.arange(1000) < 990, 3 * x + y, y)
    np.testing.assert_array_equal(np.fromfile("z", "f4"), expected)


@pytest.mark.parametrize(
    "options", ["", "--bind t0=2:7 --bind u0=1:7", "--push-constants cb0=128 --layout t=1:0"]
)
def test_saxpy(run: Run, options: str) -> None:
    check_saxpy(run, options)


def test_extensions_are_enabled(run: Run, device: vkrunner.Device) -> None:
    """Extensions beyond Vulkan 1.1: the layer would report a missing one."""
    check_saxpy(run, f"--for-device {device.info.index}")
    offered = {
        "VK_KHR_shader_float_controls": device.info.float_controls,
        "VK_EXT_robustness2": device.features.robust_buffer_access2,
    }
    named = json.loads(Path("a.json").read_text())["extensions"]
    assert named == [name for name, there in offered.items() if there]


def lacking_for_desktop(device: vkrunner.Device) -> str:
    """The features and modes of desktop modules that the device lacks; empty if it has all."""
    options = vkrunner.options_for("desktop", SAXPY)
    modes = {"rounding_mode_rte_32", "signed_zero_inf_nan_preserve_32"}
    lacking = modes - device.info.float_controls
    lacking |= options.robust_access - device.features.robust_access
    return f"the device lacks {', '.join(sorted(lacking))}" if lacking else ""


def test_modules_for_desktop_gpus(run: Run, device: vkrunner.Device) -> None:
    """They run on each device with the features and modes of the profile."""
    if lacking := lacking_for_desktop(device):
        pytest.skip(lacking)
    check_saxpy(run, "--for desktop")


def test_debug_information(run: Run, device: vkrunner.Device) -> None:
    """It needs an extension that is part of Vulkan 1.3."""
    if device.info.api_version < "1.3":
        pytest.skip("the device has no Vulkan 1.3")
    check_saxpy(run, "--debug-info --target vulkan1.3")
    interface = json.loads(Path("a.json").read_text())
    assert "non_semantic_info" in interface["features"]
    assert interface["extensions"] == []


def test_counters(run: Run) -> None:
    points = np.array([[0, 0], [9, 9], [1, -1], [2, 1]], np.float32)
    points.tofile("points")
    Path("p").write_bytes(np.float32([0, 0, 2]).tobytes() + np.uint32(4).tobytes())
    bound = ("cb0=p", "t0=points", "u0=48:kept", "u1=4", "u0.counter=4:n", "u1.counter=4:m")
    assert run(ROOT / "shaders/compact.dxbc", "1 1 1", *bound) == ""
    assert np.fromfile("n", "u4") == 2
    assert np.fromfile("m", "u4") == 2
    kept = np.fromfile("kept", [("position", "f4", 2), ("index", "u4")])[:2]
    assert sorted(kept["index"]) == [0, 2]
    np.testing.assert_array_equal(kept["position"], points[kept["index"]])


def test_sha256(run: Run) -> None:
    messages = np.random.default_rng(1).integers(0, 256, (3, 100), np.uint8)
    messages.tofile("messages")
    np.array([3, 99, 25], np.uint32).tofile("p")
    shader = ROOT / "shaders/sha256.dxbc"
    assert run(shader, "1 1 1", "cb0=p", "t0=messages", "u0=96:digests") == ""
    digests = [hashlib.sha256(row[:99].tobytes()).digest() for row in messages]
    assert Path("digests").read_bytes() == b"".join(digests)


TYPED = listing((Path(__file__).parent / "data/host_typed.asm").read_text("utf-8"))


@pytest.mark.parametrize("options", ["", "--specialize"])
def test_typed_buffers_and_accesses_outside(run: Run, options: str) -> None:
    """The bounds are those of the bound buffers: loads give 0, stores are dropped."""
    np.array([-7, 8, 9], np.int32).tofile("in")
    formats = f"--format t0=r32_sint --format u0=r32_uint {options}"
    assert run(TYPED, "2 1 1", "t0=in", "u0=20:out", options=formats) == ""
    np.testing.assert_array_equal(np.fromfile("out", "u4"), np.int32([-2, 13, 14, 5, 5]).view("u4"))


def test_specialization_constants(
    host: Path, device: vkrunner.Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host sets those of the robust accesses that the device offers; a CPU's none of images."""
    monkeypatch.chdir(tmp_path)
    options = translate.Options(specialize=True)
    module = showing(translate.to_spirv(translate.load(LISTING), options))
    Path("a.spv").write_bytes(module.to_bytes())
    Path("a.json").write_text(module.interface.to_json())
    textures = "t0@1x1x1=16", "t1@1x1x6=96", "u1@1x1=16", "s0=point,clamp"
    assert execute(host, "1", "1", "1", "u0=16:out", *textures) == ""
    expected = {*device.features.robust_access}
    if device.info.is_cpu:
        expected.discard("robust_image_access")
    assert named(int(np.fromfile("out", "u4")[0])) == expected


def test_features_are_enabled(run: Run, device: vkrunner.Device) -> None:
    pairs = np.random.default_rng(3).normal(size=(32, 2))
    pairs.tofile("pairs")
    shader = ROOT / "tests/corpus/cs_5_0/double_precision.dxbc"
    said = run(shader, "1 1 1", "t0=pairs", "u0=256:out")
    if not device.features.float64:
        assert said == "host: the device lacks the feature: float64\n"
        return
    assert said == ""
    x, y = pairs.T
    r = np.where(x > y, x * y + x, -(x * y + x) + y.astype(np.float32))
    expected = np.minimum(r, 1e10) + np.maximum(x, y)
    np.testing.assert_allclose(np.fromfile("out"), expected, rtol=1e-12)


LOADING = listing("""
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
ld_uav_typed_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(0, 0, 0, 0), u0.xyzw
iadd r0.xyzw, r0.xyzw, r0.xyzw
store_uav_typed u0.xyzw, l(0, 0, 0, 0), r0.xyzw
""")


def test_a_feature_that_is_missing(run: Run, device: vkrunner.Device) -> None:
    if device.features.storage_image_read_without_format:
        pytest.skip("the device has storage_image_read_without_format")
    said = run(LOADING, "1 1 1", "u0=16")
    assert said == "host: the device lacks the feature: storage_image_read_without_format\n"


@pytest.fixture
def run_changed(run: Run, host: Path) -> Run:
    """Run a shader with an interface whose fields are changed."""

    def call(**fields: Any) -> str:
        assert run(COUNTED, "1 1 1", "u0=4") == ""
        interface = json.loads(Path("a.json").read_text())
        Path("a.json").write_text(json.dumps({**interface, **fields}))
        return execute(host, "1", "1", "1", "u0=4")

    return call


@pytest.mark.parametrize("mode", FLOAT_CONTROLS)
def test_every_float_mode(run_changed: Run, device: vkrunner.Device, mode: str) -> None:
    """The host knows its name, and refuses the interface if the device lacks it."""
    check_float_mode(device, mode, run_changed(float_controls=[mode]))


# Features -> the version or extension that added them
FEATURES = {name: since.split(",")[0] for name, _, _, since in rows_below(FEATURES_HEAD)}
del FEATURES["non_semantic_info"]  # no more than an extension


@pytest.mark.parametrize("feature", sorted(FEATURES))
def test_every_feature(run_changed: Run, device: vkrunner.Device, feature: str) -> None:
    """The host enables it, or says that the device lacks it; the runner hides some with faults."""
    extensions = [FEATURES[feature]] if FEATURES[feature].startswith("VK_") else []
    said = run_changed(features=["robust_buffer_access", feature], extensions=extensions)
    if getattr(device.features, feature):
        assert said == ""
    else:
        assert said in ("", f"host: the device lacks the feature: {feature}\n")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"features": ["float128"]}, "this host does not enable the feature: float128"),
        (
            {"extensions": ["VK_KHR_shader_float_controls", "VK_EXT_missing"]},
            "the device lacks the extension: VK_EXT_missing",
        ),
    ],
)
def test_a_name_that_is_unknown(run_changed: Run, changed: dict[str, Any], message: str) -> None:
    assert run_changed(**changed) == f"host: {message}\n"


def test_an_interface_of_another_module(run_changed: Run) -> None:
    assert run_changed() == ""
    code = Path("a.spv").read_bytes()
    assert run_changed(spirv_crc32=zlib.crc32(code)) == ""
    said = run_changed(spirv_crc32=zlib.crc32(code[:-4]))
    assert said == "host: a.json is not the interface of a.spv\n"


def test_a_pipeline_that_the_driver_refuses(
    run_changed: Run, device: vkrunner.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "llvmpipe" not in device.info.name:
        pytest.skip("only lavapipe is known to refuse a missing entry point")
    monkeypatch.delenv("SM5VK_VALIDATION", raising=False)
    assert "a.spv" in run_changed(entry_point="missing")


def test_help(host: Path) -> None:
    done = subprocess.run([host, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    for word in ("threads=SIZE", "indirect FILE", "REGISTER@SIZE", "linear", "equal", "messages"):
        assert word in done.stdout
    failed = subprocess.run([host, "a.spv"], capture_output=True, text=True, timeout=60)
    assert (failed.returncode, failed.stderr) == (1, done.stdout)


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ("t0=4 u0=4", "nothing is bound to: cb0"),
        ("t1=4", "the shader has no register: t1"),
        ("t0=missing", "cannot be read: missing"),
        ("t0", "not REGISTER=IN[:OUT]: t0"),
        ("t0=0", "is empty: t0"),
        ("t0=", "is empty: t0"),
        ("t0=-4", "cannot be read: -4"),
        ("t0=4294967296", "no whole number up to 4294967295: 4294967296"),
        ("t0=18446744073709551620", "no whole number up to 4294967295: 18446744073709551620"),
        ("t0=6", "a size of 6 bytes is no multiple of the stride, 4: t0"),
        ("u0=x", "a size of 3 bytes is no multiple of the stride, 4: u0"),
    ],
)
def test_wrong_usage(run: Run, bound: str, message: str) -> None:
    Path("x").write_bytes(bytes(3))
    assert run(SAXPY, "1 1 1", *bound.split()) == f"host: {message}\n"


IMAGES = Path(__file__).parent / "data/images.asm"


def test_textures_and_samplers(run: Run, device: vkrunner.Device) -> None:
    """A sampled image, a compared one, layers, and UAVs of two dimensions."""
    if not device.features.storage_image_write_without_format:
        pytest.skip("the device lacks storage_image_write_without_format")
    rng = np.random.default_rng(5)
    image = rng.integers(0, 99, (2, 4, 4)).astype(np.float32)
    layers = rng.integers(0, 99, (3, 2, 4, 4)).astype(np.uint32)
    depth = rng.choice(np.float32([0.25, 0.75]), (2, 4))
    for name, array in (("image", image), ("layers", layers), ("depth", depth)):
        array.tofile(name)
    said = run(
        IMAGES,
        "1 1 3",
        *("t0@4x2=image", "t1@4x2x3=layers", "t2@4x2=depth"),
        *("u0@4x2=128:out", "u1@4x2x3=96:sums", "s0=point,wrap", "s1=point,clamp,less"),
        options="--format u0=r32g32b32a32_float --format u1=r32_uint",
    )
    assert said == ""
    expected = image.copy()
    expected[..., 3] = depth > 0.5  # 0.5 is less than it
    np.testing.assert_array_equal(np.fromfile("out", "f4").reshape(2, 4, 4), expected)
    sums = np.fromfile("sums", "u4").reshape(3, 2, 4)
    np.testing.assert_array_equal(sums, layers[..., 0] + 7)


def test_linear_filtering(run: Run, device: vkrunner.Device) -> None:
    """Between four texels the result is their mean; past the edge it is the last texel."""
    np.float32([1, 3, 5, 7]).repeat(4).tofile("image")
    for word, expected in (("linear", 4.0), ("point", 7.0)):
        assert run(SAMPLED, "1 1 1", "t0@2x2=image", f"s0={word}", "u0=4:out") == ""
        assert np.fromfile("out", "f4") == expected


SAMPLED = listing("""
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_raw u0
sample_l_indexable(texture2d)(float,float,float,float) r0.x, l(0.5, 0.5, 0, 0), t0.xyzw, s0, l(0)
store_raw u0.x, l(0), r0.x
""")


def test_an_indirect_dispatch(run: Run) -> None:
    """The numbers of groups are the second, third and fourth word of a file."""
    np.uint32([9, 3, 1, 1]).tofile("groups")
    assert run(COUNTED, "indirect groups 4", "u0=4:out") == ""
    assert np.fromfile("out", "u4") == 3


COUNTED = listing("""
dcl_uav_raw u0
atomic_iadd u0, l(0), l(1)
""")


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        *(("threads=9x3x2", 12), ("threads=1000", 250), ("threads=4x2", 1)),
        *(("threads=262140", 65535), ("threads=0", 0), ("1 65535 1", 65535)),
    ],
)
def test_numbers_of_threads_and_groups(run: Run, words: str, groups: int) -> None:
    """Whole groups run, as many as D3D allows, of 4 x 2 x 1 threads; each counts itself."""
    assert run(COUNTED.replace("1, 1, 1", "4, 2, 1"), words, "u0=4:out") == ""
    assert np.fromfile("out", "u4") == 8 * groups


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("threads=262141", "more than 65535 groups: threads=262141"),
        ("threads=1x131071", "more than 65535 groups: threads=1x131071"),
        ("threads=1x2x3x4", "more than three sides: threads=1x2x3x4"),
        ("threads=4x-1", "no whole number up to 4294967295: -1"),
        ("threads=4,1", "no whole number up to 4294967295: 4,1"),
        ("threads=", "no whole number up to 4294967295"),
        ("16,1,1 1 1", "no whole number up to 65535: 16,1,1"),
        ("16x1x1 1 1", "no whole number up to 65535: 16x1x1"),
        ("1 -1 1", "no whole number up to 65535: -1"),
        ("1 +1 1", "no whole number up to 65535: +1"),
        ("1 65536 1", "no whole number up to 65535: 65536"),
        ("1 1 1.0", "no whole number up to 65535: 1.0"),
        ("1 1 4294967297", "no whole number up to 65535: 4294967297"),
        ("indirect groups 8", "no groups are there: 8"),
        ("indirect groups 2", "no groups are there: 2"),
        ("indirect groups 4x", "no whole number up to 4294967295: 4x"),
        ("indirect groups -4", "no whole number up to 4294967295: -4"),
        ("indirect groups 0x4", "no whole number up to 4294967295: 0x4"),
        (f"indirect groups {2**64 - 8}", f"no whole number up to 4294967295: {2**64 - 8}"),
    ],
)
def test_threads_and_groups_that_cannot_run(run: Run, words: str, message: str) -> None:
    np.uint32([9, 3, 1, 1]).tofile("groups")
    said = run(COUNTED.replace("1, 1, 1", "4, 2, 1"), words, "u0=4:out")
    assert said == f"host: {message}\n"
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ("t0=64", "is a texture, REGISTER@WIDTHxHEIGHT: t0"),
        (
            "t0@2x2=60",
            "the file has 60 bytes, a texture of this size and format 64"
            " (sm5vk translate --format sets the format): t0",
        ),
        ("t0@2x2x2=128", "has another number of sides than its texture: t0"),
        ("t0@2=32", "has another number of sides than its texture: t0"),
        ("t0@2x2x2x2=256", "has another number of sides than its texture: t0"),
        ("t0@2x2,=64", "no whole number up to 16384: 2,"),
        ("t0@2x-2=64", "no whole number up to 16384: -2"),
        ("t0@16385x1=262160", "no whole number up to 16384: 16385"),
        ("t0@2x=64", "no whole number up to 16384"),
        ("u0@2=4", "is no texture: u0"),
        ("s0=soft", "is no word of a sampler: soft"),
        ("s0=less", "no comparison is for: s0"),
        ("t0@2x2=64 u0=4", "nothing is bound to: s0"),
    ],
)
def test_wrong_usage_of_textures(run: Run, bound: str, message: str) -> None:
    assert run(SAMPLED, "1 1 1", *bound.split()) == f"host: {message}\n"


SAYING = listing((Path(__file__).parent / "data/host_saying.asm").read_text("utf-8"))


def test_messages(run: Run) -> None:
    """The buffer as docs/messages.md describes it: 8 words, and here records of 6."""
    room = 4 * (8 + 3 * 6)
    assert run(SAYING, "1 1 1", "u0=4", f"messages={room}:said") == ""
    words = np.fromfile("said", "u4")
    assert words[:6].tolist() == [4, 1, 1, 2, 0, 0]  # one of four has no room; thread 2 aborted
    records = words[8:].reshape(3, 6).tolist()
    half = int(np.float32(0.5).view("u4"))
    assert len({thread for _, thread, *_ in records}) == 3
    assert all(record == [0, record[1], 0, 0, record[1], half] for record in records)
    sites = json.loads(Path("a.json").read_text())["messages"]
    assert [(site["name"], site["widths"]) for site in sites] == [("printf", [1, 1]), ("abort", [])]
