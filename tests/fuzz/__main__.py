"""`python -m tests.fuzz --minutes N`: many programs, each failure cut down, printed and kept.

With --count that many programs from --seed on. The smallest program that fails is written as
`fuzz-SEED.asm` into --into, a listing that can be dropped into the suite.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import translate
import vkrunner

from .compare import difference
from .generate import generate
from .minimise import minimise
from .tree import Tree


def main() -> int:
    """The number of failures, as an exit code of 0 or 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--minutes", type=float, help="go on for so long, whatever --count says")
    parser.add_argument("--into", type=Path, default=Path())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=25)
    parser.add_argument("--device", default="lavapipe")
    given = parser.parse_args()
    failures = done = 0
    with vkrunner.open_device(given.device) as device:
        for seed in _seeds(given):
            tree = generate(seed, given.size)
            problem = outcome(device, tree, seed)
            done += 1
            if problem:
                failures += 1
                report(device, tree, seed, problem, given.into)
    print(f"{done} programs from seed {given.seed} on, {failures} failures")
    return 1 if failures else 0


def _seeds(given: argparse.Namespace) -> Iterator[int]:
    if given.minutes is None:
        yield from range(given.seed, given.seed + given.count)
        return
    end = time.monotonic() + 60 * given.minutes
    for seed in count(given.seed):
        if time.monotonic() > end:
            return
        yield seed


def outcome(device: Any, tree: Tree, seed: int) -> str:
    """A difference, or the error that came instead of a result."""
    try:
        return difference(device, tree.text(), seed)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def report(device: Any, tree: Tree, seed: int, problem: str, folder: Path) -> None:
    """Print and keep the smallest program that fails in the same way."""
    kind = problem.split(":")[0]

    def fails(smaller: Tree) -> bool:
        if _broken(smaller) and kind != translate.TranslateError.__name__:
            return False
        return outcome(device, smaller, seed).split(":")[0] == kind

    smallest = minimise(tree, fails)
    text = smallest.text()
    (folder / f"fuzz-{seed}.asm").write_text(text, encoding="utf-8")
    print(f"seed {seed}: {problem}\n{text}{outcome(device, smallest, seed)}\n", flush=True)


def _broken(tree: Tree) -> bool:
    """Whether cutting made a program that breaks its model's rules, or that never ends."""
    try:
        translate.to_spirv(translate.load(tree.text()), translate.Options(validate=False))
    except translate.TranslateError:
        return True
    except Exception:
        return False
    return False


if __name__ == "__main__":
    sys.exit(main())
