"""The values of a result: arrays and resources on the device, and short texts about them."""

from __future__ import annotations

import numpy as np

from translate.interface import dtype_text, some_of
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.device_objects import state_of
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.values.numbers import Array

_MOST_SHOWN, _MOST_STRUCTURES = 8, 2  # of an array

# The resources that stay on the device, and are read when asked for
Resident = Buffer | BufferView | Texture | TextureView
Value = Array | Resident | None

NOTHING = "no results"  # without UAVs, or if all of them are null


def contents(value: Value) -> Array | None:
    """The array of a value; a resource on the device is read. None for a null resource.

    A whole buffer's array has the buffer's shape, a part's is flat.
    """
    if isinstance(value, BufferView) and value == BufferView(value.buffer):
        value = value.buffer
    elif isinstance(value, Texture):
        value = value.view()
    return value.read() if isinstance(value, Resident) else value


def described(value: Value | list[Value]) -> str:
    """A value in a few words, such as `float32[4]`, "on the device", "closed" or "null"."""
    if isinstance(value, list):
        return f"[{some_of([described(element) for element in value])}]"
    if isinstance(value, Resident):
        return state_of(_owner(value)) or "on the device"
    return "null" if value is None else f"{dtype_text(value.dtype)}{list(value.shape)}"


def _owner(value: Resident) -> Buffer | Texture:
    if isinstance(value, BufferView):
        return value.buffer
    return value.texture if isinstance(value, TextureView) else value


def first_of(value: Value | list[Value]) -> str:
    """The first numbers or structures of an array on the host; "" for other values."""
    if not isinstance(value, np.ndarray):
        return ""
    most = _MOST_SHOWN if value.dtype.names is None else _MOST_STRUCTURES
    more = " …" if value.size > most else ""
    return " ".join(map(str, value.reshape(-1)[:most])) + more
