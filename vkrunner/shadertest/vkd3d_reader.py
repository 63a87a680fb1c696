"""Reads vkd3d's files, in which shaders are HLSL, by the rules of vkd3d's runner.

Resources and constants keep their contents from test to test. Each `[require]` replaces the
previous one.
A shader is a test by itself if no test dispatches it, or if its header has the expected result of
compiling it. Tests that draw are skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from translate.dataclass import dataclass, field, replace
from translate.interface import register_place
from vkrunner.shadertest.arguments import read_key
from vkrunner.shadertest.cases import (
    BoundSection,
    Case,
    LastingKey,
    Requirement,
    Resource,
    ShaderSection,
    Uniform,
)
from vkrunner.shadertest.conditions import read_qualifiers
from vkrunner.shadertest.cursor import Cursor, Line, Token
from vkrunner.shadertest.directives import HLSL
from vkrunner.shadertest.sections import (
    BOUND,
    OTHERS,
    Section,
    bound_of,
    check_name,
    check_number,
    read_lines,
    read_shader,
    with_steps,
)
from vkrunner.shadertest.vkd3d_lines import (
    BACKWARDS,
    DRAWING,
    LINES,
    Marks,
    Models,
    cursor_of,
    read_marks,
)
from vkrunner.values.formats import format_of_name

_USUAL_FORMAT = format_of_name("r32g32b32a32_float")
_DEFAULTS: dict[str, dict[str, Any]] = {
    "srv": {"usual_format": _USUAL_FORMAT},
    "sampler": {"filter": "point", "border": 0.0},
}
_DWORD = re.compile(r"[0-9a-fA-F]{8}(?!\w)")
_DISPATCH = re.compile(r"(?:^|[\s)])dispatch\s|^\s*error")
_SKIPPED = "draws: there are compute shaders only"
_AFTER_A_DRAW = "an earlier test draws with its UAVs"
_NOTHING = "there is no compute shader in the file"
_REFUSED = "the shader is one that its compiler refuses"


@dataclass(frozen=True, slots=True)
class _Require:
    """A `[require]`: checks of devices, shader models, and flags of the compiler."""

    requirements: tuple[Requirement, ...] = ()
    models: Models = field(default_factory=Models)
    flags: tuple[str, ...] = ()

    @classmethod
    def of(cls, section: Section) -> _Require:
        section.cursor.finish()
        given = _fields(section)
        models = Models.meeting(given.get("models", ()))
        return cls(tuple(given.get("requirements", ())), models, *given.get("flags", ())[-1:])


@dataclass(frozen=True, slots=True)
class _Shader:
    """A compute shader, and the expected result of compiling it."""

    section: ShaderSection
    marks: Marks

    def models(self, allowed: Models) -> Models:
        """The profile that its lines name, otherwise the allowed profiles."""
        given = (self.section.hlsl or {}).get("profile")
        return Models((given,), is_limited=True) if given else allowed

    def compiled_for(self, profile: str | None, flags: tuple[str, ...]) -> ShaderSection:
        """The shader with a profile to compile it for, and those of the flags that it allows."""
        given = self.section.hlsl
        if profile is None or given is None:
            return self.section
        allowed = (flag for flag in flags if flag != BACKWARDS or profile != "cs_5_1")
        flags = (*allowed, *given.get("fxc_flags", ()))
        chosen = {"profile": profile, **({"fxc_flags": flags} if flags else {})}
        return replace(self.section, hlsl={**given, **chosen})


@dataclass(slots=True)
class _State:
    """The sections read so far.

    `settled` are the resources above the last test; `drawn` are the headers of UAVs that a draw may
    have written.
    """

    require: _Require = field(default_factory=_Require)
    bound: dict[str, BoundSection] = field(default_factory=dict[str, BoundSection])
    shader: _Shader | None = None
    shaders: int = 0
    cases: list[Case] = field(default_factory=list[Case])
    names: dict[str, Token] = field(default_factory=dict[str, Token])  # of the tests
    tests: int = 0
    settled: set[str] = field(default_factory=set[str])
    drawn: set[Token] = field(default_factory=set[Token])

    def take(self, section: Section, after: Sequence[Section]) -> None:
        """Read a section; `after` are the following sections."""
        if section.name == "require":
            self.require = _Require.of(section)
        elif section.name == HLSL:
            self._shader(section, is_tested=_is_tested(after))
        elif section.name == "test":
            self._test(section)
        elif section.name in BOUND and self.require.models.profiles:
            self._bind(section)

    def _bind(self, section: Section) -> None:
        key = LastingKey(read_key(section.cursor, section.name))
        section.cursor.finish()
        self.bound[key] = _bound(section, key)
        check_number(self.bound, section.header, "resources")

    # -- shaders -----------------------------------------------------------------------------------

    def _shader(self, section: Section, *, is_tested: bool) -> None:
        """Read a shader, and add its test if it is one by itself.

        Resources of earlier tests are dropped if they have an HLSL name in place of a register.
        """
        self.shaders += 1
        marks = read_marks(section.cursor)
        if marks.unread:
            made = ShaderSection(section.header)
        else:
            made = _read_hex(section) if marks.hex else _read_hlsl(section)
        self.shader = shader = _Shader(made, marks)
        before = {key for key in self.settled if register_place(key) is None}
        self.bound = {key: one for key, one in self.bound.items() if key not in before}
        if marks.hex or (is_tested and not (marks.todo or marks.fail)):
            return
        name = f"shader {self.shaders}"
        if self.require.models.missing:
            self.add(name, made.token, made, skip=self.require.models.missing)
            return
        models = shader.models(self.require.models)
        made = shader.compiled_for(models.first, self.require.flags)
        self.add(name, made.token, made, compiles=marks.checks(models))

    # -- tests -------------------------------------------------------------------------------------

    def _test(self, section: Section) -> None:
        header, shader = section.header, self.shader
        self.tests += 1
        self.settled = set(self.bound)
        name = section.cursor.rest.text or str(self.tests)
        skip = self._why_not(section)
        if skip:
            self.add(name, header, ShaderSection(header), skip=skip)
            return
        if shader is None:
            raise header.error("no [compute shader] stands above this test")
        profile = shader.marks.profile_to_run(shader.models(self.require.models))
        compiled = shader.compiled_for(profile, self.require.flags)
        after_draw = not self.drawn.isdisjoint(self._uavs())
        skip = shader.marks.unread or (_REFUSED * (not profile)) or (_AFTER_A_DRAW * after_draw)
        bound, before = tuple(self.bound.values()), self._before()
        check_number(before, header, "tests before it")
        given = _fields(section)
        self.add(name, header, compiled, given, bound=bound, before=before, skip=skip)

    def _why_not(self, section: Section) -> str:
        """The reason to skip a test without reading its lines; empty if it can run."""
        if self.require.models.missing:
            return self.require.models.missing
        if not section.lines:
            return "the test does nothing"
        if any(_draws(line) for line in section.lines):
            self.drawn |= self._uavs()
            return _SKIPPED
        return ""

    def _uavs(self) -> set[Token]:
        """The headers of the UAVs."""
        uavs = (r for k, r in self.bound.items() if isinstance(r, Resource) and _is_uav(k, r))
        return {uav.token for uav in uavs}

    def _before(self) -> tuple[Case, ...]:
        """The earlier tests to run first.

        A test of which a UAV is still bound has all its steps, others only set their constants.
        """
        live = self._uavs()
        earlier = (case for case in self.cases if not case.skip and not case.compiles)
        return tuple(
            replace(case, before=())
            if any(one.token in live for one in case.bound)
            else _constants(case)
            for case in earlier
        )

    def add(
        self,
        name: str,
        token: Token,
        shader: ShaderSection,
        given: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Add a test; `given` are the fields of its lines."""
        case = Case(name, token, shader, requirements=self.require.requirements, **more)
        case = with_steps(case, given) if given is not None else case
        check_name(name, token, self.names)
        self.cases.append(case)


