"""A driver's compiled code of a module, kept for later processes in a VkPipelineCache.

It belongs to one device and one version of its driver, which are parts of the key. Lavapipe and
SwiftShader return only a header, which is not kept; lavapipe has its own cache. Source: Vulkan
specification, "Pipeline Cache".
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from translate import SpirvModule
from vkrunner.shader.cache.keys import digest
from vkrunner.shader.cache.store import open_store
from vkrunner.shader.cache.translation import Translation
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.physical import HEADER


@contextmanager
def pipeline_cache(logical: LogicalDevice, module: SpirvModule) -> Generator[vk.Handle]:
    """A VkPipelineCache for creating a module's pipeline; null if caching is off.

    It has the data of an earlier process. Without such data, the driver's data is kept after the
    `with`.
    """
    store = open_store()
    if store is None:
        yield vk.ffi().NULL
        return
    build = logical.build
    key = digest(b"pipeline", build, Translation.of(module).data)
    found = store.read(key)
    if found is not None and found[: HEADER.size] != build[: HEADER.size]:
        found = None
    with logical.temporaries() as stack:
        handle = logical.create("VkPipelineCache", _create_info(found or b""), stack)
        yield handle
        made = b""
        if found is None:
            made = vk.data("vkGetPipelineCacheData", logical.handle, handle)
        if len(made) > HEADER.size:
            store.write(key, made)


def _create_info(data: bytes) -> Any:
    if not data:
        return vk.struct("VkPipelineCacheCreateInfo")
    pointer = vk.ffi().from_buffer(data)
    return vk.struct("VkPipelineCacheCreateInfo", initialDataSize=len(data), pInitialData=pointer)
