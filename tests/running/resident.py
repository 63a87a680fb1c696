"""The resident memory of this process."""

from __future__ import annotations

import resource
from pathlib import Path


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()
