"""Files of vkd3d's form, whose shaders are HLSL, by the rules of its runner.

Resources and constants stay, with what earlier tests left in them; `[require]` replaces the one
before; a shader that no test dispatches, or in whose header stands what is expected of the
compiler, is a test by itself. What is about drawing is skipped.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from vkrunner.shadertest.body_reader import draws, read_line
from vkrunner.shadertest.cases import (
    BoundSection,
    Case,
    Qualified,
    Requirement,
    Resource,
    ShaderSection,
    Stage,
    Step,
    Uniform,
)
from vkrunner.shadertest.cursor import Cursor, Token
from vkrunner.shadertest.models import SHADER_MODEL, Marks, Models, read_marks, read_relation
from vkrunner.shadertest.probe_reader import read_key
from vkrunner.shadertest.requirements import (
    flags_for,
    read_compiler_options,
    read_requirement,
)
from vkrunner.shadertest.section_reader import (
    read_constants,
    read_vkd3d_resource,
    read_vkd3d_sampler,
)
from vkrunner.shadertest.sections import BOUND, HLSL, OTHERS, Section
from vkrunner.shadertest.shader_reader import read_hex, read_hlsl, without_comments

_REGISTER = re.compile(r"(?:cb|[uts])\d+(?:_space\d+)?")
_DISPATCH = re.compile(r"(?:^|[\s)])dispatch\s")
_DRAWS = "draws: there are compute shaders only"
_AFTER_A_DRAW = "an earlier test draws with its UAVs"
_REFUSED = "the shader is one that its compiler refuses"
_NOTHING = "there is no compute shader in the file"


@dataclass(slots=True)
class _Require:
    """The lines of a `[require]`."""

    checks: list[Requirement] = field(default_factory=list[Requirement])
    models: Models = field(default_factory=Models)
    flags: tuple[str, ...] = ()

    def read(self, cursor: Cursor) -> None:
        if cursor.accept("options:"):
            self.flags = read_compiler_options(cursor)
        elif cursor.accept(SHADER_MODEL):
            self.models = self.models.limited(*read_relation(cursor))
            cursor.finish()
        else:
            self.checks.append(read_requirement(cursor))


@dataclass(frozen=True, slots=True)
class _Shader:
    """A compute shader, what is expected of its compiler, and why no device runs it."""

    section: ShaderSection
    marks: Marks
    skip: str = ""

    def models(self, allowed: Models) -> Models:
        """The profile that its lines name, else those that are allowed."""
        given = (self.section.hlsl or {}).get("profile")
        return Models((given,), is_limited=True) if given else allowed

    def compiled_for(self, profile: str | None, flags: tuple[str, ...]) -> ShaderSection:
        """The shader with its options for a model."""
        if profile is None or self.section.hlsl is None:
            return self.section
        flags = flags_for(profile, flags)
        chosen = {"profile": profile, **({"fxc_flags": flags} if flags else {})}
        return dataclasses.replace(self.section, hlsl={**self.section.hlsl, **chosen})


@dataclass(slots=True)
class _State:
    """The sections so far.

    `settled` are the resources above the last test, `drawn` the headers of UAVs in which a draw may
    have written.
    """

    require: _Require = field(default_factory=_Require)
    bound: dict[str, BoundSection] = field(default_factory=dict[str, BoundSection])
    shader: _Shader | None = None
    shaders: int = 0
    cases: list[Case] = field(default_factory=list[Case])
    tests: int = 0
    stages: list[Stage] = field(default_factory=list[Stage])
    settled: set[str] = field(default_factory=set[str])
    drawn: set[Token] = field(default_factory=set[Token])

    def take(self, section: Section, after: Sequence[Section]) -> None:
        """Read a section; `after` are all that follow."""
        if section.name == "require":
            section.cursor.finish()
            self.require = _Require()
            for line in section.lines:
                self.require.read(Cursor(line))
        elif section.name == HLSL:
            self._shader(section, is_tested=_is_tested(after))
        elif section.name == "test":
            self._test(section)
        elif section.name in BOUND and self.require.models.profiles:
            self._bind(section)

    def _bind(self, section: Section) -> None:
        key = read_key(section.cursor, section.name)
        section.cursor.finish()
        header, lines = section.header, section.lines
        if section.name == "cb":
            self.bound[key] = read_constants(key, header, lines)
        elif section.name == "sampler":
            self.bound[key] = read_vkd3d_sampler(key, header, lines)
        else:
            self.bound[key] = read_vkd3d_resource(key, header, lines, header.text.strip("[ "))

    # -- shaders -----------------------------------------------------------------------------------

    def _shader(self, section: Section, *, is_tested: bool) -> None:
        """A shader, and the test that it is by itself; HLSL names are those of the one before."""
        self.shaders += 1
        marks = read_marks(section.cursor)
        if marks.hex is None:
            shader = _Shader(without_comments(read_hlsl(section.header, section.lines)), marks)
        elif marks.hex.text == "dxbc-tpf-hex":
            shader = _Shader(read_hex(section.header, section.lines), marks)
        else:
            nothing = ShaderSection(section.header, (), None, {})
            shader = _Shader(nothing, marks, f"{marks.hex.text} is not read")
        before = {key for key in self.settled if not _REGISTER.fullmatch(key)}
        self.bound = {key: one for key, one in self.bound.items() if key not in before}
        self.shader = shader
        if marks.hex is None and (not is_tested or marks.todo or marks.fail):
            self._compile(shader)

    def _compile(self, shader: _Shader) -> None:
        models, flags = shader.models(self.require.models), self.require.flags
        skip = self.require.models.missing
        case = Case(
            f"shader {self.shaders}",
            shader.section.token,
            shader.compiled_for(None if skip else models.first, flags),
            (),
            tuple(self.require.checks),
            loose=True,
            compiles=() if skip else shader.marks.checks(models),
            skip=skip,
        )
        self._add(case)

    # -- tests -------------------------------------------------------------------------------------

    def _test(self, section: Section) -> None:
        header, shader = section.header, self.shader
        self.tests += 1
        self.settled = set(self.bound)
        name = section.cursor.rest.text or str(self.tests)
        skip = self._why_not(section)
        if shader is None or skip:
            if not skip:
                raise header.error("no [compute shader] stands above this test")
            self._skipped(name, header, skip)
            return
        profile = shader.marks.profile_to_run(shader.models(self.require.models))
        after_draw = any(one.token in self.drawn for one in self._uavs())
        case = Case(
            name,
            header,
            shader.compiled_for(profile, self.require.flags),
            tuple(self.bound.values()),
            tuple(self.require.checks),
            loose=True,
            before=self._before(),
            skip=shader.skip or ("" if profile else _REFUSED) or (_AFTER_A_DRAW * after_draw),
        )
        for line in section.lines:
            read_line(case, Cursor(line))
        if not case.steps and case.error is None:
            raise header.error("the test does nothing: dispatch and probe something")
        _check_reports(case)
        self._add(case)
        if not case.skip:
            stage = (case.requirements, case.shader, case.bound, tuple(case.steps))
            self.stages.append(Stage(*stage))

    def _why_not(self, section: Section) -> str:
        """Why a test is skipped whose lines are not read."""
        if self.require.models.missing:
            return self.require.models.missing
        if not section.lines:
            return "the test does nothing"
        if any(draws(Cursor(line)) for line in section.lines):
            self.drawn |= {one.token for one in self._uavs()}
            return _DRAWS
        return ""

    def _uavs(self) -> list[Resource]:
        return [r for k, r in self.bound.items() if isinstance(r, Resource) and _is_uav(k, r)]

    def _before(self) -> tuple[Stage, ...]:
        """Earlier tests: all steps of those whose UAVs are still there, of others the constants."""
        live = {one.token for one in self._uavs()}
        return tuple(
            stage
            if any(one.token in live for one in stage.bound)
            else dataclasses.replace(stage, bound=(), steps=_uniforms(stage.steps))
            for stage in self.stages
        )

    def _skipped(self, name: str, header: Token, reason: str) -> None:
        nothing = ShaderSection(header, (), None, {})
        self._add(Case(name, header, nothing, (), tuple(self.require.checks), skip=reason))

    def _add(self, case: Case) -> None:
        twin = next((other for other in self.cases if other.name == case.name), None)
        if twin is not None:
            raise case.token.error(f"line {twin.token.line.number} has a test {case.name!r}")
        self.cases.append(case)

    def finish(self, sections: Sequence[Section]) -> list[Case]:
        """The tests; one that is skipped where a file is about something else."""
        other = next((section for section in sections if section.name in OTHERS), None)
        if not self.cases and other is not None:
            self._skipped("1", other.header, _NOTHING)
        return self.cases


def read_vkd3d(sections: Sequence[Section]) -> list[Case]:
    """The tests of a file, by vkd3d's rules. Raises ShaderTestError."""
    state = _State()
    for n, section in enumerate(sections):
        state.take(section, sections[n + 1 :])
    return state.finish(sections)


def _is_tested(after: Sequence[Section]) -> bool:
    """Whether a test dispatches the shader before the next one comes."""
    for section in after:
        if section.name == HLSL:
            return False
        if section.name == "test" and any(_does(line.text) for line in section.lines):
            return True
    return False


def _does(line: str) -> bool:
    """Whether a line dispatches, or expects that this ends in an error."""
    return _DISPATCH.search(line) is not None or line.lstrip().startswith("error")


def _is_uav(key: str, record: Resource) -> bool:
    """Decide by the register, or by the section's header if the key is an HLSL name."""
    return key.startswith("u") if _REGISTER.fullmatch(key) else "uav" in record.token.text


def _uniforms(steps: Sequence[Step]) -> tuple[Step, ...]:
    bare = ((step, step.step if isinstance(step, Qualified) else step) for step in steps)
    return tuple(step for step, inner in bare if isinstance(inner, Uniform))


def _check_reports(case: Case) -> None:
    if case.violations is not None and case.shader.options.get("guards") != "report":
        raise case.violations.token.error("accesses are reported with: guards report, in [shader]")
