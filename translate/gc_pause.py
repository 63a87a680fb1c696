"""Python's search for garbage in cycles, which a translation can do without.

A translation makes many objects that all live until its end. Each time enough of them are new,
Python looks through all of them for garbage, in vain.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Generator[None]:
    """No search within; afterwards it is on again if it was on before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
