"""ShaderInterface: all that is needed to bind and dispatch a module."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from translate.choices import Target, Workaround
from translate.interface.binding import Binding, element_text
from translate.interface.kinds import ADDED, HIDDEN
from translate.interface.plain import binding_dict
from translate.interface.shown import html_table, line_of, some_of


@dataclass(frozen=True, slots=True)
class ReportSite:
    """An instruction whose accesses are reported (`guards="report"`).

    Attributes
    ----------
    instruction : int or None
        Which instruction, from 0, declarations left out.
    line : int or None
        The listing's line.
    register : str
        The register that it accesses.
    kind : str
        The memory's: a Binding's kind, group_shared, immediate_constant_buffer or indexable_temp.
    defined : tuple of bool
        For each cause (outside, past the stride, unaligned, uninitialised) whether D3D defines what
        happens.
    hlsl_file : str or None
        The file of the HLSL, where there is debug information.
    hlsl_line : int or None
        The line of the HLSL, likewise.
    """

    instruction: int | None
    line: int | None
    register: str
    kind: str
    defined: tuple[bool, bool, bool, bool]
    hlsl_file: str | None = None
    hlsl_line: int | None = None


@dataclass(frozen=True, slots=True)
class MessageSite:
    """An instruction that sends messages, or with `Options.workarounds` a loop.

    Attributes
    ----------
    name : {"printf", "errorf", "abort", "loop_limit"}
        The function of HLSL; the last is a loop that the driver may end.
    text : str
        The format string.
    widths : tuple of int
        How many dwords each argument takes: 1, or 2 of a double.
    instruction : int or None
        Which instruction, from 0, declarations left out.
    line : int or None
        The listing's line.
    hlsl_file : str or None
        The file of the HLSL, where there is debug information.
    hlsl_line : int or None
        The line of the HLSL, likewise.
    """

    name: str
    text: str
    widths: tuple[int, ...]
    instruction: int | None
    line: int | None
    hlsl_file: str | None = None
    hlsl_line: int | None = None


@dataclass(frozen=True, slots=True)
class ShaderInterface:
    """Thread-group size, descriptors and needs of one translated shader.

    `interface["t0"]` and `interface["name"]` give a Binding, `in` says whether there is one, and
    iterating gives all.

    Attributes
    ----------
    thread_group : tuple of int
        Threads of a group in x, y and z.
    bindings : tuple of Binding
        The descriptors, arrays as one.
    shared_memory_bytes : int
        Group-shared memory.
    features : tuple of str
        The device features that the module needs: `float64`, `storage_image_read_without_format`,
        ...
    windows : tuple of str
        The registers of Options.windows in the order of their push constants: two u32 each, the
        view's first element and how many it has, in dwords or, if typed, in texels, of a 3D UAV in
        slices.
    sites : tuple of ReportSite
        What the records of a report (binding `report`) name by number.
    shortfalls : tuple of str
        The constant buffers of which the report has, from its fifth word on, a word for each
        descriptor: how many of the vectors that the shader declares are not bound.
    messages : tuple of MessageSite
        What the records of the binding `messages` name by number; docs/messages.md has the buffer's
        layout.
    exposed_to : tuple of str
        The faults of drivers (`Options.workarounds`) that the module does not work around and would
        meet: it must not run on a device that has one of them.
    entry_point : str
        The SPIR-V entry point's name.
    target : str
        The SPIR-V environment, `vulkan1.1`.
    profile : str
        The shader model, `cs_5_0`.
    extensions : tuple of str
        The device extensions to enable with a device of that target's version.
    """

    thread_group: tuple[int, int, int]
    bindings: tuple[Binding, ...]
    shared_memory_bytes: int = 0
    features: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    sites: tuple[ReportSite, ...] = ()
    shortfalls: tuple[str, ...] = ()
    messages: tuple[MessageSite, ...] = ()
    exposed_to: tuple[Workaround, ...] = ()
    entry_point: str = "main"
    target: Target = "vulkan1.1"
    profile: str = "cs_5_0"
    extensions: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Binding]:
        return iter(self.bindings)

    def __str__(self) -> str:
        """A line on the whole, and one for each binding."""
        x, y, z = self.thread_group
        return "\n".join([f"{self.profile}, thread group {x} x {y} x {z}", *map(str, self)])

    def __repr__(self) -> str:
        """The profile, the threads of a group, and the first registers with their names."""
        return line_of(self, *brief_of(self))

    def _repr_html_(self) -> str:
        return interface_table(self)

    def __contains__(self, key: object) -> bool:
        return any(key in (b.register, b.name) for b in self.bindings)

    def __getitem__(self, key: str) -> Binding:
        """The binding of a register or of an HLSL name. Raises KeyError with what there is.

        A resource of the shader goes before a binding that the translation adds.
        """
        placed = [b for b in self.bindings if key == b.register]
        named = [b for b in self.bindings if key == b.name and b.kind not in HIDDEN]
        declared = [b for b in placed if b.kind not in ADDED]
        for binding in (*declared, *named, *placed):
            return binding
        there = ", ".join(b.register for b in self.bindings) or "no resources"
        raise KeyError(f"no resource {key!r}; the shader has {there}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; dtypes as NumPy descriptions, absent facts left out.

        Returns
        -------
        dict
            The fields that "Porting a shader" explains.
        """
        messages = [_present(message) for message in self.messages]
        return {
            "profile": self.profile,
            "target": self.target,
            "entry_point": self.entry_point,
            "thread_group": list(self.thread_group),
            "shared_memory_bytes": self.shared_memory_bytes,
            "features": list(self.features),
            "extensions": list(self.extensions),
            "windows": list(self.windows),
            "bindings": [binding_dict(b) for b in self.bindings],
            **({"messages": messages} if messages else {}),
            **({"exposed_to": list(self.exposed_to)} if self.exposed_to else {}),
        }

    def to_json(self, indent: int | None = 2) -> str:
        """`to_dict` as text.

        Parameters
        ----------
        indent : int or None, optional
            Spaces of a level; None puts all on one line.

        Returns
        -------
        str
            JSON.
        """
        return json.dumps(self.to_dict(), indent=indent)


def brief_of(interface: ShaderInterface) -> tuple[str, str, str]:
    """The profile, the threads of a group, and the first registers, each in a few words."""
    x, y, z = interface.thread_group
    registers = [" ".join(part for part in (b.register, b.name) if part) for b in interface]
    return interface.profile, f"{x} x {y} x {z} threads", some_of(registers)


def interface_table(interface: ShaderInterface) -> str:
    """A table of HTML with a row for each binding."""
    rows = (
        (
            b.register if b.count == 1 else f"{b.register} [{b.count or 'any'}]",
            b.name or "",
            b.kind.replace("_", " "),
            element_text(b),
            f"{b.set}, {b.binding}",
        )
        for b in interface
    )
    heading = ("register", "name", "kind", "element", "set, binding")
    return html_table(", ".join(brief_of(interface)[:2]), rows, heading)


def _present(message: MessageSite) -> dict[str, Any]:
    """A message for JSON without the facts that are absent."""
    return {name: value for name, value in asdict(message).items() if value is not None}
