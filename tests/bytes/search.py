"""A search guided by coverage: atheris with this package's own mutations.

Source: atheris' README; libFuzzer's options, https://llvm.org/docs/LibFuzzer.html.
"""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import random
import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import atheris

if TYPE_CHECKING:
    from .targets import Target

_LARGEST = 1 << 16
_MEMORY_EVERY = 16  # measuring memory makes an input several times slower
_NATIVE_SHARE = 0.15  # of libFuzzer's own mutations


class _Search:
    """One target's search; `kinds` are the findings so far."""

    def __init__(self, target: Target, folder: Path, seed: int):
        self.target = target
        self.folder = folder
        self.rng = random.Random(seed)
        self.kinds: set[str] = set()
        self.runs = 0

    def run(self, data: bytes) -> None:
        """Check one input, and keep it where a check fails."""
        self.runs += 1
        try:
            self.target.run(data, memory=self.runs % _MEMORY_EVERY == 0)
        except Exception as error:
            self._keep(data, error)

    def mutate(self, data: bytes, max_size: int, seed: int) -> bytes:
        """A changed input; libFuzzer's own mutations use the comparisons that it has seen."""
        rng = random.Random(seed)
        if rng.random() < _NATIVE_SHARE:
            return bytes(atheris.Mutate(data, max_size))
        changed = self.target.mutate(bytes(data), rng, rng.choice(self.target.seeds()))
        return changed[:max_size]

    def _keep(self, data: bytes, error: Exception) -> None:
        kind = _kind(error)
        if kind in self.kinds:
            return
        self.kinds.add(kind)
        stem = f"{self.target.name}-{hashlib.sha256(kind.encode()).hexdigest()[:12]}"
        (self.folder / f"{stem}{self.target.suffix}").write_bytes(data)
        report = "".join(traceback.format_exception(error))
        (self.folder / f"{stem}.txt").write_text(report, encoding="utf-8")
        print(f"{stem}: {kind}", flush=True)


def _kind(error: Exception) -> str:
    """What identifies a kind of finding: the place that raised the error."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/translate/" in f.filename or "/tests/bytes/" in f.filename]
    last = (ours or frames)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def search(name: str, seconds: float, folder: Path, corpus: Path | None, seed: int) -> None:
    """Fuzz one target for so long; ends the process."""
    _instrument()
    from .limits import limit_process
    from .targets import TARGETS

    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as scratch:
        kept = corpus / target.name if corpus else Path(scratch, "corpus")
        seeds = Path(scratch, "seeds")
        for place in (kept, seeds):
            place.mkdir(parents=True, exist_ok=True)
        for data in target.seeds():
            (seeds / hashlib.sha256(data).hexdigest()).write_bytes(data)
        one = _Search(target, folder, seed)
        options = [f"-max_total_time={int(seconds)}", f"-max_len={_LARGEST}", f"-seed={seed}"]
        options += [
            "-timeout=300",
            "-rss_limit_mb=4096",
            "-print_final_stats=1",
            "-report_slow_units=600",
        ]
        arguments = [sys.argv[0], *options, str(kept), str(seeds)]
        limit_process()
        atheris.Setup(arguments, one.run, custom_mutator=one.mutate)
        atheris.Fuzz()


def _instrument() -> None:
    """Record coverage of the package, not of its tests. The package must not be imported yet."""
    assert "translate" not in sys.modules
    with atheris.instrument_imports(
        include=["translate", "vkrunner.shadertest"],
        exclude=["translate.dxbc.checksum"],  # a loop with one path that takes most of the time
        enable_loader_override=False,
    ):
        import translate
        import vkrunner.shadertest

        for package in (translate, vkrunner.shadertest):
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                if not module.name.endswith("__main__"):
                    importlib.import_module(module.name)
