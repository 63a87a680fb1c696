"""The code that GPUs' compilers make of our SPIR-V, compared with that of other tools' SPIR-V.

The compilers are Mesa's, so that no GPU is needed (`tools/gpus`). A row compares a form of our
modules with a peer's by one measure: ours divided by theirs, in total, as geometric mean and as
median, and the number of shaders with more than 1.3 times the peer's. The forms are `portable`,
which needs nothing of the device; `desktop`, for the built-in profile; `d3d`, with the device's
float controls and robust accesses, as the runner translates and makes pipelines; `exact`, the
same where the device was found to give D3D's results for all operands of samples, and for
functions; `off`, without guards; `off, device`, without D3D's flushes of denormals and checks of
sample operands as well. Peers are hand-written GLSL (of `kernels`), vkd3d and dxbc-spirv; none of
them checks bounds.

Some drivers compile robust accesses to buffers into the code (`BufferChecks` of `vkrunner`).
`plain` is dxbc-spirv's module without them, compared with our modules as above, with those whose
buffers the device checks, and those that check buffers themselves, also with null descriptors.
"""

from __future__ import annotations

import functools
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..gpus.compilers import BYTES, COMPILER_MS, CYCLES, INSTRUCTIONS, compiler_for
from ..gpus.modules import (
    BY_MODULE,
    CHECKS,
    DXBC_SPIRV,
    FORMS,
    GLSL,
    PEERS,
    missing_peers,
    of_peers,
    ours,
)
from ..gpus.process import DriverProcess, MissingDriver
from .figures import Row, beyond
from .shaders import Shaders, samples

TITLE = "GPUs' code"
MEASURES = INSTRUCTIONS, CYCLES, BYTES, COMPILER_MS
PLAIN_PEER = f"{DXBC_SPIRV}, plain"
WITH_NULLS = f"{BY_MODULE}, null descriptors"
EVERY = *FORMS, *CHECKS, WITH_NULLS
_LONG = 1.3  # times the peer's instructions; such shaders have rows of their own


@dataclass(frozen=True, slots=True)
class Statistics:
    """The compiler's figures of a shader, by form and by peer; a peer that refused it has none."""

    name: str
    samples: bool
    figures: Mapping[str, Mapping[str, float]]


def measure(scale: float, shaders: Shaders, gpus: Sequence[str]) -> list[Row]:
    """Rows by GPU, set, peer, measure and form. Says on stderr what is missing."""
    rows: list[Row] = []
    for gpu in gpus[: max(1, round(len(gpus) * scale))]:
        try:
            with compiler_for(gpu) as compiler, compiler_for(gpu, nulls=True) as nulls:
                name = f"{gpu}, {compiler.info.driver} {compiler.info.driver_version}"
                paths = shaders.in_sets(4 * scale)
                found = {path: _statistics(compiler, nulls, path) for path in paths}
        except MissingDriver as error:
            print(f"not measured: {gpu}: {error}", file=sys.stderr)
            continue
        for peer in (*PEERS, PLAIN_PEER):
            rows += _rows(name, shaders.by_set(found), peer)
        rows += _long(name, found.values(), DXBC_SPIRV)
    for reason in missing_peers():
        print(f"not measured: {reason}", file=sys.stderr)
    return rows


def _statistics(compiler: DriverProcess, nulls: DriverProcess, path: Path) -> Statistics:
    peers, own = of_peers(path), ours(path, compiler.info, (*FORMS, *CHECKS))
    plain = {PLAIN_PEER: (*peers[DXBC_SPIRV], ())} if DXBC_SPIRV in peers else {}
    figures = compiler.measure_all(path.stem, {**own, **peers, **plain})
    figures |= nulls.measure_all(path.stem, {WITH_NULLS: own[BY_MODULE]})
    return Statistics(path.stem, _samples(path), figures)


_samples = functools.cache(samples)


def _rows(gpu: str, sets: Mapping[str, Sequence[Statistics]], peer: str) -> Iterator[Row]:
    found = {name: _compared(shaders, peer) for name, shaders in sets.items()}
    if peer == GLSL:
        kernels = found.get("kernels", [])
        found = {**{shader.name: [shader] for shader in kernels}, "kernels": kernels}
    for name, shaders in found.items():
        for key in MEASURES if shaders else ():
            for form in EVERY:
                yield _row(f"{gpu}, {name} / {peer}, {key}, {form}", shaders, form, peer, key)


def _long(gpu: str, shaders: Iterable[Statistics], peer: str) -> Iterator[Row]:
    """A row for each shader with many more instructions than the peer's, the worst first."""
    compared = _compared(shaders, peer)
    for shader in beyond(compared, lambda one: _ratio(one, "d3d", peer, INSTRUCTIONS), _LONG):
        ratios = {form: _ratio(shader, form, peer, INSTRUCTIONS) for form in FORMS}
        yield Row(f"{gpu}, {shader.name} / {peer}, {INSTRUCTIONS}", ratios)


def _compared(shaders: Iterable[Statistics], peer: str) -> list[Statistics]:
    """The shaders that all forms and the peer compiled."""
    return [shader for shader in shaders if shader.figures.keys() >= {peer, *EVERY}]


def _ratio(shader: Statistics, form: str, peer: str, key: str) -> float:
    return shader.figures[form][key] / shader.figures[peer][key]


def _row(name: str, shaders: Sequence[Statistics], form: str, peer: str, key: str) -> Row:
    ratios = [_ratio(shader, form, peer, key) for shader in shaders]
    total, theirs = (sum(one.figures[which][key] for one in shaders) for which in (form, peer))
    figures: dict[str, float] = {
        "shaders": len(shaders),
        "that sample": sum(shader.samples for shader in shaders),
        "total": total / theirs,
        "geometric mean": statistics.geometric_mean(ratios),
        "median": statistics.median(ratios),
        f"over {_LONG}": sum(ratio > _LONG for ratio in ratios),
    }
    return Row(name, figures)
