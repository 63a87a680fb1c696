"""Pause Python's cyclic garbage collector, which only slows a translation down.

A translation creates many objects that all live until its end. The collector would repeatedly
search them for garbage and find none.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager

_pausing = threading.Lock()


@contextmanager
def gc_paused() -> Generator[None]:
    """Pause the collector in a `with` block; afterwards it is enabled only if it was before.

    Of several threads the first pauses it; another continues with the collector when that one ends.
    """
    if not _pausing.acquire(blocking=False):
        yield
        return
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
        _pausing.release()
