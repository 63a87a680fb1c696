"""Cases of passes: a file has a module's text before and after one pass of the list.

    ; Rule and reason in a line.
    ; with guards=report                (options, where they are not the usual ones)
    module cs_5_0
    ...

    ; after

    module cs_5_0
    ...

The file's folder names the pass. "; after: unchanged" means that the module stays as it is. Long
repetitions are written once (`repeats.py`).
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.guarded import verify_guards
from translate.ir.parser import parse_module
from translate.ir.printer import print_module
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.options import Options
from translate.passes.pipeline import Pass, passes
from translate.target_device import device_of

from .repeats import folded, unfolded

FOLDER = Path(__file__).parents[2] / "tests/passes"
AFTER = "; after"
UNCHANGED = f"{AFTER}: unchanged\n"
_OPTIONS = "; with "
# Options with several words
_SETS = (
    *("float_controls", "robust_access", "exact_samples", "exact_functions"),
    *("workarounds", "missing_indexing"),
)
_CHECKED = ("d3d", "report")  # guards that leave no access to the device


@dataclass(frozen=True, slots=True)
class Case:
    """`before` is the module with the comments above it, `after` begins with its own line."""

    path: Path
    before: str
    after: str

    @property
    def name(self) -> str:
        return self.path.relative_to(FOLDER).with_suffix("").as_posix()

    @property
    def options(self) -> Options:
        lines = self.before.splitlines()
        given = [line.removeprefix(_OPTIONS) for line in lines if line.startswith(_OPTIONS)]
        words = (word.split("=") for word in " ".join(given).split())
        return Options(**{name: _value(name, value) for name, value in words})

    def run(self) -> str:
        """The file's expected text from the line "; after" on, by running the pass."""
        one, stage = self.step()
        module = parse_module(self.before, str(self.path))
        verify(module, stage)
        before = print_module(module, locations=True)
        one.run(module)
        verify(module, one.stage)
        if one.name == "guard_bounds" and self.options.guards in _CHECKED:
            verify_guards(module, device_of(self.options).robustness)
        after = print_module(module, locations=True)
        return UNCHANGED if after == before else f"{AFTER}\n\n{after}"

    def step(self) -> tuple[Pass, Stage]:
        """The pass, and the stage of a module before it."""
        stage = Stage.LOWERED
        for one in passes(self.options):
            if one.name == self.path.parent.name:
                return one, stage
            stage = one.stage
        raise ValueError(f"with these options no pass is called {self.path.parent.name}")

    def difference(self) -> str:
        """The difference between the file and the result of the pass; empty if there is none."""
        expected, found = (text.splitlines(keepends=True) for text in (self.after, self.run()))
        return "".join(difflib.unified_diff(expected, found, self.name, "now"))

    def update(self) -> None:
        text = folded(f"{self.before.rstrip()}\n\n{self.run()}")
        self.path.write_text(text, encoding="utf-8")


def _value(name: str, text: str) -> Any:
    """An option's value: a number, a set of words, a word, or True."""
    if name in _SETS:
        return frozenset(text.split(","))
    return int(text) if text.isdigit() else text == "true" or text


def folders() -> list[Path]:
    return sorted(path for path in FOLDER.iterdir() if path.is_dir() and path.name[0] != "_")


def cases() -> list[Case]:
    return [read_case(path) for folder in folders() for path in sorted(folder.iterdir())]


def read_case(path: Path) -> Case:
    before, mark, after = unfolded(path.read_text(encoding="utf-8")).partition(AFTER)
    return Case(path, before, mark + after)
