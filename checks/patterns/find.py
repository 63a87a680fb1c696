"""`python -m checks.patterns.find` prints the regular expressions of both packages as JSON.

Those that the packages make are recorded while they are imported and read listings and shader
tests; constants in functions that this does not reach are read from the source.
"""

from __future__ import annotations

import ast
import functools
import importlib
import json
import pkgutil
import re
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

PACKAGES = ("translate", "vkrunner")
ROOT = Path(__file__).parents[2]
# functions of `re` -> how they use a pattern: at every place, at one, or from there to the end
USES = {
    **dict.fromkeys(("search", "sub", "subn", "finditer", "findall", "split"), "search"),
    "match": "match",
    "fullmatch": "fullmatch",
}
METHODS = {*USES, "compile"}


@dataclass(frozen=True)
class Found:
    """A regular expression, and how the module that has it uses it; in every way if it does not."""

    place: str
    pattern: str
    flags: int
    is_bytes: bool
    uses: tuple[str, ...]

    def compiled(self) -> re.Pattern[Any]:
        pattern = self.pattern.encode("latin-1") if self.is_bytes else self.pattern
        return re.compile(pattern, self.flags)


@functools.cache
def all_patterns() -> tuple[Found, ...]:
    """Each once. A process of their own, which takes seconds, imports the packages."""
    command = [sys.executable, "-m", "checks.patterns.find"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return tuple(Found(**row) for row in json.loads(output))


def _modules() -> Iterator[str]:
    for name in PACKAGES:
        yield name
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            yield found.name


def _recorded() -> dict[tuple[str, int], list[re.Pattern[Any]]]:
    """The patterns that are made, by file and line."""
    found: dict[tuple[str, int], list[re.Pattern[Any]]] = {}
    original = re.compile

    def record(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        made = original(pattern, flags)
        caller = traceback.extract_stack(limit=2)[0]
        found.setdefault((caller.filename, caller.lineno or 0), []).append(made)
        return made

    re.compile = cast("Any", record)
    for name in _modules():
        importlib.import_module(name)
    _read_samples()
    re.compile = original
    return found


def _read_samples() -> None:
    """Read one of everything from which patterns are made."""
    import translate
    from vkrunner.shadertest.file_reader import read_file

    warnings.simplefilter("ignore", translate.ListingWarning)
    for listing in (ROOT / "tests/unit/asm/data").glob("*.asm"):
        translate.load(listing)
    for test in (ROOT / "vkrunner/conformance").rglob("*.shader_test"):
        read_file(test)


def _found() -> Iterator[Found]:
    recorded = _recorded()
    trees = {path: ast.parse(path.read_bytes()) for p in PACKAGES for path in _files(p)}
    for path, tree in trees.items():
        names = dict(_assigned(tree))
        uses = _uses(tree)
        for call in _calls(tree):
            lines = range(call.lineno, (call.end_lineno or call.lineno) + 1)
            made = [pattern for line in lines for pattern in recorded.get((str(path), line), ())]
            method = cast("ast.Attribute", call.func).attr
            used = (
                {USES[method]}
                if method in USES
                else uses.get(names.get(call.lineno, ""), {"match"})
            )
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            for pattern in made or [_constant(place, call)]:
                text = pattern.pattern
                is_bytes = isinstance(text, bytes)
                text = text.decode("latin-1") if is_bytes else text
                yield Found(place, text, pattern.flags, is_bytes, tuple(sorted(set(used))))


def _files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls of functions of `re`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            value = node.func.value
            if isinstance(value, ast.Name) and value.id == "re" and node.func.attr in METHODS:
                yield node


def _assigned(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The names that calls of `re` are assigned to, by line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.value.lineno, node.targets[0].id


def _uses(tree: ast.AST) -> dict[str, set[str]]:
    """How a module uses its patterns, by their names; "" for all that are local variables.

    A pattern that it passes on is for a Cursor of shader tests, which uses it by `match`.
    """
    uses: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        name = node.value.id if node.value.id.isupper() else ""
        is_local = not name and node.value.id != "re" and node.attr != "split"  # which is of a text
        if node.attr in USES and (name or is_local):
            uses.setdefault(name, set()).add(USES[node.attr])
    return uses


def _constant(place: str, call: ast.Call) -> re.Pattern[Any]:
    """The pattern of a call that no import makes, which has to be a constant to be tried."""
    if len(call.args) < 1 or not isinstance(call.args[0], ast.Constant):
        raise SystemExit(f"{place}: a pattern made from values, which no test can try")
    return re.compile(cast("Any", call.args[0].value))


if __name__ == "__main__":
    json.dump([asdict(found) for found in dict.fromkeys(_found())], sys.stdout)
