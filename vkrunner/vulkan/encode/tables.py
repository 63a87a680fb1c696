"""Tables for arrays of buffers: the size of each view, and the window of each view.

A shader reads sizes (`Options.size_tables`) if the driver returns wrong sizes, or if the option
asks for it. It reads windows (`Options.windows`) if a view in the array needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from translate import ShaderInterface
from translate.interface import SIZES, WINDOWS, Binding
from vkrunner.binding.arguments import Place
from vkrunner.errors import FeatureError
from vkrunner.info.faults import Faults
from vkrunner.shader.device_options import tables_for
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import Bound, BufferDescriptor, Descriptor, Window
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.storage import StagingBuffer

Table: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]

_DWORD = 4


def check_tables(logical: LogicalDevice, interface: ShaderInterface, faults: Faults) -> None:
    """Raise FeatureError if a finished module needs a table of sizes, but reads none.

    It needs one if the driver returns wrong sizes for the buffers in its arrays.
    """
    needed = tables_for(interface, faults)
    if needed != "none" and all(b.kind != SIZES for b in interface):
        raise FeatureError(
            f"{logical.info.name} gets the sizes of buffers in arrays wrong: translate the module"
            f" with Options(size_tables={needed!r})"
        )


def bind_table(logical: LogicalDevice, binding: Binding, bound: Bound, stack: Deletions) -> None:
    """Add the table of sizes or windows that the shader reads for an array; `stack` frees it."""
    register = binding.register.rpartition(".")[0]  # the register of the array
    elements = [one for one in bound.descriptors if one.binding.register == register]
    contents = _TABLES[binding.kind](elements, bound.windows)
    staging = StagingBuffer(logical, stack, contents.nbytes, is_returned=False)
    staging.incoming[:] = contents.reshape(-1).view(np.uint8)
    bound.add_staged(binding, staging)


def _counts(elements: Sequence[Descriptor], windows: Mapping[Place, Window]) -> Table:
    """The number of structures or dwords in each view of an array."""
    counts = np.zeros(len(elements), np.uint32)
    for one in elements:
        size = one.size if isinstance(one, BufferDescriptor) else 0
        window = windows.get((one.binding.register, one.element))
        if window is not None:
            size = window[1] * _DWORD
        counts[one.element] = size // (one.binding.stride or _DWORD)
    return counts


def _windows(elements: Sequence[Descriptor], windows: Mapping[Place, Window]) -> Table:
    """First element and count of each view in an array of views with windows."""
    table = np.zeros((len(elements), 2), np.uint32)
    for one in elements:
        table[one.element] = windows[one.binding.register, one.element]
    return table


_TABLES: Mapping[str, Callable[[Sequence[Descriptor], Mapping[Place, Window]], Table]] = {
    SIZES: _counts,
    WINDOWS: _windows,
}
