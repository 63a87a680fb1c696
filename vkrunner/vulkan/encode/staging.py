"""Staging: memory for array arguments, written before a submission and read after it.

A step has an `Input` for each array argument. A dispatch has an `Output` for each array of its
result.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from translate.interface import CONSTANT_BUFFER, COUNTER, Binding
from vkrunner.binding.arguments import ArrayArgument
from vkrunner.binding.constants import constant_bytes, packer_of, padded
from vkrunner.resources.initial import counter_value
from vkrunner.values.arrays import Array, Bytes, as_array, bytes_of
from vkrunner.vulkan.encode.command_list import Input, Write
from vkrunner.vulkan.encode.descriptor import Moved
from vkrunner.vulkan.objects.images import ImageCopy

Output = tuple[Bytes, np.dtype[Any], tuple[int, ...]]  # staging memory, dtype, shape
_NOTHING: Bytes = np.empty(0, np.uint8)


def input_of(argument: ArrayArgument, moved: Moved, *, is_recorded: bool) -> Input:
    """The input of an array argument; `moved` is its staging memory.

    `is_recorded`: submissions that pass no array use this one. Otherwise each submission must pass
    one, except for the initial value of a hidden counter, which is always recorded.
    """
    target, binding = moved.incoming, argument.shown.binding
    is_spent, recorded = moved.is_returned, None
    if isinstance(moved, ImageCopy):
        return image_input(moved, argument.array, is_recorded=is_recorded, is_spent=is_spent)
    if is_recorded or binding.kind == COUNTER:
        recorded = argument.contents
    if binding.kind == CONSTANT_BUFFER:
        write = _constants_writer(binding, target)
        recorded = None if recorded is None else padded(recorded, target.nbytes)
    elif binding.kind == COUNTER:
        write = _counter_writer(target)
    else:
        write = array_writer(target, argument.array)
    return Input(target, write, recorded, is_spent=is_spent)


def image_input(
    copy: ImageCopy, array: Array, *, is_recorded: bool, is_spent: bool = False
) -> Input:
    """The input of an array that is copied to the first mip of the part that `copy` fills."""
    target, mip = copy.incoming, copy.part.first_mip

    def put(given: Array) -> None:
        copy.put(mip, bytes_of(as_array(given, "")))

    write = put if copy.is_packed else array_writer(target, array)
    recorded = copy.packed(mip, bytes_of(array)) if is_recorded else None
    return Input(target, write, recorded, is_spent=is_spent)


def array_writer(target: Bytes, like: Array) -> Write:
    """A function that writes an array to `target`, and zeros after it.

    It takes arrays with the dtype and shape of `like`, in any byte order and with any strides.
    """
    ours, rest = target[: like.nbytes], target[like.nbytes :]
    typed: Array = ours.view(like.dtype).reshape(like.shape)
    if typed.dtype.names is None and not rest.nbytes:
        return partial(typed.__setitem__, ...)  # the fastest for all strides

    def write(array: Array) -> None:
        ours[:] = bytes_of(as_array(array, ""))  # NumPy would copy structures field by field
        rest[:] = 0

    return write


def _constants_writer(binding: Binding, target: Bytes) -> Write:
    label = binding.label
    packer, memory = packer_of(binding.constants, target), memoryview(target.data)

    def write(value: Any) -> None:
        if packer is None or value.__class__ is not dict or not packer.pack(value, memory):
            target[:] = padded(constant_bytes(binding, value, label), target.nbytes)

    return write


def _counter_writer(target: Bytes) -> Write:
    typed = target.view(np.uint32)

    def write(value: Any) -> None:
        typed[:] = value if isinstance(value, np.ndarray) else counter_value(value)

    return write


def output_of(array: Array, moved: Moved | None) -> Output:
    """Where the result for `array` lies after a submission: bytes, dtype, shape.

    `moved` is its staging memory; None for an empty array, which has no memory.
    """
    data = moved.outgoing[: array.nbytes] if moved is not None else _NOTHING
    return data, array.dtype, array.shape
