"""Parts of pages: highlighted lines of code, and pictures of threads and of the memory they access.

Pygments highlights HLSL, listings, IR and SPIR-V.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar

from markupsafe import Markup
from pygments import highlight  # pyright: ignore[reportUnknownVariableType]
from pygments.formatters import HtmlFormatter  # pyright: ignore[reportUnknownVariableType]
from pygments.lexer import RegexLexer
from pygments.lexers.graphics import HLSLShaderLexer  # pyright: ignore[reportMissingTypeStubs]
from pygments.token import Comment, Keyword, Number, String, Text

from translate.dataclass import dataclass
from translate.errors import escaped

_COMMON: list[Any] = [
    (r"[^\S\n]+|\n", Text),
    (r"//.*|;.*", Comment),
    (r'"[^"\n]*"', String),
    (r"%\w+", Text),
    (r"-?\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\b", Number),
]
Triple = tuple[int, int, int]
_WIDTH, _CELLS, _SLICES = 640, 64, 8
_ROW, _GAP = 8, 12  # pixels
_ZONES = ((0, 160), (160, 480), (480, 640))  # before, inside and after the memory


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


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and its description."""

    svg: Markup
    caption: str


def _svg(height: int, label: str, parts: Sequence[str]) -> Markup:
    head = f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">'
    return Markup(f"{head}{''.join(parts)}</svg>")


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{max(width, 1):g}" height="{height:g}"/>'
    )


def threads_picture(hit: Collection[Triple], threads: Triple, missing: int = 0) -> Picture:
    """A picture of the dispatch, in which the threads of `hit` are marked.

    `threads` are its numbers of threads in x, y and z. It has a plane of x and y for each z, or for
    parts of z; a cell may stand for several threads. `missing` is the number of violations without
    a record, whose threads are unknown.
    """
    columns, rows, slices = (
        min(n, m) for n, m in zip(threads, (_CELLS, _CELLS, _SLICES), strict=True)
    )
    height = max(rows * _ROW, 2 * _ROW)
    parts: list[str] = []
    for position in range(slices):
        parts.append(_rect("cell", 0, position * (height + _GAP), _WIDTH, height))
    cells = {
        (
            one[0] * columns // threads[0],
            one[1] * rows // threads[1],
            one[2] * slices // threads[2],
        )
        for one in hit
    }
    for x, y, z in sorted(cells):
        top = z * (height + _GAP) + y * height / rows
        parts.append(_rect("hit", x * _WIDTH / columns, top, _WIDTH / columns, height / rows))
    text = f"{len(hit):,} of {' x '.join(map(str, threads))} threads"
    each = -(-threads[0] // columns) * -(-threads[1] // rows) * -(-threads[2] // slices)
    axes = "x from left to right" + (", y down" if rows > 1 else "")
    axes += ", a plane for each part of z" if slices > 1 else ""
    axes += f"; a mark stands for up to {each:,} threads" if each > 1 else ""
    if missing:
        text = f"at least {text}"
        axes += f"; marks are missing, for {missing:,} violations have no record"
    caption = f"{text[0].upper()}{text[1:]}: {axes}."
    return Picture(_svg(slices * (height + _GAP), text, parts), caption)


def memory_picture(places: Sequence[tuple[int, bool]], size: int | None, unit: str) -> Picture:
    """A picture of accesses in three zones: before the memory, inside and after it.

    `places` has the byte or index of each access (`unit` says which), and whether it is inside,
    which counts only if `size` is None: unknown.
    """
    zones: tuple[list[int], list[int], list[int]] = ([], [], [])
    for place, is_inside in places:
        inside = is_inside if size is None else place < size
        zones[0 if place < 0 else 1 if inside else 2].append(place)
    kinds, labels = ("outside", "inside", "outside"), ("before", "inside", "after")
    parts: list[str] = []
    for (left, right), kind, label, some in zip(_ZONES, kinds, labels, zones, strict=True):
        parts.append(_rect(kind, left, 0, right - left, 40))
        parts.append(f'<text x="{left + 4}" y="60">{label}: {len(some):,}</text>')
        parts += [_rect("hit", x, 0, 3, 40) for x in _ticks(some, left, right - 3)]
    text = ", ".join(f"{len(p):,} {label}" for p, label in zip(zones, labels, strict=True))
    every = [place for place, _ in places]
    caption = f"Violations in memory: {text}; {unit} {min(every):,} to {max(every):,}"
    if size is not None:
        caption += f" of {size:,}"
    caption += "; not to scale"
    return Picture(_svg(68, f"Violations in memory: {text}", parts), f"{caption}.")


def _ticks(places: Sequence[int], left: int, right: int) -> list[int]:
    """The x of each place in pixels: `left` for the smallest place, `right` for the largest."""
    if not places:
        return []
    low, high = min(places), max(places)
    if low == high:
        return [(left + right) // 2]
    return sorted({left + (place - low) * (right - left) // (high - low) for place in places})
