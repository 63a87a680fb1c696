"""Backend: what the resources of a device have in common, whichever machine it is."""

from __future__ import annotations

import itertools

_tokens = itertools.count(1)


def next_token() -> int:
    """A number that names one resource, and never another."""
    return next(_tokens)
