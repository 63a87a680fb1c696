"""Checks the value for each descriptor against its register, and makes its argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from translate.dataclass import dataclass
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
    VECTOR_BYTES,
    Argument,
    ArrayArgument,
    ByteRange,
    ConstantRange,
    ImagePart,
    NullImage,
    ResidentArgument,
    SamplerSettings,
    TexelRange,
    fitting,
    warn_of_components,
)
from vkrunner.binding.constants import constant_bytes
from vkrunner.binding.registers import (
    FILLED,
    CounterOwner,
    check_counts,
    match_keys,
    values_of,
    with_elements,
)
from vkrunner.errors import ArgumentError, FormatError, ShapeError, WrongTypeError
from vkrunner.info.device_info import DeviceLimits
from vkrunner.resources.buffers import (
    Buffer,
    BufferView,
    counter_of,
    element_bytes_of,
    format_of_view,
    range_of,
)
from vkrunner.resources.device_objects import Sampler, counter_array
from vkrunner.resources.textures import Texture, TextureView, first_mip_of, layout_of
from vkrunner.values.formats import (
    Format,
    check_stored,
    depth_twin,
    format_of_array,
    format_of_name,
)
from vkrunner.values.numbers import (
    BYTES_LIKE,
    Array,
    as_array,
    as_numbers,
    bytes_of,
    check_fields,
    check_kind,
    check_structured,
    check_whole,
    check_width,
)
from vkrunner.values.samplers import SamplerState, default_state, static_state
from vkrunner.values.texture_layout import Part, TextureLayout, dimension_of_name, layout_of_array


@dataclass(frozen=True, slots=True)
class Formatted:
    """An array for a typed register, with its format."""

    array: Array
    format: str


# The dtypes of buffers whose contents are any numbers: D3D's buffers have no dtype
_UNTYPED = tuple(map(np.dtype, (np.uint32, np.int32, np.uint8)))

# The types of values besides arrays, constants and None
RESOURCES = (Buffer, BufferView, Texture, TextureView, Sampler, SamplerState, Formatted)


@dataclass(frozen=True, slots=True)
class _Target:
    """A descriptor that needs an argument, with the format that options or the value name for it.

    `has_doubles`: the shader computes with 64-bit floats.
    """

    binding: Binding
    element: int
    format: str | None
    has_doubles: bool

    @property
    def label(self) -> str:
        return self.binding.label


def make_arguments(
    interface: ShaderInterface,
    given: Mapping[Any, Any],
    formats: Mapping[str, str | Sequence[str]],
    limits: DeviceLimits,
) -> list[Argument]:
    """One argument for each descriptor, in the interface's order; `formats` are by register.

    Raises the errors of `match_keys`, ArgumentError for values that do not fit, and LimitError for
    too many descriptors. Warns of components that an array lacks or a shader does not see.
    """
    if any(isinstance(value, (list, tuple)) for value in given.values()):
        given = with_elements(interface, given)
    keys = match_keys(interface, tuple(given))
    if any(binding.count != 1 for binding in interface):
        check_counts(interface, keys, given, limits)
    has_doubles = "float64" in interface.features
    arguments: list[Argument] = []
    for binding in interface:
        if binding.kind in FILLED:
            continue
        is_simple = binding.count == 1 and binding.kind != COUNTER
        found = given.get(keys.get(binding.register)) if is_simple else None
        for element, value in enumerate([found] if is_simple else values_of(binding, keys, given)):
            chosen = _format_of_element(formats.get(binding.register), element)
            if isinstance(value, np.ndarray) and not chosen:
                _check_dtype(binding, cast("Array", value).dtype, has_doubles=has_doubles)
            if isinstance(value, Formatted):
                value, chosen = value.array, value.format
            target = _Target(binding, element, chosen, has_doubles)
            argument = _MAKERS[binding.kind](target, value)
            if not (chosen or (isinstance(value, BufferView) and value.format)):
                is_array = isinstance(argument, ArrayArgument)
                warn_of_components(binding, argument.shown, is_array=is_array)
            arguments.append(argument)
    return arguments


def _check_dtype(binding: Binding, dtype: np.dtype[Any], *, has_doubles: bool) -> None:
    """Raise ArgumentError for numbers that the register would read as other numbers."""
    if binding.dtype is None:
        check_width(binding, dtype, binding.label, has_doubles=has_doubles)


def _format_of_element(chosen: str | Sequence[str] | None, element: int) -> str | None:
    if chosen is None or isinstance(chosen, str):
        return chosen
    return chosen[element] if element < len(chosen) else None


def _constants(target: _Target, value: Any) -> Argument:
    binding, element = target.binding, target.element
    if value is None:
        return Argument(ConstantRange(binding, element, 0, 0))
    if isinstance(value, (Buffer, BufferView)):
        view = _untyped_view(target, value)
        shown = ConstantRange(binding, element, *_constant_span(binding, view))
        return ResidentArgument(shown, view.buffer, view)
    constants = constant_bytes(binding, value, target.label)
    return ArrayArgument(ConstantRange(binding, element, 0, constants.nbytes), constants)


def _constant_span(binding: Binding, view: BufferView) -> tuple[int, int]:
    """(offset, size) of a view in bytes, limited to the bytes that the shader may read."""
    first, size = range_of(view, VECTOR_BYTES)
    if view.num_elements is None:
        size = view.buffer.nbytes - first
    return first, min(size, binding.most_bytes or binding.size_bytes or size)


def _bytes(target: _Target, value: Any) -> Argument:
    """The argument of a structured or raw buffer: structures, or dwords."""
    binding, element, label = target.binding, target.element, target.label
    if value is None:
        return Argument(ByteRange(binding, element, 0, 0))
    if isinstance(value, (Buffer, BufferView)):
        view = _untyped_view(target, value)
        shown = ByteRange(binding, element, *_span(view, binding.stride or DWORD_BYTES, label))
        return ResidentArgument(shown, view.buffer, view)
    if isinstance(value, (Texture, TextureView)):
        raise _not_a_buffer(target, value)
    array = as_array(value, label)
    if array.dtype == np.bool_:
        array = as_numbers(binding, array)
    size = array.nbytes
    if binding.kind == RAW_BUFFER:
        size += -size % DWORD_BYTES
    elif isinstance(value, BYTES_LIKE):
        check_whole(size, binding.stride or DWORD_BYTES, label)
    else:
        check_structured(binding, array.dtype, array.shape, label)
    return ArrayArgument(ByteRange(binding, element, 0, size), array)


def _not_a_buffer(target: _Target, value: Any) -> ArgumentError:
    kind, named = target.binding.kind.replace("_", " "), type(value).__name__
    message = f"{target.label} is a {kind}: pass an array or device.buffer(...), not a {named}"
    return WrongTypeError(message)


def _untyped_view(target: _Target, value: Buffer | BufferView) -> BufferView:
    """The view of a buffer for a register that is not typed.

    Raises ArgumentError unless the view's elements match the register's. A view without a stride or
    a format has elements of the buffer's original dtype. A whole buffer has numbers of the
    register's kind, dwords or bytes.
    """
    binding, label = target.binding, target.label
    view = value.view() if isinstance(value, Buffer) else value
    if view.stride is None and view.format is None and not target.format:
        dtype, stride = view.buffer.dtype, binding.stride or DWORD_BYTES
        more = f"; to bind the buffer's bytes as they are, pass buffer.view(stride={stride})"
        check_width(binding, dtype, label, has_doubles=target.has_doubles, more=more)
        if binding.kind == STRUCTURED_BUFFER:
            check_fields(binding, dtype, label)
            if isinstance(value, Buffer) and dtype not in _UNTYPED:
                check_kind(binding, dtype, label, "a buffer", more)
    if view.format is not None:
        raise FormatError(f"{label} is not typed: its view has no format")
    if binding.stride and view.stride not in (None, binding.stride):
        raise FormatError(f"{label} has a stride of {binding.stride}, the view of {view.stride}")
    return view


def _span(view: BufferView, unit: int, label: str) -> tuple[int, int]:
    """(offset, size) of a view in bytes.

    `unit` is the size of an element if the view has no stride and no format. Raises ArgumentError
    for a view that does not fit its buffer.
    """
    unit = element_bytes_of(view) or unit
    if view.num_elements is None and view.buffer.nbytes % unit:
        raise ShapeError(
            f"{label} has elements of {unit} bytes, the buffer"
            f" {view.buffer.nbytes} bytes: say how many by view(num_elements=...)"
        )
    return range_of(view, unit)


def _texels(target: _Target, value: Any) -> Argument:
    """The argument of a typed buffer."""
    binding, element, label = target.binding, target.element, target.label
    if binding.constants is not None and not isinstance(value, (Texture, TextureView)):
        return _tbuffer(target, value)
    format = format_of_name(target.format) if target.format else None
    if value is None:
        return Argument(TexelRange(binding, element, 0, 0, format or _null_format(binding)))
    if isinstance(value, (Buffer, BufferView)):
        view = value.view() if isinstance(value, Buffer) else value
        if view.stride is not None:
            raise FormatError(f"{label} is typed: its view has a format, not a stride")
        own = view.format
        if format is not None and own is None and view.buffer.dtype != np.uint8:
            more = f"; of a buffer, by buffer.view(format={format.name!r})"
            check_stored(format, view.buffer.dtype, label, more)
        format = fitting(binding, own or format or format_of_view(view), is_own=own is not None)
        span = _span(view, format.texel_bytes, label)
        return ResidentArgument(TexelRange(binding, element, *span, format), view.buffer, view)
    if isinstance(value, (Texture, TextureView)):
        raise _not_a_buffer(target, value)
    array = as_array(value, label)
    if format is not None and not isinstance(value, BYTES_LIKE):
        check_stored(format, array.dtype, label)
    format = fitting(binding, format or format_of_array(array.dtype, array.shape), array.nbytes)
    return ArrayArgument(TexelRange(binding, element, 0, array.nbytes, format), array)


def _tbuffer(target: _Target, value: Any) -> Argument:
    """The argument of a tbuffer: variables, in a typed buffer of four dwords for each texel."""
    binding, element, label = target.binding, target.element, target.label
    format = format_of_name(binding.format or "")
    if target.format not in (None, "", format.name):
        raise FormatError(f"{label} is a tbuffer: its format is {format.name}")
    if value is None:
        return Argument(TexelRange(binding, element, 0, 0, format))
    if isinstance(value, (Buffer, BufferView)):
        view = value.view() if isinstance(value, Buffer) else value
        if view.format is not None:
            fitting(binding, view.format, is_own=True)
        span = _span(view, format.texel_bytes, label)
        return ResidentArgument(TexelRange(binding, element, *span, format), view.buffer, view)
    if target.format:
        value = bytes_of(as_array(value, label))
    constants = constant_bytes(binding, value, label)
    return ArrayArgument(TexelRange(binding, element, 0, constants.nbytes, format), constants)


def _null_format(binding: Binding) -> Format:
    """The format of a null descriptor whose format nothing else determines."""
    return format_of_name(f"r32_{binding.component or 'uint'}")


def _texture(target: _Target, value: Any) -> Argument:
    """The argument of a texture: a view of the register's dimension, or an array."""
    binding, element = target.binding, target.element
    format = format_of_name(target.format) if target.format else None
    if value is None:
        return Argument(NullImage(binding, element, format or _null_format(binding)))
    if isinstance(value, (Texture, TextureView)):
        view = _texture_view(binding, value.view() if isinstance(value, Texture) else value)
        layout = layout_of(view)
        layout = layout.with_format(fitting(binding, layout.format, is_own=True))
        shown = ImagePart(binding, element, layout, view.dimension, view.part)
        return ResidentArgument(shown, view.texture, view)
    if isinstance(value, (Buffer, BufferView)):
        raise WrongTypeError(
            f"{target.label} is a {binding.dimension} texture: pass an array or"
            f" device.texture(...), not a {type(value).__name__}"
        )
    array = as_array(value, target.label)
    layout = _layout(binding, array.dtype, array.shape, format)
    layout = layout.with_format(fitting(binding, layout.format))
    if not array.size:
        return ArrayArgument(NullImage(binding, element, layout.format), array)
    part = Part(0, 1, 0, layout.size.layers)
    return ArrayArgument(ImagePart(binding, element, layout, layout.dimension, part), array)


