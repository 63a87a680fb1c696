"""Several processes translate the same shaders; their outputs are compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeAlias

from tests.fuzz.dice import drawn

ROOT = Path(__file__).parents[2]
SUFFIXES = (".dxbc", ".asm")
Digests: TypeAlias = "dict[str, dict[str, str]]"


def differences(paths: Sequence[Path], processes: int) -> list[str]:
    """The outputs that are not the same in every process, as `path: output`.

    Each process has another hash seed, another order of shaders, and objects at other addresses.
    """
    run = partial(_digests, "\n".join(map(str, paths)))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        first, *others = pool.map(run, range(processes))
    assert len(first) == len(paths), "a shader was left out"
    return [
        f"{path}: {output}"
        for path, outputs in sorted(first.items())
        for output, digest in outputs.items()
        if any(other[path].get(output) != digest for other in others)
    ]


def _digests(paths: str, seed: int) -> Digests:
    done = subprocess.run(
        [sys.executable, "-m", "tests.determinism.digests", str(seed)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        input=paths,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def shaders_below(*folders: Path) -> list[Path]:
    """Every container and listing below some folders."""
    return sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in SUFFIXES)


def random_programs(folder: Path, first: int, count: int) -> list[Path]:
    """Random programs of so many seeds, written into a folder."""
    paths: list[Path] = []
    for number, case in enumerate(drawn(first, count), first):
        paths.append(folder / f"random-{number}.asm")
        paths[-1].write_text(case.listing, encoding="utf-8")
    return paths
