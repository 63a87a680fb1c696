"""The page of `sm5vk explain`: a shader's code in all its forms, resources and guards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from translate import Binding, Constant, ExplainedAccess, ExplainedLine, Explanation, Options
from translate.dataclass import dataclass, fields
from translate.errors import escaped, file_name, hlsl_place
from translate.interface import dtype_text, place_text, vulkan_format
from translate.version import VERSION
from vkrunner.report.html import Page
from vkrunner.report.page_parts import Picture, highlighted

_ANY_FORMAT = {
    "float": "r32g32b32a32_float",
    "uint": "r32g32b32a32_uint",
    "sint": "r32g32b32a32_sint",
}
_GUARDS = {  # guard -> symbol, text; of several guards of a line, the first one is shown
    "stays": ("●", "check stays"),
    "unchecked": ("△", "no check"),
    "device": ("◇", "left to the device"),
    "shared": ("○", "shares an earlier check"),
    "proved": ("○", "proved, no check"),
    "removed": ("–", "removed, result unused"),
}
_Marks = Mapping[int, Sequence[tuple[str, str, str]]]


def binding_row(binding: Binding) -> dict[str, str]:
    """The cells of a resource's row, by their names in the page's template."""
    bound = binding.push_offset is None
    return {
        "register": binding.register,
        "name": escaped(binding.name or ""),
        "kind": binding.kind.replace("_", " "),
        "place": place_text(binding),
        "descriptor": f"VK_DESCRIPTOR_TYPE_{binding.descriptor_type.upper()}" if bound else "",
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


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of code in a pane.

    `instructions` are the numbers of its instructions, which link it with lines in other panes.
    `marks` stand beside it, each with class, symbol and text; `is_bad` if an instruction has
    violations.
    """

    html: Markup
    number: str
    instructions: tuple[int, ...]
    marks: tuple[tuple[str, str, str], ...]
    is_bad: bool


@dataclass(frozen=True, slots=True)
class Pane:
    """One form of the shader's code: a file of HLSL, the listing, the IR or SPIR-V."""

    name: str
    title: str
    lines: Sequence[CodeLine]


@dataclass(frozen=True, slots=True)
class Article:
    """A finding at instructions; the page marks their lines.

    `source` are lines of code with a caret, or "". `facts` have a name and a text each.
    """

    title: str
    text: str
    instructions: Sequence[int]
    source: str
    pictures: Sequence[Picture]
    facts: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A section before the shader's own; `id` is unique on the page."""

    id: str
    title: str
    text: str
    articles: Sequence[Article] = ()
    steps: Sequence[TracedStep] = ()


@dataclass(frozen=True, slots=True)
class TracedStep:
    """A row of a trace: an instruction, its text, and a line for each value in and out."""

    instruction: int
    text: str
    sources: Sequence[str]
    results: Sequence[str]


@dataclass(frozen=True, slots=True)
class MachineCode:
    """A compiler's code for a GPU, of which `title` names both; some compilers give no lines."""

    title: str
    lines: Sequence[str]
    statistics: Mapping[str, int]


