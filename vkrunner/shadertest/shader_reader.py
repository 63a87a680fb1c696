"""The lines of `[shader]`: options, then a listing; or a file that has the shader."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from translate.options import DENORMALS, GUARDS, TARGETS
from vkrunner.shadertest.cases import ShaderSection
from vkrunner.shadertest.cursor import WORD, Cursor, Line, Rows, Token

# A comment of fxc's, or the model, perhaps after the numbers that fxc was asked to print
_LISTING = re.compile(r"\s*(?://|(?:\S+:?\s+)?[a-z]s_\d_\d\b)")
_INSTANCE = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])*")


def read_shader(header: Token, lines: list[Line], folder: Path) -> ShaderSection:
    """A `[shader]` section."""
    given: dict[str, Any] = {}
    classes: dict[str, str | list[str]] = {}
    listing: list[Line] = []
    for at, line in enumerate(lines):
        cursor = Cursor(line)
        if _LISTING.match(line.text):
            if "file" in given:
                raise cursor.error("the shader is in a file already")
            listing = lines[at:]
            break
        if cursor.accept("class"):
            _class(cursor, classes)
        elif not cursor.at_end:
            cursor.setting(_OPTIONS, given, "file, an option, or a listing", _NO_OPTION)
        cursor.finish()
    file: Token | None = given.pop("file", None)
    if not listing and file is None:
        raise header.error("the section has neither a listing nor a file")
    options = given | ({"class_instances": classes} if classes else {})
    path = folder / file.text if file is not None else None
    return ShaderSection(header, tuple(listing), path, options)


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


_OPTIONS: Rows = {
    "file": Cursor.path,
    "guards": _one_of(GUARDS),
    "denormals": _one_of(DENORMALS),
    "target": _one_of(TARGETS),
    "optimize": lambda cursor: _one_of(("on", "off"))(cursor) == "on",
}
_NO_OPTION = (
    f"no option {{}} of a shader; there are {', '.join((*_OPTIONS, 'class'))}, and a listing begins"
    " with its model, for instance cs_5_0"
)