def _texture_view(binding: Binding, view: TextureView) -> TextureView:
    """The view; for a UAV, only its first mip. Raises ArgumentError if it does not fit."""
    dimension = dimension_of_name(binding.dimension or "2d")
    if view.dimension is not dimension:
        raise FormatError(
            f"{binding.label} is a {dimension.name}, the texture a {view.dimension.name}:"
            f" pass texture.view(dimension={dimension.name!r})"
        )
    storage = binding.descriptor_type == STORAGE_IMAGE
    if view.part.num_w_slices is not None and not storage:
        raise FormatError(f"{binding.label} is not a UAV: only UAVs can show some w slices")
    return first_mip_of(view) if storage else view


def _layout(
    binding: Binding, dtype: np.dtype[Any], shape: tuple[int, ...], format: Format | None
) -> TextureLayout:
    """The texture layout of an array for the register. Raises ArgumentError if it has none."""
    dimension = dimension_of_name(binding.dimension or "2d")
    try:
        layout = layout_of_array(dimension, dtype, shape, format)
    except ArgumentError as error:
        raise type(error)(f"{binding.label}: {error}") from None
    return layout.with_format(depth_twin(layout.format)) if binding.comparison else layout


def _sampler(target: _Target, value: Any) -> Argument:
    """The argument of a sampler; without a value, the static sampler, or D3D's default state."""
    binding, element, label = target.binding, target.element, target.label
    comparing = bool(binding.comparison)
    if value is None:
        static = binding.static_sampler(element)
        try:
            value = default_state(comparing) if static is None else static_state(static)
        except ArgumentError as error:
            raise type(error)(f"{label}: the static sampler's {error}") from None
    if not isinstance(value, (Sampler, SamplerState)):
        raise WrongTypeError(
            f"{label} takes a sampler: device.sampler(), not {type(value).__name__}"
        )
    state = value.state if isinstance(value, Sampler) else value
    if comparing != (state.comparison is not None):
        raise FormatError(
            f"{label} takes a comparison sampler: device.sampler(comparison=...)"
            if comparing
            else f"{label} takes a sampler without comparison, not with {state.comparison!r}"
        )
    shown = SamplerSettings(binding, element, state)
    return ResidentArgument(shown, value) if isinstance(value, Sampler) else Argument(shown)