def read_vkd3d(sections: Sequence[Section]) -> list[Case]:
    """The tests of a file, by vkd3d's rules. Raises ShaderTestError.

    A file about something else than compute shaders has a single test, which is skipped.
    """
    state = _State()
    for n, section in enumerate(sections):
        state.take(section, sections[n + 1 :])
    other = next((section.header for section in sections if section.name in OTHERS), None)
    if not state.cases and other is not None:
        state.add("1", other, ShaderSection(other), skip=_NOTHING)
    return state.cases


# -- sections --------------------------------------------------------------------------------------


def _fields(section: Section) -> dict[str, Any]:
    return read_lines(section, LINES, cursor_of)


def _bound(section: Section, key: str) -> BoundSection:
    """Read a resource, constants or a sampler, with vkd3d's defaults.

    An older `[buffer uav]` has one extent.
    """
    given = {**_DEFAULTS.get(section.name, {}), **_fields(section)}
    size = given.get("size")
    if size is not None and not size.is_buffer:
        if section.written != "uav":
            given.setdefault("format", _USUAL_FORMAT)
        if section.written.startswith("buffer"):
            shape = (math.prod(size.shape),)
            given["size"] = replace(size, dimension="buffer", shape=shape)
    return bound_of(section, key, given)


def _read_hlsl(section: Section) -> ShaderSection:
    """Read a shader; its lines may begin with %, as in vkd3d's runner."""
    made = read_shader(section)
    lines = (replace(line, text="") if line.text.startswith("%") else line for line in made.lines)
    return replace(made, lines=tuple(lines))


def _read_hex(section: Section) -> ShaderSection:
    """Read a `[compute shader dxbc-tpf-hex]`: a container, as dwords of 8 hexadecimal digits."""
    dwords = bytearray()
    for line in section.lines:
        cursor = Cursor(line, 0, (line.text + "%").index("%"))
        while not cursor.at_end:
            digits = cursor.expect(_DWORD, "8 hexadecimal digits").text
            dwords += int(digits, 16).to_bytes(4, "little")
    return ShaderSection(section.header, container=bytes(dwords))


def _is_tested(after: Sequence[Section]) -> bool:
    """Whether a test dispatches the shader, or expects an error, before the next shader."""
    for section in after:
        if section.name == HLSL:
            return False
        if section.name == "test" and any(_DISPATCH.search(line.text) for line in section.lines):
            return True
    return False


def _draws(line: Line) -> bool:
    """Whether a line draws; words with conditions before it do not matter."""
    cursor = Cursor(line)
    read_qualifiers(cursor)
    return cursor.sees(DRAWING)


def _is_uav(key: str, record: Resource) -> bool:
    """Whether it is a UAV: by its register or, if it has an HLSL name, by its section's header."""
    return key.startswith("u") if register_place(key) else "uav" in record.token.text


def _constants(case: Case) -> Case:
    """The test with only the constants that it sets."""
    steps = tuple(step for step in case.steps if isinstance(step, Uniform))
    return replace(case, before=(), bound=(), steps=steps)
