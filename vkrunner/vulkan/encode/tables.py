"""Tables about arrays of buffers: the size of each view, and the window of each.

A shader reads sizes (`Options.size_tables`) on devices whose driver gets them wrong, and where the
option asks for it; windows (`Options.windows`) where a view of the array needs one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from translate import ShaderInterface
from translate.interface import SIZES, WINDOWS
from vkrunner.errors import FeatureError
from vkrunner.info.faults import Faults
from vkrunner.shader.device_options import tables_for
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.storage import StagingBuffer

Table: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]

_DWORD = 4


def check_tables(logical: LogicalDevice, interface: ShaderInterface, faults: Faults) -> None:
    """Raise FeatureError for a finished module that takes from the device what it gets wrong."""
    needed = tables_for(interface, faults)
    if needed != "none" and all(b.kind != SIZES for b in interface):
        raise FeatureError(
            f"{logical.info.name} gets the sizes of buffers in arrays wrong: translate the module"
            f" with Options(size_tables={needed!r})"
        )


def bind_tables(
    logical: LogicalDevice, interface: ShaderInterface, bound: Sequence[Bound], stack: Deletions
) -> list[Bound]:
    """The tables that the shader reads, filled in for what is bound; `stack` frees them."""
    tables: list[Bound] = []
    for binding in interface:
        table = _TABLES.get(binding.kind)
        if table is not None:
            owner = _owner(binding.register)
            contents = table([b for b in bound if b.binding.register == owner])
            transient = StagingBuffer(logical, stack, contents.nbytes, is_returned=False)
            transient.incoming[:] = contents.reshape(-1).view(np.uint8)
            size, slot = transient.nbytes, transient.device
            tables.append(Bound(binding, slot=slot, size=size, transient=transient))
    return tables


def _owner(register: str) -> str:
    """The register that a table is about."""
    return register.rpartition(".")[0]


def _counts(elements: Sequence[Bound]) -> Table:
    """Structures or dwords of each descriptor of an array."""
    counts = np.zeros(len(elements), np.uint32)
    for bound in elements:
        size = bound.size if bound.window is None else bound.window[1] * _DWORD
        counts[bound.element] = size // (bound.binding.stride or _DWORD)
    return counts


def _windows(elements: Sequence[Bound]) -> Table:
    """First element and count of each view of an array."""
    windows = np.zeros((len(elements), 2), np.uint32)
    for bound in elements:
        assert bound.window is not None, "all descriptors of a windowed array have one"
        windows[bound.element] = bound.window
    return windows


_TABLES: Mapping[str, Callable[[Sequence[Bound]], Table]] = {SIZES: _counts, WINDOWS: _windows}
