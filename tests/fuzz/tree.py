"""A random program as a tree, so that it can be printed, and cut down by `minimise`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Lines:
    """Instructions that only make sense together."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Arm:
    """A part of a construct: what announces it (`else`, `case l(1)`) and what stands in it."""

    head: tuple[str, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True)
class Construct:
    """An `if`, `loop` or `switch`; `opener` may hold what sets it up."""

    opener: tuple[str, ...]
    arms: tuple[Arm, ...]
    closer: str


Node = Lines | Construct


@dataclass(frozen=True)
class Tree:
    """A whole program: its declarations, its body, its subroutines in order."""

    header: tuple[str, ...]
    body: tuple[Node, ...]
    tail: tuple[str, ...]
    subroutines: tuple[tuple[Node, ...], ...] = ()

    def text(self) -> str:
        """The listing."""
        lines = [*self.header, *_lines(self.body), *self.tail, "ret"]
        for number, body in enumerate(self.subroutines):
            lines += [f"label label{number}", *_lines(body), "ret"]
        return "\n".join(lines) + "\n"


def _lines(nodes: tuple[Node, ...]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Lines):
            yield from node.lines
            continue
        yield from node.opener
        for arm in node.arms:
            yield from arm.head
            yield from _lines(arm.body)
        yield node.closer
