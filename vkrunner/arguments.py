"""From what a caller passes to what each descriptor gets: names, and values that fit."""

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
    SIZES,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
    ShaderInterface,
)
from vkrunner.bound import STORAGE_IMAGE
from vkrunner.errors import ArgumentError
from vkrunner.registers import at_register
from vkrunner.resources.buffers import Buffer, BufferView, counter_value
from vkrunner.resources.samplers import Sampler, SamplerState, default_state
from vkrunner.resources.textures import Layout, Texture, TextureView, layout_of_array
from vkrunner.values.arrays import (
    BYTES_LIKE,
    Array,
    as_array,
    bytes_of,
    check_structured,
    check_whole,
)
from vkrunner.values.constants import constant_bytes
from vkrunner.values.dimensions import dimension_of_name
from vkrunner.values.formats import FORMATS, Format, depth_twin, format_of_array, format_of_name

Key = str | tuple[str, int, int]  # a register, an HLSL name, or (class, space, number)

COUNTER_SUFFIX = ".counter"
_DWORD = 4
REPORT = "report"
_FILLED = (REPORT, SIZES)  # kinds of bindings that the runner fills in by itself
_OPTIONAL = (COUNTER, SAMPLER, *_FILLED)  # what may be left out


@dataclass(frozen=True, slots=True)
class Formatted:
    """An array for a typed register, with the format that it is in."""

    array: Array
    format: str


class Elements(dict[int, Any]):
    """Values of single elements of an array of resources."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What one descriptor gets: number `element` of its binding.

    `data` is u8[n] to upload, zeros for a null constant buffer; `array` the caller's, whose dtype
    and shape the result takes, with the `layout` of a texture. `view` is a part of a buffer that
    stays on the device, `texture` one of a texture, `counter_of` the buffer whose counter is meant.
    `sampler` is the caller's, `state` what a sampler is made from. Null when there is none of them,
    or nothing in it.
    """

    binding: Binding
    data: Array | None = None
    array: Array | None = None
    view: BufferView | None = None
    counter_of: Buffer | None = None
    format: Format | None = None
    element: int = 0
    layout: Layout | None = None
    texture: TextureView | None = None
    sampler: Sampler | None = None
    state: SamplerState | None = None

    @property
    def element_bytes(self) -> int:
        """Bytes of what the register counts in, for a view that does not say."""
        if self.format is not None:
            return self.format.texel_bytes
        return self.binding.stride or _DWORD

    @property
    def is_null(self) -> bool:
        """Whether nothing is bound, so that a format was chosen only to name one."""
        shown = (self.array, self.view, self.counter_of, self.texture)
        return all(value is None for value in shown)


def label_of(binding: Binding) -> str:
    """A register with its HLSL name, as errors call it."""
    named = binding.name and binding.name != binding.register
    return f"{binding.register} ({binding.name})" if named else binding.register


def match_arguments(
    interface: ShaderInterface, named: Mapping[str, Any], keyed: Mapping[Key, Any]
) -> dict[str, Any]:
    """Values by register.

    Raises ArgumentError for a key that the shader does not have, for one given twice, and for
    registers that got nothing; only a hidden counter may be left out.
    """
    given: dict[str, Any] = {}
    for key, value in (*named.items(), *keyed.items()):
        binding, element = find(interface, key)
        register = binding.register
        if element is not None:
            there = given.setdefault(register, Elements())
            if isinstance(there, Elements) and element not in there:
                there[element] = value
                continue
        if register in given:
            raise ArgumentError(f"{key if element is not None else register} is given twice")
        given[register] = value
    missing = [b for b in interface if b.register not in given and b.kind not in _OPTIONAL]
    if missing:
        listed = "; ".join(f"{label_of(b)}, a {b.kind.replace('_', ' ')}" for b in missing)
        raise ArgumentError(f"missing: {listed}")
    return given


def register_of(interface: ShaderInterface, key: Key) -> str:
    """The register of a key. Raises ArgumentError with what there is."""
    return find(interface, key)[0].register


def find(interface: ShaderInterface, key: Key) -> tuple[Binding, int | None]:
    """The binding of a key, with the element where it names one register within a range.

    A range goes by its first register, which is the whole of it. Raises ArgumentError with what
    there is.
    """
    name = key
    if isinstance(key, tuple):
        letters, space, number = key
        name = f"{letters}{number}" + (f"_space{space}" if space else "")
    if isinstance(name, str) and name in interface and interface[name].kind not in _FILLED:
        return interface[name], None
    found = at_register(interface, name)
    if found is not None:
        return found
    there = ", ".join(label_of(b) for b in interface if b.kind not in (COUNTER, *_FILLED))
    there = there or "no resources"
    raise ArgumentError(f"no resource {key!r}; the shader has {there}")


