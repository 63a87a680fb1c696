"""One argument for each descriptor, from values that fit their registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from translate.interface import (
    CONSTANT_BUFFER,
    COUNTER,
    RAW_BUFFER,
    SAMPLER,
    STORAGE_IMAGE,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
    ShaderInterface,
)
from vkrunner.binding.arguments import (
    DWORD_BYTES,
    Argument,
    ArrayArgument,
    NullArgument,
    NullTexels,
    NullTexture,
    ResidentBuffer,
    ResidentConstants,
    ResidentCounter,
    ResidentTexels,
    ResidentTexture,
    SamplerArgument,
    TexelArray,
    TextureArray,
)
from vkrunner.binding.constants import constant_bytes
from vkrunner.binding.matching import CounterOwner, elements_of
from vkrunner.binding.registers import COUNTER_SUFFIX, FILLED, label_of
from vkrunner.errors import ArgumentError
from vkrunner.resources.buffers import (
    Buffer,
    BufferView,
    counter_of,
    format_of_view,
)
from vkrunner.resources.initial import counter_value
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, TextureView, first_mip_of
from vkrunner.values.arrays import (
    BYTES_LIKE,
    Array,
    as_array,
    check_fields,
    check_structured,
    check_whole,
    check_width,
)
from vkrunner.values.dimensions import dimension_of_name
from vkrunner.values.formats import FORMATS, Format, depth_twin, format_of_array, format_of_name
from vkrunner.values.samplers import SamplerState, default_state
from vkrunner.values.texture_layout import layout_of_array

_UNTYPED = (CONSTANT_BUFFER, RAW_BUFFER, STRUCTURED_BUFFER)


@dataclass(frozen=True, slots=True)
class Formatted:
    """An array for a typed register, with the format that it is in."""

    array: Array
    format: str


def make_arguments(
    interface: ShaderInterface,
    given: Mapping[str, Any],
    formats: Mapping[str, str | Sequence[str]],
) -> list[Argument]:
    """One argument a descriptor, in the interface's order; `formats` are those chosen beforehand.

    Raises ArgumentError for values that do not fit their registers.
    """
    has_doubles = "float64" in interface.features
    arguments: list[Argument] = []
    for binding in interface:
        if binding.kind in FILLED:
            continue
        for element, value in enumerate(elements_of(binding, given) or [None]):
            chosen = _format_of_element(formats.get(binding.register), element)
            if not chosen:
                _check_dtype(binding, value, has_doubles=has_doubles)
            arguments.append(_argument(binding, element, value, chosen))
    return arguments


def _check_dtype(binding: Binding, value: Any, *, has_doubles: bool) -> None:
    """Raise ArgumentError for numbers that the register's kind reads as others.

    Of a buffer on the device, whose view may say otherwise, by the dtype that it was made with.
    """
    label = label_of(binding)
    if isinstance(value, np.ndarray):
        dtype = cast("Array", value).dtype
        if binding.kind in (TYPED_BUFFER, TEXTURE) and dtype != np.float64:
            return  # no format has them
        if binding.dtype is None or binding.kind == CONSTANT_BUFFER:
            check_width(binding, dtype, label, has_doubles=has_doubles)
    elif isinstance(value, (Buffer, BufferView)) and binding.kind in _UNTYPED:
        view = value.view() if isinstance(value, Buffer) else value
        if view.stride is None and view.format is None:
            dtype, way_out = view.buffer.dtype, "to bind its bytes, pass buffer.view(stride=...)"
            check_width(binding, dtype, label, has_doubles=has_doubles, way_out=way_out)
            if binding.kind == STRUCTURED_BUFFER:
                check_fields(binding, dtype, label)


def _format_of_element(chosen: str | Sequence[str] | None, element: int) -> str | None:
    if chosen is None or isinstance(chosen, str):
        return chosen
    return chosen[element] if element < len(chosen) else None


def _argument(binding: Binding, element: int, value: Any, chosen: str | None) -> Argument:
    if isinstance(value, Formatted):
        value, chosen = value.array, value.format
    if binding.kind == COUNTER:
        return _counter(binding, element, value)
    if binding.kind == SAMPLER:
        return _sampler(binding, element, value)
    if value is None:
        return _null(binding, element, chosen)
    if binding.kind == TEXTURE:
        return _texture(binding, element, value, chosen)
    if isinstance(value, Buffer):
        value = value.view()
    if isinstance(value, BufferView):
        return _resident(binding, element, value, chosen)
    return _array(binding, element, value, chosen)


def _null(binding: Binding, element: int, chosen: str | None) -> NullArgument:
    kind = {TYPED_BUFFER: NullTexels, TEXTURE: NullTexture}.get(binding.kind)
    if kind is None:
        return NullArgument(binding, element)
    return kind(binding, element, format_of_name(chosen or f"r32_{binding.component or 'uint'}"))


def _array(binding: Binding, element: int, value: Any, chosen: str | None) -> ArrayArgument:
    label = label_of(binding)
    if binding.kind == CONSTANT_BUFFER:
        return ArrayArgument(binding, element, constant_bytes(binding, value, label))
    array = as_array(value, label)
    if binding.kind == STRUCTURED_BUFFER:
        _check_structures(binding, array, plain=isinstance(value, BYTES_LIKE))
    if binding.kind != TYPED_BUFFER:
        return ArrayArgument(binding, element, array)
    format = format_of_name(chosen) if chosen else format_of_array(array.dtype, array.shape)
    _check_format(binding, format, array.nbytes)
    return TexelArray(binding, element, array, format)


def _check_structures(binding: Binding, array: Array, *, plain: bool) -> None:
    if plain:
        check_whole(array, binding.stride or DWORD_BYTES, label_of(binding))
    else:
        check_structured(binding, array, label_of(binding))


def _sampler(binding: Binding, element: int, value: Any) -> SamplerArgument:
    """A sampler that fits; nothing is D3D's default state."""
    comparing = bool(binding.comparison)
    if value is None:
        return SamplerArgument(binding, element, default_state(comparing))
    if not isinstance(value, (Sampler, SamplerState)):
        kind = type(value).__name__
        raise ArgumentError(f"{label_of(binding)} takes a sampler: device.sampler(), not {kind}")
    argument = SamplerArgument(binding, element, value)
    if comparing != (argument.state.comparison is not None):
        wanted = "a comparison sampler" if comparing else "a sampler without comparison"
        raise ArgumentError(f"{label_of(binding)} takes {wanted}: device.sampler(comparison=...)")
    return argument


