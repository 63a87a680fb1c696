"""The shaders that a benchmark measures: this repository's, or those of a folder."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import translate

ROOT = Path(__file__).parents[2]
_PATTERNS = {
    "kernels": "tests/benchmarks/kernels/*.dxbc",
    "corpus": "tests/corpus/cs_5_0/*.dxbc",
    "shaders": "shaders/**/*.dxbc",
}
_LARGEST = 15
_SAMPLES = re.compile(r"^\s*(sample(_\w+)?|gather4\w*|lod)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shaders:
    """Containers, and some of them in sets by name."""

    every: Sequence[Path]
    sets: Mapping[str, Sequence[Path]]

    def some(self, scale: float) -> list[Path]:
        """All at scale 1, every second one at 0.5."""
        return list(self.every[:: max(1, round(1 / scale))])

    def in_sets(self, scale: float) -> list[Path]:
        """Those of the sets, or fewer as in `some`."""
        found = dict.fromkeys(path for paths in self.sets.values() for path in paths)
        return [*found][:: max(1, round(1 / scale))]


def of_repository() -> Shaders:
    """The kernels, the corpus and `shaders/`."""
    sets = {name: sorted(ROOT.glob(pattern)) for name, pattern in _PATTERNS.items()}
    every = [path for paths in sets.values() for path in paths]
    return Shaders(every, {**sets, "all": every, **_largest(every)})


def of_folder(folder: Path, count: int, seed: int) -> Shaders:
    """Every container of a folder; `count` of them drawn at random, and the largest."""
    every = sorted(folder.glob("*.dxbc"))
    if len(every) < count:
        raise ValueError(f"{folder}: {len(every)} files with the suffix .dxbc, {count} are needed")
    drawn = sorted(random.Random(seed).sample(every, count))
    return Shaders(every, {f"{count} at random": drawn, **_largest(every)})


def _largest(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """Those with most instructions."""
    by_size = sorted(paths, key=lambda path: -translate.load(path).instruction_count)
    return {f"{_LARGEST} largest": by_size[:_LARGEST]}


def samples(path: Path) -> bool:
    """Whether a shader samples textures."""
    return _SAMPLES.search(translate.disassemble(translate.load(path))) is not None
