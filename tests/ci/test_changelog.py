"""The changelog has a heading for each version; the latest is the code's, others are released."""

from __future__ import annotations

import re
from pathlib import Path

from translate.version import VERSION

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"(\d+)\.(\d+)\.(\d+), (not yet released|\d{4}-\d{2}-\d{2})")


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
