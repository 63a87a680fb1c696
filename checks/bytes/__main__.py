"""`python -m checks.bytes --minutes N --target container --into DIR`: look for inputs that do harm.

Coverage guides the search (atheris, the extra `fuzz`); `--plain` needs no atheris and has none. It
continues after a finding; each kind is kept once in DIR, as the input and a text file that says
what happened. `--target all` divides the time among the targets. `--corpus DIR` keeps the inputs
with new coverage for the next search. `--replay FILE ...` checks files again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

NAMES = (
    *("container", "program", "reflection", "linkage", "debug", "listing", "shader_test"),
    *("grown_listing", "grown_dialect", "grown_test", "hlsl", "ir", "profile", "manifest"),
)


def main() -> int:
    """0 for a clean search, 1 where something was found."""
    given = _arguments()
    if given.replay:
        return _replay(given)
    given.into.mkdir(parents=True, exist_ok=True)
    if given.target != "all" and given.plain:
        from .kept import search_plainly

        return search_plainly(given.target, given.minutes * 60, given.into, given.seed)
    if given.target != "all":
        from .search import search

        search(given.target, given.minutes * 60, given.into, given.corpus, given.seed)
    before = set(given.into.iterdir())
    for name in NAMES:
        _search_apart(name, given)
    found = sorted(set(given.into.iterdir()) - before)
    print(f"{len(NAMES)} targets, {given.minutes} minutes, {len(found) // 2} findings")
    return 1 if found else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m checks.bytes", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--target", choices=(*NAMES, "all"), default="all")
    parser.add_argument("--into", type=Path, default=Path("findings"))
    parser.add_argument("--corpus", type=Path, help="keep inputs with new coverage there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without coverage")
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE")
    return parser.parse_args()


def _replay(given: argparse.Namespace) -> int:
    """Check files with the target given, or with all of them."""
    from .targets import TARGETS

    chosen = TARGETS.values() if given.target == "all" else (TARGETS[given.target],)
    for path in given.replay:
        for target in chosen:
            target.run(path.read_bytes(), memory=True)
    return 0


def _search_apart(name: str, given: argparse.Namespace) -> None:
    """A process for each target, because a search ends its process."""
    command = [sys.executable, "-m", "checks.bytes", "--target", name, "--into", str(given.into)]
    command += ["--minutes", str(given.minutes / len(NAMES)), "--seed", str(given.seed)]
    command += ["--corpus", str(given.corpus)] if given.corpus else []
    command += ["--plain"] if given.plain else []
    subprocess.run(command, check=not given.plain)


if __name__ == "__main__":
    sys.exit(main())
