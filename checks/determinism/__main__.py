"""`python -m checks.determinism --programs 1000 --processes 3`: do all processes give equal bytes?

Translates every shader of the tests and of `shaders/`, and random programs besides.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from checks.fuzz.dice import drawn

ROOT = Path(__file__).parents[2]


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


def _digests(paths: str, seed: int) -> dict[str, dict[str, str]]:
    done = subprocess.run(
        [sys.executable, "-m", "checks.determinism.digests", str(seed)],
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
    return sorted(
        p for folder in folders for p in folder.rglob("*") if p.suffix in (".dxbc", ".asm")
    )


def random_programs(folder: Path, first: int, count: int) -> list[Path]:
    """Random programs of so many seeds, written into a folder."""
    paths: list[Path] = []
    for number, case in enumerate(drawn(first, count), first):
        paths.append(folder / f"random-{number}.asm")
        paths[-1].write_text(case.listing, encoding="utf-8")
    return paths


def main() -> int:
    """0 where all outputs are the same in every process, else 1."""
    parser = argparse.ArgumentParser(prog="python -m checks.determinism", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many random programs")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0, help="of the first random program")
    given = parser.parse_args()
    start = time.monotonic()
    shaders = shaders_below(ROOT / "tests", ROOT / "shaders")
    with tempfile.TemporaryDirectory(prefix="determinism-") as folder:
        programs = random_programs(Path(folder), given.seed, given.programs)
        found = differences([*shaders, *programs], given.processes)
    print("\n".join([f"differs: {name}" for name in found]))
    print(
        f"{len(shaders)} shaders and {len(programs)} random programs in {given.processes}"
        f" processes: {len(found)} outputs differ ({time.monotonic() - start:.0f} s)"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
