"""The documentation site is built without a warning, and its pages are complete."""

import html
import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

import translate
import vkrunner
from tests.commands import output
from translate.isa import ROWS
from vkrunner.cli.parser import VERBS

from .blocks import PAGES, ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    last = (ROOT / "ci/docs.sh").read_text("utf-8").splitlines()[-1]
    python, *words = shlex.split(last.replace("${1:-build}", "build"))
    assert python == ".venv/bin/python"
    output(*words, "--quiet", "-d", folder)
    return folder


def page(site: Path, name: str) -> str:
    return without_tags((site / name / "index.html").read_text(encoding="utf-8"))


def without_tags(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.slow(reason="the whole site is built")
def test_every_page_is_there(site: Path) -> None:
    for name in PAGES:
        made = {"README.md": ""}.get(name, name.removeprefix("docs/"))
        made = made.removesuffix("README.md").removesuffix(".md").lower()
        assert (site / made / "index.html").is_file(), name


@pytest.mark.slow(reason="the whole site is built")
def test_tables_are_complete(site: Path) -> None:
    """The table of coverage has every row, the command line every verb, an alias its values."""
    text = page(site, "coverage")
    for row in ROWS:
        assert re.search(rf"^{row.name}\b", text, re.MULTILINE), row.name
        assert f"{row.opcode:#04x}\n" in text
    assert f"{len(ROWS)} instructions and declarations" in text
    text = page(site, "cli")
    assert [verb for verb in VERBS if f"usage: sm5vk {verb}" not in text] == []
    text = page(site, "api/translate")
    assert [name for name in get_args(translate.FormatName) if f'"{name}"' not in text] == []


def test_the_interface_of_python_is_there(site: Path) -> None:
    text = page(site, "api/translate")
    assert re.search(
        r"\bdisassemble\(\s*program: Program,\s*\*,\s*header: bool = False,\s*"
        r"numbers: bool = False,\s*hexadecimal: bool = False,\s*exact: bool = False,?\s*\) -> str",
        text,
    )
    assert re.search(r"\bassemble\(\s*text: str,", text)
    assert "open_device(" in page(site, "api/vkrunner")
    assert re.search(r"translate\.Options\s+dataclass\b", page(site, "api/translate/Options"))


def test_every_public_name_is_on_a_page(site: Path) -> None:
    """A class on its own page, an exception on the page of errors, others on the package's page."""
    for package in (translate, vkrunner):
        for name in package.__all__:
            found, path = getattr(package, name), f"api/{package.__name__}"
            if isinstance(found, type):
                path = "api/errors" if issubclass(found, BaseException) else f"{path}/{name}"
            text = (site / path / "index.html").read_text(encoding="utf-8")
            assert f'id="{package.__name__}.{name}"' in text, name


def test_signatures_are_wrapped(site: Path) -> None:
    for path in sorted((site / "api").rglob("*.html")):
        text = path.read_text("utf-8")
        for signature in re.findall(r'<div class="doc-signature.*?</div>', text, re.S):
            lines = without_tags(signature).splitlines()
            assert max(map(len, lines)) <= 100, (path.parent.name, lines)


def test_links_are_valid(site: Path) -> None:
    for path in site.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#?]+)', path.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:|//|/", link):
                assert (path.parent / link).exists(), f"{path.relative_to(site)}: {link}"
