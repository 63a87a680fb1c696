"""The files that the frame's ports read: modules with their interfaces, and inputs.

    python -m tests.frame.prepare KERNELS INPUTS [OPTION...]

The options are those of `sm5vk translate`, such as `--for desktop`.
"""

import sys
from dataclasses import fields
from pathlib import Path

from vkrunner.__main__ import main

from .inputs import make_inputs
from .program import SHADERS

# The formats of the views that shaders write
FORMATS = {
    "light_culling": ("u0=r32_uint", "u1=r32_uint"),
    "tone_mapping_make_curve": ("u1=r32_float",),
    "tone_mapping_apply": ("u2=r8g8b8a8_unorm",),
    "particles_size_dispatch": ("u2=r32_uint",),
    "fft": ("u0=r32g32_float",),
}


def translate_kernels(folder: Path, *options: str) -> int:
    """Write NAME.spv and NAME.json of each kernel; returns the exit code of `sm5vk translate`."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(SHADERS.glob("*.dxbc")):
        words = ["-o", f"{folder / path.stem}.spv", "--interface", f"{folder / path.stem}.json"]
        for format in FORMATS.get(path.stem, ()):
            words += ["--format", format]
        code = main(["translate", str(path), *words, *options])
        if code:
            return code
    return 0


def write_inputs(folder: Path) -> None:
    """Write the bytes of each array to a file of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    made = make_inputs()
    for field in fields(made):
        getattr(made, field.name).tofile(folder / field.name)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    write_inputs(Path(sys.argv[2]))
    sys.exit(translate_kernels(Path(sys.argv[1]), *sys.argv[3:]))
