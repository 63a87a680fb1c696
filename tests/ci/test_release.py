"""The changelog's versions, and the pages of a release, which ci/published.py makes.

A heading for each version; the latest is the code's, others are released. The words for a clone
become those for a package index.
"""

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from translate.version import VERSION

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"(\d+)\.(\d+)\.(\d+), (not yet released|\d{4}-\d{2}-\d{2})")
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
    links = [str(link) for link in links if link] + re.findall(r'src(?:set)?="([^"]+)', text)
    assert len(links) > 20
    assert all(re.match(r"https://|#", link) for link in links), links
    ours = [link for link in links if link.startswith(URL)]
    for link in ours:
        path = re.sub(rf"{URL}/(blob|raw)/v0.1.0/|#.*", "", link)
        assert (ROOT / path).exists(), link
    for scheme in ("light", "dark"):
        assert f"{URL}/raw/v0.1.0/docs/pictures/explain-{scheme}.png" in ours
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


def test_headings_are_versions() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    found = [HEADING.fullmatch(heading) for heading in headings]
    assert [h for h, match in zip(headings, found, strict=True) if match is None] == []
    versions = [tuple(map(int, match.groups()[:3])) for match in found if match]
    assert versions == sorted({*versions}, reverse=True), "the latest version comes first"
    assert headings[0].startswith(f"{VERSION}, "), "translate/version.py has another version"
    assert [h for h in headings[1:] if "not yet" in h] == [], "only the latest may be unreleased"
    assert "\n- " not in text.partition("\n## ")[0], "changes are below a version"


def test_the_package_takes_its_version_from_the_code() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in text
    assert 'version = { attr = "translate.version.VERSION" }' in text
