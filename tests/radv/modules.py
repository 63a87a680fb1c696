"""The modules to compile: a shader translated by us, and by other tools, which check no bounds."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import translate
import vkrunner
from vkrunner import DeviceInfo

GLSL, VKD3D, DXBC_SPIRV = "GLSL", "vkd3d", "dxbc-spirv"
PEERS = GLSL, VKD3D, DXBC_SPIRV
FORMS: Mapping[str, Mapping[str, Any] | None] = {  # options that the device does not give
    "portable": None,  # without the device's options
    "desktop": {},
    "d3d": {},
    "off": {"guards": "off"},
    "off, device": {"guards": "off", "denormals": "device", "sampling": "device"},
}
_COMMANDS = {
    VKD3D: ("vkd3d-compiler", ["-x", "dxbc-tpf", "-b", "spirv-binary", "-o", "{out}", "{in}"]),
    DXBC_SPIRV: ("dxbc_compiler", ["--no-debug", "--spv", "{out}", "{in}"]),
    GLSL: ("glslangValidator", ["-V", "--target-env", "vulkan1.1", "{in}", "-o", "{out}"]),
}
_VARIABLES = {DXBC_SPIRV: "SM5VK_DXBC_SPIRV"}  # variables that may name a peer's command
_TIMEOUT_S = 60
Words = Any  # an array of uint32


def command_of(peer: str) -> str | None:
    """Path of a peer's command, by its variable or on PATH; None where it is not installed."""
    named = os.environ.get(_VARIABLES.get(peer, ""))
    return shutil.which(named or _COMMANDS[peer][0])


def missing_peers() -> list[str]:
    """What to install, for each peer that is missing."""
    return [
        f"{peer}: no {_COMMANDS[peer][0]} on PATH"
        + (f", and {_VARIABLES[peer]} does not name one" if peer in _VARIABLES else "")
        for peer in PEERS
        if command_of(peer) is None
    ]


def ours(path: Path, info: DeviceInfo) -> dict[str, Words]:
    """A shader in every form.

    A device that runs nothing is taken for one whose trials of robust accesses succeed, and the
    tests of sample operands for needed.
    """
    program = translate.load(path)
    made: dict[str, Words] = {}
    for form, chosen in FORMS.items():
        options = translate.Options()
        if form == "desktop":
            options = vkrunner.options_for("desktop", program)
        elif chosen is not None:
            options = vkrunner.options_for(
                info, program, **{"robust_access": info.features.robust_access, **chosen}
            )
        made[form] = translate.to_spirv(program, options).words
    return made


@functools.cache
def of_peers(path: Path, glsl: Path | None = None) -> Mapping[str, Words]:
    """The modules of the installed peers, without those that refuse the shader.

    `path` is a container or a listing, `glsl` the same kernel written by hand.
    """
    with TemporaryDirectory() as folder:
        container = Path(folder, "in.dxbc")
        container.write_bytes(_container(path))
        sources = {VKD3D: container, DXBC_SPIRV: container, GLSL: glsl}
        made = {peer: _run(peer, source, folder) for peer, source in sources.items() if source}
    return {peer: words for peer, words in made.items() if words is not None}


def _container(path: Path) -> bytes:
    data = path.read_bytes()
    return data if data[:4] == b"DXBC" else translate.assemble(data.decode())


def _run(peer: str, source: Path, folder: str) -> Words | None:
    program = command_of(peer)
    if program is None:
        return None
    written = Path(folder, f"{peer}.spv")
    places = {"{in}": str(source), "{out}": str(written)}
    command = [program, *(places.get(word, word) for word in _COMMANDS[peer][1])]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_TIMEOUT_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return np.fromfile(written, np.uint32) if written.exists() else None
