"""A file's sections, in order: the sections above a `[test]` are those that it runs with."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from translate import Where
from vkrunner.shadertest.body_reader import read_line
from vkrunner.shadertest.cases import Bound, Case, Requirement, ShaderSection, ShaderTest
from vkrunner.shadertest.cursor import (
    WORD,
    Cursor,
    Folders,
    Line,
    ShaderTestError,
    Token,
    start_of,
)
from vkrunner.shadertest.probe_reader import read_key
from vkrunner.shadertest.requirements import read_requirement
from vkrunner.shadertest.section_reader import (
    read_constants,
    read_resource,
    read_sampler,
)
from vkrunner.shadertest.shader_reader import read_hlsl, read_shader

_HEADER = re.compile(r"\s*\[")
_FIRST_SECTION = re.compile(rf"\s*\[\s*({WORD.pattern})")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"
# HLSL has lines in brackets too, attributes; there only these are headers
_HEADER_IN_HLSL = re.compile(
    r"\s*\[\s*(?:compute\s+shader|require|uav|srv|cb|sampler|shader|test)[\s\]]"
)
_HLSL = "compute shader"
_BOUND = {"uav": read_resource, "srv": read_resource, "cb": read_constants, "sampler": read_sampler}
_SECTIONS = ("require", *_BOUND, "shader", _HLSL, "test")
_SHADERS = ("shader", _HLSL)
_NOT_HERE = {  # of vkd3d's and piglit's files, and of HLSL
    "compute": "there is [compute shader]",
    "numthreads": "HLSL stands in [compute shader]",
    "pixel": "there are compute shaders only",
    "vertex": "there are compute shaders only",
}


@dataclass(slots=True)
class _Section:
    """A section's header, its name, the place after that, and its lines."""

    header: Token
    name: str
    cursor: Cursor
    lines: list[Line] = field(default_factory=list[Line])


@dataclass(slots=True)
class _State:
    """The sections so far."""

    requirements: list[Requirement] = field(default_factory=list[Requirement])
    bound: dict[str, Bound] = field(default_factory=dict[str, Bound])
    shader: ShaderSection | None = None
    cases: list[Case] = field(default_factory=list[Case])
    since_test: list[Token] = field(default_factory=list[Token])  # resources after the last test

    def take(self, section: _Section) -> None:
        if section.name == "require":
            self.requirements.extend(read_requirement(Cursor(line)) for line in section.lines)
        elif section.name in _SHADERS:
            self._shader(section)
        elif section.name == "test":
            self._test(section)
        else:
            self._bind(section)

    def _shader(self, section: _Section) -> None:
        """A shader after a test starts anew, without the resources of the one before."""
        section.cursor.finish()
        if self.cases and self.since_test:
            raise self.since_test[0].error(
                "a [shader] below a [test] starts without resources: put this section after it"
            )
        if self.cases:
            self.bound.clear()
        read = read_hlsl if section.name == _HLSL else read_shader
        self.shader = read(section.header, section.lines)

    def _bind(self, section: _Section) -> None:
        key = read_key(section.cursor, section.name)
        section.cursor.finish()
        before = self.bound.get(key)
        if before is not None and (not self.cases or before.token in self.since_test):
            line = before.token.line.number
            raise section.header.error(f"line {line} has this resource already")
        self.since_test.append(section.header)
        self.bound[key] = _BOUND[section.name](key, section.header, section.lines)

    def _test(self, section: _Section) -> None:
        header, name = section.header, section.cursor.rest.text or str(len(self.cases) + 1)
        twin = next((case for case in self.cases if case.name == name), None)
        if twin is not None:
            raise header.error(f"line {twin.token.line.number} has a test {name!r}")
        if self.shader is None:
            raise header.error("no [shader] stands above this test")
        bound, requirements = tuple(self.bound.values()), tuple(self.requirements)
        case = Case(name, header, self.shader, bound, requirements)
        for line in section.lines:
            read_line(case, Cursor(line))
        if not case.steps and case.error is None:
            raise header.error("the test does nothing: dispatch and probe something")
        if case.violations is not None and self.shader.options.get("guards") != "report":
            raise case.violations.token.error(
                "accesses are reported with: guards report, in [shader]"
            )
        self.since_test.clear()
        self.cases.append(case)


def read_file(path: Path, name: str | None = None, allowed: Sequence[Path] = ()) -> ShaderTest:
    """Read a `.shader_test` file, which messages call by `name`. ShaderTestError, or OSError.

    The files that it names are below its own folder, or below an `allowed` one.
    """
    shown = name or str(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise start_of(shown).error("the file is not UTF-8") from None
    return read_text(text, path, shown, allowed)


def read_text(text: str, path: Path, name: str, allowed: Sequence[Path] = ()) -> ShaderTest:
    """Read the text of the shader test `path`. Raises ShaderTestError."""
    folders = Folders(path.parent, tuple(allowed))
    lines = _LINE_END.split(text.removeprefix(_BYTE_ORDER_MARK))
    numbered = [Line(name, number, line, folders) for number, line in enumerate(lines, 1)]
    _check_first_section(numbered)
    state = _State()
    for section in _sections(numbered):
        state.take(section)
    if not state.cases:
        raise Token("", numbered[-1], 0).error("the file has no [test]")
    return ShaderTest(path, tuple(state.cases))


def _check_first_section(lines: list[Line]) -> None:
    """Raise ShaderTestError where no section begins the file, or one that is like none of ours.

    The error does not show the line: it may be of any file.
    """
    first = next((line for line in lines if not Cursor(line).at_end), None)
    if first is None:
        raise start_of(lines[0].file).error("the file has no [test]")
    found = _FIRST_SECTION.match(first.text)
    if found is None or not difflib.get_close_matches(found[1], (*_SECTIONS, *_NOT_HERE)):
        message = "expected a section, for instance [shader]"
        raise ShaderTestError(message, Where(first.file, first.number, 1))


def _sections(lines: list[Line]) -> list[_Section]:
    """The sections with their lines, blank ones and comments left out but for a shader's."""
    found: list[_Section] = []
    for line in lines:
        last = found[-1].name if found else ""
        if (_HEADER_IN_HLSL if last == _HLSL else _HEADER).match(line.text):
            found.append(_section(line))
        elif last in _SHADERS or not Cursor(line).at_end:
            found[-1].lines.append(line)
    return found


def _section(line: Line) -> _Section:
    end = line.text.rfind("]")
    if end < 0:
        raise Cursor(line).error("a section's name ends with ]")
    after = Cursor(line, end + 1, max(end + 1, len(line.text)))
    if not after.at_end and not after.sees(re.compile("[%#]")):
        raise after.error("expected the end of the line behind ]")
    start = line.text.index("[")
    cursor = Cursor(line, start + 1, end)
    name = cursor.expect(WORD, f"a section's name: {', '.join(_SECTIONS)}")
    if name.text == "compute" and cursor.accept("shader"):
        return _Section(Token(line.text[start : end + 1], line, start), _HLSL, cursor)
    if name.text not in _SECTIONS:
        hint = _NOT_HERE.get(name.text, f"there are {', '.join(_SECTIONS)}")
        raise name.error(f"no section [{name.text}]: {hint}")
    return _Section(Token(line.text[start : end + 1], line, start), name.text, cursor)
