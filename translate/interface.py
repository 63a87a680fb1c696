"""ShaderInterface: everything that somebody who binds and dispatches a module has to know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

# Binding.kind -> Binding.descriptor_type, in Vulkan's words
CONSTANT_BUFFER = "constant_buffer"
STRUCTURED_BUFFER = "structured_buffer"
RAW_BUFFER = "raw_buffer"
TYPED_BUFFER = "typed_buffer"
TEXTURE = "texture"
SAMPLER = "sampler"
COUNTER = "counter"
SIZES = "sizes"
_HIDDEN = (COUNTER, SIZES)  # descriptors that belong to another one

_VECTOR_BYTES, _SCALAR_BYTES, _DOUBLE_BYTES = 16, 4, 8


@dataclass(frozen=True, slots=True)
class Constant:
    """A variable of a constant buffer, or a member of a structure in one.

    `offset` in bytes from the buffer's or the structure's begin. `type` is HLSL's scalar (bool,
    int, uint, float, double, min16float, ...) or struct. `shape` is () for a scalar, (n,) for a
    vector, (rows, columns) for a matrix, which lies in memory by columns if `column_major`.
    `elements` is an array's length, 0 for none. Elements of arrays, and rows (or columns) of
    matrices, start on 16 bytes each. `used` tells whether the shader reads it; `default` has the
    bytes of an initialiser.
    """

    name: str
    offset: int
    type: str
    shape: tuple[int, ...] = ()
    column_major: bool = False
    elements: int = 0
    members: tuple[Constant, ...] = ()
    used: bool = True
    default: bytes | None = None

    @property
    def row_stride(self) -> int:
        """Bytes from a matrix's row (column, if `column_major`) to the next."""
        return self._row_bytes + -self._row_bytes % _VECTOR_BYTES

    @property
    def stride(self) -> int:
        """Bytes from an array's element to the next."""
        return self.element_bytes + -self.element_bytes % _VECTOR_BYTES

    @property
    def element_bytes(self) -> int:
        """Bytes of one element, without what fills it up to `stride`."""
        if self.members:
            return max(member.offset + member.size_bytes for member in self.members)
        if len(self.shape) < 2:
            return self._row_bytes
        outer = self.shape[1] if self.column_major else self.shape[0]
        return self.row_stride * (outer - 1) + self._row_bytes

    @property
    def size_bytes(self) -> int:
        """Bytes of all elements; what follows may begin right behind the last."""
        return self.stride * max(0, self.elements - 1) + self.element_bytes

    @property
    def _row_bytes(self) -> int:
        width = _DOUBLE_BYTES if self.type == "double" else _SCALAR_BYTES
        if not self.shape:
            return width
        return width * (self.shape[0] if self.column_major else self.shape[-1])


@dataclass(frozen=True, slots=True)
class Binding:
    """One descriptor, or an array of them.

    Attributes
    ----------
    register : str
        The D3D register (`t0`, `u1`, `cb0`, `s0`). A hidden counter is `u0.counter`. The table of
        an array's sizes (`Options.size_tables`) is `t0.sizes`, that of hidden counters
        `u0.counter.sizes`.
    kind : str
        constant_buffer, structured_buffer, raw_buffer, typed_buffer, texture, sampler, counter,
        sizes or report.
    set, binding : int
        Where it is bound.
    descriptor_type : str
        uniform_buffer, storage_buffer, uniform_texel_buffer, storage_texel_buffer, sampled_image,
        storage_image or sampler.
    name : str or None
        The name in the HLSL. A counter and a table have their resource's.
    read, written, atomic : bool
        What the shader does with it.
    stride : int or None
        Bytes of a structure.
    size_bytes : int or None
        The least size of a constant buffer's range, and of a counter's or table's.
    dimension : str or None
        The declared dimension of a typed resource.
    component : str or None
        What a typed resource is read as: float, uint or sint.
    format : str or None
        The DXGI format that the module was translated for, None where any format with that
        component serves.
    count : int
        How many descriptors; 0 for as many as are bound (the runtime descriptor array of an
        unbounded range).
    comparison : bool or None
        Set for a sampler that compares, and for a texture that is sampled with one.
    samplers : tuple of str or None
        The registers that a texture is sampled with.
    dtype : numpy.dtype or None
        RDEF's element or cbuffer type, None without RDEF.
    constants : tuple of Constant or None
        The variables of a constant buffer.
    """

    register: str
    kind: str
    set: int
    binding: int
    descriptor_type: str
    name: str | None = None
    read: bool = False
    written: bool = False
    atomic: bool = False
    stride: int | None = None
    size_bytes: int | None = None
    dimension: str | None = None
    component: str | None = None
    format: str | None = None
    count: int = 1
    comparison: bool | None = None
    samplers: tuple[str, ...] | None = None
    dtype: np.dtype[Any] | None = None
    constants: tuple[Constant, ...] | None = None

    @property
    def register_class(self) -> str:
        """The letters of the register: `t`, `u`, `cb`, `s`; `u.counter`, `t.sizes`, `u.sizes`."""
        owner, dot, hidden = self.register.partition(".")
        return owner.partition("_space")[0].rstrip("0123456789") + dot + hidden

    def __str__(self) -> str:
        """A line for people: `u0 y structured buffer stride 4 float32 (set 0, binding 160, …)`."""
        facts = (
            self.register,
            self.name,
            self.kind.replace("_", " "),
            f"stride {self.stride}" if self.stride is not None else None,
            f"{self.size_bytes} bytes" if self.size_bytes is not None else None,
            self.component,
            dtype_text(self.dtype) if self.dtype is not None else None,
            f"(set {self.set}, binding {self.binding}, {self.descriptor_type})",
        )
        return " ".join(fact for fact in facts if fact)


