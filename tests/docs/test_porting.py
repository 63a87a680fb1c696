"""docs/porting.md has every field of the interface's JSON, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from translate.interface import Binding, Constant, MessageSite, ShaderInterface, Table

from ..dtype_data import data_of
from .blocks import ROOT

PAGE = (ROOT / "docs/porting.md").read_text(encoding="utf-8")

INNER = Constant("m", 0, "float", (4, 3), column_major=True, elements=2)
CONSTANT = Constant("s", 0, "struct", members=(INNER,), used=False, default=b"1234")
SITE = MessageSite("printf", "%d", (1,), 3, 4, "a.hlsl", 5)
DTYPE = np.dtype([("a", "f4", (3,)), ("b", "u4")])
# In this example every field has a value.
BINDING = Binding(
    register="t0",
    kind="texture",
    set=0,
    binding=1,
    descriptor_type="sampled_image",
    name="t",
    read=True,
    stride=4,
    size_bytes=4,
    declared_bytes=4,
    most_bytes=4,
    dimension="2d",
    component="float",
    components=4,
    format="r32_float",
    comparison=False,
    samplers=("s0",),
    textures=("t0",),
    dtype_data=data_of(DTYPE),
    element=CONSTANT,
    constants=(CONSTANT,),
)
INTERFACE = ShaderInterface(
    (1, 1, 1),
    (BINDING,),
    tables=(Table("t0", "sizes", 0, 1),),
    messages=(SITE,),
    exposed_to=("loop_limit",),
).to_dict()


def table(heading: str) -> set[str]:
    """The fields of the table whose second column has this heading."""
    rows = PAGE.split(f"| field | {heading} |\n|---|---|\n")[1].split("\n\n")[0].splitlines()
    return {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def keys_of_variables(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield from row
        yield from keys_of_variables(row.get("members", []))


def test_the_example_has_every_field() -> None:
    """A field that the example lacked could be missing from the page too."""
    for record in (BINDING, SITE, CONSTANT, INNER):
        for field in fields(record):
            assert getattr(record, field.name) is not None or record is INNER, field.name


@pytest.mark.parametrize(
    ("heading", "keys"),
    [
        ("of the module", set(INTERFACE)),
        ("of a binding", set(INTERFACE["bindings"][0])),
        (
            "of a variable, or a member of one",
            set(keys_of_variables(INTERFACE["bindings"][0]["constants"])),
        ),
    ],
)
def test_fields(heading: str, keys: set[str]) -> None:
    assert table(heading) == keys


def test_fields_of_messages_and_types() -> None:
    text = PAGE.split("A `messages` row has ")[1].split("\n\n")[0]
    messages, types = text.split("; a `dtype`")
    assert set(re.findall(r"`(\w+)`", messages)) == set(INTERFACE["messages"][0])
    dtype = INTERFACE["bindings"][0]["dtype"]
    keys = {*dtype[0], *dtype[0]["type"]}
    assert set(re.findall(r"`(\w+)`", types)) == keys


def test_fields_of_tables() -> None:
    text = PAGE.split("### Tables")[1].split("\n##")[0]
    words = set(re.findall(r"`(\w+)`", text))
    assert set(INTERFACE["tables"][0]) <= words
    assert {"sizes", "counters", "windows"} <= words


@pytest.mark.parametrize(("field", "next_field"), [("kind", "set : int"), ("dimension", "comp")])
def test_values_that_are_listed(field: str, next_field: str) -> None:
    """The values are those of Binding's documentation."""
    text = " ".join((Binding.__doc__ or "").split())
    described = text.split(f" {field} : str")[1].split(f" {next_field}")[0].split(":")[-1]
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| `{field}` |"))
    words = re.findall(r"\w+", described.removeprefix(" or None").replace(" or ", " "))
    assert set(re.findall(r"`(\w+)`", row.split("|")[2])) == set(words)


def test_a_field_more_is_seen() -> None:
    more = replace(BINDING, name=None)
    keys = set(ShaderInterface((1, 1, 1), (more,)).to_dict()["bindings"][0])
    assert table("of a binding") - keys == {"name"}
