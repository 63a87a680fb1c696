"""The `repr` of objects, and HTML tables for notebooks.

Names come from containers, which may be hostile: control characters are escaped, in tables also
HTML's, and long texts are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from translate.errors import escaped

_MOST_ROWS = 32
_MOST_CHARACTERS = 100  # per fact or cell


def line_of(owner: object, *facts: str | None) -> str:
    """`<Buffer float32[4], closed>`: an object's class, and its facts except None."""
    text = ", ".join(_shortened(fact) for fact in facts if fact)
    return f"<{type(owner).__name__} {text}>"


def html_table(caption: str, rows: Iterable[Sequence[object]], heading: Sequence[str] = ()) -> str:
    """An HTML table; of many rows, only the first."""
    every = list(rows)
    body = [_row(row, "td") for row in every[:_MOST_ROWS]]
    if len(every) > _MOST_ROWS:
        body.append(_row([f"and {len(every) - _MOST_ROWS} more"], "td"))
    head = f"<thead>{_row(heading, 'th')}</thead>" if heading else ""
    title = f'<caption style="white-space: nowrap">{_escaped(caption)}</caption>'
    return f"<table>{title}{head}<tbody>{''.join(body)}</tbody></table>"


def some_of(texts: Sequence[str], most: int = 8) -> str:
    """The first texts, and a count of the others: `a, b, c and 5 more`."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def _row(cells: Sequence[object], tag: str) -> str:
    start = f'<{tag} style="text-align: left">'  # Jupyter aligns cells to the right
    return f"<tr>{''.join(f'{start}{_escaped(str(cell))}</{tag}>' for cell in cells)}</tr>"


def _escaped(text: str) -> str:
    from html import escape  # only notebooks need it

    return escape(_shortened(text))


def _shortened(text: str) -> str:
    shown = escaped(text[:_MOST_CHARACTERS])
    return shown if len(text) <= _MOST_CHARACTERS else f"{shown}…"
