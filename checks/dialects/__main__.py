"""`python -m checks.dialects --minutes N --seed S --into DIR`: look for listings read wrongly.

The project's listings are changed at random, in each tool's dialect. Half keep their meaning, and
have to give the same SPIR-V words; half are broken, and have to give an error with a place. Each
kind of finding is kept once in DIR, as the listing and a file that says what happened.
`--replay FILE ...` checks listings again, as broken ones.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from functools import partial
from pathlib import Path

from checks.bytes.kept import Findings

from .search import candidate, check


def main() -> int:
    """0 for a clean search, 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m checks.dialects", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, default=Path("findings"))
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE")
    given = parser.parse_args()
    for path in given.replay or ():
        check(path.read_bytes().decode("utf-8", "replace"), None)
    if given.replay:
        return 0
    found, same = Findings(f"dialects-{given.seed}", ".asm", given.into), 0
    end = time.monotonic() + 60 * given.minutes
    while time.monotonic() < end:
        text, path = candidate(random.Random(f"{given.seed} {found.runs}"))
        same += path is not None
        data = text.encode("utf-8", "surrogatepass")
        found.run(partial(check, text, path), data, f"listing {found.runs}, {path}\n")
    print(f"{found.runs} listings, {same} of them the same; {len(found.kinds)} findings")
    return 1 if found.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
