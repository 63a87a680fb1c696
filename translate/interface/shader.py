"""ShaderInterface: everything a host needs to bind and dispatch a module."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from translate.choices import Target, Workaround
from translate.dataclass import asdict, dataclass
from translate.interface.binding import (
    ADDED,
    COUNTER,
    MESSAGES,
    Binding,
    element_text,
    place_text,
)
from translate.interface.plain import binding_dict, html_table, line_of, some_of

_LOOP_LIMIT = "loop_limit"  # the name of a loop's site
_RANGE_BYTES = 8  # of a view range in push constants


@dataclass(frozen=True, slots=True)
class ReportSite:
    """An instruction with reports of its violations (`guards="report"`).

    Attributes
    ----------
    instruction : int or None
        The number of the instruction, from 0; declarations do not count.
    line : int or None
        The line of the listing.
    register : str
        The register that it accesses.
    kind : str
        The kind of memory: a Binding's kind, group_shared, immediate_constant_buffer or
        indexable_temp.
    defined : tuple of bool
        For each cause (outside, past the stride, unaligned, uninitialised): whether D3D defines the
        result.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    used : bool
        False if the threads that report here do not use the loaded result: fxc loads in every
        thread, and selects another number where a condition is false.
    coordinates : tuple of str
        Of a texture: the names of the coordinates after x, which its records have after the byte
        offset: y, z, slice, mip, sample.
    """

    instruction: int | None
    line: int | None
    register: str
    kind: str
    defined: tuple[bool, bool, bool, bool]
    hlsl_file: str | None = None
    hlsl_line: int | None = None
    used: bool = True
    coordinates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageSite:
    """An instruction that sends messages; with `Options.workarounds`, also a loop.

    Attributes
    ----------
    name : {"printf", "errorf", "abort", "loop_limit"}
        The function in HLSL; "loop_limit" is a loop that the driver may end.
    text : str
        The format string.
    widths : tuple of int
        The number of dwords of each argument: 1, or 2 for a double.
    instruction : int or None
        The number of the instruction, from 0; declarations do not count.
    line : int or None
        The line of the listing.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    """

    name: str
    text: str
    widths: tuple[int, ...]
    instruction: int | None
    line: int | None
    hlsl_file: str | None = None
    hlsl_line: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers about the buffers of an array, which the host writes into the binding `tables`.

    Attributes
    ----------
    register : str
        The first register of the array.
    kind : {"sizes", "counters", "windows"}
        "sizes": the number of structures in each view (raw buffers: of dwords), or 0 if it is null.
        "counters": 1 for each bound hidden counter, else 0. "windows": two numbers for each view,
        its first element and its number of elements (dwords, texels or slices).
    first : int
        The position of the first buffer's numbers, in u32.
    stride : int
        The distance from the numbers of one buffer to those of the next, in u32.
    """

    register: str
    kind: str
    first: int
    stride: int


@dataclass(frozen=True, slots=True)
class SpecializationConstant:
    """A specialization constant of the module (`Options.specialize`), a boolean, false by default.

    Attributes
    ----------
    name : str
        What it says about the device if it is set: `robust_buffer_access2`, `exact_coordinates`,
        ...
    id : int
        The SpecId, the same in all modules: `VkSpecializationMapEntry::constantID`.
    """

    name: str
    id: int


