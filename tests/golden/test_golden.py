"""Small listings, each with one idea, with their IR and SPIR-V, for review.

Other tests run the code; these files show the effect of a change to the passes or the emitter.
`--update` rewrites them.
"""

import difflib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

import translate
from translate.ir.printer import print_module
from translate.lower import lower_program
from translate.passes.pipeline import passes
from vkrunner.values.formats import format_of_name, plain_twin

SHADERS = Path(__file__).parent / "shaders"
OPTIONS = translate.Options()


def ir_text(program: translate.Program) -> str:
    """The IR that is emitted: promoted, guarded, optimised."""
    module = lower_program(program)
    for one in passes(OPTIONS):
        one.run(module)
    return print_module(module)


def spirv_text(program: translate.Program) -> str:
    return translate.to_spirv(program, OPTIONS).text()


MAKERS: dict[str, Callable[[translate.Program], str]] = {".ir": ir_text, ".spvasm": spirv_text}


@pytest.mark.parametrize("form", MAKERS)
@pytest.mark.parametrize("stem", sorted(path.stem for path in SHADERS.glob("*.asm")))
def test_golden(stem: str, form: str, update: bool) -> None:
    path = SHADERS / f"{stem}{form}"
    found = MAKERS[form](translate.load((SHADERS / f"{stem}.asm").read_text()))
    if update:
        path.write_text(found)
        return
    expected = path.read_text() if path.exists() else ""
    difference = difflib.unified_diff(
        expected.splitlines(keepends=True), found.splitlines(keepends=True), path.name, "now"
    )
    text = "".join(difference)
    assert not text, f"\n{text}(pytest tests/golden --update rewrites the file)"


def test_every_golden_file_has_its_listing() -> None:
    """A file without a listing is left over."""
    listings = {path.stem for path in SHADERS.glob("*.asm")}
    assert len(listings) >= 10
    assert {path.stem for path in SHADERS.iterdir()} == listings
    assert {path.suffix for path in SHADERS.iterdir()} == {".asm", *MAKERS}


# The stored kernels of the Vulkan backend are the ones that their texts assemble to

FOLDER = Path(__file__).parents[2] / "vkrunner" / "vulkan" / "encode"
FLOAT = "     %scalar = OpTypeFloat 32\n"
# Kind of texels -> the line in place of FLOAT, and the type's name
SCALARS = {
    "float": (FLOAT, "%scalar"),
    "sint": ("     %scalar = OpTypeInt 32 1\n", "%scalar"),
    "uint": ("", "%uint"),  # which the text has already
}


def assembled(component: str, folder: Path) -> bytes:
    program = shutil.which("spirv-as", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("no spirv-as in this environment")
    line, name = SCALARS[component]
    text = (FOLDER / "write_samples.spvasm").read_text()
    assert FLOAT in text
    source, made = folder / "a.spvasm", folder / "a.spv"
    source.write_text(text.replace(FLOAT, line).replace("%scalar", name))
    subprocess.run([program, "--target-env", "spv1.3", "-o", made, source], check=True)
    return made.read_bytes()


@pytest.mark.parametrize("component", SCALARS)
def test_a_stored_kernel(component: str, tmp_path: Path, update: bool) -> None:
    path, found = FOLDER / f"write_samples_{component}.spv", assembled(component, tmp_path)
    if update:
        path.write_bytes(found)
        return
    assert path.read_bytes() == found, "pytest tests/golden --update assembles it again"


def test_every_format_has_its_kernel() -> None:
    formats = (plain_twin(format_of_name(name)) for name in get_args(translate.FormatName))
    assert {format.component for format in formats} == set(SCALARS)
    assert {path.stem for path in FOLDER.glob("*.spv")} == {f"write_samples_{c}" for c in SCALARS}
