"""Change the words for a clone into those for a package index, before a release is built.

    python ci/published.py https://.../OWNER/NAME v1.2.3

`README.md` becomes the project's page there: its relative links get the repository's address and
the tag; pip installs `sm5vk` by name. pyproject.toml gets the project's addresses.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LINK = re.compile(r'((!?)\[[^\]]*\]\(|\b(src)(?:set)?=")([^)"\s]+)')  # and pictures in HTML
URLS = """
[project.urls]
Homepage = "{url}"
Documentation = "{url}/tree/{tag}/docs"
Changelog = "{url}/blob/{tag}/CHANGELOG.md"
"""
# A file -> words for a clone -> those for a package index
WORDS = {
    "README.md": {
        "    pip install .  # in the clone\n": "    pip install sm5vk\n",
        "sm5vk is not on a package index yet: use a clone of this repository.": (
            "Without a clone of the repository: `pip install sm5vk`."
        ),
    },
    "docs/getting-started.md": {"    pip install .\n": "    pip install sm5vk\n"},
    "docs/ci.md": {
        "./wheels/sm5vk-0.1.0-py3-none-any.whl[pytest]\n": "sm5vk[pytest]\n",
        "They install what `requirements.txt` names. sm5vk is not on a package index yet: build": (
            "They install what `requirements.txt` names. For a version of your own build"
        ),
    },
    "docs/looking-inside.md": {
        "'.[explain]'` in the clone installs": "'sm5vk[explain]'` installs",
    },
    "docs/troubleshooting.md": {"--no-deps CLONE\n": "--no-deps sm5vk\n"},
    "translate/__init__.py": {"CLONE, the folder of sm5vk's clone": "sm5vk"},
    "vkrunner/__init__.py": {"CLONE  # the folder of sm5vk's clone": "sm5vk"},
}


def absolute(text: str, url: str, tag: str) -> str:
    """Markdown whose relative links lead to the repository's files of a tag."""

    def lead(match: re.Match[str]) -> str:
        before, mark, source, target = match.groups()
        if not re.match(r"[a-z]+:|#", target):
            target = f"{url}/{'raw' if mark or source else 'blob'}/{tag}/{target}"
        return before + target

    return LINK.sub(lead, text)


def publish(root: Path, url: str, tag: str) -> None:
    """Change the files below `root`. Raises ValueError for a file without its words."""
    for name, words in WORDS.items():
        text = (root / name).read_text(encoding="utf-8")
        for before, after in words.items():
            if before not in text:
                raise ValueError(f"{name} has no {before!r}")
            text = text.replace(before, after)
        (root / name).write_text(text, encoding="utf-8")
    readme = root / "README.md"
    readme.write_text(absolute(readme.read_text(encoding="utf-8"), url, tag), encoding="utf-8")
    with (root / "pyproject.toml").open("a", encoding="utf-8") as project:
        project.write(URLS.format(url=url, tag=tag))


if __name__ == "__main__":
    publish(Path(__file__).parents[1], *sys.argv[1:])
