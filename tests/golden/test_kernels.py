"""The stored kernels of the Vulkan backend are the ones that their texts assemble to.

`--update` assembles them again.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import translate
from vkrunner.values.formats import format_of_name, plain_twin

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
