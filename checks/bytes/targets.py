"""The targets of fuzzing: for each kind of input its check, its mutations and its seeds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from . import oracles, texts
from .grow import mutate_growth
from .limits import BASE_SECONDS, SECONDS_PER_BYTE, limited_memory, limited_time
from .mutate import mutate_dwords
from .mutate_container import mutate_container, payload
from .mutate_listing import mutate_listing
from .mutate_program import mutate_program

_ROOT = Path(__file__).parents[2]
_LARGEST_SEED = 24_000
_LARGEST_CONTAINER = 6_000  # of a seed; the chunks of larger containers are seeds of other targets
READING = (3.0, 1e-4)  # seconds, and seconds for a byte
FINDINGS = _ROOT / "tests/bytes/findings"

Mutate = Callable[[bytes, random.Random, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of input; its files have the suffix `suffix`."""

    name: str
    check: Callable[[bytes], None]
    mutate: Mutate
    seeds: Callable[[], tuple[bytes, ...]]
    suffix: str = ".bin"
    base_seconds: float = BASE_SECONDS
    seconds_per_byte: float = SECONDS_PER_BYTE

    def run(self, data: bytes, *, memory: bool = False) -> None:
        """Check one input within its limits; raises what the check raises."""
        with limited_time(len(data), self.base_seconds, self.seconds_per_byte):
            if not memory:
                self.check(data)
                return
            with limited_memory(len(data)):
                self.check(data)

    def mutations(self, seed: int) -> Iterator[bytes]:
        """An endless sequence of inputs, the same for the same seed."""
        rng = random.Random(f"{self.name} {seed}")
        seeds = self.seeds()
        while True:
            data = rng.choice(seeds)
            for _ in range(rng.choice((1, 1, 2, 4))):
                data = self.mutate(data, rng, rng.choice(seeds))
            yield data


def _files(pattern: str) -> Iterator[bytes]:
    for folder in ("shaders", "tests"):
        for path in sorted((_ROOT / folder).rglob(pattern)):
            if path.stat().st_size <= _LARGEST_SEED:
                yield path.read_bytes()


@cache
def _containers() -> tuple[bytes, ...]:
    return tuple(data for data in _files("*.dxbc") if data.startswith(b"DXBC"))


@cache
def _small_containers() -> tuple[bytes, ...]:
    return tuple(data for data in _containers() if len(data) <= _LARGEST_CONTAINER)


@cache
def _payloads(*names: bytes) -> tuple[bytes, ...]:
    found = (payload(data, *names) for data in _containers())
    return tuple(dict.fromkeys(body for body in found if body))


@cache
def _tests() -> tuple[bytes, ...]:
    """Files, and the examples of the documentation."""
    page = (_ROOT / "docs" / "shader-tests.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return (*_files("*.shader_test"), *(b.encode() for b in blocks if "[test]" in b))


@cache
def _listings() -> tuple[bytes, ...]:
    return tuple(_files("*.asm"))


def _mutate_payload(data: bytes, rng: random.Random, other: bytes) -> bytes:
    return mutate_dwords(data, rng)


def _grown(
    name: str, check: Callable[[bytes], None], seeds: Callable[[], tuple[bytes, ...]], suffix: str
) -> Target:
    """A target of texts that grow; reading takes less time than translating."""
    return Target(name, check, mutate_growth, seeds, suffix, *READING)


TARGETS = {
    target.name: target
    for target in (
        Target("container", oracles.check_container, mutate_container, _small_containers, ".dxbc"),
        Target(
            "program", oracles.check_program, mutate_program, partial(_payloads, b"SHEX", b"SHDR")
        ),
        Target(
            "reflection", oracles.check_reflection, _mutate_payload, partial(_payloads, b"RDEF")
        ),
        Target("linkage", oracles.check_linkage, _mutate_payload, partial(_payloads, b"IFCE")),
        Target("debug", oracles.check_debug, _mutate_payload, partial(_payloads, b"SPDB")),
        Target("shader_test", oracles.check_shader_test, mutate_listing, _tests, ".shader_test"),
        Target("listing", oracles.check_listing, mutate_listing, _listings, ".asm"),
        _grown("grown_listing", texts.check_grown_listing, _listings, ".asm"),
        _grown("grown_dialect", texts.check_grown_listing, texts.dialects, ".asm"),
        _grown("grown_test", oracles.check_shader_test, _tests, ".shader_test"),
        _grown("hlsl", texts.check_hlsl, texts.hlsl, ".hlsl"),
        Target("ir", texts.check_ir, mutate_growth, texts.ir, ".ir"),
        _grown("profile", texts.check_profile, texts.profiles, ".json"),
        _grown("manifest", texts.check_manifest, texts.manifests, ".jsonl"),
    )
}
