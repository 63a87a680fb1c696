"""The code blocks of the Markdown pages: their kinds, and the commands that are not run.

The kind follows from the language or, in an indented block, from its first word. Commands of which
one compiles C or C++, or runs the result, need a compiler and a Vulkan device. `title="NAME"`
on a fenced block makes it a file of that name, which later blocks use. A block without a language,
or of `text`, after one that runs is that block's output or a part of it. `<!-- exits 1 -->` above
a block is the exit code of its last command.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "shaders/**/*.md")
    for path in ROOT.glob(pattern)
)
ADDITIONS = [page for page in PAGES if page.startswith("docs/adding-")]  # `test_adding.py`


class Kind(Enum):
    PYTHON = auto()
    SHELL = auto()
    HOST = auto()  # commands that build and run a program in C or C++
    OUTPUT = auto()  # of the block before
    FILE = auto()  # `title` is its name
    LISTING = auto()  # a shader, to be translated
    SHOWN = auto()  # for reading only


_LANGUAGES = {
    "python": Kind.PYTHON,
    "asm": Kind.LISTING,
    **dict.fromkeys(("sh", "bash", "shell"), Kind.SHELL),
    **dict.fromkeys(("", "text"), Kind.OUTPUT),
    **dict.fromkeys(("c", "cmake", "cpp", "diff", "dockerfile", "hlsl"), Kind.SHOWN),
    **dict.fromkeys(("ini", "ir", "json", "pycon", "toml", "yaml"), Kind.SHOWN),
}
_COMMANDS = ("python", "pytest", "sed", "sh", "sm5vk", "pip", "mkdocs")
_NOT_RUN = {
    r"\bci/": "the script installs packages, or runs these tests",
    r"\b(apt|apt-get|docker|podman|git|pip|pipx|uv)\b": "it needs a network",
    r"^(pre-commit|mkdocs)\b": "it sets up or serves what is not part of the tests",
    r"--for-device\b": "it takes a Vulkan device",
    r"^fxc\b": "it is a program for Windows",
    r"^python -m tests\.": "it runs for as long as it is asked to",
}
_HOST = re.compile(r"^(cc|c\+\+|\./\w+) ", re.MULTILINE)
_TITLE = re.compile(r'title="([^"]+)"')
_EXITS = re.compile(r"<!-- exits (\d+) -->")
_CONTAINER = re.compile(r"^(!!!|\?\?\?\+?|===) ")  # MkDocs: the indented lines below belong to it


@dataclass(frozen=True, slots=True)
class Block:
    """A code block of a page. `exits` is the exit code of a shell block."""

    page: str
    line: int
    kind: Kind
    text: str
    title: str = ""
    exits: int = 0

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> str:
        """A shell block's text without the lines that are not run here."""
        return "".join(line for line in self.text.splitlines(True) if not why_not_run(line))


def why_not_run(command: str) -> str | None:
    """Why a line of a shell block cannot run in the tests; None for one that can."""
    found = (why for pattern, why in _NOT_RUN.items() if re.search(pattern, command.strip()))
    return next(found, None)


def blocks_of(page: str) -> list[Block]:
    """A page's blocks in their order. Raises ValueError for an unknown language."""
    return list(_blocks(page, (ROOT / page).read_text(encoding="utf-8"), 1))


def _blocks(page: str, text: str, first_line: int) -> Iterator[Block]:
    exits, above, follows = 0, "", False
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "html_block" and (match := _EXITS.match(token.content)):
            exits = int(match[1])
        if token.type == "inline":
            above, follows = token.content.splitlines()[-1], False
        if token.type not in ("fence", "code_block"):
            continue
        assert token.map is not None
        line = first_line + token.map[0]
        if token.type == "code_block" and _CONTAINER.match(above):
            yield from _blocks(page, token.content, line)
            continue
        block = replace(_block(page, line, token), exits=exits)
        if block.kind is Kind.OUTPUT and not follows:
            block = replace(block, kind=Kind.SHOWN)
        follows = block.kind in (Kind.PYTHON, Kind.SHELL, Kind.HOST)
        exits = 0
        yield block


def _block(page: str, line: int, token: Token) -> Block:
    if token.type == "code_block":
        return Block(page, line, _kind_of_indented(token.content), token.content)
    language = token.info.split()[0] if token.info.strip() else ""
    title = _TITLE.search(token.info)
    if title:
        return Block(page, line, Kind.FILE, token.content, title[1])
    if language not in _LANGUAGES:
        raise ValueError(f"{page}:{line}: is a block of {language!r} to be run, or only shown?")
    kind = _LANGUAGES[language]
    if kind is Kind.SHELL and _HOST.search(token.content):
        kind = Kind.HOST
    return Block(page, line, kind, token.content)


def _kind_of_indented(text: str) -> Kind:
    """The first word distinguishes commands and listings; variables may be set before it."""
    words = [word for word in text.split() if not re.match(r"[A-Z_0-9]+=", word)]
    first = words[0] if words else ""
    if first.startswith("cs_"):
        return Kind.LISTING
    return Kind.SHELL if first in _COMMANDS or "$(" in text else Kind.SHOWN
