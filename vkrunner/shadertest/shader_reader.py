"""The lines of `[shader]` and `[compute shader]`: options, and a listing, HLSL, or a file."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from translate.hlsl.options import PROFILES
from translate.options import DENORMALS, GUARDS, TARGETS
from vkrunner.shadertest.cases import ShaderSection
from vkrunner.shadertest.cursor import WORD, Cursor, Line, Rows, Token

# A comment of fxc's, or the model, perhaps after the numbers that fxc was asked to print
_LISTING = re.compile(r"\s*(?://|(?:\S+:?\s+)?[a-z]s_\d_\d\b)")
_INSTANCE = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])*")
_DWORD = re.compile(r"[0-9a-fA-F]{8}(?!\w)")
_MACRO = re.compile(r"[A-Za-z_]\w*")
_IN_FRONT_OF_HLSL = re.compile(r"\s*(?:%|$|class\s+[\w$]+\s*=|(?P<word>[a-z]+)(?:\s|$))")


def read_shader(header: Token, lines: list[Line]) -> ShaderSection:
    """A `[shader]` section: options, then a listing; or a file that has the shader."""
    first = next((n for n, line in enumerate(lines) if _LISTING.match(line.text)), len(lines))
    made = _shader(header, lines[:first], lines[first:])
    if not made.lines and made.path is None:
        raise header.error("the section has neither a listing nor a file")
    if made.lines and made.hlsl is not None:
        raise header.error(f"{next(iter(made.hlsl))} is for HLSL: that stands in [compute shader]")
    return made


def read_hlsl(header: Token, lines: list[Line]) -> ShaderSection:
    """A `[compute shader]` section: options, then HLSL; or a file that has it."""
    first = next((n for n, line in enumerate(lines) if not _is_option(line)), len(lines))
    made = _shader(header, lines[:first], lines[first:])
    if not made.lines and made.path is None:
        raise header.error("the section has neither HLSL nor a file")
    return dataclasses.replace(made, hlsl=made.hlsl or {})


def read_hex(header: Token, lines: list[Line]) -> ShaderSection:
    """A `[compute shader dxbc-tpf-hex]` section: a container, as dwords of 8 hexadecimal digits."""
    dwords = bytearray()
    for line in lines:
        cursor = Cursor(line, 0, (line.text + "%").index("%"))
        while not cursor.at_end:
            digits = cursor.expect(_DWORD, "8 hexadecimal digits").text
            dwords += int(digits, 16).to_bytes(4, "little")
    return ShaderSection(header, (), None, {}, container=bytes(dwords))


def without_comments(section: ShaderSection) -> ShaderSection:
    """HLSL as vkd3d's runner passes it on: without the lines that begin with %."""
    rows = ((line, line.text.startswith("%")) for line in section.lines)
    lines = tuple(dataclasses.replace(line, text="") if drop else line for line, drop in rows)
    return dataclasses.replace(section, lines=lines)


def _is_option(line: Line) -> bool:
    """Whether a line stands in front of HLSL: an option, a blank line, or a comment with %."""
    match = _IN_FRONT_OF_HLSL.match(line.text)
    return match is not None and (match["word"] is None or match["word"] in _WORDS_BEFORE_HLSL)


def _shader(header: Token, options: list[Line], text: list[Line]) -> ShaderSection:
    """The lines of options, and the text after them."""
    given: dict[str, Any] = {}
    classes: dict[str, str | list[str]] = {}
    defines: dict[str, str] = {}
    include: list[str] = []
    for line in options:
        cursor = Cursor(line)
        if cursor.accept("class"):
            _class(cursor, classes)
        elif cursor.accept("define"):
            _define(cursor, defines)
        elif cursor.accept("include"):
            include.append(str(cursor.path()[1]))
        elif not cursor.at_end:
            cursor.setting(_OPTIONS, given, "file, an option, or a listing", _NO_OPTION)
        cursor.finish()
    path: Path | None = given.pop("file", None)
    if text and path is not None:
        raise Cursor(text[0]).error("the shader is in a file already")
    hlsl = {name: given.pop(name) for name in _HLSL_OPTIONS if name in given}
    hlsl |= {"defines": defines} if defines else {}
    hlsl |= {"include": include} if include else {}
    given |= {"class_instances": classes} if classes else {}
    return ShaderSection(header, tuple(text), path, given, hlsl or None)


def _define(cursor: Cursor, defines: dict[str, str]) -> None:
    """`define NAME`, which is 1, or `define NAME=VALUE`, to the end of the line."""
    name = cursor.expect(_MACRO, "the name of a macro")
    if name.text in defines:
        raise name.error(f"{name.text} is given twice")
    defines[name.text] = cursor.take_rest("a value").text if cursor.accept("=") else "1"


def _one_of(allowed: Collection[str]) -> Callable[[Cursor], str]:
    there = ", ".join(allowed)

    def read(cursor: Cursor) -> str:
        token = cursor.expect(re.compile(r"[\w.]+"), f"one of {there}")
        if token.text not in allowed:
            raise token.error(f"expected one of {there}, got {token.text!r}")
        return token.text

    return read


def _class(cursor: Cursor, classes: dict[str, str | list[str]]) -> None:
    """`class NAME = INSTANCE`, several of them for an array of interfaces."""
    interface = cursor.expect(WORD, "the name of an interface")
    if interface.text in classes:
        raise interface.error(f"{interface.text} is given twice")
    cursor.expect("=", "=")
    found = [cursor.expect(_INSTANCE, "the name of a class instance").text]
    while cursor.accept(","):
        found.append(cursor.expect(_INSTANCE, "the name of a class instance").text)
    classes[interface.text] = found[0] if len(found) == 1 else found


_HLSL_OPTIONS: Rows = {
    "entry": lambda cursor: cursor.expect(_MACRO, "the name of a function").text,
    "profile": _one_of(PROFILES),
}
_OPTIONS: Rows = {
    "file": lambda cursor: cursor.path()[1],
    "guards": _one_of(GUARDS),
    "denormals": _one_of(DENORMALS),
    "target": _one_of(TARGETS),
    "optimize": lambda cursor: _one_of(("on", "off"))(cursor) == "on",
    **_HLSL_OPTIONS,
}
_WORDS_BEFORE_HLSL = (*_OPTIONS, "define", "include")
_NO_OPTION = (
    f"no option {{}} of a shader; there are {', '.join((*_WORDS_BEFORE_HLSL, 'class'))}; a listing"
    " begins with its model, for instance cs_5_0, and HLSL stands in [compute shader]"
)
