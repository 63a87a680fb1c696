"""`python -m checks.passes`: show the cases whose pass has another result than the file says.

`--update` rewrites the after parts, for review. `--only TEXT` selects the cases whose name has
that text.
"""

from __future__ import annotations

import argparse

from .cases import cases


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m checks.passes", description=__doc__)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    differing = 0
    for case in cases():
        difference = case.difference() if given.only in case.name else ""
        if difference:
            differing += 1
            print(difference)
        if difference and given.update:
            case.update()
    print(f"{differing} cases differ{' and are rewritten' if given.update else ''}")
    return int(differing > 0 and not given.update)


if __name__ == "__main__":
    raise SystemExit(main())