@dataclass(frozen=True, slots=True)
class ShaderInterface:
    """The thread-group size, descriptors and requirements of a translated shader.

    `interface["t0"]` and `interface["name"]` return a Binding, `"t0" in interface` tests for one,
    and iteration yields all of them.

    Attributes
    ----------
    thread_group : tuple of int
        The number of threads per group in x, y and z.
    bindings : tuple of Binding
        The descriptors, and constant buffers in push constants; an array is a single Binding.
    shared_memory_bytes : int
        The size of group-shared memory.
    features : tuple of str
        The device features that the module needs: `float64`, `storage_image_read_without_format`,
        ...
    windows : tuple of str
        The registers with a view range (`Options.windows`) in the order of their push constants.
        Each has two u32: the view's first element and its number of elements. The unit is dwords,
        texels (typed buffers) or slices (3D UAVs).
    tables : tuple of Table
        The parts of the binding `tables`, a buffer of u32 that the host writes: the sizes and view
        ranges of buffers in arrays (`Options.size_tables`, `Options.windows`).
    sites : tuple of ReportSite
        The instructions that the records of a report (binding `report`) refer to by number.
    shortfalls : tuple of str
        The constant buffers for which the report has one word per descriptor, from its fifth word
        on: the number of declared vectors that are not bound.
    messages : tuple of MessageSite
        The instructions that the records of binding `messages` refer to by number; docs/messages.md
        describes the buffer.
    exposed_to : tuple of str
        The driver faults (values of `Options.workarounds`) that affect the module because it does
        not work around them. The module must not run on a device with one of them.
    entry_point : str
        The name of the SPIR-V entry point.
    target : str
        The SPIR-V environment, such as `vulkan1.1`.
    profile : str
        The shader model, such as `cs_5_0`.
    extensions : tuple of str
        The device extensions to enable on a device of the target's Vulkan version.
    float_controls : tuple of str
        The float modes that the module declares (values of `Options.float_controls`). The device
        has to offer them; they need not be enabled.
    specialization : tuple of SpecializationConstant
        The specialization constants (`Options.specialize`), by their ids.
    spirv_crc32 : int
        The CRC-32 of the module's bytes, as `zlib.crc32`. A host compares it, so that it does not
        run a module with another one's interface.
    """

    thread_group: tuple[int, int, int]
    bindings: tuple[Binding, ...]
    shared_memory_bytes: int = 0
    features: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    sites: tuple[ReportSite, ...] = ()
    shortfalls: tuple[str, ...] = ()
    messages: tuple[MessageSite, ...] = ()
    exposed_to: tuple[Workaround, ...] = ()
    entry_point: str = "main"
    target: Target = "vulkan1.1"
    profile: str = "cs_5_0"
    extensions: tuple[str, ...] = ()
    float_controls: tuple[str, ...] = ()
    specialization: tuple[SpecializationConstant, ...] = ()
    spirv_crc32: int = 0

    def __iter__(self) -> Iterator[Binding]:
        return iter(self.bindings)

    def __str__(self) -> str:
        """A line about the shader, and one for each binding."""
        x, y, z = self.thread_group
        lines = (f"{binding}{self._reason(binding)}" for binding in self)
        return "\n".join([f"{self.profile}, thread group {x} x {y} x {z}", *lines])

    @property
    def sends_messages(self) -> bool:
        """Whether the shader sends messages or may abort; loops that drivers end do not count."""
        return any(site.name != _LOOP_LIMIT for site in self.messages)

    @property
    def push_bytes(self) -> int:
        """The size of the push constants in bytes: view ranges, then constant buffers."""
        ends = (
            (b.push_offset or 0) + (b.size_bytes or 0) for b in self if b.push_offset is not None
        )
        return max((_RANGE_BYTES * len(self.windows), *ends))

    def _reason(self, binding: Binding) -> str:
        """Why a shader that sends no messages has the binding for them."""
        if binding.kind != MESSAGES or self.sends_messages:
            return ""
        return f"; for loops that the driver ends ({_LOOP_LIMIT})"

    def __repr__(self) -> str:
        """The profile, the threads of a group, and the first registers with their names."""
        return line_of(self, *brief_of(self))

    def _repr_html_(self) -> str:
        return interface_table(self)

    def __contains__(self, key: object) -> bool:
        return any(key in (b.register, b.name) for b in self.bindings)

    def __getitem__(self, key: str) -> Binding:
        """The binding for a register or an HLSL name. Raises KeyError, which lists the resources.

        The shader's own resources take precedence over bindings that the translation adds.
        """
        placed = [b for b in self.bindings if key == b.register]
        named = [b for b in self.bindings if key == b.name and b.kind != COUNTER]
        declared = [b for b in placed if b.kind not in ADDED]
        for binding in (*declared, *named, *placed):
            return binding
        there = ", ".join(b.label for b in self.bindings) or "no resources"
        raise KeyError(f"no resource {key!r}; the shader has {there}{self._hint(key)}")

    def _hint(self, key: str) -> str:
        """The end of the message for an unknown `key`, if a constant buffer has such a variable."""
        for b in self.bindings:
            if any(constant.name == key for constant in b.constants or ()):
                return f"; {key!r} is a variable of {b.register}: {b.name}={{{key!r}: ...}}"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data for JSON.

        Returns
        -------
        dict
            The fields, which docs/porting.md describes. Dtypes are NumPy's descriptions; missing
            facts are omitted.
        """
        messages = [_present(message) for message in self.messages]
        constants = [asdict(constant) for constant in self.specialization]
        return {
            "profile": self.profile,
            "target": self.target,
            "entry_point": self.entry_point,
            "spirv_crc32": self.spirv_crc32,
            "thread_group": list(self.thread_group),
            "shared_memory_bytes": self.shared_memory_bytes,
            "features": list(self.features),
            "extensions": list(self.extensions),
            "float_controls": list(self.float_controls),
            **({"specialization": constants} if constants else {}),
            "windows": list(self.windows),
            "bindings": [binding_dict(b) for b in self.bindings],
            **({"tables": [asdict(table) for table in self.tables]} if self.tables else {}),
            **({"messages": messages} if messages else {}),
            **({"exposed_to": list(self.exposed_to)} if self.exposed_to else {}),
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Convert `to_dict` to JSON text.

        Parameters
        ----------
        indent : int or None, optional
            The number of spaces per level; None prints a single line.

        Returns
        -------
        str
            The JSON text.
        """
        return json.dumps(self.to_dict(), indent=indent)


def brief_of(interface: ShaderInterface) -> tuple[str, str, str]:
    """The profile, the threads of a group, and the first registers, as short texts."""
    x, y, z = interface.thread_group
    registers = [" ".join(part for part in (b.register, b.name) if part) for b in interface]
    return interface.profile, f"{x} x {y} x {z} threads", some_of(registers)


def interface_table(interface: ShaderInterface) -> str:
    """An HTML table with a row for each binding."""
    rows = (
        (
            b.register if b.count == 1 else f"{b.register} [{b.count or 'any'}]",
            b.name or "",
            b.kind.replace("_", " "),
            element_text(b),
            place_text(b),
        )
        for b in interface
    )
    heading = ("register", "name", "kind", "element", "set, binding")
    return html_table(", ".join(brief_of(interface)[:2]), rows, heading)


def _present(message: MessageSite) -> dict[str, Any]:
    """A message for JSON, without missing facts."""
    return {name: value for name, value in asdict(message).items() if value is not None}
