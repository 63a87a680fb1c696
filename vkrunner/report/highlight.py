"""Highlighted lines of HLSL, listings, IR and SPIR-V, by Pygments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from pygments import highlight  # pyright: ignore[reportUnknownVariableType]
from pygments.formatters import HtmlFormatter  # pyright: ignore[reportUnknownVariableType]
from pygments.lexer import RegexLexer
from pygments.lexers.graphics import HLSLShaderLexer  # pyright: ignore[reportMissingTypeStubs]
from pygments.token import Comment, Keyword, Number, String, Text

from translate.errors import escaped

_COMMON: list[Any] = [
    (r"[^\S\n]+|\n", Text),
    (r"//.*|;.*", Comment),
    (r'"[^"\n]*"', String),
    (r"%\w+", Text),
    (r"-?\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\b", Number),
]


class _Hlsl(HLSLShaderLexer):
    """A comment that nothing ends takes all that follows: Pygments would look for its end, and then
    for that of each later one."""

    tokens: ClassVar[dict[str, Any]] = {
        **HLSLShaderLexer.tokens,
        "root": [
            (r"/(?:\\\n)?\*(?![\s\S]*?\*(?:\\\n)?/)[\s\S]*", Comment.Multiline),
            *HLSLShaderLexer.tokens["root"],
        ],
    }


class _Listing(RegexLexer):
    """fxc's listings: the mnemonic is the first word of a line."""

    name = "D3D assembly"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"^[^\S\n]*(?:\d+:[^\S\n]+)?[a-z]\w*(?:\([^)\n]*\))*", Keyword),
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
            (r"^[^\S\n]*[a-z_]\w*", Keyword),
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
    "hlsl": _Hlsl,
    "listing": _Listing,
    "ir": _Ir,
    "spirv": _Spirv,
    "machine": _Listing,
}


def highlighted(lines: Iterable[str], language: str) -> list[str]:
    """Each line as HTML. The language is hlsl, listing, ir, spirv or machine."""
    texts = [escaped(line, keep="\t") for line in lines]
    lexer: Any = _LEXERS[language](stripnl=False, ensurenl=True)
    made: str = highlight("\n".join([*texts, ""]), lexer, HtmlFormatter(nowrap=True))
    found = made.split("\n")
    return found[: len(texts)]
