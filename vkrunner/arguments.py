"""From what a caller passes to what each register gets: names, and values that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from translate.interface import (
    CONSTANT_BUFFER,
    COUNTER,
    RAW_BUFFER,
    STRUCTURED_BUFFER,
    TYPED_BUFFER,
    Binding,
    ShaderInterface,
)
from vkrunner.arrays import BYTES_LIKE, Array, as_array, bytes_of, check_structured, check_whole
from vkrunner.buffers import Buffer, BufferView, counter_value
from vkrunner.constants import constant_bytes
from vkrunner.errors import ArgumentError
from vkrunner.formats import Format, format_of_array, format_of_name

Key = str | tuple[str, int, int]  # a register, an HLSL name, or (class, space, number)

COUNTER_SUFFIX = ".counter"
_DWORD = 4


@dataclass(frozen=True, slots=True)
class Argument:
    """What one descriptor gets.

    `data` is u8[n] to upload; `array` the caller's, whose dtype and shape the result takes.
    `view` is a part of a buffer that stays on the device, `counter_of` the buffer whose counter is
    meant. Null when there is none of them, or nothing in it.
    """

    binding: Binding
    data: Array | None = None
    array: Array | None = None
    view: BufferView | None = None
    counter_of: Buffer | None = None
    format: Format | None = None

    @property
    def element_bytes(self) -> int:
        """Bytes of what the register counts in, for a view that does not say."""
        if self.format is not None:
            return self.format.texel_bytes
        return self.binding.stride or _DWORD


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
        register = register_of(interface, key)
        if register in given:
            raise ArgumentError(f"{register} is given twice")
        given[register] = value
    missing = [b for b in interface if b.register not in given and b.kind != COUNTER]
    if missing:
        listed = "; ".join(f"{label_of(b)}, a {b.kind.replace('_', ' ')}" for b in missing)
        raise ArgumentError(f"missing: {listed}")
    return given


def register_of(interface: ShaderInterface, key: Key) -> str:
    """The register of a key. Raises ArgumentError with what there is."""
    name = key
    if isinstance(key, tuple):
        letters, space, number = key
        name = f"{letters}{number}" + (f"_space{space}" if space else "")
    if isinstance(name, str) and name in interface:
        return interface[name].register
    there = ", ".join(label_of(b) for b in interface if b.kind != COUNTER) or "no resources"
    raise ArgumentError(f"no resource {key!r}; the shader has {there}")


def make_arguments(
    interface: ShaderInterface, given: Mapping[str, Any], formats: Mapping[str, str]
) -> list[Argument]:
    """One argument a binding, in the interface's order; `formats` are those chosen beforehand.

    Raises ArgumentError for values that do not fit their registers.
    """
    return [_argument(binding, given, formats.get(binding.register)) for binding in interface]


def _argument(binding: Binding, given: Mapping[str, Any], chosen: str | None) -> Argument:
    if binding.kind == COUNTER:
        return _counter(binding, given)
    value = given[binding.register]
    if isinstance(value, Buffer):
        value = value.view()
    if isinstance(value, BufferView):
        return _resident(binding, value, chosen)
    if binding.kind == CONSTANT_BUFFER:
        return Argument(binding, constant_bytes(binding, value, label_of(binding)))
    if value is None:
        return Argument(binding, format=_null_format(binding, chosen))
    array = as_array(value, label_of(binding))
    if binding.kind == STRUCTURED_BUFFER:
        _check_structures(binding, array, plain=isinstance(value, BYTES_LIKE))
    data, format = bytes_of(array), None
    if binding.kind == TYPED_BUFFER:
        format = format_of_name(chosen) if chosen else format_of_array(array.dtype, array.shape)
        _check_format(binding, format, data.nbytes)
    elif binding.kind == RAW_BUFFER:
        data = _whole_dwords(data)
    return Argument(binding, data, array, format=format)


def _check_structures(binding: Binding, array: Array, *, plain: bool) -> None:
    if plain:
        check_whole(array, binding.stride or _DWORD, label_of(binding))
    else:
        check_structured(binding, array, label_of(binding))


def _resident(binding: Binding, view: BufferView, chosen: str | None) -> Argument:
    if binding.kind != TYPED_BUFFER:
        if view.format is not None:
            raise ArgumentError(f"{label_of(binding)} is not typed: its view has no format")
        if binding.stride and view.stride not in (None, binding.stride):
            raise ArgumentError(
                f"{label_of(binding)} has a stride of {binding.stride}, the view of {view.stride}"
            )
        return Argument(binding, view=view)
    if view.stride is not None:
        raise ArgumentError(f"{label_of(binding)} is typed: its view has a format, not a stride")
    named = format_of_name(chosen) if chosen else None
    format = view.format or named or view.array_format()
    _check_format(binding, format, 0)
    return Argument(binding, view=view, format=format)


def _counter(binding: Binding, given: Mapping[str, Any]) -> Argument:
    """A hidden counter: what was given for it, or the buffer's, or 0 beside an array."""
    if binding.register in given:
        start = counter_value(given[binding.register])
        return _started(binding, start)
    owner = given[binding.register.removesuffix(COUNTER_SUFFIX)]
    if isinstance(owner, BufferView):
        owner = owner.buffer
    if not isinstance(owner, Buffer):
        return Argument(binding) if owner is None else _started(binding, 0)
    if owner.counter_storage is None:
        register = binding.register.removesuffix(COUNTER_SUFFIX)
        raise ArgumentError(f"{register} has a counter: make it by device.buffer(..., counter=0)")
    return Argument(binding, counter_of=owner)


def _started(binding: Binding, start: int) -> Argument:
    array: Array = np.array([start], np.uint32)
    return Argument(binding, array.view(np.uint8), array)


def _null_format(binding: Binding, chosen: str | None) -> Format | None:
    """Any format will do for a null view, but one has to be named."""
    if binding.kind != TYPED_BUFFER:
        return None
    return format_of_name(chosen or f"r32_{binding.component or 'uint'}")


def _check_format(binding: Binding, format: Format, nbytes: int) -> None:
    label = label_of(binding)
    if binding.component is not None and format.component != binding.component:
        raise ArgumentError(f"{label} is read as {binding.component}; {format.name} is not")
    if nbytes % format.texel_bytes:
        raise ArgumentError(
            f"{label}: {nbytes} bytes are not whole elements of {format.name}"
            f" ({format.texel_bytes} bytes each)"
        )


def _whole_dwords(data: Array) -> Array:
    """Zeros behind the last bytes, for a raw view counts in dwords."""
    if data.nbytes % _DWORD == 0:
        return data
    return np.concatenate([data, np.zeros(-data.nbytes % _DWORD, np.uint8)])
