"""The version of the translator, and a hash of its sources."""

from __future__ import annotations

import functools
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

VERSION = "0.1.0"  # pyproject.toml reads it here


# Whether this installation contains machine code (ci/backend.py)
IS_COMPILED = any((Path(__file__).parent / f"ir/values{s}").exists() for s in EXTENSION_SUFFIXES)


@functools.cache
def fingerprint() -> str:
    """A SHA-256 of the version and all sources: with equal hashes, translations are equal."""
    import hashlib  # loads OpenSSL, and is needed only for reports

    root = Path(__file__).parent
    digest = hashlib.sha256(VERSION.encode())
    for path in sorted(root.rglob("*.py")):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