@dataclass(frozen=True, slots=True)
class ReportSite:
    """An instruction whose accesses are reported (`guards="report"`).

    `instruction` counts from 0 without declarations, `line` is the listing's, `hlsl_line` that of
    `hlsl_file` where there is debug information. `kind` is the
    memory's: a Binding's kind, group_shared, immediate_constant_buffer or indexable_temp. `defined`
    tells for each cause (outside, past the stride, unaligned, uninitialised) whether D3D defines
    what happens.
    """

    instruction: int | None
    line: int | None
    register: str
    kind: str
    defined: tuple[bool, bool, bool, bool]
    hlsl_file: str | None = None
    hlsl_line: int | None = None


@dataclass(frozen=True, slots=True)
class ShaderInterface:
    """Thread-group size, descriptors and needs of one translated shader.

    `features` names the device features that the module needs: `float64`,
    `storage_image_read_without_format`, `storage_image_write_without_format`, ...
    `windows` are the registers of Options.windows in the order of their push constants: two u32
    each, the view's first element and how many it has, in dwords or, if typed, in texels.
    `sites` are what the records of a report (binding `report`) name by number; `shortfalls` the
    constant buffers of which it has, from its fifth word on, a word for each descriptor: how many
    of the vectors that the shader declares are not bound.
    `entry_point` is the SPIR-V entry point's name, `target` its environment.
    """

    thread_group: tuple[int, int, int]
    bindings: tuple[Binding, ...]
    shared_memory_bytes: int = 0
    features: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    sites: tuple[ReportSite, ...] = ()
    shortfalls: tuple[str, ...] = ()
    entry_point: str = "main"
    target: str = "vulkan1.1"
    profile: str = "cs_5_0"

    def __iter__(self) -> Iterator[Binding]:
        return iter(self.bindings)

    def __str__(self) -> str:
        """A line on the whole, and one for each binding."""
        x, y, z = self.thread_group
        return "\n".join([f"{self.profile}, thread group {x} x {y} x {z}", *map(str, self)])

    def __contains__(self, key: object) -> bool:
        return any(key in (b.register, b.name) for b in self.bindings)

    def __getitem__(self, key: str) -> Binding:
        """The binding of a register or of an HLSL name. Raises KeyError with what there is."""
        for binding in self.bindings:
            if key == binding.register:
                return binding
        for binding in self.bindings:
            if key == binding.name and binding.kind not in _HIDDEN:
                return binding
        there = ", ".join(b.register for b in self.bindings) or "no resources"
        raise KeyError(f"no resource {key!r}; the shader has {there}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; dtypes as NumPy descriptions, absent facts left out."""
        return {
            "profile": self.profile,
            "target": self.target,
            "entry_point": self.entry_point,
            "thread_group": list(self.thread_group),
            "shared_memory_bytes": self.shared_memory_bytes,
            "features": list(self.features),
            "windows": list(self.windows),
            "bindings": [_binding_dict(b) for b in self.bindings],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), indent=indent)


def dtype_text(dtype: np.dtype[Any]) -> str:
    """A dtype as `{a: float32, m: float32[4, 4]}`."""
    base, shape = dtype.base, list(dtype.shape)
    text = str(base)
    if base.names is not None:
        text = "{" + ", ".join(f"{n}: {dtype_text(base[n])}" for n in base.names) + "}"
    return f"{text}{shape}" if shape else text


def _binding_dict(binding: Binding) -> dict[str, Any]:
    names = [name for name in Binding.__slots__ if name not in ("dtype", "constants")]
    row = {name: getattr(binding, name) for name in names if getattr(binding, name) is not None}
    if binding.dtype is not None:
        row["dtype"] = _dtype_data(binding.dtype)
    if binding.constants is not None:
        row["constants"] = [_constant_dict(constant) for constant in binding.constants]
    return row


def _constant_dict(constant: Constant) -> dict[str, Any]:
    """What is not the same for most of them; the default as hexadecimal digits of its bytes."""
    row: dict[str, Any] = {
        "name": constant.name,
        "offset": constant.offset,
        "type": constant.type,
        "shape": list(constant.shape),
    }
    if constant.column_major:
        row["column_major"] = True
    if constant.elements:
        row["elements"] = constant.elements
    if constant.members:
        row["members"] = [_constant_dict(member) for member in constant.members]
    if not constant.used:
        row["used"] = False
    if constant.default is not None:
        row["default"] = constant.default.hex()
    return row


def _dtype_data(dtype: np.dtype[Any]) -> Any:
    """A dtype as a string, or as a list of name, offset, type for a structure."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return {"type": _dtype_data(base), "shape": list(shape)}
    if dtype.fields is None:
        return dtype.str
    rows = [(name, field[0], field[1]) for name, field in dtype.fields.items()]
    return [{"name": n, "offset": int(o), "type": _dtype_data(t)} for n, t, o in rows]
