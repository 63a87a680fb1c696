"""docs/porting.md has every field of the interface's JSON, and no other.

It maps every feature and float mode of an interface to Vulkan's structs.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from translate import Options, interface
from translate.bindings.interface import features_of
from translate.options import FLOAT_CONTROLS, ROBUST_ACCESS
from translate.spirv.grammar import Capability
from vkrunner.info.names import float_control_field
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.physical import FEATURE_GROUPS, feature_fields, version_text

from ..dtype_data import data_of
from ..specialized import IDS
from .blocks import ROOT

NO_FIELD = {"subgroup_ballot", "non_semantic_info"}  # a property and an extension
FEATURES_HEAD = "| `features` | struct | member | since |"
PAGE = (ROOT / "docs/porting.md").read_text(encoding="utf-8")

INNER = interface.Constant("m", 0, "float", (4, 3), column_major=True, elements=2)
CONSTANT = interface.Constant("s", 0, "struct", members=(INNER,), used=False, default=b"1234")
SITE = interface.MessageSite("printf", "%d", (1,), 3, 4, "a.hlsl", 5)
DTYPE = np.dtype([("a", "f4", (3,)), ("b", "u4")])
# In this example every field has a value.
BINDING = interface.Binding(
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
    static_samplers=(interface.StaticSampler(0, 0, ("point",) * 3, ("wrap",) * 3),),
    dtype_data=data_of(DTYPE),
    element=CONSTANT,
    constants=(CONSTANT,),
)
PUSHED = replace(BINDING, push_offset=0)  # its row has no set
INTERFACE = interface.ShaderInterface(
    (1, 1, 1),
    (BINDING, PUSHED),
    specialization=(interface.SpecializationConstant("denormals", 8),),
    tables=(interface.Table("t0", "sizes", 0, 1),),
    messages=(SITE,),
    exposed_to=("loop_limit",),
).to_dict()


def rows_below(head: str) -> set[tuple[str, ...]]:
    """The cells of the table with this head, without the marks of code."""
    _, found, after = PAGE.partition(f"{head}\n|---")
    assert found, head
    lines = after.split("\n\n")[0].splitlines()[1:]
    return {tuple(c.strip().replace("`", "") for c in line.split("|")[1:-1]) for line in lines}


def marked(text: str) -> set[str]:
    """The words that a text marks as code."""
    return set(re.findall(r"`(\w+)`", text))


def keys_of_variables(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield from row
        yield from keys_of_variables(row.get("members", []))


def test_the_example_has_every_field() -> None:
    """A field that the example lacked could be missing from the page too."""
    for record in (PUSHED, SITE, CONSTANT, INNER):
        for field in fields(record):
            assert getattr(record, field.name) is not None or record is INNER, field.name


@pytest.mark.parametrize(
    ("heading", "keys"),
    [
        ("of the module", set(INTERFACE)),
        ("of a binding", {key for row in INTERFACE["bindings"] for key in row}),
        (
            "of a variable, or a member of one",
            set(keys_of_variables(INTERFACE["bindings"][0]["constants"])),
        ),
    ],
)
def test_fields(heading: str, keys: set[str]) -> None:
    rows = rows_below(f"| field | {heading} |")
    assert {name for row in rows for name in row[0].split(", ")} == keys


def test_fields_of_messages_and_types() -> None:
    text = PAGE.split("A `messages` row has ")[1].split("\n\n")[0]
    messages, types = text.split("; a `dtype`")
    assert marked(messages) == set(INTERFACE["messages"][0])
    dtype = INTERFACE["bindings"][0]["dtype"]
    keys = {*dtype[0], *dtype[0]["type"]}
    assert marked(types) == keys


def test_ids_of_specialization_constants() -> None:
    rows = rows_below("| `id` | `name` | set it if | what goes |")
    assert {name: int(number) for number, name, *_ in rows} == IDS


def test_fields_of_tables() -> None:
    text = PAGE.split("### Tables")[1].split("\n##")[0]
    assert {*INTERFACE["tables"][0], "sizes", "counters", "windows"} <= marked(text)


@pytest.mark.parametrize(("field", "next_field"), [("kind", "set : int"), ("dimension", "comp")])
def test_values_that_are_listed(field: str, next_field: str) -> None:
    """The values are those of Binding's documentation."""
    text = " ".join((interface.Binding.__doc__ or "").split())
    described = text.split(f" {field} : str")[1].split(f" {next_field}")[0].split(":")[-1]
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| `{field}` |"))
    words = re.findall(r"\w+", described.removeprefix(" or None").replace(" or ", " "))
    assert marked(row.split("|")[2]) == set(words)


def listed() -> set[str]:
    """The names that `features` of an interface may have."""
    capabilities = [value for value in vars(Capability).values() if isinstance(value, int)]
    kinds = {"t0": "storage_buffer", "u0": "storage_image"}
    bindings = [
        interface.Binding(register, "raw_buffer", 0, 0, kind) for register, kind in kinds.items()
    ]
    checked = Options(robust_access=frozenset(ROBUST_ACCESS), debug_info=True)
    options = (checked, Options(guards="robustness2"))
    return {name for o in options for name in features_of(capabilities, bindings, o)}


def structs() -> Iterator[tuple[str, str]]:
    """(struct, first version or extension) of features; of several with a feature all.

    Structs of whole versions are left out: the page says which members they have.
    """
    yield "VkPhysicalDeviceFeatures", "1.0"
    for group in FEATURE_GROUPS:
        version = group.core_since or group.until
        if group.extension:
            since = version_text(version).removesuffix(".0") if version else ""
            yield group.struct, ", ".join(filter(None, (group.extension, since)))


def test_features() -> None:
    names = listed() - NO_FIELD
    expected = {
        (name, struct, field, since)
        for struct, since in structs()
        for name, field in feature_fields(vk.ffi().new(f"{struct} *")).items()
        if name in names
    }
    assert {row[0] for row in expected} == names
    shown = rows_below(FEATURES_HEAD)
    assert {row[0] for row in shown} == listed()
    assert {row for row in shown if row[0] not in NO_FIELD} == expected


@pytest.mark.parametrize(("version", "digits"), [("1.2", 12), ("1.3", 13)])
def test_members_of_the_structs_of_versions(version: str, digits: int) -> None:
    """The struct of a version has the members that the table says are core since then."""
    fields = {name for name, _ in vk.ffi().typeof(f"VkPhysicalDeviceVulkan{digits}Features").fields}
    rows = [row for row in rows_below(FEATURES_HEAD) if row[0] not in NO_FIELD]
    named = {row[2] for row in rows if row[3].endswith(f", {version}")}
    assert named
    assert named <= fields


def test_float_modes() -> None:
    expected = {(name, float_control_field(name)) for name in FLOAT_CONTROLS}
    assert rows_below("| `float_controls` | member |") == expected
    fields = vk.ffi().typeof("VkPhysicalDeviceFloatControlsProperties").fields
    assert {field for _, field in expected} <= {name for name, _ in fields}


@pytest.mark.parametrize("page", ["docs/porting.md", "docs/troubleshooting.md"])
def test_no_page_derives_the_names(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not re.search(r"with\s+underscores", text)
