"""The initial contents of a buffer and its hidden counter."""

from __future__ import annotations

from typing import Any

import numpy as np

from vkrunner.errors import InvalidValueError, LimitError
from vkrunner.resources.device_objects import ObjectMaker
from vkrunner.values.arrays import Array, as_array, zeros
from vkrunner.values.numbers import as_integer, is_integer

_MAX_DWORD = 2**32 - 1


def initial_array(maker: ObjectMaker, source: Array | bytes | int) -> Array:
    """The array of a buffer's `source`: an array or bytes, or a number of zero bytes.

    Raises ArgumentError for other sources, LimitError for more bytes than device or host allow.
    """
    if not isinstance(source, int):
        return as_array(source, "the buffer")
    size = as_integer(source, "a buffer's size")
    if size < 0:
        raise InvalidValueError(f"a buffer has 0 or more bytes, not {size}")
    most = maker.context.info.limits.max_memory_allocation_bytes
    if size > most:
        raise LimitError(f"a buffer of {size} bytes: {maker.context.info.name} allows {most}")
    return zeros((size,), np.dtype(np.uint8), "a buffer")


def counter_value(value: Any) -> int:
    """A counter's value as an int. Raises ArgumentError unless it is an unsigned 32-bit number."""
    if is_integer(value) and 0 <= value.__index__() <= _MAX_DWORD:
        return int(value.__index__())
    raise InvalidValueError(f"a counter is a number from 0 to {_MAX_DWORD}, not {value!r}")


def counter_array(value: Any) -> Array:
    """A counter's value as uint32[1]. Raises as `counter_value`."""
    return np.array([counter_value(value)], np.uint32)
