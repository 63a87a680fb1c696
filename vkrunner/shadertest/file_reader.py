"""Reads a shader test in this project's dialect; `vkd3d_reader` reads those of vkd3d.

A `[test]` runs with the sections above it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from translate.dataclass import dataclass, field
from vkrunner.shadertest.arguments import read_key
from vkrunner.shadertest.cases import (
    SUFFIX,
    BoundSection,
    Case,
    Requirement,
    ShaderSection,
    ShaderTest,
)
from vkrunner.shadertest.cursor import HOW_TO_ALLOW, Folders, Line, Token, start_of
from vkrunner.shadertest.directives import HLSL
from vkrunner.shadertest.sections import (
    BOUND,
    OTHERS,
    SHADERS,
    Section,
    bound_of,
    check_name,
    check_number,
    find_sections,
    read_lines,
    read_shader,
    with_steps,
)
from vkrunner.shadertest.shader_source import kind_of
from vkrunner.shadertest.vkd3d_reader import read_vkd3d

_SECTION = re.compile(
    rb"^[^\S\n]*+\[\s*+(?:require|shader|compute\s+shader|test)[\s\]]", re.MULTILINE
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(slots=True)
class _State:
    """The sections read so far."""

    requirements: tuple[Requirement, ...] = ()
    bound: dict[str, BoundSection] = field(default_factory=dict[str, BoundSection])
    shader: ShaderSection | None = None
    cases: list[Case] = field(default_factory=list[Case])
    names: dict[str, Token] = field(default_factory=dict[str, Token])  # of the tests
    # Headers of the resources after the last test, by key
    since_test: dict[str, Token] = field(default_factory=dict[str, Token])

    def take(self, section: Section) -> None:
        if section.name == "require":
            given = read_lines(section)
            self.requirements += tuple(given.get("requirements", ()))
            check_number(self.requirements, section.header, "requirements")
        elif section.name in SHADERS:
            self._shader(section)
        elif section.name == "test":
            self._test(section)
        elif section.name in BOUND:
            self._bind(section)
        else:
            hint = "this one has [shader], where vkd3d's have [compute shader]"
            raise section.header.error(f"this section is for vkd3d's files: {hint}")

    def _shader(self, section: Section) -> None:
        """Read a shader. After a test, a shader starts without the earlier resources."""
        section.cursor.finish()
        if self.cases and self.since_test:
            raise next(iter(self.since_test.values())).error(
                "a [shader] below a [test] starts without resources: put this section after it"
            )
        if self.cases:
            self.bound.clear()
        self.shader = read_shader(section)

    def _bind(self, section: Section) -> None:
        key = read_key(section.cursor, section.name)
        section.cursor.finish()
        before = self.bound.get(key)
        if before is not None and (not self.cases or key in self.since_test):
            line = before.token.line.number
            raise section.header.error(f"line {line} has this resource already")
        self.since_test[key] = section.header
        self.bound[key] = bound_of(section, key, read_lines(section))
        check_number(self.bound, section.header, "resources")

    def _test(self, section: Section) -> None:
        header, name = section.header, section.cursor.rest.text or str(len(self.cases) + 1)
        check_name(name, header, self.names)
        if self.shader is None:
            raise header.error("no [shader] stands above this test")
        is_same = self.cases and not self.since_test and self.cases[-1].shader is self.shader
        bound = self.cases[-1].bound if is_same else tuple(self.bound.values())
        case = Case(name, header, self.shader, bound, self.requirements)
        self.cases.append(with_steps(case, read_lines(section)))
        self.since_test.clear()


def read_file(path: Path, name: str | None = None, allowed: Sequence[Path] = ()) -> ShaderTest:
    """Read a `.shader_test` file; messages use `name`. Raises ShaderTestError or OSError.

    Files that it names must be below its own folder, or below an `allowed` one, and so must the
    file itself, which may be a symbolic link.
    """
    shown = name or str(path)
    folders = Folders.of(path.parent, allowed)
    if not folders.have(path):
        raise start_of(shown).error(
            f"the file is a link to one that is not below its folder; {HOW_TO_ALLOW}"
        )
    data = folders.read(path)
    kind = kind_of(data, str(path)) if _SECTION.search(data) is None else None
    if kind is not None:
        noun = kind if kind == "HLSL" else f"a {kind}"
        raise start_of(shown).error(f"this is {noun}; a {SUFFIX} names it with `file`")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise start_of(shown).error("the file is not UTF-8") from None
    return read_text(text, path, shown, folders)


def read_text(text: str, path: Path, name: str, folders: Folders | None = None) -> ShaderTest:
    """Read the text of the shader test `path`. Raises ShaderTestError."""
    folders = folders or Folders.of(path.parent)
    lines = _LINE_END.split(text.removeprefix(_BYTE_ORDER_MARK))
    numbered = [Line(name, number, line, folders) for number, line in enumerate(lines, 1)]
    sections = find_sections(numbered)
    cases = read_vkd3d(sections) if _is_vkd3ds(sections) else _read(sections)
    if not cases:
        raise Token("", numbered[-1], 0).error("the file has no [test]")
    return ShaderTest(path, tuple(cases))


def _is_vkd3ds(sections: Sequence[Section]) -> bool:
    """Whether its shaders are in vkd3d's sections, so that vkd3d's rules apply."""
    names = {section.name for section in sections}
    return "shader" not in names and not names.isdisjoint((HLSL, *OTHERS))


def _read(sections: Sequence[Section]) -> list[Case]:
    state = _State()
    for section in sections:
        state.take(section)
    return state.cases