def explanation_page(
    explained: Explanation,
    title: str,
    sections: Sequence[Section] = (),
    code: MachineCode | None = None,
    faults: Collection[str] | None = None,
) -> Page:
    """The page as HTML, with sections before the shader's own, and with a GPU's code.

    `faults` are those of the only device that the page is for, if any.
    """
    bad = {
        number for one in sections for article in one.articles for number in article.instructions
    }
    environment = Environment(
        loader=PackageLoader("vkrunner.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    folder = resources.files("vkrunner.report") / "templates"
    interface = explained.module.interface
    values: dict[str, Any] = {
        "title": escaped(title),
        "version": VERSION,
        "style": Markup((folder / "page.css").read_text("utf-8")),
        "script": Markup((folder / "page.js").read_text("utf-8")),
        "explained": explained,
        "interface": interface,
        "bindings": [binding_row(binding) for binding in interface],
        "constants": [row for binding in interface for row in constant_rows(binding)],
        "faults": [n for n in interface.exposed_to if faults is None or n in faults],
        "options": options_text(explained.options),
        "accesses": [_access_row(explained, access) for access in explained.accesses],
        "columns": _columns(explained, bad, code),
        "machine_code": code,
        "stay": sum(access.guard == "stays" for access in explained.accesses),
        "sections": sections,
    }
    return Page(environment.get_template("page.html").render(values))


def _access_row(explained: Explanation, access: ExplainedAccess) -> dict[str, Any]:
    symbol, text = _GUARDS[access.guard]
    place = explained.hlsl_places.get(access.instruction if access.instruction is not None else -1)
    return {
        "access": access,
        "symbol": symbol,
        "text": text,
        "hlsl": "" if place is None else hlsl_place(*place),
        "kind": access.kind.replace("_", " "),
    }


# --- code ----------------------------------------------------------------------------------------


def _columns(
    explained: Explanation, bad: Collection[int], code: MachineCode | None
) -> list[list[Pane]]:
    """The panes of each column, from left to right: HLSL and listing, IR, SPIR-V and GPU's code."""
    marks = _marks(explained.accesses)
    listing = _pane("listing", "Listing", explained.listing, marks, bad)
    columns = [
        [*_hlsl_panes(explained, marks, bad), listing],
        [_pane("ir", "IR: between D3D and SPIR-V", explained.ir, {}, bad)],
    ]
    last: list[Pane] = []
    if explained.spirv:
        last.append(_pane("spirv", "SPIR-V", explained.spirv, {}, bad))
    if code is not None and code.lines:
        last.append(
            _pane("machine", code.title, [ExplainedLine(line) for line in code.lines], {}, bad)
        )
    if last:
        columns.append(last)
    return columns


def _marks(accesses: Iterable[ExplainedAccess]) -> _Marks:
    found: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    for access in accesses:
        if access.instruction is not None:
            symbol, text = _GUARDS[access.guard]
            found[access.instruction].append((access.guard, symbol, f"{access.register}: {text}"))
    return found


def _pane(
    name: str, title: str, lines: Sequence[ExplainedLine], marks: _Marks, bad: Collection[int]
) -> Pane:
    shown = highlighted((line.text for line in lines), name)
    made = [
        _code_line(
            html,
            _number(name, number, line),
            [] if line.instruction is None else [line.instruction],
            marks,
            bad,
        )
        for number, (line, html) in enumerate(zip(lines, shown, strict=True), 1)
    ]
    return Pane(name, title, made)


def _code_line(
    html: str, number: str, instructions: Sequence[int], marks: _Marks, bad: Collection[int]
) -> CodeLine:
    every = [mark for one in instructions for mark in marks.get(one, ())]
    found = dict.fromkeys(sorted(every, key=lambda mark: [*_GUARDS].index(mark[0])))
    is_bad = any(one in bad for one in instructions)
    return CodeLine(Markup(html), number, tuple(instructions), tuple(found), is_bad)


def _number(name: str, number: int, line: ExplainedLine) -> str:
    """The number of the instruction in a listing, else that of the line."""
    if name != "listing":
        return str(number)
    return "" if line.instruction is None else str(line.instruction)


def _hlsl_panes(explained: Explanation, marks: _Marks, bad: Collection[int]) -> Iterable[Pane]:
    """A pane for each file of HLSL with code that has instructions."""
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for instruction, place in explained.hlsl_places.items():
        places[place].append(instruction)
    used = {file for file, _ in places}
    for position, file in enumerate(explained.hlsl):
        if file.name not in used:
            continue
        shown = highlighted(file.lines, "hlsl")
        lines = [
            _code_line(html, str(number), places.get((file.name, number), []), marks, bad)
            for number, html in enumerate(shown, 1)
        ]
        yield Pane(f"hlsl{position}", escaped(file_name(file.name)), lines)
