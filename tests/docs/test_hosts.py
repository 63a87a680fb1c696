"""The programs in C and C++ are built and run by the commands of their pages."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import vkrunner

from ..frame.test_ports import LAYER
from ..host.conftest import CPP, C
from ..host.test_host import lacking_for_desktop
from .blocks import PAGES, ROOT, Kind, blocks_of
from .test_pages import in_a_shell

FOUND = {page: blocks_of(page) for page in PAGES}
WITH_HOSTS = [page for page in PAGES if any(b.kind is Kind.HOST for b in FOUND[page])]


def test_pages_are_found() -> None:
    assert WITH_HOSTS == ["docs/engine.md", "docs/porting.md", "shaders/frame/README.md"]


@pytest.mark.slow(reason="each host is compiled and run")
@pytest.mark.parametrize("page", WITH_HOSTS)
def test_page(
    page: str, folder: Path, device: vkrunner.Device, require: Callable[[str], None]
) -> None:
    for language in (C, CPP):
        require(language.missing())
    if lacking := lacking_for_desktop(device):
        pytest.skip(lacking)
    printed: str | None = None
    for block in FOUND[page]:
        if block.kind is Kind.HOST:
            printed = in_a_shell(block, block.text)
        elif block.kind is not Kind.OUTPUT:
            printed = None
        elif printed is not None:
            assert block.text in printed, f"{block.place} is not what is printed:\n{printed}"


@pytest.mark.parametrize("page", WITH_HOSTS)
def test_the_validation_layer(page: str) -> None:
    """A page says which package has the layer, and which variable enables it in a host."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert re.findall(r"\bVK_INSTANCE_LAYERS=(\w+)", text) == [LAYER]
    assert "`vulkan-validationlayers`" in text
