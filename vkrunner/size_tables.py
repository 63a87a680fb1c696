"""Tables of how many elements each view of an array of buffers has (`Options.size_tables`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np

from translate import ShaderInterface
from translate.interface import SIZES
from vkrunner.bound import Bound
from vkrunner.resources.memory import Transient
from vkrunner.vulkan.logical import LogicalDevice

_SUFFIX = ".sizes"
_DWORD = 4


def bind_size_tables(
    logical: LogicalDevice, interface: ShaderInterface, bound: Sequence[Bound], stack: ExitStack
) -> list[Bound]:
    """The tables that the shader reads, filled in for what is bound; `stack` frees them."""
    tables: list[Bound] = []
    for binding in interface:
        if binding.kind == SIZES:
            owner = binding.register.removesuffix(_SUFFIX)
            counts = _counts([b for b in bound if b.binding.register == owner])
            transient = Transient(logical, stack, counts.nbytes, is_returned=False)
            transient.incoming[:] = counts.view(np.uint8)
            size, slot = transient.nbytes, transient.device
            tables.append(Bound(binding, slot=slot, size=size, transient=transient))
    return tables


def _counts(elements: Sequence[Bound]) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """Structures or dwords of each descriptor of an array."""
    counts = np.zeros(len(elements), np.uint32)
    for bound in elements:
        counts[bound.element] = bound.size // (bound.binding.stride or _DWORD)
    return counts
