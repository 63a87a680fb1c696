"""Cut a failing program down to what still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from .tree import Arm, Construct, Lines, Node, Tree

Fails = Callable[[Tree], bool]


def minimise(tree: Tree, fails: Fails) -> Tree:
    """Try smaller trees for as long as one of them fails."""
    found: Tree | None = tree
    while found is not None:
        tree = found
        found = next((smaller for smaller in _smaller(tree) if fails(smaller)), None)
    return tree


def _smaller(tree: Tree) -> Iterator[Tree]:
    for body in _smaller_body(tree.body):
        yield replace(tree, body=body)
    for number, subroutine in enumerate(tree.subroutines):
        for body in _smaller_body(subroutine):
            kept = list(tree.subroutines)
            kept[number] = body
            yield replace(tree, subroutines=tuple(kept))
    if tree.subroutines:
        yield replace(tree, subroutines=tree.subroutines[:-1])
    for at in range(len(tree.tail)):
        yield replace(tree, tail=tree.tail[:at] + tree.tail[at + 1 :])


def _smaller_body(body: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    half = len(body) // 2
    if half > 1:
        yield body[half:]
        yield body[:half]
    for at, node in enumerate(body):
        before, after = body[:at], body[at + 1 :]
        yield before + after
        for replacement in _smaller_node(node):
            yield before + replacement + after


def _smaller_node(node: Node) -> Iterator[tuple[Node, ...]]:
    if isinstance(node, Lines):
        return
    for arm in node.arms:
        yield arm.body
    for at, arm in enumerate(node.arms):
        before, after = node.arms[:at], node.arms[at + 1 :]
        if before:
            yield (replace(node, arms=before + after),)
        for body in _smaller_body(arm.body):
            yield (_with(node, before, replace(arm, body=body), after),)


def _with(node: Construct, before: tuple[Arm, ...], arm: Arm, after: tuple[Arm, ...]) -> Construct:
    return replace(node, arms=(*before, arm, *after))
