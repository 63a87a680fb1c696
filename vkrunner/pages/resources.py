"""Rows of the page of `sm5vk explain` about a module's interface: resources, constants, options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import cast

from translate import Binding, Constant, Options
from translate.errors import escaped
from translate.interface import dtype_text, vulkan_format

_ANY_FORMAT = {
    "float": "r32g32b32a32_float",
    "uint": "r32g32b32a32_uint",
    "sint": "r32g32b32a32_sint",
}


def binding_row(binding: Binding) -> dict[str, str]:
    """The cells of a resource's row, by their names in the page's template."""
    return {
        "register": binding.register,
        "name": escaped(binding.name or ""),
        "kind": binding.kind.replace("_", " "),
        "place": f"{binding.set}, {binding.binding}",
        "descriptor": f"VK_DESCRIPTOR_TYPE_{binding.descriptor_type.upper()}",
        "count": str(binding.count or "any number"),
        "format": _format_text(binding),
        "element": _element_text(binding),
        "use": ", ".join(word for word in ("read", "written", "atomic") if getattr(binding, word)),
    }


def constant_rows(binding: Binding) -> Iterator[tuple[str, int, str]]:
    """The variables of a constant buffer, or an element's members: its register, offset, HLSL."""
    for constant in binding.constants or ():
        for offset, text in _variables(constant, constant.offset, ""):
            yield binding.register, offset, escaped(text)


def _variables(constant: Constant, start: int, outer: str) -> Iterator[tuple[int, str]]:
    name = f"{outer}{constant.name}"
    array = f"[{constant.elements}]" if constant.elements else ""
    if not constant.members:
        size = "x".join(map(str, constant.shape))
        order = "column_major " if constant.column_major and len(constant.shape) == 2 else ""
        yield start, f"{order}{constant.type}{size} {name}{array}"
    for member in constant.members:
        yield from _variables(member, start + member.offset, f"{name}{array}.")


def options_text(options: Options) -> str:
    """The options that differ from the defaults."""
    usual = Options()
    rows = ((field.name, getattr(options, field.name)) for field in fields(options))
    return ", ".join(f"{name}={_shown(v)}" for name, v in rows if v != getattr(usual, name))


def _shown(value: object) -> str:
    """A value in Python; a set in the order of its members, since equal input gives equal pages."""
    if not isinstance(value, frozenset):
        return repr(value)
    return f"[{', '.join(sorted(map(repr, cast('frozenset[object]', value))))}]"


def _format_text(binding: Binding) -> str:
    """The VkFormat of a view, or the formats that are possible."""
    if binding.atomic:
        return binding.vk_format or ""
    if binding.format is not None:
        return vulkan_format(binding.format)
    if binding.component is None:
        return ""
    example = vulkan_format(_ANY_FORMAT[binding.component])
    return f"any format of {binding.component} components, such as {example}"


def _element_text(binding: Binding) -> str:
    if binding.stride:
        element = "" if binding.dtype is None else f", {escaped(dtype_text(binding.dtype))}"
        return f"stride {binding.stride}{element}"
    if binding.size_bytes:
        return f"{binding.size_bytes} bytes"
    return binding.dimension or ""
