"""`python -m tools.changes BASE [HEAD]`: a report, in Markdown, of what a change does.

It has the Python files and lines of the folders that differ, and the shaders of this repository
of which BASE and HEAD make different modules. Both are revisions of git; HEAD may be left out for
the working tree. Exit code 2: there is no such revision.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from .lines import line_table
from .modules import module_list
from .trees import is_commit, tree_of

ROOT = Path(__file__).parents[2]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.changes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("base", metavar="BASE")
    parser.add_argument("head", metavar="HEAD", nargs="?")
    given = parser.parse_args(arguments)
    for revision in filter(None, (given.base, given.head)):
        if not is_commit(root, revision):
            print(f"{parser.prog}: no revision {revision!r} in {root}", file=sys.stderr)
            return 2
    with tree_of(root, given.base) as before, tree_of(root, given.head) as after:
        title = f"Changes from {given.base} to {given.head or 'the working tree'}"
        print(f"# {title}\n\n{line_table(before, after)}\n\n{module_list(before, after)}")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # worktrees are removed
    sys.exit(main())
