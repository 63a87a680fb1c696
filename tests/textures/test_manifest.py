"""Every container in `data` is in the manifest, and its listing has the same program."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..manifests import check_listing, check_manifest, containers
from .shaders import DATA


def test_the_manifest_lists_them() -> None:
    check_manifest(DATA)


@pytest.mark.parametrize("path", containers(DATA), ids=lambda path: path.stem)
def test_listings_translate_to_the_same(path: Path) -> None:
    check_listing(path)
