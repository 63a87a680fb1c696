"""docs/porting.md maps every feature and float mode of an interface to Vulkan's structs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from translate import Options
from translate.bindings.features import features_of
from translate.interface import Binding
from translate.options import FLOAT_CONTROLS, ROBUST_ACCESS
from translate.spirv.grammar import Capability
from vkrunner.info.names import float_control_field
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.features import FEATURE_GROUPS, feature_fields, version_text

from .blocks import ROOT

PAGE = (ROOT / "docs/porting.md").read_text(encoding="utf-8")
NO_FIELD = {"subgroup_ballot", "non_semantic_info"}  # a property and an extension

FEATURES_HEAD = "| `features` | struct | member | since |"

Row = tuple[str, ...]


def rows_below(head: str) -> set[Row]:
    """The cells of the table with this head, without the marks of code."""
    _, found, after = PAGE.partition(f"{head}\n|---")
    assert found, head
    lines = after.split("\n\n")[0].splitlines()[1:]
    return {tuple(c.strip().replace("`", "") for c in line.split("|")[1:-1]) for line in lines}


def listed() -> set[str]:
    """The names that `features` of an interface may have."""
    capabilities = [value for value in vars(Capability).values() if isinstance(value, int)]
    bindings = [
        Binding(register, "raw_buffer", 0, 0, kind)
        for register, kind in (("t0", "storage_buffer"), ("u0", "storage_image"))
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
