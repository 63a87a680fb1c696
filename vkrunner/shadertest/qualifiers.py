"""vkd3d's words before a line, `todo`, `bug` and `if`, with conditions in parentheses.

A condition, such as `(sm>=5 & !llvmpipe | mvk)`, tests the shader model and a device's tags.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from vkrunner import DeviceInfo
from vkrunner.shadertest.cursor import Cursor

# The shader models that vkd3d's conditions may name
MODELS = (2.0, 3.0, 4.0, 4.1, 5.0, 5.1, 6.0, 6.2)
TAGS = (
    *("d3d12", "glsl", "llvmpipe", "mesa<23.3", "msl", "mvk<1.2.11", "mvk", "opengl", "vulkan"),
    "warp",
)
_RELATIONS: dict[str, Callable[[float, float], bool]] = {"sm>=": operator.ge, "sm<": operator.lt}
_MODEL = re.compile(r"\d+(?:\.\d+)?(?![\w.])")
_TAG = re.compile(r"[a-z]\w*(?:[<>=]+[\d.]+)?")
_MESA = re.compile(r"Mesa (\d+)\.(\d+)")
_OLD_MESA = (23, 3)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The facts that `if` in test files tests: the shader model (5.0) and the device's tags."""

    model: float
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Term:
    """`sm>=MODEL`, `sm<MODEL`, a tag or, with `negated`, `!TAG`."""

    name: str
    model: float = 0.0
    negated: bool = False

    def holds(self, now: Circumstances) -> bool:
        """Whether the term is true."""
        if self.name in _RELATIONS:
            return _RELATIONS[self.name](now.model, self.model)
        return (self.name in now.tags) is not self.negated


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows of terms. The condition is true if one row has only true terms."""

    rows: tuple[tuple[Term, ...], ...] = ((),)

    def holds(self, now: Circumstances) -> bool:
        """Whether the condition is true."""
        return any(all(term.holds(now) for term in row) for row in self.rows)


@dataclass(frozen=True, slots=True)
class Qualifiers:
    """The words before a line, with their conditions; all of `only_if` must be true."""

    todo: tuple[Condition, ...] = ()
    bug: tuple[Condition, ...] = ()
    only_if: tuple[Condition, ...] = ()


ALWAYS = Qualifiers()


def read_qualifiers(cursor: Cursor) -> Qualifiers:
    """Read the words `todo`, `bug` and `if` before a line, in any order."""
    found: dict[str, list[Condition]] = {"todo": [], "bug": [], "if": []}
    while (word := next((w for w in found if cursor.accept(w)), None)) is not None:
        found[word].append(read_condition(cursor))
    return Qualifiers(tuple(found["todo"]), tuple(found["bug"]), tuple(found["if"]))


def read_condition(cursor: Cursor) -> Condition:
    """Read a condition in parentheses; without parentheses it is always true."""
    if not cursor.accept("("):
        return Condition()
    rows = [_row(cursor)]
    while cursor.accept("|"):
        rows.append(_row(cursor))
    cursor.expect(")", "&, | or )")
    return Condition(tuple(rows))


def _row(cursor: Cursor) -> tuple[Term, ...]:
    terms = [_term(cursor)]
    while cursor.accept("&"):
        terms.append(_term(cursor))
    return tuple(terms)


def _term(cursor: Cursor) -> Term:
    for relation in _RELATIONS:
        if cursor.accept(relation):
            return Term(relation, _model(cursor))
    negated = cursor.accept("!") is not None
    tag = cursor.choose(("sm>=MODEL", "sm<MODEL", *TAGS), "tag", _TAG)
    return Term(tag.text, negated=negated)


def _model(cursor: Cursor) -> float:
    token = cursor.expect(_MODEL, "a shader model")
    if float(token.text) not in MODELS:
        there = ", ".join(str(model) for model in MODELS)
        raise token.error(f"unknown shader model {token.text}; expected one of {there}")
    return float(token.text)


def tags_of(info: DeviceInfo) -> frozenset[str]:
    """vkd3d's tags of a device; the reference machine has none."""
    if info.type == "reference":
        return frozenset()
    tags = {"vulkan"}
    tags |= {"llvmpipe"} if info.is_called("llvmpipe") else set()
    tags |= {"mvk"} if info.is_called("moltenvk") else set()
    mesa = _MESA.search(info.driver_version)
    tags |= {"mesa<23.3"} if mesa and (int(mesa[1]), int(mesa[2])) < _OLD_MESA else set()
    return frozenset(tags)