def _counter(target: _Target, value: Any) -> Argument:
    """The argument of a hidden counter: the passed initial value, the buffer's counter, or 0.

    Without a UAV, or if its buffer has no counter, a null descriptor.
    """
    binding, element = target.binding, target.element
    owner = value.value if isinstance(value, CounterOwner) else value
    if owner is None:
        return Argument(ByteRange(binding, element, 0, 0))
    shown = ByteRange(binding, element, 0, DWORD_BYTES)
    if not isinstance(value, CounterOwner):
        return ArrayArgument(shown, counter_array(value))
    if isinstance(owner, BufferView):
        owner = owner.buffer
    if not isinstance(owner, Buffer):
        return ArrayArgument(shown, counter_array(0))
    counter = counter_of(owner)
    if counter is None:  # in D3D the shader counts nothing, and gets 0
        return Argument(ByteRange(binding, element, 0, 0))
    return ResidentArgument(shown, counter, owner)


_MAKERS: Mapping[str, Callable[[_Target, Any], Argument]] = {
    CONSTANT_BUFFER: _constants,
    STRUCTURED_BUFFER: _bytes,
    RAW_BUFFER: _bytes,
    TYPED_BUFFER: _texels,
    TEXTURE: _texture,
    SAMPLER: _sampler,
    COUNTER: _counter,
}
