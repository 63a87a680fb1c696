"""The tables of directives: each row is documented, and vkd3d's rows are only for its files."""

from dataclasses import fields
from pathlib import Path

import pytest

from vkrunner import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.directives import DIRECTIVES
from vkrunner.shadertest.vkd3d_lines import LINES

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
    for row in dict.fromkeys((*rows, *LINES[section]))
    if isinstance(row.words, str) and row.words not in OF_DEVICES
]
HLSL = "[compute shader]\n[numthreads(1, 1, 1)] void main() {}\n"


@pytest.mark.parametrize(("section", "words"), WORDS)
def test_each_directive_is_documented(section: str, words: str) -> None:
    assert f"`{words}" in DESCRIPTION
    if section != "require" or words in IN_GRAMMAR:
        assert [word for word in words.split() if f'"{word}"' not in GRAMMAR] == []


@pytest.mark.parametrize("text", ["[require]\noptions: none", "[test]\ndraw triangle list 3"])
def test_a_directive_of_vkd3ds_dialect(text: str) -> None:
    read(f"{HLSL}{text}\n")
    with pytest.raises(ShaderTestError, match="unknown '"):
        read(f"{COPY}{text}\n")
