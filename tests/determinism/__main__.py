"""`python -m tests.determinism --programs 1000 --processes 3`: do all processes give equal bytes?

Translates every shader of the tests and of `shaders/`, and random programs besides.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .compare import ROOT, differences, random_programs, shaders_below


def main() -> int:
    """0 where all outputs are the same in every process, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.determinism", description=__doc__)
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
