"""The size of modules in words of SPIR-V, compared with vkd3d-compiler.

A factor is how many times as many words the peer needs. Its shaders flush no denormals and check no
bounds; `device` are ours without the flushes and the checks of sample operands.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import translate

from ..gpus.modules import VKD3D, of_peer
from .figures import Row
from .shaders import Shaders

TITLE = "words of SPIR-V"
_OPTIONS = {
    "d3d": translate.Options(),
    "off": translate.Options(guards="off"),
    "off, device": translate.Options(guards="off", denormals="device", sampling="device"),
}


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """A row for every shader, or for some; the last one has the medians."""
    rows = [_row(path) for path in shaders.some(8 * scale)]
    refused = sum(VKD3D not in row.figures for row in rows)
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
    theirs = of_peer(VKD3D, path)
    if theirs is not None:
        figures[VKD3D] = len(theirs)
        figures |= {f"factor, {name}": len(theirs) / words for name, words in ours.items()}
    return Row(f"{path.parent.name}/{path.stem}", figures)
