"""The modules to compile: a shader translated by us, and by other tools, which check no bounds."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import translate
import vkrunner
from translate import SpirvModule
from translate.options import EXACT_FUNCTIONS, EXACT_SAMPLES, ROBUST_ACCESS
from vkrunner import DeviceInfo

GLSL, VKD3D, DXBC_SPIRV = "GLSL", "vkd3d", "dxbc-spirv"
PEERS = GLSL, VKD3D, DXBC_SPIRV
SET = "specialize, set"  # with specialization constants
FORMS: Mapping[str, Mapping[str, Any] | None] = {  # options that the device does not give
    **{"portable": None, "specialize, unset": None, SET: None},  # without the device's options
    "desktop": {},
    "d3d": {},
    "exact": {"exact_samples": EXACT_SAMPLES, "exact_functions": EXACT_FUNCTIONS},
    "off": {"guards": "off"},
    "off, device": {"guards": "off", "denormals": "device", "sampling": "device"},
}
BY_DEVICE, BY_MODULE = "d3d, device checks", "d3d, module checks"
CHECKS: Mapping[str, Mapping[str, Any] | None] = {  # of buffers
    BY_DEVICE: {"robust_access": ROBUST_ACCESS},
    BY_MODULE: {"robust_access": ("robust_image_access",)},
}
_COMMANDS = {
    VKD3D: ("vkd3d-compiler", ["-x", "dxbc-tpf", "-b", "spirv-binary", "-o", "{out}", "{in}"]),
    DXBC_SPIRV: ("dxbc_compiler", ["--no-debug", "--spv", "{out}", "{in}"]),
    GLSL: ("glslangValidator", ["-V", "--target-env", "vulkan1.1", "{in}", "-o", "{out}"]),
}
_VARIABLES = {DXBC_SPIRV: "SM5VK_DXBC_SPIRV"}  # variables that may name a peer's command
_TIMEOUT_S = 60
_HEADER_WORDS = 5
_TRUE, _FALSE = 48, 49  # OpSpecConstantTrue, OpSpecConstantFalse
_DECORATE, _SPEC_ID = 71, 1
Words = Any  # an array of uint32


def command_of(peer: str) -> str | None:
    """Path of a peer's command, by its variable or on PATH; None where it is not installed."""
    named = os.environ.get(_VARIABLES.get(peer, ""))
    return shutil.which(named or _COMMANDS[peer][0])


def missing_peers(peers: Sequence[str] = PEERS) -> list[str]:
    """What to install, for each of these peers that is missing."""
    return [
        f"{peer}: no {_COMMANDS[peer][0]} on PATH"
        + (f", and {_VARIABLES[peer]} does not name one" if peer in _VARIABLES else "")
        for peer in peers
        if command_of(peer) is None
    ]


def ours(path: Path, info: DeviceInfo, forms: Iterable[str] = FORMS) -> dict[str, SpirvModule]:
    """A shader in these forms, for a device whose trials of robust accesses succeed.

    Sample operands and functions are the module's, but in the form for devices whose trials with
    them succeed.
    """
    program = translate.load(path)
    modules = {form: translate.to_spirv(program, _options(form, program, info)) for form in forms}
    return {
        form: _with_constants(module, info) if form == SET else module
        for form, module in modules.items()
    }


def _options(form: str, program: translate.Program, info: DeviceInfo) -> translate.Options:
    chosen = {**FORMS, **CHECKS}[form]
    if chosen is None:
        return translate.Options(specialize=form != "portable")
    if form == "desktop":
        return vkrunner.options_for("desktop", program)
    return vkrunner.options_for(info, program, **{"robust_access": info.robust_access, **chosen})


def _with_constants(module: SpirvModule, info: DeviceInfo) -> SpirvModule:
    """A module with all specialization constants set, but for robust accesses that modules do not
    rely on. It relies on the others."""
    interface, words, at = module.interface, module.words.copy(), _HEADER_WORDS
    unset = {*ROBUST_ACCESS} - info.robust_access
    ids = {one.id: one.name for one in interface.specialization if one.name not in unset}
    constants = set[int]()
    while at < len(words):
        count, op = int(words[at]) >> 16, int(words[at]) & 0xFFFF
        if op == _DECORATE and words[at + 2] == _SPEC_ID and int(words[at + 3]) in ids:
            constants.add(int(words[at + 1]))
        if op == _FALSE and int(words[at + 2]) in constants:  # decorations come first
            words[at] = count << 16 | _TRUE
        at += count
    features = (*interface.features, *info.robust_access.intersection(ids.values()))
    interface = replace(interface, features=features)
    return replace(module, data=words.tobytes(), interface=interface)


def of_peers(path: Path) -> dict[str, tuple[Words]]:
    """The words of the installed peers' modules, without those that refuse the shader.

    `path` is a container or a listing. GLSL is the same kernel written by hand, which is beside it.
    """
    made = {peer: of_peer(peer, path) for peer in PEERS}
    return {peer: (words,) for peer, words in made.items() if words is not None}


@functools.cache
def of_peer(peer: str, path: Path) -> Words | None:
    """A peer's module of a shader; None where it is not installed, or refuses the shader."""
    with TemporaryDirectory() as folder:
        source = path.with_suffix(".comp")
        if peer != GLSL:
            source = Path(folder, "in.dxbc")
            source.write_bytes(_container(path))
        return _run(peer, source, folder) if source.exists() else None


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
