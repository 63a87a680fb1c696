"""ci/published.py: the words for a clone become those for a package index."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
URL = "https://forge.example/someone/sm5vk"


@pytest.fixture
def published() -> Any:
    spec = importlib.util.spec_from_file_location("published", ROOT / "ci/published.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(published: Any, tmp_path: Path) -> Path:
    """A copy of the files that are changed."""
    for name in (*published.WORDS, "pyproject.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_pages_of_an_index(published: Any, tree: Path) -> None:
    published.publish(tree, URL, "v0.1.0")
    text = (tree / "README.md").read_text()
    tokens = MarkdownIt("commonmark").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    links = [child.attrs.get("href") or child.attrs.get("src") for child in inline]
    links = [str(link) for link in links if link]
    assert len(links) > 20
    assert all(re.match(r"https://|#", link) for link in links), links
    ours = [link for link in links if link.startswith(URL)]
    for link in ours:
        path = re.sub(rf"{URL}/(blob|raw)/v0.1.0/|#.*", "", link)
        assert (ROOT / path).exists(), link
    assert f"{URL}/raw/v0.1.0/shaders/examples/pictures/particles.png" in ours
    assert "pip install sm5vk\n" in text
    urls = tomllib.loads((tree / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Homepage"] == URL
    for name in published.WORDS:
        text = (tree / name).read_text()
        assert not re.search(r"^    pip install \.|no-deps CLONE|index yet", text, re.M), name


def test_words_that_are_gone_are_an_error(published: Any, tree: Path) -> None:
    (tree / "README.md").write_text("nothing\n")
    with pytest.raises(ValueError, match=r"README\.md has no"):
        published.publish(tree, URL, "v0.1.0")
