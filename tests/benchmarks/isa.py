"""The code that AMD's compiler makes of our SPIR-V, compared with that of other tools' SPIR-V.

The compiler is Mesa's, on null hardware, so that no GPU is needed (`tests/radv`). A figure is our
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..radv.compiler import FAMILIES, Compiler
from ..radv.modules import DXBC_SPIRV, FORMS, GLSL, PEERS, missing_peers, of_peers, ours
from ..radv.process import MissingDriver, Refused
from .figures import Row
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
            with Compiler(family) as compiler:
                rows += _rows(family, _sets(compiler, shaders, scale))
        except MissingDriver as error:
            print(f"not measured: {family}: {error}", file=sys.stderr)
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)
    return rows


def _sets(compiler: Compiler, shaders: Shaders, scale: float) -> dict[str, list[Statistics]]:
    """Each set's shaders, of which no shader is compiled twice."""
    step = max(1, round(1 / scale / 4))
    made: dict[Path, Statistics] = {}
    for paths in shaders.sets.values():
        for path in paths[::step]:
            if path not in made:
                made[path] = _statistics(compiler, path)
    return {name: [made[p] for p in paths[::step]] for name, paths in shaders.sets.items()}


def _statistics(compiler: Compiler, path: Path) -> Statistics:
    twin = path.with_suffix(".comp")
    modules = {**ours(path, compiler.info), **of_peers(path, twin if twin.exists() else None)}
    figures: dict[str, Mapping[str, int]] = {}
    for form, words in modules.items():
        try:
            figures[form] = compiler.statistics(words)
        except Refused as error:
            print(f"{path.stem}, {form}, {compiler.family}: {error}", file=sys.stderr)
    return Statistics(path.stem, samples(path), figures)


def _rows(family: str, sets: Mapping[str, Sequence[Statistics]]) -> Iterator[Row]:
    for peer in PEERS:
        for name, shaders in _compared(sets, peer).items():
            for title, key in MEASURES.items():
                yield _row(f"{family}, {name} / {peer}, {title}", shaders, peer, key)
        yield from _longest(family, sets, peer)


def _compared(sets: Mapping[str, Sequence[Statistics]], peer: str) -> dict[str, list[Statistics]]:
    """The shaders that a peer is compared by: those that all forms and the peer compiled."""
    needed = {peer, *FORMS}
    found = {name: [s for s in rows if s.figures.keys() >= needed] for name, rows in sets.items()}
    if peer == GLSL:
        kernels = found.get("kernels", [])
        found = {**{shader.name: [shader] for shader in kernels}, "kernels": kernels}
    return {name: shaders for name, shaders in found.items() if shaders}


def _longest(family: str, sets: Mapping[str, Sequence[Statistics]], peer: str) -> Iterator[Row]:
    """The shaders with many more instructions than the peer's, the worst first."""
    found = {shader.name: shader for rows in _compared(sets, peer).values() for shader in rows}
    if peer != DXBC_SPIRV:
        return
    ratios = {
        name: shader.figures["d3d"]["Instructions"] / shader.figures[peer]["Instructions"]
        for name, shader in found.items()
    }
    for name in sorted(ratios, key=lambda name: -ratios[name]):
        if ratios[name] > _LONG:
            yield _row(f"{family}, {name} / {peer}, instructions", [found[name]], peer)


def _row(
    name: str, shaders: Sequence[Statistics], peer: str, key: str = MEASURES["instructions"]
) -> Row:
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
