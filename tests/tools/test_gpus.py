"""GPUs' compilers take modules with any declarations; a module that ends its process is named."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import translate
import vkrunner
from tools.gpus import compilers
from tools.gpus.__main__ import main
from tools.gpus.declared import declared_by
from tools.gpus.first_dispatch import first_dispatches
from tools.gpus.modules import BY_DEVICE, BY_MODULE, CHECKS, FORMS, ours
from tools.gpus.process import DriverProcess, Refused

from . import required

ROOT = Path(__file__).parents[2]
CORPUS = sorted((ROOT / "tests" / "corpus").glob("cs_5_[01]/*.dxbc"))
GPU = "NAVI21"
KERNEL = ROOT / "tools" / "benchmarks" / "kernels" / "sha256.dxbc"


@pytest.fixture(scope="module")
def compiler() -> Iterator[DriverProcess]:
    with required():
        made = compilers.compiler_for(GPU)
    with made:
        yield made


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_declarations_are_those_of_the_interface(path: Path) -> None:
    module = translate.to_spirv(translate.load(path), translate.Options())
    declared = declared_by(module.words)
    assert declared.name == module.interface.entry_point
    assert bool(declared.push_bytes) == bool(module.interface.windows)
    found = {(slot.set, slot.binding): (slot.kind, slot.count) for slot in declared.slots}
    expected = {(b.set, b.binding): (b.descriptor_type.upper(), b.count) for b in module.interface}
    assert found == expected


def test_declarations_of_a_range() -> None:
    text = (Path(__file__).parent / "data/gpus.asm").read_text("utf-8")
    bindings = {"t0_space2": (2, 7), "u0": (1, 3)}
    module = translate.to_spirv(translate.load(text), translate.Options(bindings=bindings))
    found = {(s.set, s.binding, s.kind, s.count) for s in declared_by(module.words).slots}
    assert found == {(2, 7, "SAMPLED_IMAGE", 5), (1, 3, "STORAGE_BUFFER", 1)}


@pytest.mark.parametrize("gpu", compilers.ONE_OF_EACH)
def test_every_maker(gpu: str) -> None:
    """SHA-256 has loads and stores that cannot be proved to be within bounds, and no floats."""
    with required():
        made, with_nulls = compilers.compiler_for(gpu), compilers.compiler_for(gpu, nulls=True)
    with made, with_nulls:
        modules = ours(KERNEL, made.info, (*FORMS, *CHECKS))
        found = made.measure_all("sha256", modules)
        nulls = with_nulls.measure_all("sha256", {BY_MODULE: modules[BY_MODULE]})
        where = made.info.buffer_checks
    assert found.keys() == {*FORMS, *CHECKS}
    assert {tuple(one) for one in found.values()} == {(*compilers.FIGURES, compilers.COMPILER_MS)}
    assert all(
        one[name] > 0
        for one in found.values()
        for name in compilers.FIGURES
        if name != compilers.SPILLS
    )
    count = {form: one[compilers.INSTRUCTIONS] for form, one in found.items()}
    assert count["portable"] > count["off"] > 100  # a loop of 16 rounds, of which each has a dozen
    assert count["d3d"] == count["exact"] >= count["off"] == count["off, device"]
    assert where == ("code" if gpu in ("GA102", "M1") else "hardware")
    assert count["d3d"] == count[BY_MODULE if where == "code" else BY_DEVICE]
    assert (count[BY_MODULE] < count[BY_DEVICE]) == (gpu == "M1")  # GA102: in most other programs
    assert (nulls[BY_MODULE][compilers.INSTRUCTIONS] > count[BY_MODULE]) == (gpu == "GA102")


def test_a_device_that_cuts_halves_needs_no_code_for_it(compiler: DriverProcess) -> None:
    """The blur packs four halves at its end; a conversion of our own has ten instructions more, a
    correction of the device's four."""
    program = translate.load(KERNEL.with_name("blur_halves.dxbc"))
    modes = compiler.info.float_controls
    counts: list[int] = []
    nearest = modes - {"rounding_mode_rtz_16"}
    for controls in (modes, nearest, nearest - {"denorm_preserve_16"}):
        options = vkrunner.options_for(compiler.info, program, float_controls=controls)
        words = translate.to_spirv(program, options).words
        counts.append(compiler.measure(words)[compilers.INSTRUCTIONS])
    assert counts[0] < counts[1] <= counts[0] + 4 * 4
    assert counts[0] + 4 * 9 <= counts[2]


def test_a_module_that_ends_the_process_is_named(compiler: DriverProcess) -> None:
    words = translate.to_spirv(translate.load(KERNEL), translate.Options()).words
    broken = np.append(words[:5], np.uint32(0))
    with pytest.raises(Refused, match="ended the process, exit code 1: ValueError: no SPIR-V"):
        compiler.measure(broken)
    assert compiler.measure(words)[compilers.BYTES] > 0


def test_null_hardware_refuses_to_run(compiler: DriverProcess) -> None:
    """A dispatch there is an error and no crash, because it has no fences."""
    program = """
import sys
import numpy as np
import vkrunner
with vkrunner.open_device(0) as device:
    kernel = device.kernel(sys.argv[1])
    try:
        kernel.dispatch(1, t0=np.ones(4, np.float32), u0=np.ones(4, np.float32), cb0=bytes(16))
    except vkrunner.VulkanError as error:
        print(error)
"""
    command = [sys.executable, "-c", program, str(KERNEL.with_name("saxpy.dxbc"))]
    variables = {**os.environ, "RADV_FORCE_FAMILY": GPU, **compilers.driver_variables("radeon")}
    ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if "RADV_FORCE_FAMILY=<family> has been removed" in ran.stderr:
        pytest.skip("RADV of Mesa 26 has no null hardware")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "vkCreateFence failed: VK_ERROR_INVALID_EXTERNAL_HANDLE\n"


def test_every_shader_compiles(compiler: DriverProcess, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--gpu", GPU, "--only", "benchmarks/kernels"]) == 0
    out, err = capsys.readouterr()
    count = len(list(KERNEL.parent.glob("*.dxbc")))
    assert out.endswith(f"\n  {count} compiled, 0 failed, 0 refused, 0 for other GPUs\n")
    assert main(["--gpu", GPU, "--guards", "report", "--only", "kernels/sha256"]) == 0
    out, more = capsys.readouterr()
    assert out.endswith("\n  1 compiled, 0 failed, 0 refused, 0 for other GPUs\n")
    assert err + more == ""


def test_a_family_that_mesa_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--gpu", "NAVI99"]) == 3
    assert "NAVI99: not compiled for: " in capsys.readouterr().err


@pytest.mark.slow(reason="a process compiles many shaders")
def test_lavapipe_compiles_shaders_of_every_resource() -> None:
    """The made-up resources suit every declaration; Refused where one does not."""
    with required():
        driver = DriverProcess(compilers.driver_variables("lvp"), first_dispatches)
    with driver:
        for path in (*CORPUS, *sorted(ROOT.glob("tests/textures/data/*.dxbc"))):
            (module,) = ours(path, driver.info, ["portable"]).values()
            assert driver.measure(module.words)["dispatch"] > 0
