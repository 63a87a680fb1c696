"""Findings of a search: each kind is kept once, as the input and a text that says what happened."""

from __future__ import annotations

import hashlib
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .targets import Target

_MEMORY_EVERY = 16  # measuring memory makes an input several times slower


class Findings:
    """The findings of one target; `kinds` are those so far."""

    def __init__(self, target: Target, folder: Path):
        self.target = target
        self.folder = folder
        self.kinds: set[str] = set()
        self.runs = 0

    def run(self, data: bytes) -> None:
        """Check one input, and keep it where a check fails."""
        self.runs += 1
        try:
            self.target.run(data, memory=self.runs % _MEMORY_EVERY == 0)
        except Exception as error:
            self._keep(data, error)

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


def search_plainly(name: str, seconds: float, folder: Path, seed: int) -> int:
    """Search one target for so long, without coverage; 1 where something was found."""
    from translate.errors import ListingWarning  # `search` imports the package in its own way

    from .limits import limit_process
    from .targets import TARGETS

    limit_process()
    warnings.simplefilter("ignore", ListingWarning)
    one = Findings(TARGETS[name], folder)
    end = time.monotonic() + seconds
    inputs = one.target.mutations(seed)
    while time.monotonic() < end:
        one.run(next(inputs))
    print(f"{name}: {one.runs} inputs", flush=True)
    return 1 if one.kinds else 0
