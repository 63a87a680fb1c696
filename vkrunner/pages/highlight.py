"""Highlighted lines of HLSL, listings, IR and SPIR-V, by Pygments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from pygments import highlight  # pyright: ignore[reportUnknownVariableType]
from pygments.formatters import HtmlFormatter  # pyright: ignore[reportUnknownVariableType]
from pygments.lexer import RegexLexer
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
from pygments.token import Comment, Keyword, Number, String, Text

from translate.errors import escaped

_COMMON: list[Any] = [
    (r"[^\S\n]+|\n", Text),
    (r"//.*|;.*", Comment),
    (r'"[^"\n]*"', String),
    (r"%\w+", Text),
    (r"-?\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\b", Number),
]


class _Listing(RegexLexer):
    """fxc's listings: the mnemonic is the first word of a line."""

    name = "D3D assembly"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"^\s*(?:\d+:\s+)?[a-z]\w*(?:\([^)]*\))*", Keyword),
            *_COMMON,
            (r"[A-Za-z_]\w*", Text),
            (r".", Text),
        ]
    }


class _Ir(RegexLexer):
    """The IR: the operation follows `=` or begins the line."""

    name = "sm5vk IR"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"^\s*[a-z_]\w*", Keyword),
            (r"(?<== )\w+", Keyword),
            *_COMMON,
            (r"[A-Za-z_]\w*", Text),
            (r".", Text),
        ]
    }


class _Spirv(RegexLexer):
    """SPIR-V's assembly."""

    name = "SPIR-V"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [(r"\bOp\w+", Keyword), *_COMMON, (r"[A-Za-z_]\w*", Text), (r".", Text)]
    }


_LEXERS: dict[str, Any] = {  # AMD's code is written like a listing
    "listing": _Listing,
    "ir": _Ir,
    "spirv": _Spirv,
    "machine": _Listing,
}


def highlighted(lines: Iterable[str], language: str) -> list[str]:
    """Each line as HTML. The language is hlsl, listing, ir, spirv or machine."""
    texts = [escaped(line, keep="\t") for line in lines]
    given: dict[str, Any] = {"stripnl": False, "ensurenl": True}
    lexer: Any = (
        get_lexer_by_name("hlsl", **given) if language == "hlsl" else _LEXERS[language](**given)
    )
    made: str = highlight("\n".join([*texts, ""]), lexer, HtmlFormatter(nowrap=True))
    found = made.split("\n")
    return found[: len(texts)]
