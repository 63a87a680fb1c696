"""The shaders that a benchmark measures: this repository's, or those of a folder."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import translate

ROOT = Path(__file__).parents[2]
_PATTERNS = {
    "kernels": "tools/benchmarks/kernels/*.dxbc",
    "corpus": "tests/corpus/cs_5_0/*.dxbc",
    "shaders": "shaders/**/*.dxbc",
}
FOLDERS = "shaders", "tests/corpus", "tests/textures/data"
_LARGEST = 15
_SAMPLES = re.compile(r"^\s*(sample(_\w+)?|gather4\w*|lod)\b", re.MULTILINE)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shaders:
    """Containers, and some of them in sets by name."""

    every: Sequence[Path]
    sets: Mapping[str, Sequence[Path]]

    def some(self, scale: float) -> list[Path]:
        """Every container, or one of two at a scale of 0.5."""
        return _fewer(self.every, scale)

    def in_sets(self, scale: float) -> list[Path]:
        """The containers of the sets, each once, or one of two at a scale of 0.5."""
        found = dict.fromkeys(path for paths in self.sets.values() for path in paths)
        return _fewer([*found], scale)

    def by_set(self, measured: Mapping[Path, T]) -> dict[str, list[T]]:
        """What was measured of each set's containers."""
        return {
            name: [measured[path] for path in paths if path in measured]
            for name, paths in self.sets.items()
        }


def _fewer(paths: Sequence[Path], scale: float) -> list[Path]:
    return list(paths[:: max(1, round(1 / scale))])


def of_repository() -> Shaders:
    """Every shader of this repository that fxc compiled; the sets are without other profiles."""
    every = sorted(path for folder in FOLDERS for path in ROOT.joinpath(folder).rglob("*.dxbc"))
    sets = {name: sorted(ROOT.glob(pattern)) for name, pattern in _PATTERNS.items()}
    united = [path for paths in sets.values() for path in paths]
    return Shaders(every, {**sets, "all": united, **_largest(united)})


def of_folder(folder: Path, count: int, seed: int) -> Shaders:
    """Every container of a folder; `count` of them drawn at random, and the largest."""
    every = sorted(folder.glob("*.dxbc"))
    if len(every) < count:
        raise ValueError(f"{folder}: {len(every)} files with the suffix .dxbc, {count} are needed")
    drawn = sorted(random.Random(seed).sample(every, count))
    return Shaders(every, {f"{count} at random": drawn, **_largest(every)})


def _largest(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """A set of the shaders with most instructions."""
    by_size = sorted(paths, key=lambda path: -translate.load(path).instruction_count)
    return {f"{_LARGEST} largest": by_size[:_LARGEST]}


def samples(path: Path) -> bool:
    """Whether a shader samples textures."""
    return _SAMPLES.search(translate.disassemble(translate.load(path))) is not None