def lengths_of(interface: ShaderInterface, given: Mapping[str, Any]) -> dict[str, int]:
    """How many resources are bound to each unbounded array, at least one."""
    return {
        binding.register: max(1, len(_elements(binding, _given(binding, given))))
        for binding in interface
        if binding.count == 0
    }


def make_arguments(
    interface: ShaderInterface,
    given: Mapping[str, Any],
    formats: Mapping[str, str | Sequence[str]],
) -> list[Argument]:
    """One argument a descriptor, in the interface's order; `formats` are those chosen beforehand.

    Raises ArgumentError for values that do not fit their registers.
    """
    arguments: list[Argument] = []
    for binding in interface:
        if binding.kind in _FILLED:
            continue
        elements = _elements(binding, _given(binding, given)) or [None]
        chosen = formats.get(binding.register)
        arguments += [
            _argument(binding, v, _format_of_element(chosen, n), n) for n, v in enumerate(elements)
        ]
    return arguments


def _format_of_element(chosen: str | Sequence[str] | None, element: int) -> str | None:
    if chosen is None or isinstance(chosen, str):
        return chosen
    return chosen[element] if element < len(chosen) else None


def _given(binding: Binding, given: Mapping[str, Any]) -> Any:
    """A binding's value; a counter that is left out has its owner's."""
    if binding.kind == COUNTER and binding.register not in given:
        owner = given[binding.register.removesuffix(COUNTER_SUFFIX)]
        return _owners(owner)
    return given.get(binding.register)


@dataclass(frozen=True, slots=True)
class _Owner:
    """The value of the UAV whose hidden counter is meant."""

    value: Any


def _owners(owner: Any) -> Any:
    if isinstance(owner, Elements):
        return Elements({n: _Owner(value) for n, value in owner.items()})
    if isinstance(owner, (list, tuple)):
        return [_Owner(value) for value in cast("Sequence[Any]", owner)]
    return _Owner(owner)


def _elements(binding: Binding, value: Any) -> list[Any]:
    """The values of all of a binding's descriptors; those that are not given are None."""
    count = binding.count
    if count == 1:
        return [value]
    if isinstance(value, Elements):
        return [value.get(n) for n in range(count or max(value) + 1)]
    if isinstance(value, _Owner) and value.value is None:
        value = None
    if value is None:
        return [None] * max(count, 1)
    if not isinstance(value, (list, tuple)):
        raise ArgumentError(f"{label_of(binding)} is an array of resources: pass a list of them")
    values = list(cast("Sequence[Any]", value))
    if count and len(values) > count:
        raise ArgumentError(f"{label_of(binding)} has {count} resources, {len(values)} are given")
    return values + [None] * (count - len(values))


def _argument(binding: Binding, value: Any, chosen: str | None, element: int) -> Argument:
    if isinstance(value, Formatted):
        value, chosen = value.array, value.format
    if binding.kind == COUNTER:
        return _counter(binding, value, element)
    if binding.kind == SAMPLER:
        return _sampler(binding, value, element)
    if binding.kind == TEXTURE:
        return _texture(binding, value, chosen, element)
    if isinstance(value, Buffer):
        value = value.view()
    if isinstance(value, BufferView):
        return _resident(binding, value, chosen, element)
    if binding.kind == CONSTANT_BUFFER:
        data = constant_bytes(binding, value, label_of(binding))
        return Argument(binding, data, None if value is None else data, element=element)
    if value is None:
        return Argument(binding, format=_null_format(binding, chosen), element=element)
    return _array(binding, value, chosen, element)


def _array(binding: Binding, value: Any, chosen: str | None, element: int) -> Argument:
    array = as_array(value, label_of(binding))
    if binding.kind == STRUCTURED_BUFFER:
        _check_structures(binding, array, plain=isinstance(value, BYTES_LIKE))
    data, format = bytes_of(array), None
    if binding.kind == TYPED_BUFFER:
        format = format_of_name(chosen) if chosen else format_of_array(array.dtype, array.shape)
        _check_format(binding, format, data.nbytes)
    elif binding.kind == RAW_BUFFER:
        data = _whole_dwords(data)
    return Argument(binding, data, array, format=format, element=element)


def _sampler(binding: Binding, value: Any, element: int) -> Argument:
    """A sampler that fits; nothing is D3D's default state."""
    comparing = bool(binding.comparison)
    if value is None:
        return Argument(binding, state=default_state(comparing), element=element)
    if not isinstance(value, (Sampler, SamplerState)):
        kind = type(value).__name__
        raise ArgumentError(f"{label_of(binding)} takes a sampler: device.sampler(), not {kind}")
    state = value.state if isinstance(value, Sampler) else value
    if comparing != (state.comparison is not None):
        wanted = "a comparison sampler" if comparing else "a sampler without comparison"
        raise ArgumentError(f"{label_of(binding)} takes {wanted}: device.sampler(comparison=...)")
    if isinstance(value, SamplerState):
        return Argument(binding, state=value, element=element)
    return Argument(binding, sampler=value, element=element)


