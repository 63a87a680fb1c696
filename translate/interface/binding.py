"""Binding: a descriptor of a translated shader, and the variables in its buffer.

A translation describes NumPy's dtypes by plain data, without importing NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from translate.choices import FormatName
from translate.dataclass import dataclass
from translate.errors import escaped
from translate.interface.formats import buffer_format, serving_format, vulkan_format
from translate.interface.root_signature import StaticSampler

if TYPE_CHECKING:
    import numpy as np

CONSTANT_BUFFER = "constant_buffer"
STRUCTURED_BUFFER = "structured_buffer"
RAW_BUFFER = "raw_buffer"
TYPED_BUFFER = "typed_buffer"
TEXTURE = "texture"
SAMPLER = "sampler"
COUNTER = "counter"
REPORT = "report"
MESSAGES = "messages"
TABLES = "tables"
ADDED = (REPORT, MESSAGES, TABLES)  # descriptors that the translation adds
UNIFORM_TEXEL_BUFFER = "uniform_texel_buffer"
STORAGE_TEXEL_BUFFER = "storage_texel_buffer"
UNIFORM_BUFFER = "uniform_buffer"
STORAGE_BUFFER = "storage_buffer"
PUSH_CONSTANTS = "push_constants"
SAMPLED_IMAGE = "sampled_image"
STORAGE_IMAGE = "storage_image"
_REGISTER = re.compile(r"(cb|[stu])(\d{1,10})(?:_space(\d{1,10}))?")
_MOST_COMPONENTS = 4
_NO_IMAGE = 3  # few devices have images with three components

VECTOR_BYTES = 16  # the size of a vector in a constant buffer
_SCALAR_BYTES, _DOUBLE_BYTES = 4, 8
# A string is a number's dtype, such as "<f4"
DtypeData: TypeAlias = "str | ArrayType | StructureType"


def register_name(letters: str, number: int, space: int) -> str:
    """The name of a register, as in bindings: `t3`, or `t3_space2` outside of space 0."""
    return f"{letters}{number}_space{space}" if space else f"{letters}{number}"


def register_place(name: str) -> tuple[str, int, int] | None:
    """(letters, space, number) of a register's name, ("t", 0, 3) for `t3`; None for other names."""
    match = _REGISTER.fullmatch(name)
    return (match[1], int(match[3] or 0), int(match[2])) if match else None


@dataclass(frozen=True, slots=True)
class Constant:
    """A variable of a constant buffer, the element of a structured buffer, or a structure's member.

    Attributes
    ----------
    name : str
        The name in the HLSL.
    offset : int
        The offset in bytes from the start of the buffer or structure.
    type : str
        The scalar type in HLSL (`bool`, `int`, `uint`, `float`, `double`, `min16float`, ...), or
        `struct`.
    shape : tuple of int
        () for a scalar, (n,) for a vector, (rows, columns) for a matrix.
    column_major : bool
        Whether a matrix is stored column by column.
    elements : int
        The length of an array; 0 if this is not an array.
    members : tuple of Constant
        The members of a structure.
    used : bool
        Whether the shader reads the variable.
    default : bytes or None
        The bytes of its initialiser.
    step_bytes : int
        The alignment of array elements and of matrix rows (or columns): 16 in constant buffers; in
        structured buffers, which have no padding, the size of the widest scalar.
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
    step_bytes: int = VECTOR_BYTES

    @property
    def order(self) -> str | None:
        """A matrix's order in memory, row_major or column_major; None for other variables."""
        if len(self.shape) != 2:
            return None
        return "column_major" if self.column_major else "row_major"

    @property
    def row_stride(self) -> int:
        """The distance in bytes between rows of a matrix (columns if `column_major`)."""
        return self._row_bytes + -self._row_bytes % self.step_bytes

    @property
    def stride(self) -> int:
        """The distance in bytes between elements of an array."""
        own = self.element_bytes
        return own + -own % self.step_bytes

    @property
    def element_bytes(self) -> int:
        """The size of an element in bytes, without the padding that `stride` includes."""
        if self.members:
            return max(member.offset + member.size_bytes for member in self.members)
        if len(self.shape) < 2:
            return self._row_bytes
        outer = self.shape[1] if self.column_major else self.shape[0]
        return self.row_stride * (outer - 1) + self._row_bytes

    @property
    def size_bytes(self) -> int:
        """The size in bytes, without padding at the end: another variable may begin there."""
        own = self.element_bytes  # once: structures may be nested deeply
        return (own + -own % self.step_bytes) * max(0, self.elements - 1) + own

    @property
    def _row_bytes(self) -> int:
        width = _DOUBLE_BYTES if self.type == "double" else _SCALAR_BYTES
        if not self.shape:
            return width
        return width * (self.shape[0] if self.column_major else self.shape[-1])


