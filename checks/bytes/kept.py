"""Findings of a search: each kind is kept once, as the input and a text that says what happened."""

from __future__ import annotations

import hashlib
import time
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

MEMORY_EVERY = 16  # measuring memory makes an input several times slower


class Findings:
    """The findings of one search in a folder; `kinds` are those so far."""

    def __init__(self, name: str, suffix: str, folder: Path):
        self.name = name
        self.suffix = suffix
        self.folder = folder
        self.kinds: set[str] = set()
        self.runs = 0

    def run(self, check: Callable[[], None], data: bytes, note: str = "") -> None:
        """Check one input, and keep it where the check fails."""
        self.runs += 1
        try:
            check()
        except Exception as error:
            self._keep(data, note, error)

    def _keep(self, data: bytes, note: str, error: Exception) -> None:
        kind = _kind(error)
        if kind in self.kinds:
            return
        self.kinds.add(kind)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = f"{self.name}-{hashlib.sha256(kind.encode()).hexdigest()[:12]}"
        (self.folder / f"{stem}{self.suffix}").write_bytes(data)
        report = note + "".join(traceback.format_exception(error))
        (self.folder / f"{stem}.txt").write_text(report, encoding="utf-8")
        print(f"{stem}: {kind}", flush=True)


def _kind(error: Exception) -> str:
    """What identifies a kind of finding: the place that raised the error."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/translate/" in f.filename or "/tests/" in f.filename]
    last = (ours or frames)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def search_plainly(name: str, seconds: float, folder: Path, seed: int) -> int:
    """Search one target for so long, without coverage; 1 where something was found."""
    from translate.errors import ListingWarning  # `search` imports the package in its own way

    from .limits import limit_process
    from .targets import TARGETS

    limit_process()
    warnings.simplefilter("ignore", ListingWarning)
    target = TARGETS[name]
    found = Findings(name, target.suffix, folder)
    end = time.monotonic() + seconds
    inputs = target.mutations(seed)
    while time.monotonic() < end:
        data = next(inputs)
        found.run(partial(target.run, data, memory=found.runs % MEMORY_EVERY == 0), data)
    print(f"{name}: {found.runs} inputs", flush=True)
    return 1 if found.kinds else 0