def _texture(
    binding: Binding, element: int, value: Any, chosen: str | None
) -> ResidentTexture | TextureArray:
    """A view of the register's dimension, or an array in that dimension."""
    if isinstance(value, Texture):
        value = value.view()
    if isinstance(value, TextureView):
        argument = _resident_texture(binding, element, value)
    else:
        argument = _texture_array(binding, element, value, chosen)
    _check_format(binding, argument.format, 0)
    return argument


def _resident_texture(binding: Binding, element: int, view: TextureView) -> ResidentTexture:
    dimension = dimension_of_name(binding.dimension or "2d")
    if view.dimension is not dimension:
        raise ArgumentError(
            f"{label_of(binding)} is a {dimension.name}, the texture a {view.dimension.name}:"
            f" pass texture.view(dimension={dimension.name!r})"
        )
    storage = binding.descriptor_type == STORAGE_IMAGE
    if view.part.num_w_slices is not None and not storage:
        raise ArgumentError(f"{label_of(binding)} is no UAV: only these show some w slices")
    return ResidentTexture(binding, element, first_mip_of(view) if storage else view)


def _texture_array(binding: Binding, element: int, value: Any, chosen: str | None) -> TextureArray:
    label = label_of(binding)
    array = as_array(value, label)
    format = format_of_name(chosen) if chosen else None
    try:
        layout = layout_of_array(dimension_of_name(binding.dimension or "2d"), array, format)
    except ArgumentError as error:
        raise ArgumentError(f"{label}: {error}") from None
    if binding.comparison:
        layout = layout.with_format(depth_twin(layout.format))
    return TextureArray(binding, element, array, layout)


def _resident(
    binding: Binding, element: int, view: BufferView, chosen: str | None
) -> ResidentBuffer:
    label = label_of(binding)
    if binding.kind == TYPED_BUFFER:
        if view.stride is not None:
            raise ArgumentError(f"{label} is typed: its view has a format, not a stride")
        named = format_of_name(chosen) if chosen else None
        format = view.format or named or format_of_view(view)
        _check_format(binding, format, 0)
        return ResidentTexels(binding, element, view, format)
    if view.format is not None:
        raise ArgumentError(f"{label} is not typed: its view has no format")
    if binding.stride and view.stride not in (None, binding.stride):
        raise ArgumentError(f"{label} has a stride of {binding.stride}, the view of {view.stride}")
    kind = ResidentConstants if binding.kind == CONSTANT_BUFFER else ResidentBuffer
    return kind(binding, element, view)


def _counter(binding: Binding, element: int, value: Any) -> Argument:
    """A hidden counter: what was given for it, or the buffer's, or 0 beside an array."""
    owner = value.value if isinstance(value, CounterOwner) else value
    if owner is None:
        return NullArgument(binding, element)
    if not isinstance(value, CounterOwner):
        return _started(binding, element, counter_value(value))
    if isinstance(owner, BufferView):
        owner = owner.buffer
    if not isinstance(owner, Buffer):
        return _started(binding, element, 0)
    if counter_of(owner) is None:
        register = binding.register.removesuffix(COUNTER_SUFFIX)
        raise ArgumentError(f"{register} has a counter: make it by device.buffer(..., counter=0)")
    return ResidentCounter(binding, element, owner)


def _started(binding: Binding, element: int, start: int) -> ArrayArgument:
    array: Array = np.array([start], np.uint32)
    return ArrayArgument(binding, element, array)


def _check_format(binding: Binding, format: Format, nbytes: int) -> None:
    label = label_of(binding)
    if binding.component is not None and format.component != binding.component:
        raise ArgumentError(
            f"{label} is read as {binding.component}; {format.name} is not:"
            f" name a format that is{_suggested(binding, format)}"
        )
    if binding.kind == TYPED_BUFFER and not format.in_buffers:
        raise ArgumentError(f"{label}: D3D has no typed buffers of {format.name}")
    if not format.in_uavs and binding.descriptor_type.startswith("storage"):
        raise ArgumentError(f"{label}: D3D has no UAVs of {format.name}")
    if nbytes % format.texel_bytes:
        raise ArgumentError(
            f"{label}: {nbytes} bytes are not whole elements of {format.name}"
            f" ({format.texel_bytes} bytes each)"
        )


def _suggested(binding: Binding, format: Format) -> str:
    """The format of the same texels that a shader reads as it does, in words; "" without one."""
    endings = ("unorm", "float") if binding.component == "float" else (binding.component,)
    layout = format.name.rpartition("_")[0]
    names = [f"{layout}_{ending}" for ending in endings]
    return next((f", such as {name}" for name in names if name in FORMATS), "")
