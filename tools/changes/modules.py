"""The modules that two versions of the translator make of the same shaders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeAlias

from translate.options import GUARDS

from ..benchmarks.shaders import FOLDERS
from .trees import files

CORPORA = *FOLDERS, "tools/benchmarks/kernels"
MODES = "default", *GUARDS
LISTED = "newly refused", "newly translated", "changed"
REFUSED, SAME = "refused by both", "the same"
WORKER = Path(__file__).with_name("worker.py")
Results: TypeAlias = Mapping[str, tuple[str, str | None]]
"""The words and the digest of a shader's module, or the error and None, by guard mode."""


def module_list(before: Path, after: Path) -> str:
    """A Markdown list of the modules that differ; both versions translate the later shaders."""
    names = files(after, *(f"{folder}/*.dxbc" for folder in CORPORA))
    with ThreadPoolExecutor(2) as pool:
        old, new = pool.map(partial(translated, after, names), (before, after))
    both = [(old[name][mode], new[name][mode]) for name in names for mode in MODES]
    kinds = Counter(_kind(before, after) for (_, before), (_, after) in both)
    counts = ", ".join(f"{kinds[kind]} {kind}" for kind in (*LISTED, REFUSED, SAME))
    lines = [f"Modules of {len(names)} shaders in the guard modes {', '.join(MODES)}: {counts}."]
    for kind in LISTED:
        lines += _section(kind, old, new)
    return "\n".join(lines)


def translated(shaders: Path, names: Sequence[str], tree: Path) -> Mapping[str, Results]:
    """What the translator of a tree makes of the named files in the folder `shaders`."""
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", WORKER],
        env={**os.environ, "PYTHONPATH": str(tree)},
        input=json.dumps([str(shaders), MODES, names]),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def _section(kind: str, old: Mapping[str, Results], new: Mapping[str, Results]) -> list[str]:
    """The lines about the changes of a kind."""
    found = {name: _changes(old[name], new[name], kind) for name in new}
    items = [f"- `{name}`: {text}" for name, text in found.items() if text]
    title = f"{kind.capitalize()}, words of SPIR-V before → after:"
    return ["", title, "", *items] if items else []


def _changes(old: Results, new: Results, kind: str) -> str:
    """A shader's changes of a kind, each with its guard modes."""
    modes: dict[str, list[str]] = {}
    for mode, (before, digest) in old.items():
        after, other = new[mode]
        if _kind(digest, other) == kind:
            modes.setdefault(f"{before} → {after}", []).append(mode)
    return "; ".join(f"{', '.join(found)} {change}" for change, found in modes.items())


def _kind(before: str | None, after: str | None) -> str:
    if before == after:
        return SAME if after else REFUSED
    return LISTED[0] if after is None else LISTED[1] if before is None else LISTED[2]
