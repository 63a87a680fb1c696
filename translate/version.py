"""Which translator this is: the package's version, and a hash that differs between two states."""

from __future__ import annotations

import functools
import hashlib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

VERSION = "0.1.0"  # pyproject.toml reads it here


def is_compiled() -> bool:
    """Whether this is a wheel with machine code in it, as `SM5VK_COMPILE=1` has one built."""
    folder = Path(__file__).parent / "ir"
    return any((folder / f"values{suffix}").exists() for suffix in EXTENSION_SUFFIXES)


@functools.cache
def fingerprint() -> str:
    """A SHA-256 over the version and every source of the package: equal, so results are equal."""
    root = Path(__file__).parent
    digest = hashlib.sha256(VERSION.encode())
    for path in sorted(root.rglob("*.py")):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