class ArrayType(NamedTuple):
    """An array. Its elements may be arrays."""

    element: DtypeData
    shape: tuple[int, ...]


class StructureType(NamedTuple):
    """A structure: the names of its fields, their types and offsets, and its size in bytes."""

    names: tuple[str, ...]
    formats: tuple[DtypeData, ...]
    offsets: tuple[int, ...]
    itemsize: int


def bytes_of(data: DtypeData) -> int:
    """The size of a dtype in bytes."""
    if isinstance(data, str):
        return int(data[2:])
    if isinstance(data, StructureType):
        return data.itemsize
    return bytes_of(data.element) * prod(data.shape)


@cache
def dtype_of(data: DtypeData) -> np.dtype[np.generic]:
    """The dtype that the data describes."""
    import numpy as np

    if isinstance(data, str):
        return np.dtype(data)
    if isinstance(data, ArrayType):  # NumPy's `base` sees one level of arrays
        element = dtype_of(data.element)
        return np.dtype((element.base, data.shape + element.shape))
    formats = [dtype_of(field) for field in data.formats]
    names, offsets = list(data.names), list(data.offsets)
    return np.dtype(
        {"names": names, "formats": formats, "offsets": offsets, "itemsize": data.itemsize}
    )


@dataclass(frozen=True, slots=True)
class Binding:
    """A descriptor, an array of descriptors, or a constant buffer in push constants.

    Attributes
    ----------
    register : str
        The D3D register (`t0`, `u1`, `cb0`, `s0`); `u0.counter` is the hidden counter of `u0`.
        Bindings that the translation adds are `report`, `messages` and `tables`.
    kind : str
        constant_buffer, structured_buffer, raw_buffer, typed_buffer, texture, sampler, counter,
        report, messages or tables.
    set : int
        The descriptor set; -1 for push constants, which have no descriptor.
    binding : int
        The binding in that set; -1 for push constants.
    descriptor_type : str
        uniform_buffer, storage_buffer, uniform_texel_buffer, storage_texel_buffer, sampled_image,
        storage_image, sampler, or push_constants (`Options.push_constants`).
    name : str or None
        The name in the HLSL. Counters have their resource's name.
    read : bool
        Whether the shader reads the resource.
    written : bool
        Whether the shader writes to it.
    atomic : bool
        Whether the shader uses atomics on it.
    stride : int or None
        The size of a structure in bytes.
    size_bytes : int or None
        The minimum size of a constant buffer's range, of a counter or of the tables.
    declared_bytes : int or None
        The declared size of a constant buffer, if it differs from `size_bytes`; 0 if the shader
        declares no size.
    most_bytes : int or None
        For a constant buffer with indices that may exceed `size_bytes`: how many bytes of a larger
        buffer the shader reads in D3D. It does so here if `Options.constant_lengths` is that long.
        None if no index may.
    dimension : str or None
        The dimension of a typed resource: buffer, 1d, 1darray, 2d, 2darray, 2dms, 2dmsarray, 3d,
        cube or cubearray.
    component : str or None
        The type that the shader reads from a typed resource: float, uint or sint.
    components : int or None
        The number of components in HLSL's declaration (4 for `Texture2D<float4>`); None without
        RDEF.
    format : str or None
        The DXGI format that the module was translated for; None if any format with that component
        type will do.
    count : int
        The number of descriptors; 0 for a runtime descriptor array (an unbounded range).
    comparison : bool or None
        For a sampler: whether it is a comparison sampler. For a sampled texture: whether such a
        sampler is used with it. None otherwise.
    samplers : tuple of str or None
        For a texture: the registers of the samplers that are used with it.
    textures : tuple of str or None
        For a sampler: the registers of the textures that it samples.
    static_samplers : tuple of StaticSampler or None
        For a sampler: those of its registers that the container's root signature fixes, and that
        are used where the caller binds none. None without any.
    dtype_data : str, ArrayType, StructureType or None
        The type of an element or constant buffer as plain data, which `dtype` converts; None
        without RDEF.
    element : Constant or None
        The element of a structured buffer; None without RDEF.
    constants : tuple of Constant or None
        The variables of a constant buffer; None without RDEF.
    push_offset : int or None
        The offset in bytes of a constant buffer that is push constants, of `size_bytes` bytes; None
        for descriptors.
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
    declared_bytes: int | None = None
    most_bytes: int | None = None
    dimension: str | None = None
    component: str | None = None
    components: int | None = None
    format: FormatName | None = None
    count: int = 1
    comparison: bool | None = None
    samplers: tuple[str, ...] | None = None
    textures: tuple[str, ...] | None = None
    static_samplers: tuple[StaticSampler, ...] | None = None
    dtype_data: DtypeData | None = None
    element: Constant | None = None
    constants: tuple[Constant, ...] | None = None
    push_offset: int | None = None

    @property
    def dtype(self) -> np.dtype[np.generic] | None:
        """The NumPy type of an element or constant buffer, as in memory; None without RDEF.

        A column-major matrix in a structured buffer, which HLSL's matrices are by default, has the
        shape (columns, rows): `element` says which matrices are.
        """
        return None if self.dtype_data is None else dtype_of(self.dtype_data)

    def static_sampler(self, element: int) -> StaticSampler | None:
        """Look up the static sampler of a register.

        Parameters
        ----------
        element : int
            The register's place in the range, counted from 0.

        Returns
        -------
        StaticSampler or None
            Its settings; None if the root signature has none for the register.
        """
        number = element + int(self.register.partition("_")[0].lstrip("s"))
        return next((one for one in self.static_samplers or () if one.number == number), None)

    @property
    def has_variables(self) -> bool:
        """Whether it is a constant buffer, or a tbuffer with reflection (RDEF)."""
        return self.kind == CONSTANT_BUFFER or self.constants is not None

    @property
    def label(self) -> str:
        """The register with its HLSL name, for messages: `u0 (sums)`."""
        named = self.name and self.name != self.register
        return escaped(f"{self.register} ({self.name})") if named else self.register

    @property
    def register_class(self) -> str:
        """The register's letters: `t`, `u`, `cb`, `s`; `u.counter`."""
        owner, dot, hidden = self.register.partition(".")
        return owner.partition("_space")[0].rstrip("0123456789") + dot + hidden

    @property
    def vk_format(self) -> str | None:
        """The VkFormat to view a typed resource with; None for other resources.

        It follows from `format`; the module itself unpacks some formats. If any format will do, it
        has 32 bits per component, or is VK_FORMAT_D32_SFLOAT for a texture with a comparison
        sampler. The bits of floats that are exchanged are bound as integers.
        """
        if self.component is None:
            return None
        if self.atomic and self.component == "float":
            return vulkan_format("r32_uint")
        components = 1 if self.atomic else self.components or _MOST_COMPONENTS
        if components == _NO_IMAGE and self.kind == TEXTURE:
            components = _MOST_COMPONENTS
        serving = serving_format(self.component, components, is_compared=bool(self.comparison))
        shown = self.format or serving
        is_read_buffer = self.descriptor_type == UNIFORM_TEXEL_BUFFER
        return vulkan_format(buffer_format(shown) if is_read_buffer else shown)

    @property
    def vk_view_type(self) -> str | None:
        """The VkImageViewType of a texture; None for other resources."""
        if self.kind != TEXTURE or self.dimension is None:
            return None
        shape = self.dimension.removesuffix("array")
        words = [shape.removesuffix("ms"), *(["array"] if shape != self.dimension else [])]
        return f"VK_IMAGE_VIEW_TYPE_{'_'.join(words).upper()}"

    def __repr__(self) -> str:
        return f"<Binding {self}>"

    def __str__(self) -> str:
        """A readable line: `u0 y structured buffer stride 4 float32 (set 0, binding 160, …)`."""
        is_compared = self.kind == SAMPLER and self.comparison
        facts = (
            self.register,
            self.name,
            self.kind.replace("_", " "),
            self.dimension if self.kind == TEXTURE else None,
            "for comparisons" if is_compared else None,
            f"stride {self.stride}" if self.stride is not None else None,
            self._size_text(),
            self._texel_text(),
            self.format,
            dtype_text(self.dtype) if self.dtype is not None else None,
            self._matrix_text(),
            f"({place_text(self)})"
            if self.push_offset is not None
            else f"(set {self.set}, binding {self.binding}, {self.descriptor_type})",
            f"sampled with {', '.join(self.samplers)}" if self.samplers else None,
            self._static_text(),
        )
        return escaped(" ".join(fact for fact in facts if fact))

    def _static_text(self) -> str | None:
        """The static samplers, with their numbers if the binding is a range."""
        static = self.static_samplers or ()
        if self.count == 1:
            return next((f"static: {one}" for one in static), None)
        return "; ".join(f"static s{one.number}: {one}" for one in static) or None

    def _size_text(self) -> str | None:
        """The bytes that the shader needs, of those that the HLSL's constant buffer has."""
        if self.size_bytes is None:
            return None
        end = max((c.offset + c.size_bytes for c in self.constants or ()), default=0)
        whole = -(-end // VECTOR_BYTES) * VECTOR_BYTES
        return f"{self.size_bytes} {f'of {whole} ' if whole > self.size_bytes else ''}bytes"

    def _matrix_text(self) -> str | None:
        """The matrices that have their columns as rows in an array of `dtype`."""
        named = ", ".join(column_major(self))
        return f"column-major: {named}" if named else None

    def _texel_text(self) -> str | None:
        """The texel's type in HLSL, such as `float4`."""
        several = self.components is not None and self.components > 1
        return f"{self.component}{self.components}" if several else self.component


def column_major(binding: Binding) -> Iterator[str]:
    """The paths of the matrices of a binding that are column-major in memory."""
    if binding.element is not None:
        yield from _column_major(binding.element)
    for constant in binding.constants or ():
        yield from _column_major(constant, constant.name)


def _column_major(variable: Constant, path: str = "") -> Iterator[str]:
    """The paths of the column-major matrices of a variable, such as `inner.m`."""
    if variable.order == "column_major":
        yield path or "the element"
    for member in variable.members:
        yield from _column_major(member, f"{path}.{member.name}" if path else member.name)


def place_text(binding: Binding) -> str:
    """A binding's place: `0, 160` for its set and binding, or its bytes of the push constants."""
    if binding.push_offset is not None:
        return f"push constants from byte {binding.push_offset}"
    return f"{binding.set}, {binding.binding}"


def element_text(binding: Binding) -> str:
    """The type of a binding's elements: `float32[4]`, `2d float4`, `16 bytes`; "" if unknown."""
    if binding.dtype is not None:
        return dtype_text(binding.dtype)
    if binding.component is not None:
        count = binding.components if binding.components not in (None, 1) else ""
        return f"{binding.dimension} {binding.component}{count}"
    size = binding.stride or binding.size_bytes
    return f"{size} bytes" if size else ""


def dtype_text(dtype: np.dtype[np.generic]) -> str:
    """A dtype as text, such as `{a: float32, m: float32[4, 4]}`; padded arrays as arrays."""
    base, shape = dtype.base, list(dtype.shape)
    names = base.names
    if names is None:
        text = str(base)
    elif names == tuple(f"e{n}" for n in range(len(names))):
        text = f"{dtype_text(base[0])}[{len(names)}]"
    else:
        text = "{" + ", ".join(f"{name}: {dtype_text(base[name])}" for name in names) + "}"
    return f"{text}{shape}" if shape else text
