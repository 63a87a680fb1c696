"""The size of modules in words of SPIR-V, compared with vkd3d-compiler.

A factor is how many times as many words the peer needs. Its shaders flush no denormals and check no
bounds; `device` are ours without the flushes and the checks of sample operands.
"""

from __future__ import annotations

import statistics
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import translate

from .figures import Row, has
from .shaders import Shaders

TITLE = "words of SPIR-V"
_PEER = "vkd3d-compiler"
_OPTIONS = {
    "d3d": translate.Options(),
    "off": translate.Options(guards="off"),
    "off, device": translate.Options(guards="off", denormals="device", sampling="device"),
}


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """A row for every shader, or for some; the last one has the medians."""
    rows = [_row(path) for path in shaders.some(min(1.0, 8 * scale))]
    refused = sum(_PEER not in row.figures for row in rows)
    columns = [f"factor, {name}" for name in _OPTIONS]
    medians: dict[str, float] = {}
    for column in columns:
        found = [row.figures[column] for row in rows if column in row.figures]
        if found:
            medians[column] = statistics.median(found)
    return [*rows, Row(f"median ({refused} without a peer)", medians)]


def _row(path: Path) -> Row:
    program = translate.load(path)
    ours = {name: len(translate.to_spirv(program, o).words) for name, o in _OPTIONS.items()}
    figures: dict[str, float] = dict(ours)
    theirs = _of_peer(path)
    if theirs is not None:
        figures[_PEER] = theirs
        figures |= {f"factor, {name}": theirs / words for name, words in ours.items()}
    return Row(path.stem, figures)


def _of_peer(path: Path) -> int | None:
    """None for a shader that the peer refuses, or where it is not installed."""
    if not has(_PEER):
        return None
    with TemporaryDirectory() as folder:
        written = Path(folder, "out.spv")
        command = [_PEER, "-x", "dxbc-tpf", "-b", "spirv-binary", "-o", str(written), str(path)]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode or not written.exists():
            return None
        return written.stat().st_size // 4
