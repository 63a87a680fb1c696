"""The code that AMD's compiler makes of our SPIR-V, compared with that of other tools' SPIR-V.

The compiler is Mesa's, on null hardware, so that no GPU is needed (`tools/radv`). A figure is our
number divided by the peer's: for the totals of a set of shaders, then as a median. The forms
are `portable`, which needs nothing of the device; `desktop`, for the built-in profile; `d3d`, with
the device's float controls, as the runner translates; `off`, without guards; `off, device`, without
D3D's flushes of denormals and checks of sample operands as well. Peers are hand-written GLSL (of
`kernels`), vkd3d and dxbc-spirv; none of them checks bounds. Inverse throughput is the compiler's
estimate of cycles.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vkrunner.api.amd_code import FAMILIES

from ..radv.compiler import compiler_for
from ..radv.modules import DXBC_SPIRV, FORMS, GLSL, PEERS, missing_peers, of_peers, ours
from ..radv.process import DriverProcess, MissingDriver
from .figures import Row, beyond
from .shaders import Shaders, samples

TITLE = "AMD code"
MEASURES = {
    "instructions": "Instructions",
    "bytes": "Code size",
    "inverse throughput": "Inverse Throughput",
}
_LONG = 1.3  # times the peer's instructions; such shaders have rows of their own


@dataclass(frozen=True, slots=True)
class Statistics:
    """The compiler's figures of a shader, by form and by peer; a peer that refused it has none."""

    name: str
    samples: bool
    figures: Mapping[str, Mapping[str, int]]


def measure(scale: float, shaders: Shaders) -> list[Row]:
    """Rows by family, set, peer and measure. Says on stderr what is missing."""
    rows: list[Row] = []
    for family in list(FAMILIES)[: max(1, round(len(FAMILIES) * scale))]:
        try:
            with compiler_for(family) as compiler:
                found = {path: _statistics(compiler, path) for path in shaders.in_sets(4 * scale)}
        except MissingDriver as error:
            print(f"not measured: {family}: {error}", file=sys.stderr)
            continue
        for peer in PEERS:
            rows += _rows(family, shaders.by_set(found), peer)
            if peer == DXBC_SPIRV:
                rows += _long(family, found.values(), peer)
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)
    return rows


def _statistics(compiler: DriverProcess, path: Path) -> Statistics:
    modules = {**ours(path, compiler.info), **of_peers(path)}
    return Statistics(path.stem, samples(path), compiler.measure_all(path.stem, modules))


def _rows(family: str, sets: Mapping[str, Sequence[Statistics]], peer: str) -> Iterator[Row]:
    found = {name: _compared(shaders, peer) for name, shaders in sets.items()}
    if peer == GLSL:
        kernels = found.get("kernels", [])
        found = {**{shader.name: [shader] for shader in kernels}, "kernels": kernels}
    for name, shaders in found.items():
        for title, key in MEASURES.items() if shaders else ():
            yield _row(f"{family}, {name} / {peer}, {title}", shaders, peer, key)


def _long(family: str, shaders: Iterable[Statistics], peer: str) -> Iterator[Row]:
    """A row for each shader with many more instructions than the peer's, the worst first."""
    key = MEASURES["instructions"]
    compared = _compared(shaders, peer)
    for shader in beyond(compared, lambda s: s.figures["d3d"][key] / s.figures[peer][key], _LONG):
        yield _row(f"{family}, {shader.name} / {peer}, instructions", [shader], peer, key)


def _compared(shaders: Iterable[Statistics], peer: str) -> list[Statistics]:
    """The shaders that all forms and the peer compiled."""
    return [shader for shader in shaders if shader.figures.keys() >= {peer, *FORMS}]


def _row(name: str, shaders: Sequence[Statistics], peer: str, key: str) -> Row:
    theirs = [shader.figures[peer][key] for shader in shaders]
    figures: dict[str, float] = {
        "shaders": len(shaders),
        "that sample": sum(shader.samples for shader in shaders),
    }
    medians: dict[str, float] = {}
    for form in FORMS:
        mine = [shader.figures[form][key] for shader in shaders]
        figures[form] = sum(mine) / sum(theirs)
        ratios = [one / other for one, other in zip(mine, theirs, strict=True)]
        medians[f"median, {form}"] = statistics.median(ratios)
    return Row(name, figures | medians)