def _texture(binding: Binding, value: Any, chosen: str | None, element: int) -> Argument:
    """A view of the register's dimension, or an array in that dimension."""
    label = label_of(binding)
    if value is None:
        return Argument(binding, format=_null_format(binding, chosen), element=element)
    if isinstance(value, Texture):
        value = value.view()
    dimension = dimension_of_name(binding.dimension or "2d")
    storage = binding.descriptor_type == STORAGE_IMAGE
    if isinstance(value, TextureView):
        if value.dimension is not dimension:
            raise ArgumentError(
                f"{label} is a {dimension.name}, the texture a {value.dimension.name}:"
                f" pass texture.view(dimension={dimension.name!r})"
            )
        view, format = value.first_mip() if storage else value, value.texture.layout.format
        _check_format(binding, format, 0)
        return Argument(binding, texture=view, format=format, element=element)
    array = as_array(value, label)
    format = format_of_name(chosen) if chosen else None
    try:
        layout = layout_of_array(dimension, array, format)
    except ArgumentError as error:
        raise ArgumentError(f"{label}: {error}") from None
    if binding.comparison:
        layout = layout.with_format(depth_twin(layout.format))
    _check_format(binding, layout.format, 0)
    if array.size == 0:
        return Argument(binding, array=array, format=layout.format, element=element)
    return Argument(binding, array=array, format=layout.format, layout=layout, element=element)


def _check_structures(binding: Binding, array: Array, *, plain: bool) -> None:
    if plain:
        check_whole(array, binding.stride or _DWORD, label_of(binding))
    else:
        check_structured(binding, array, label_of(binding))


def _resident(binding: Binding, view: BufferView, chosen: str | None, element: int) -> Argument:
    if binding.kind != TYPED_BUFFER:
        if view.format is not None:
            raise ArgumentError(f"{label_of(binding)} is not typed: its view has no format")
        if binding.stride and view.stride not in (None, binding.stride):
            raise ArgumentError(
                f"{label_of(binding)} has a stride of {binding.stride}, the view of {view.stride}"
            )
        return Argument(binding, view=view, element=element)
    if view.stride is not None:
        raise ArgumentError(f"{label_of(binding)} is typed: its view has a format, not a stride")
    named = format_of_name(chosen) if chosen else None
    format = view.format or named or view.array_format()
    _check_format(binding, format, 0)
    return Argument(binding, view=view, format=format, element=element)


def _counter(binding: Binding, value: Any, element: int) -> Argument:
    """A hidden counter: what was given for it, or the buffer's, or 0 beside an array."""
    if value is None:
        return Argument(binding, element=element)
    if not isinstance(value, _Owner):
        return _started(binding, counter_value(value), element)
    owner = value.value
    if isinstance(owner, BufferView):
        owner = owner.buffer
    if not isinstance(owner, Buffer):
        none = Argument(binding, element=element)
        return none if owner is None else _started(binding, 0, element)
    if owner.counter_storage is None:
        register = binding.register.removesuffix(COUNTER_SUFFIX)
        raise ArgumentError(f"{register} has a counter: make it by device.buffer(..., counter=0)")
    return Argument(binding, counter_of=owner, element=element)


def _started(binding: Binding, start: int, element: int) -> Argument:
    array: Array = np.array([start], np.uint32)
    return Argument(binding, array.view(np.uint8), array, element=element)


def _null_format(binding: Binding, chosen: str | None) -> Format | None:
    """Any format will do for a null view, but one has to be named."""
    if binding.kind not in (TYPED_BUFFER, TEXTURE):
        return None
    return format_of_name(chosen or f"r32_{binding.component or 'uint'}")


def _check_format(binding: Binding, format: Format, nbytes: int) -> None:
    label = label_of(binding)
    if binding.component is not None and format.component != binding.component:
        raise ArgumentError(
            f"{label} is read as {binding.component}; {format.name} is not:"
            f" name a format that is{_suggested(binding, format)}"
        )
    if format.is_srgb and binding.descriptor_type == STORAGE_IMAGE:
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


def _whole_dwords(data: Array) -> Array:
    """Zeros behind the last bytes, for a raw view counts in dwords."""
    if data.nbytes % _DWORD == 0:
        return data
    return np.concatenate([data, np.zeros(-data.nbytes % _DWORD, np.uint8)])
