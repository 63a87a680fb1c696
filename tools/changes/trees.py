"""The trees of two revisions, and their files."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


def is_commit(root: Path, revision: str) -> bool:
    words = ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    return subprocess.run(words, cwd=root, capture_output=True).returncode == 0


@contextmanager
def tree_of(root: Path, revision: str | None) -> Generator[Path]:
    """A temporary worktree of a revision; without one, the working tree itself."""
    if revision is None:
        yield root
        return
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        _git(root, "worktree", "add", "--quiet", "--detach", str(tree), revision)
        try:
            yield tree
        finally:
            _git(root, "worktree", "remove", "--force", str(tree))


def files(tree: Path, *patterns: str) -> list[str]:
    """The files that git knows or would add; `*` in a pattern includes folders."""
    words = "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns
    names = _git(tree, *words).split("\0")
    return sorted({name for name in names if (tree / name).is_file()})


def _git(folder: Path, *words: str) -> str:
    return subprocess.check_output(["git", *words], cwd=folder, encoding="utf-8")
