"""A file of any contents is read, or refused with a place; nothing else is raised."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from vkrunner.shadertest.cursor import ShaderTestError

from .cases import read

ROOT = Path(__file__).parents[4]
TEXTS = [
    path.read_text()
    for folder in ("shaders", "vkrunner/conformance")
    for path in sorted((ROOT / folder).rglob("*.shader_test"))
]
LINES = sorted({line for text in TEXTS for line in text.splitlines() if "," not in line[:4]})
WORDS = sorted({word for line in LINES for word in line.split()})


def check(text: str) -> None:
    refusal = ""
    try:
        read(text)
    except ShaderTestError as error:
        refusal = str(error)
    assert not refusal or re.match(r"a\.shader_test:\d+:.* error: ", refusal)


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_lines_in_any_order(lines: list[str]) -> None:
    check("\n".join(lines))


@given(st.sampled_from(TEXTS), st.data())
def test_words_and_characters_in_the_wrong_place(text: str, data: st.DataObject) -> None:
    at, removed = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
    characters = st.text('()[]:,.-_%#"0x9 \t\0é\n', max_size=3)
    put = data.draw(characters | st.sampled_from(WORDS).map(" {} ".format))
    check(text[:at] + put + text[at + removed :])
