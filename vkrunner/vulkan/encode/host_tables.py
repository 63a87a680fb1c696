"""Tables for arrays of buffers: the size of each view, and the window of each view.

A shader reads sizes (`Options.size_tables`) if the driver returns wrong sizes, or if the option
asks for it. It reads windows (`Options.windows`) if a view in the array needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from translate import ShaderInterface
from translate.interface import COUNTER, TABLES, Table
from vkrunner.binding.arguments import Place
from vkrunner.errors import FeatureError, LimitError
from vkrunner.info.faults import Faults
from vkrunner.shader.device_options import tables_for
from vkrunner.values.formats import FORMATS
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import (
    Bound,
    BufferDescriptor,
    Descriptor,
    TexelDescriptor,
    Window,
)
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.storage import StagingBuffer, texel_view

Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]

_DWORD = 4


def check_tables(logical: LogicalDevice, interface: ShaderInterface, faults: Faults) -> None:
    """Raise FeatureError if a finished module needs a table of sizes, but reads none.

    It needs one if the driver returns wrong sizes for the buffers in its arrays.
    """
    needed = tables_for(interface, faults)
    if needed != "none" and all(table.kind != "sizes" for table in interface.tables):
        raise FeatureError(
            f"{logical.info.name} gets the sizes of buffers in arrays wrong: translate the module"
            f" with Options(size_tables={needed!r})"
        )


def bind_tables(
    logical: LogicalDevice, interface: ShaderInterface, bound: Bound, stack: Deletions
) -> None:
    """Add the buffer with the sizes and windows that the shader reads; `stack` frees it.

    Raises LimitError if it has more elements than the device's texel buffers.
    """
    contents, most = _contents(interface, bound), logical.info.limits.max_texel_buffer_elements
    if contents.size > most:
        raise LimitError(
            f"the sizes and view ranges of buffers in arrays are {contents.size} numbers;"
            f" {logical.info.name} allows {most}"
        )
    staging = StagingBuffer(logical, stack, contents.nbytes, is_returned=False)
    staging.incoming[:] = contents.view(np.uint8)
    span, binding = (0, contents.nbytes), interface[TABLES]
    shown = FORMATS["r32_uint"], span, binding.descriptor_type
    view = texel_view(logical, staging.device, *shown, stack)
    bound.descriptors.append(TexelDescriptor(binding, 0, view))
    bound.copies.append(staging)


def _contents(interface: ShaderInterface, bound: Bound) -> Words:
    """The numbers of all tables."""
    numbers: dict[int, int] = {}
    for table in interface.tables:
        for one in bound.descriptors:
            if one.binding.register == _described(table):
                found = _KINDS[table.kind](one, bound.windows)
                start = table.first + one.element * table.stride
                numbers.update(enumerate(found, start))
    contents = np.zeros(max(numbers) + 1, np.uint32)
    contents[[*numbers]] = [*numbers.values()]
    return contents


def _described(table: Table) -> str:
    """The register of the descriptors that a table describes."""
    return f"{table.register}.{COUNTER}" if table.kind == "counters" else table.register


def _size(one: Descriptor, windows: Mapping[Place, Window]) -> tuple[int]:
    """The number of structures or dwords in a view; 1 or 0 for a counter."""
    window = windows.get((one.binding.register, one.element))
    if window is not None:
        return (window[1] * _DWORD // (one.binding.stride or _DWORD),)
    size = one.size if isinstance(one, BufferDescriptor) else 0
    return (size // (one.binding.stride or _DWORD),)


def _window(one: Descriptor, windows: Mapping[Place, Window]) -> Window:
    """The first element and the count of a view."""
    return windows[one.binding.register, one.element]


_KINDS: Mapping[str, Callable[[Descriptor, Mapping[Place, Window]], tuple[int, ...]]] = {
    "sizes": _size,
    "counters": _size,
    "windows": _window,
}
