"""The lines and words that vkd3d's dialect reads in another way than this project's.

`[require]` limits the shader models of a test. In the header of `[compute shader]`, `fail` and
`notimpl` name the models for which the compiler refuses the shader, `todo` those for which it does
not yet give the expected result.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import numpy as np

from translate.dataclass import dataclass, replace
from translate.hlsl.options import PROFILES, HlslOptions
from vkrunner.shadertest import directives
from vkrunner.shadertest.cases import (
    CompileCheck,
    Condition,
    CounterProbe,
    LastingKey,
    Number,
    Probe,
    Uniform,
)
from vkrunner.shadertest.conditions import (
    MODEL,
    RELATIONS,
    model_of,
    read_condition,
    read_relation,
)
from vkrunner.shadertest.cursor import Cursor, Line
from vkrunner.shadertest.directives import DIRECTIVES, Directive, Table
from vkrunner.values.elements import ElementType, Leaf

DRAWING = re.compile(
    r"(?:draw|clear|copy|depth-bounds|depth|sample mask|alpha test|shade mode|clip-plane"
    r"|point-size|point-sprite|fog-colour|fog|viewport)(?![\w-])"
    r"|probe\s*(?:\(|(?:rtv|dsv|render target|all)\b)"
)
_WORD = re.compile(r"[a-z][\w-]*")
_HEX_FORM = "dxbc-tpf-hex"
_HEX_FORMS = ("d3dbc-hex", _HEX_FORM, "dxbc-dxil-hex")
BACKWARDS = "-Gec"  # which cs_5_1 does not allow
_FLAGS = {  # `options:` -> fxc's flags
    "none": None,
    "row-major": "-Zpr",
    "column-major": "-Zpc",
    "backcompat": BACKWARDS,
    "unbounded-descriptor-arrays": "-enable_unbounded_descriptor_tables",
}
_FLOAT = np.dtype("<f4")


def cursor_of(line: Line) -> Cursor:
    """A cursor that ends before the semicolons at the end of a line."""
    code = Cursor(line).rest
    return Cursor(line, code.start, code.start + len(code.text.rstrip("; \t")))


# -- [test] ----------------------------------------------------------------------------------------


def _uniform(cursor: Cursor) -> Uniform:
    step = directives.uniform(cursor)
    pairs = zip(step.values, step.element.leaves, strict=True)
    values = tuple(
        _plain(value) if leaf.dtype is not None and leaf.dtype.kind == "f" else value
        for value, leaf in pairs
    )
    return replace(step, key=LastingKey(step.key), values=values)


def _plain(found: Number) -> Number:
    """The number as a float of this value; vkd3d reads even hexadecimal floats so, not as bits."""
    return Number(found.token, float(found.value))


def _probe(cursor: Cursor) -> Probe | CounterProbe:
    cursor.accept("buffer")  # in older files
    found = directives.probe(cursor)
    probe = replace(found, key=LastingKey(found.key))
    if not isinstance(probe, Probe):
        return probe
    if probe.written_as is None or not isinstance(probe.values, tuple):
        return replace(probe, omitted=0)
    dtype, values = np.dtype(probe.written_as), probe.values
    unit = _unit(probe, dtype, len(values))
    if dtype.kind == "f":
        values = tuple(value and _plain(value) for value in values)
    return replace(probe, values=values, omitted=0, unit=unit)


def _unit(probe: Probe, dtype: np.dtype[np.generic], count: int) -> ElementType | None:
    """The values as one element, if the place consists of single coordinates, not of ranges."""
    is_single = all(s.stop is not None and s.stop == s.start + 1 for s in probe.spans)
    if probe.field is not None or not probe.spans or not is_single:
        return None
    size = dtype.itemsize
    leaves = tuple(Leaf(f"[{n}]", n * size, dtype) for n in range(count))
    is_half = (dtype, count) == (_FLOAT, 2)  # vkd3d counts in four floats even if it compares two
    return ElementType(4 * size if is_half else count * size, leaves)


# -- shader models ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Models:
    """The profiles that `[require]` allows, lowest first; `is_limited` if it names a model."""

    profiles: tuple[str, ...] = PROFILES
    is_limited: bool = False
    missing: str = ""  # the reason why no model is left

    @classmethod
    def meeting(cls, conditions: Sequence[tuple[str, float]]) -> Models:
        """The models that meet all conditions such as `>= 5.0`."""
        left = PROFILES
        for relation, model in conditions:
            left = tuple(p for p in left if RELATIONS[relation](model_of(p), model))
            if not left:
                reason = f"needs shader model {relation} {model:g}; there are 4.0 to 5.1"
                return cls((), True, reason)
        return cls(left, bool(conditions))

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
        now = model_of(profile), frozenset[str]()
        fails, todo = (any(c(*now) for c in given) for given in (self.fail, self.todo))
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
    todo: list[Condition] = []
    fail: list[Condition] = []
    form, given = "", {"todo": todo, "fail": fail, "notimpl": fail}
    while not cursor.at_end:
        word = cursor.choose((*given, *_HEX_FORMS), "word", _WORD).text
        if word in given:
            given[word].append(read_condition(cursor))
        else:
            form = word
    return Marks(tuple(todo), tuple(fail), form)


def _options(cursor: Cursor) -> tuple[str, ...]:
    """Read vkd3d's names of options for the compiler, as fxc's flags."""
    flags: list[str | None] = []
    while not cursor.at_end:
        flags.append(_FLAGS[cursor.choose(_FLAGS, "option", _WORD).text])
    return tuple(flag for flag in flags if flag is not None)


# -- the table -------------------------------------------------------------------------------------


def _with(section: str, *rows: Directive) -> tuple[Directive, ...]:
    """The lines of a section, with these in place of those with the same words."""
    return tuple({row.words: row for row in (*DIRECTIVES[section], *rows)}.values())


LINES: Table = {
    **DIRECTIVES,
    "require": _with(
        "require",
        Directive(MODEL, read_relation, "models", repeatable=True),
        Directive("options:", _options, "flags", repeatable=True),
    ),
    "test": (
        Directive(DRAWING, lambda cursor: cursor.finish(), "lines about drawing"),
        *_with(
            "test",
            Directive("probe", _probe, "steps", repeatable=True),
            Directive("uniform", _uniform, "steps", repeatable=True),
        ),
    ),
}
