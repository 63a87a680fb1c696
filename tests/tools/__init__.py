"""The programs of `tools/`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tools.radv.process import MissingDriver


@contextmanager
def required() -> Iterator[None]:
    """Skip the test if the block lacks a driver; in CI, which has them all, it fails."""
    try:
        yield
    except MissingDriver as missing:
        pytest.fail(str(missing)) if os.environ.get("CI") else pytest.skip(str(missing))
