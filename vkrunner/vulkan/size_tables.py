"""Tables of how many elements each view of an array of buffers has (`Options.size_tables`).

A shader reads them on devices whose driver gets such sizes wrong, and where the option asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from translate import ShaderInterface
from translate.interface import SIZES
from vkrunner.errors import FeatureError
from vkrunner.vulkan.deletion import Deletions
from vkrunner.vulkan.descriptor import Bound
from vkrunner.vulkan.faults import ARRAY_LENGTH_IN_BRANCH, ARRAY_LENGTH_NON_UNIFORM
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.probes import faults_of
from vkrunner.vulkan.storage import Transient

_SUFFIX = ".sizes"
_DWORD = 4
_DYNAMIC, _NON_UNIFORM = (f"storage_buffer_{w}_indexing" for w in ("dynamic", "non_uniform"))


def tables_for(logical: LogicalDevice, interface: ShaderInterface) -> str:
    """The `Options.size_tables` that a shader needs to get the right sizes on a device.

    Only a device with a shader that could meet a fault is probed. Raises as `faults_of`.
    """
    features = interface.features
    if _DYNAMIC not in features and _NON_UNIFORM not in features:
        return "none"
    faults = faults_of(logical)
    if ARRAY_LENGTH_IN_BRANCH in faults:
        return "dynamic"
    met = ARRAY_LENGTH_NON_UNIFORM in faults and _NON_UNIFORM in features
    return "non_uniform" if met else "none"


def check_tables(logical: LogicalDevice, interface: ShaderInterface) -> None:
    """Raise FeatureError for a finished module that takes from the device what it gets wrong."""
    needed = tables_for(logical, interface)
    if needed != "none" and all(b.kind != SIZES for b in interface):
        raise FeatureError(
            f"{logical.info.name} gets the sizes of buffers in arrays wrong: translate the module"
            f" with Options(size_tables={needed!r})"
        )


def bind_size_tables(
    logical: LogicalDevice, interface: ShaderInterface, bound: Sequence[Bound], stack: Deletions
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
