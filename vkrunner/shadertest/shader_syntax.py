"""`[shader]`: options, then a listing; or a file that has the shader."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from translate.options import DENORMALS, GUARDS, TARGETS
from vkrunner.shadertest.cursor import WORD, Cursor, Line, Token
from vkrunner.shadertest.records import ShaderSection

# A comment of fxc's, or the model, perhaps behind the numbers that fxc was asked to print
_LISTING = re.compile(r"\s*(?://|(?:\S+:?\s+)?[a-z]s_\d_\d\b)")
_INSTANCE = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])*")
_SWITCH = {"on": True, "off": False}


def read_shader(header: Token, lines: list[Line], folder: Path) -> ShaderSection:
    """A `[shader]` section."""
    options: dict[str, Any] = {}
    path: Path | None = None
    for at, line in enumerate(lines):
        if _LISTING.match(line.text):
            if path is not None:
                raise Cursor(line).error("the shader is in a file already")
            return ShaderSection(header, tuple(lines[at:]), None, tuple(options.items()))
        cursor = Cursor(line)
        if cursor.at_end:
            continue
        if cursor.accept(re.compile(r"file\b")):
            path = folder / cursor.path().text
        else:
            _option(cursor, options)
        cursor.finish()
    if path is None:
        raise header.error("the section has neither a listing nor a file")
    return ShaderSection(header, (), path, tuple(options.items()))


def _option(cursor: Cursor, options: dict[str, Any]) -> None:
    name = cursor.expect(WORD, "file, an option, or a listing")
    if name.text == "class":
        _class(cursor, options.setdefault("class_instances", {}))
        return
    read = _OPTIONS.get(name.text)
    if read is None:
        there = ", ".join(("file", *_OPTIONS, "class"))
        raise name.error(
            f"no option {name.text!r} of a shader; there are {there}, and a listing begins with its"
            " model, for instance cs_5_0"
        )
    if name.text in options:
        raise name.error(f"{name.text} is given twice")
    options[name.text] = read(cursor)


def _one_of(allowed: Collection[str]) -> Callable[[Cursor], str]:
    def read(cursor: Cursor) -> str:
        token = cursor.expect(re.compile(r"[\w.]+"), f"one of {', '.join(allowed)}")
        if token.text not in allowed:
            raise token.error(f"expected one of {', '.join(allowed)}, got {token.text!r}")
        return token.text

    return read


def _switch(cursor: Cursor) -> bool:
    return _SWITCH[_one_of(tuple(_SWITCH))(cursor)]


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


_OPTIONS: dict[str, Callable[[Cursor], Any]] = {
    "guards": _one_of(GUARDS),
    "denormals": _one_of(DENORMALS),
    "target": _one_of(TARGETS),
    "optimize": _switch,
}
