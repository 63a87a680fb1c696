"""A search guided by cost: listings that cost most for their size are mutated further."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .genome import Genome, mutate, random_piece
from .measure import LARGEST, MEGABYTES, SECONDS, Cost, measure

SMALL = 8_000  # bytes of a candidate
_POOL = 24  # of the costliest, by each of the costs
_SUSPECT = 0.5  # of a limit, when the cost of a small listing is extrapolated to a large one
Measure = Callable[[str], Cost]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A genome, and what it costs at the size of a candidate."""

    genome: Genome
    cost: Cost


def _per_byte(cost: Cost) -> tuple[float, float, float]:
    """The costs that guide the search."""
    size = max(cost.bytes, 1)
    return cost.seconds / size, cost.megabytes / size, cost.words / size


class Search:
    """One search; `kinds` are the findings so far, by their problems."""

    def __init__(self, seed: int, into: Path, measured: Measure = measure):
        self.rng = random.Random(seed)
        self.into = into
        self.measured = measured
        self.pool: list[Candidate] = []
        self.runs = 0
        self.kinds: dict[str, int] = {}

    def step(self) -> None:
        """Make one candidate, measure it, and keep it where it is among the costliest."""
        self.runs += 1
        genome = self._next()
        candidate = Candidate(genome, self.measured(resized(genome, SMALL)))
        self.pool = costliest([*self.pool, candidate])
        if candidate in self.pool and _is_suspect(candidate.cost):
            self._look(genome)

    def _next(self) -> Genome:
        if not self.pool or self.rng.random() < 0.1:
            return Genome(tuple(random_piece(self.rng) for _ in range(3)))
        one, other = self.rng.choice(self.pool), self.rng.choice(self.pool)
        return mutate(one.genome, self.rng, other.genome)

    def _look(self, genome: Genome) -> None:
        """Measure at the size that the limits are for; twice, because other work adds to a time."""
        text = resized(genome, LARGEST)
        problem = self.measured(text).finding and self.measured(text).finding
        if problem:
            self._keep(text, problem)

    def _keep(self, text: str, problem: str) -> None:
        kind = problem.split(":")[0] if ":" in problem else " ".join(problem.split()[-1:])
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self.kinds[kind] > 5:
            return
        self.into.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(text.encode()).hexdigest()[:12]
        (self.into / f"{name}.asm").write_text(text, encoding="utf-8")
        (self.into / f"{name}.txt").write_text(f"{len(text)} bytes: {problem}\n", encoding="utf-8")
        print(f"{name}.asm, {len(text)} bytes: {problem}", flush=True)


def costliest(found: Sequence[Candidate]) -> list[Candidate]:
    """The few that cost most, by each of the costs."""
    kept: dict[Genome, Candidate] = {}
    for number in range(3):
        ordered = sorted(found, key=lambda one: -_per_byte(one.cost)[number])
        kept |= {one.genome: one for one in ordered[: _POOL // 3]}
    return [*kept.values()]


def resized(genome: Genome, size: int) -> str:
    """The listing, repeated to about `size` bytes and no more."""
    text, scale = genome.render(), 1.0
    for _ in range(6):
        larger = scale * size / len(text)
        if abs(larger - scale) < 0.02 * scale:
            break
        scale = larger
        text = genome.render(scale)
    while len(text) > size and scale > 1e-3:
        scale *= 0.9
        text = genome.render(scale)
    return text


def _is_suspect(cost: Cost) -> bool:
    """Whether it could exceed a limit at the size that the limits are for."""
    factor = LARGEST / max(cost.bytes, 1)
    time, memory = cost.seconds * factor, cost.megabytes * factor
    return bool(cost.fault) or time > _SUSPECT * SECONDS or memory > _SUSPECT * MEGABYTES
