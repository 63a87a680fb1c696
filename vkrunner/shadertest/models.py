"""The shader models to compile HLSL for, and the expected results of compiling it.

`[require]` limits the models. In the header of `[compute shader]`, `fail` and `notimpl` name the
models for which the compiler refuses the shader, `todo` those for which it does not yet give the
expected result.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from translate.hlsl.options import PROFILES, HlslOptions
from vkrunner.shadertest.cases import CompileCheck
from vkrunner.shadertest.cursor import Cursor
from vkrunner.shadertest.literals import real
from vkrunner.shadertest.qualifiers import Circumstances, Condition, read_condition

RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_RELATION = re.compile("|".join(RELATIONS))
_HEX_FORM = "dxbc-tpf-hex"
_HEX_FORMS = ("d3dbc-hex", _HEX_FORM, "dxbc-dxil-hex")
_MARK = re.compile(r"[a-z][\w-]*")


def model_of(profile: str) -> float:
    """The shader model of a profile: 5.1 for `cs_5_1`."""
    return float(profile.removeprefix("cs_").replace("_", "."))


def read_relation(cursor: Cursor) -> tuple[str, float]:
    """Read `>= 5.0`, as (relation, number)."""
    relation = cursor.expect(_RELATION, f"one of {', '.join(RELATIONS)}").text
    return relation, real(cursor, "a limit")


@dataclass(frozen=True, slots=True)
class Models:
    """The profiles that `[require]` allows, lowest first; `is_limited` if it names a model."""

    profiles: tuple[str, ...] = PROFILES
    is_limited: bool = False
    missing: str = ""  # the reason why no model is left

    def limited(self, relation: str, model: float) -> Models:
        """These models, without the profiles that do not meet a condition such as `>= 5.0`."""
        left = tuple(p for p in self.profiles if RELATIONS[relation](model_of(p), model))
        reason = "" if left else f"needs shader model {relation} {model:g}; there are 4.0 to 5.1"
        return Models(left, True, self.missing or reason)

    @property
    def first(self) -> str:
        """The profile to compile for: the lowest, or the usual one if no model is named."""
        return self.profiles[0] if self.is_limited else HlslOptions.profile


@dataclass(frozen=True, slots=True)
class Marks:
    """The words in a shader's header, with their conditions; `hex` is one of vkd3d's hex forms."""

    todo: tuple[Condition, ...] = ()
    fail: tuple[Condition, ...] = ()
    hex: str = ""

    @property
    def unread(self) -> str:
        """The reason why no device runs the shader, if its form cannot be read."""
        return f"{self.hex} is not read" if self.hex not in ("", _HEX_FORM) else ""

    def check(self, profile: str) -> CompileCheck:
        """The expected result of compiling for a profile."""
        now = Circumstances(model_of(profile))
        fails, todo = (any(c.holds(now) for c in given) for given in (self.fail, self.todo))
        return CompileCheck(profile, fails, todo)

    def checks(self, models: Models) -> tuple[CompileCheck, ...]:
        """The compilations to check, chosen like in vkd3d's runner.

        These are the first model, if it or no model should compile, and adjacent models of which
        only one should.
        """
        rows = [self.check(profile) for profile in models.profiles]
        chosen = {models.first} if not self.check(models.first).fails else set[str]()
        for before, after in itertools.pairwise(rows):
            if before.fails != after.fails:
                chosen |= {before.profile, after.profile}
        return tuple(row for row in rows if row.profile in (chosen or {models.first}))

    def profile_to_run(self, models: Models) -> str | None:
        """The first model, or the next one that should compile; None if none should."""
        later = models.profiles[models.profiles.index(models.first) :]
        return next((p for p in later if not self.check(p).fails), None)


def read_marks(cursor: Cursor) -> Marks:
    """Read `todo`, `fail`, `notimpl`, with conditions, and `dxbc-tpf-hex`, to the end."""
    given: dict[str, list[Condition]] = {"todo": [], "fail": [], "notimpl": []}
    form = ""
    while not cursor.at_end:
        word = cursor.choose((*given, *_HEX_FORMS), "word", _MARK).text
        if word in given:
            given[word].append(read_condition(cursor))
        else:
            form = word
    return Marks(tuple(given["todo"]), (*given["fail"], *given["notimpl"]), form)
