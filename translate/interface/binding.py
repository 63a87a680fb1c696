"""Binding: one descriptor of a translated shader, or an array of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from translate.choices import FormatName
from translate.errors import escaped
from translate.interface.constant import Constant
from translate.interface.descriptor_types import UNIFORM_TEXEL_BUFFER
from translate.interface.formats import buffer_format, serving_format, vulkan_format
from translate.interface.kinds import SAMPLER, TEXTURE

_MOST_COMPONENTS = 4
_NO_IMAGE = 3  # components of which hardly any device has images


@dataclass(frozen=True, slots=True)
class Binding:
    """One descriptor, or an array of them.

    Attributes
    ----------
    register : str
        The D3D register (`t0`, `u1`, `cb0`, `s0`). A hidden counter is `u0.counter`. The table of
        an array's sizes (`Options.size_tables`) is `t0.sizes`, that of hidden counters
        `u0.counter.sizes`, that of its windows (`Options.windows`) `t0.windows`.
    kind : str
        constant_buffer, structured_buffer, raw_buffer, typed_buffer, texture, sampler, counter,
        sizes, windows, report or messages.
    set : int
        The descriptor set.
    binding : int
        The binding in that set.
    descriptor_type : str
        uniform_buffer, storage_buffer, uniform_texel_buffer, storage_texel_buffer, sampled_image,
        storage_image or sampler.
    name : str or None
        The name in the HLSL. A counter and a table have their resource's.
    read : bool
        Whether the shader reads it.
    written : bool
        Whether it writes to it.
    atomic : bool
        Whether it has atomics on it.
    stride : int or None
        Bytes of a structure.
    size_bytes : int or None
        The least size of a constant buffer's range, and of a counter's or table's.
    declared_bytes : int or None
        Bytes of a constant buffer that the shader declares, where `size_bytes` is another number; 0
        if it declares no size.
    most_bytes : int or None
        Of a constant buffer with indices that may reach past `size_bytes` how many bytes of a
        larger one the shader reads in D3D. It does so where `Options.constant_lengths` is that
        long; None where no index may.
    dimension : str or None
        The dimension of a typed resource: buffer, 1d, 1darray, 2d, 2darray, 2dms, 2dmsarray, 3d,
        cube or cubearray.
    component : str or None
        What a typed resource is read as: float, uint or sint.
    components : int or None
        How many components of a texel HLSL declares (4 of a `Texture2D<float4>`), None without
        RDEF.
    format : str or None
        The DXGI format that the module was translated for, None where any format with that
        component serves.
    count : int
        How many descriptors; 0 for as many as are bound (the runtime descriptor array of an
        unbounded range).
    comparison : bool or None
        Of a sampler whether it compares, of a texture that is sampled whether it is with one that
        does; None of all else.
    samplers : tuple of str or None
        The registers that a texture is sampled with.
    textures : tuple of str or None
        The registers of the textures that a sampler samples.
    dtype : numpy.dtype or None
        RDEF's element or cbuffer type, None without RDEF.
    element : Constant or None
        A structured buffer's element, None without RDEF.
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
    dtype: np.dtype[np.generic] | None = None
    element: Constant | None = None
    constants: tuple[Constant, ...] | None = None

    @property
    def register_class(self) -> str:
        """The letters of the register: `t`, `u`, `cb`, `s`; `u.counter`, `t.sizes`, `t.windows`."""
        owner, dot, hidden = self.register.partition(".")
        return owner.partition("_space")[0].rstrip("0123456789") + dot + hidden

    @property
    def vk_format(self) -> str | None:
        """The VkFormat of a typed resource's view: that of `format`, or what the module unpacks.

        Where any format serves, one with 32 bits for each component, or of a texture that is
        compared VK_FORMAT_D32_SFLOAT. None for what is not typed.
        """
        if self.component is None:
            return None
        components = 1 if self.atomic else self.components or _MOST_COMPONENTS
        if components == _NO_IMAGE and self.kind == TEXTURE:
            components = _MOST_COMPONENTS
        serving = serving_format(self.component, components, is_compared=bool(self.comparison))
        shown = self.format or serving
        is_read_buffer = self.descriptor_type == UNIFORM_TEXEL_BUFFER
        return vulkan_format(buffer_format(shown) if is_read_buffer else shown)

    @property
    def vk_view_type(self) -> str | None:
        """The VkImageViewType of a texture; None for what is none."""
        if self.kind != TEXTURE or self.dimension is None:
            return None
        shape = self.dimension.removesuffix("array")
        words = [shape.removesuffix("ms"), *(["array"] if shape != self.dimension else [])]
        return f"VK_IMAGE_VIEW_TYPE_{'_'.join(words).upper()}"

    def __str__(self) -> str:
        """A line for people: `u0 y structured buffer stride 4 float32 (set 0, binding 160, …)`."""
        is_compared = self.kind == SAMPLER and self.comparison
        facts = (
            self.register,
            self.name,
            self.kind.replace("_", " "),
            self.dimension if self.kind == TEXTURE else None,
            "for comparisons" if is_compared else None,
            f"stride {self.stride}" if self.stride is not None else None,
            f"{self.size_bytes} bytes" if self.size_bytes is not None else None,
            self._texel_text(),
            self.format,
            dtype_text(self.dtype) if self.dtype is not None else None,
            f"(set {self.set}, binding {self.binding}, {self.descriptor_type})",
            f"sampled with {', '.join(self.samplers)}" if self.samplers else None,
        )
        return escaped(" ".join(fact for fact in facts if fact))

    def _texel_text(self) -> str | None:
        """`float4`, as HLSL writes it."""
        several = self.components is not None and self.components > 1
        return f"{self.component}{self.components}" if several else self.component


def element_text(binding: Binding) -> str:
    """What a binding has elements of: `float32[4]`, `2d float4`, `16 bytes`; "" of others."""
    if binding.dtype is not None:
        return dtype_text(binding.dtype)
    if binding.component is not None:
        count = binding.components if binding.components not in (None, 1) else ""
        return f"{binding.dimension} {binding.component}{count}"
    size = binding.stride or binding.size_bytes
    return f"{size} bytes" if size else ""


def dtype_text(dtype: np.dtype[np.generic]) -> str:
    """A dtype as `{a: float32, m: float32[4, 4]}`."""
    base, shape = dtype.base, list(dtype.shape)
    text = str(base)
    if base.names is not None:
        text = "{" + ", ".join(f"{n}: {dtype_text(base[n])}" for n in base.names) + "}"
    return f"{text}{shape}" if shape else text
