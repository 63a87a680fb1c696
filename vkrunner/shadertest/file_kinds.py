"""Tells containers, listings and HLSL from other files."""

from __future__ import annotations

import re

from translate.hlsl.source import is_hlsl

_MAGIC = b"DXBC"
_PROFILE_LINE = re.compile(rb"^[ \t]*cs_\d_\d\b", re.MULTILINE)  # of a listing


def kind_of(data: bytes, file: str | None = None) -> str | None:
    """`container`, `listing` or `HLSL`; None for other files."""
    if data.startswith(_MAGIC):
        return "container"
    if is_hlsl(data, file):
        return "HLSL"
    return "listing" if _PROFILE_LINE.search(data) else None
