"""Every container in `data`, here and in `views`, is in its manifest; its listing is the same."""

from pathlib import Path

import pytest

from ..manifests import check_listing, check_manifest, containers
from ..views.shaders import DATA as OF_VIEWS
from .shaders import DATA


@pytest.mark.parametrize("folder", [DATA, OF_VIEWS], ids=["textures", "views"])
def test_the_manifest_lists_them(folder: Path) -> None:
    check_manifest(folder)


@pytest.mark.parametrize(
    "path", [*containers(DATA), *containers(OF_VIEWS)], ids=lambda path: path.stem
)
def test_listings_translate_to_the_same(path: Path) -> None:
    check_listing(path)
