"""Python files and lines of each folder of the two packages, and of each other top-level folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .trees import files

PACKAGES = "translate", "vkrunner"
TOTAL = "**translate and vkrunner**"
HEADER = """\
| folder | files before | after | difference | lines before | after | difference |
|---|--:|--:|--:|--:|--:|--:|"""


def line_table(before: Path, after: Path) -> str:
    """A Markdown table of the folders that differ, and the total of the packages."""
    (old_files, old_lines), (new_files, new_lines) = _counts(before), _counts(after)
    rows = [HEADER]
    for folder in [*sorted({*old_files, *new_files} - {TOTAL}), TOTAL]:
        counts = old_files[folder], new_files[folder], old_lines[folder], new_lines[folder]
        if folder == TOTAL or counts[::2] != counts[1::2]:
            rows.append(_row(folder, *counts))
    return "\n".join(rows)


def _counts(tree: Path) -> tuple[Counter[str], Counter[str]]:
    """The files and the lines of each folder."""
    count, lines = Counter[str](), Counter[str]()
    for name in files(tree, "*.py"):
        for folder in _folders(PurePosixPath(name)):
            count[folder] += 1
            lines[folder] += (tree / name).read_bytes().count(b"\n")
    return count, lines


def _folders(path: PurePosixPath) -> Iterator[str]:
    """The rows that count a file."""
    top, *rest = path.parts
    if top not in PACKAGES:
        yield top
        return
    yield f"{top}/{rest[0]}" if rest[1:] else f"{top}/*.py"
    yield TOTAL


def _row(folder: str, *counts: int) -> str:
    cells = [
        f"{old:,} | {new:,} | {new - old:+,}"
        for old, new in zip(counts[::2], counts[1::2], strict=True)
    ]
    return f"| {folder} | {' | '.join(cells)} |"
