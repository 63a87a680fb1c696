"""MkDocs hooks: pages from other files, from the table of instructions and from --help.

A page of the site is a file of docs/, one of `PAGES`, or generated here. Links between files of the
repository become links between pages; other linked files are copied to the site.
"""

from __future__ import annotations

import contextlib
import io
import os
import posixpath
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

# A Markdown file of the repository -> its page
PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "tests/README.md": "tests.md",
    "shaders/README.md": "shaders/index.md",
    "shaders/examples/README.md": "shaders/examples/index.md",
    "shaders/frame/README.md": "shaders/frame/index.md",
}
_FILE_OF = {page: file for file, page in PAGES.items()}
_LINK = re.compile(r'(\]\(|\bsrc(?:set)?=")([^)\s"]+)([)"])')


def on_config(config: Any) -> Any:
    """Add the pages of the API reference to the navigation, before its last group."""
    from docs.reference import navigation

    config.nav.insert(-1, {"Python reference": navigation()})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages, and every file that a page links to."""
    from docs.reference import class_pages, errors_page

    made = {page: _read(file) for file, page in PAGES.items()}
    made |= {"coverage.md": coverage_page(), "cli.md": cli_page()}
    made |= {"api/errors.md": errors_page(), **class_pages()}
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    for file in files.documentation_pages():
        text = made.get(file.src_uri) or Path(file.abs_src_path or "").read_text("utf-8")
        for target in _targets(text, _repository_path(file.src_uri)):
            page = _page(target)
            if files.get_file_from_path(page) is None and (ROOT / target).is_file():
                files.append(File.generated(config, page, abs_src_path=str(ROOT / target)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Redirect links to pages."""
    from docs.reference import expand

    here = page.file.src_uri
    if here.startswith("api/"):
        markdown = expand(markdown)
    return _relink(markdown, _repository_path(here), here)


# --- links ----------------------------------------------------------------------------------------


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _repository_path(page: str) -> str:
    """The source file of a page, relative to the repository."""
    return _FILE_OF.get(page, f"docs/{page}")


def _page(path: str) -> str:
    """The path in the site for a file of the repository; for a folder, the page about it."""
    if path in PAGES:
        return PAGES[path]
    while (ROOT / path).is_dir():
        readme = posixpath.normpath(f"{path}/README.md")
        if readme in PAGES:
            return PAGES[readme]
        path = posixpath.dirname(path)
    return path.removeprefix("docs/")


def _resolve(link: str, source: str) -> str | None:
    """The file of the repository that a link in `source` leads to; None for external links."""
    if re.match(r"[a-z]+:|#", link):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link.partition("#")[0]))


def _targets(text: str, source: str) -> list[str]:
    found = (_resolve(match[2], source) for match in _LINK.finditer(text))
    return [target for target in found if target is not None]


def _relink(text: str, source: str, page: str) -> str:
    def lead(match: re.Match[str]) -> str:
        target = _resolve(match[2], source)
        if target is None or not (ROOT / target).exists():
            return match[0]
        relative = posixpath.relpath(_page(target), posixpath.dirname(page) or ".")
        _, hash_sign, part = match[2].partition("#")
        return f"{match[1]}{relative}{hash_sign}{part}{match[3]}"

    return _LINK.sub(lead, text)


# --- generated pages ------------------------------------------------------------------------------


def coverage_page() -> str:
    """The rows of the instruction table, with a table for each family."""
    from translate.isa import FAMILIES

    rows = [row for family in FAMILIES.values() for row in family]
    translated = sum(row.translated for row in rows)
    executed = sum(row.executed for row in rows)
    parts = [
        "# Coverage\n\nThis page is generated from the instruction table that the translator and"
        f" the reference machine use: {len(rows)} instructions and declarations of compute shaders,"
        f" of which {translated} are translated and {executed} executed by the reference machine."
        " Other opcodes are refused with their number."
    ]
    for name, family in FAMILIES.items():
        parts.append(f"## {name}\n\n{_HEAD}" + "\n".join(_row(row) for row in family))
    return "\n\n".join(parts) + "\n"


_HEAD = (
    "| instruction | opcode | since | operands | specified in | translated | reference machine |\n"
    "|---|---|---|---|---|---|---|\n"
)


def _row(row: Any) -> str:
    operands = ", ".join(spec.name for spec in row.operands)
    names = " ".join(f"`{name}`" for name in (row.name, *row.aliases))
    model = f"cs_{row.since[0]}_{row.since[1]}"
    marks = ("yes" if fact else "no" for fact in (row.translated, row.executed))
    cells = (names, f"{row.opcode:#04x}", model, operands, row.source, *marks)
    return f"| {' | '.join(cells)} |"


def cli_page() -> str:
    """The output of `--help` for each verb."""
    from vkrunner.cli.parser import VERBS

    parts = [f"# Options of the command line\n\n```text\n{_help([])}```"]
    parts += [f"## sm5vk {verb}\n\n```text\n{_help([verb])}```" for verb in VERBS]
    return "\n\n".join(parts) + "\n"


def _help(words: list[str]) -> str:
    main = import_module("vkrunner.__main__").main
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
            main([*words, "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
    return printed.getvalue()
