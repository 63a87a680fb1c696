"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write files together: only when all are complete does any take its name."""
    prepared: list[tuple[Path, Path]] = []
    try:
        for path, data in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            prepared.append((temporary, path))
            temporary.write_bytes(data)
        for temporary, path in prepared:
            os.replace(temporary, path)
    finally:
        for temporary, _ in prepared:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
