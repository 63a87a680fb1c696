"""The table of directives: every row is documented, and belongs to the dialects that it names."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cases import ShaderTest
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.directives import DIRECTIVES

from .cases import COPY, read

PAGE = (Path(__file__).parents[4] / "docs" / "shader-tests.md").read_text()
DESCRIPTION, _, GRAMMAR = PAGE.partition("## Grammar")
# The names of features and limits, which `sm5vk devices --json` lists.
OF_DEVICES = {
    *(field.name for kind in (DeviceFeatures, DeviceLimits) for field in fields(kind)),
    *DeviceInfo.FLOAT_CONTROLS,
}
IN_GRAMMAR = {"device", "not device", "format", "shader model", "options:"}  # of [require]
WORDS = [
    (section, row.words)
    for section, rows in DIRECTIVES.items()
    for row in rows
    if isinstance(row.words, str) and row.words not in OF_DEVICES
]
HLSL = "[compute shader]\n[numthreads(1, 1, 1)] void main() {}\n"
LINES = {  # one line of each directive that only one dialect has; it reads: vkd3d's
    "[require]\noptions: none": True,
    "[test]\ndraw triangle list 3": True,
}


@pytest.mark.parametrize(("section", "words"), WORDS)
def test_each_directive_is_documented(section: str, words: str) -> None:
    assert f"`{words}" in DESCRIPTION
    if section != "require" or words in IN_GRAMMAR:
        assert [word for word in words.split() if f'"{word}"' not in GRAMMAR] == []


def dialect(text: str, *, loose: bool) -> ShaderTest:
    return read(f"{HLSL if loose else COPY}{text}\n")


@pytest.mark.parametrize("text", LINES)
def test_a_directive_of_one_dialect(text: str) -> None:
    dialect(text, loose=LINES[text])
    with pytest.raises(ShaderTestError, match="unknown '"):
        dialect(text, loose=not LINES[text])


def test_dialects_of_the_table() -> None:
    found = {row.loose for rows in DIRECTIVES.values() for row in rows}
    assert found == {None, True, False}
