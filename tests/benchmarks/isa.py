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

from ..radv.compiler import FAMILIES, Compiler, MissingCompiler, Refused
from ..radv.modules import FORMS, GLSL, PEERS, missing_peers, of_peers, ours
from .figures import Row

TITLE = "AMD code"
MEASURES = {
    "instructions": "Instructions",
    "bytes": "Code size",
    "inverse throughput": "Inverse Throughput",
}
_ROOT = Path(__file__).parents[2]
_SETS = {
    "kernels": "tests/benchmarks/kernels/*.dxbc",
    "corpus": "tests/corpus/cs_5_0/*.dxbc",
    "shaders": "shaders/**/*.dxbc",
}
_MOST = 15  # a set of the largest, by the peer's instructions


@dataclass(frozen=True, slots=True)
class Shader:
    """`figures` are the compiler's, by form and by peer; a peer that refused it has none."""

    name: str
    figures: Mapping[str, Mapping[str, int]]


def measure(scale: float) -> list[Row]:
    """Rows by family, set, peer and measure. Says on stderr what is missing."""
    rows: list[Row] = []
    for family in list(FAMILIES)[: max(1, round(len(FAMILIES) * scale))]:
        try:
            with Compiler(family) as compiler:
                rows += _rows(family, _sets(compiler, scale))
        except MissingCompiler as error:
            print(f"not measured: {family}: {error}", file=sys.stderr)
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)
    return rows


def _sets(compiler: Compiler, scale: float) -> dict[str, list[Shader]]:
    step = max(1, round(1 / scale / 4))
    return {
        name: [_shader(compiler, path) for path in sorted(_ROOT.glob(pattern))[::step]]
        for name, pattern in _SETS.items()
    }


def _shader(compiler: Compiler, path: Path) -> Shader:
    twin = path.with_suffix(".comp")
    modules = {**ours(path, compiler.info), **of_peers(path, twin if twin.exists() else None)}
    figures: dict[str, Mapping[str, int]] = {}
    for form, words in modules.items():
        try:
            figures[form] = compiler.statistics(words)
        except Refused as error:
            print(f"{path.stem}, {form}, {compiler.family}: {error}", file=sys.stderr)
    return Shader(path.stem, figures)


def _rows(family: str, sets: Mapping[str, Sequence[Shader]]) -> Iterator[Row]:
    for peer in PEERS:
        for name, shaders in _compared(sets, peer).items():
            for title, key in MEASURES.items():
                yield _row(f"{family}, {name} / {peer}, {title}", shaders, peer, key)


def _compared(sets: Mapping[str, Sequence[Shader]], peer: str) -> dict[str, list[Shader]]:
    """The shaders that a peer is compared by: those that all forms and the peer compiled."""
    needed = {peer, *FORMS}
    found = {name: [s for s in rows if s.figures.keys() >= needed] for name, rows in sets.items()}
    every = [shader for shaders in found.values() for shader in shaders]
    if peer == GLSL:
        found = {**{shader.name: [shader] for shader in every}, "kernels": every}
    else:
        largest = sorted(every, key=lambda shader: -shader.figures[peer]["Instructions"])
        found |= {"all": every, f"{_MOST} largest": largest[:_MOST]}
    return {name: shaders for name, shaders in found.items() if shaders}


def _row(name: str, shaders: Sequence[Shader], peer: str, key: str) -> Row:
    theirs = [shader.figures[peer][key] for shader in shaders]
    figures: dict[str, float] = {"shaders": len(shaders)}
    medians: dict[str, float] = {}
    for form in FORMS:
        mine = [shader.figures[form][key] for shader in shaders]
        figures[form] = sum(mine) / sum(theirs)
        ratios = [one / other for one, other in zip(mine, theirs, strict=True)]
        medians[f"median, {form}"] = statistics.median(ratios)
    return Row(name, figures | medians)
