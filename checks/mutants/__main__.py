"""`python -m checks.mutants PATH...`: make small changes to modules, and run their tests.

A path is a module or folder of `translate` or `vkrunner`. Each mutant is made in a copy of the
repository, where its module's tests run. Survivors, for which no test fails, are printed again at
the end, and make the exit code 1. Equal paths, sample and seed give equal mutants.

mutmut changes only the bodies of functions, and cosmic-ray neither swaps nor leaves out rows and
arguments: they leave the tables alone that instructions, operations and options are.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue

from .operators import Mutant, draw, mutants
from .suites import suite_of

ROOT = Path(__file__).parents[2]
COPIED = ("translate", "vkrunner", "checks", "tests", "shaders", "docs", "ci", ".github")
SURVIVED, UNUSABLE = "SURVIVED", 2
_PASSED, _FAILED = 0, 1  # pytest's exit codes


@dataclass(frozen=True, slots=True)
class Suites:
    """Copies of the repository; each runs the tests of one mutant at a time."""

    copies: SimpleQueue[Path]
    limit_s: float | None = None

    def run(self, tests: Sequence[str], mutant: Mutant | None = None) -> tuple[str, str]:
        """The verdict, and pytest's line about it."""
        copy = self.copies.get()
        path = copy / mutant.path if mutant else copy
        text = path.read_text(encoding="utf-8") if mutant else ""
        try:
            if mutant:
                path.write_text(mutant.apply(text), encoding="utf-8")
            return self._pytest(copy, tests)
        finally:
            if mutant:
                path.write_text(text, encoding="utf-8")
            self.copies.put(copy)

    def _pytest(self, copy: Path, tests: Sequence[str]) -> tuple[str, str]:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header"]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", *tests]
        with subprocess.Popen(
            command,
            cwd=copy,
            env=_environment(copy),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=self.limit_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "hung", f"more than {self.limit_s:.0f} s"
        lines = [line for line in output.splitlines() if line.strip()] or [""]
        said = next((line for line in lines if line.startswith(("FAILED", "ERROR"))), lines[-1])
        known = {_PASSED: SURVIVED, _FAILED: "caught"}
        return known.get(process.returncode, f"crashed ({process.returncode})"), said


def _environment(copy: Path) -> dict[str, str]:
    """Variables by which a mutant writes and deletes files in its copy only."""
    home = copy / "home"
    home.mkdir(exist_ok=True)
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), str(home))
    return os.environ | folders | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m checks.mutants", description=__doc__)
    parser.add_argument("paths", nargs="+", help="modules or folders of translate and vkrunner")
    parser.add_argument("--sample", type=int, default=20, help="how many mutants (20)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tests", nargs="+", help="the tests (those of the module)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="show the mutants and run nothing")
    given = parser.parse_args(arguments)
    modules = [module for path in given.paths for module in modules_of(root, path)]
    if not modules:
        parser.error("no module of translate or vkrunner is there")
    drawn = chosen(root, sorted(set(modules)), given.sample, given.seed)
    if given.list:
        print("\n".join(map(str, drawn)))
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = SimpleQueue[Path]()
        for number in range(given.jobs):
            copies.put(copy_repository(root, Path(folder, str(number))))
        tests = {mutant: given.tests or suite_of(root, mutant.path) for mutant in drawn}
        return run_all(copies, tests, given.jobs)


def modules_of(root: Path, path: str) -> Iterator[str]:
    """The modules that a path names, relative to the repository."""
    found = root / path
    for file in sorted(found.rglob("*.py")) if found.is_dir() else [found]:
        module = file.relative_to(root).as_posix()
        if (
            file.suffix == ".py"
            and file.is_file()
            and module.startswith(("translate/", "vkrunner/", "checks/interpret/"))
        ):
            yield module


def chosen(root: Path, modules: Sequence[str], sample: int, seed: int) -> list[Mutant]:
    """The mutants of a seed, without those that are invalid or equal to the original."""
    texts = {module: (root / module).read_text(encoding="utf-8") for module in modules}
    trees = {module: ast.dump(ast.parse(text)) for module, text in texts.items()}

    def is_other(mutant: Mutant) -> bool:
        try:
            return ast.dump(ast.parse(mutant.apply(texts[mutant.path]))) != trees[mutant.path]
        except SyntaxError:
            return False

    found = [mutant for module in modules for mutant in mutants(module, texts[module])]
    usable: list[Mutant] = []
    for mutant in draw(found, len(found), seed):
        if len(usable) == sample:
            break
        if is_other(mutant):
            usable.append(mutant)
    return usable


def copy_repository(root: Path, to: Path) -> Path:
    """A copy of the files that tests need; compiled files are used only for equal sources."""
    to.mkdir()
    for name in filter(lambda name: (root / name).is_dir(), COPIED):
        shutil.copytree(root / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in filter(Path.is_file, root.iterdir()):
        shutil.copy(file, to)
    for name in ("translate", "vkrunner"):
        mode = PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(to / name, quiet=1, invalidation_mode=mode)
    return to


def run_all(copies: SimpleQueue[Path], tests: Mapping[Mutant, Sequence[str]], jobs: int) -> int:
    """The exit code: 1 with survivors, 2 where the tests fail without any mutant."""
    started, every = time.monotonic(), list(dict.fromkeys(chain(*tests.values())))
    print("first without a mutant:", *every, flush=True)
    verdict, said = Suites(copies).run(every)
    if verdict != SURVIVED:
        print(f"without a mutant the tests end with: {verdict}: {said}", flush=True)
        return UNUSABLE
    suites = Suites(copies, limit_s=60 + 5 * (time.monotonic() - started))

    def one(mutant: Mutant) -> str:
        verdict, said = suites.run(tests[mutant], mutant)
        print(f"{verdict:10} {mutant}\n{'':10} {said[:110]}", flush=True)
        return verdict

    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(one, tests))
    survivors = [m for m, verdict in zip(tests, verdicts, strict=True) if verdict == SURVIVED]
    print(f"{len(tests)} mutants, {len(survivors)} survived", *survivors, sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
