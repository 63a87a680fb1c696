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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import atheris

from .kept import MEMORY_EVERY, Findings

if TYPE_CHECKING:
    from .targets import Target

_LARGEST = 1 << 16
_NATIVE_SHARE = 0.15  # of libFuzzer's own mutations


class _Search(Findings):
    """One target's search."""

    def __init__(self, target: Target, folder: Path):
        super().__init__(target.name, target.suffix, folder)
        self.target = target

    def run_one(self, data: bytes) -> None:
        self.run(partial(self.target.run, data, memory=self.runs % MEMORY_EVERY == 0), data)

    def mutate(self, data: bytes, max_size: int, seed: int) -> bytes:
        """A changed input; libFuzzer's own mutations use the comparisons that it has seen."""
        rng = random.Random(seed)
        if rng.random() < _NATIVE_SHARE:
            return bytes(atheris.Mutate(data, max_size))
        changed = self.target.mutate(bytes(data), rng, rng.choice(self.target.seeds()))
        return changed[:max_size]


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
        one = _Search(target, folder)
        options = [f"-max_total_time={int(seconds)}", f"-max_len={_LARGEST}", f"-seed={seed}"]
        options += [
            "-timeout=300",
            "-rss_limit_mb=4096",
            "-print_final_stats=1",
            "-report_slow_units=600",
        ]
        arguments = [sys.argv[0], *options, str(kept), str(seeds)]
        limit_process()
        atheris.Setup(arguments, one.run_one, custom_mutator=one.mutate)
        atheris.Fuzz()


def _instrument() -> None:
    """Record coverage of the package, not of its tests. The package must not be imported yet."""
    assert "translate" not in sys.modules
    with atheris.instrument_imports(
        include=["translate", "vkrunner.shadertest"],
        exclude=["translate.dxbc.container"],  # a loop with one path that takes most of the time
        enable_loader_override=False,
    ):
        import translate
        import vkrunner.shadertest

        for package in (translate, vkrunner.shadertest):
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                if not module.name.endswith("__main__"):
                    importlib.import_module(module.name)
