"""What stays on the reference device: buffers, textures and samplers, held as NumPy arrays.

They are those of a Vulkan device but for where their bytes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import ClassVar

import numpy as np

from vkrunner.backend import next_token
from vkrunner.device_info import DeviceInfo
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture
from vkrunner.values.arrays import Array, Bytes, bytes_of
from vkrunner.values.dimensions import ImageSize, Part
from vkrunner.values.formats import Format
from vkrunner.values.samplers import SamplerState
from vkrunner.vulkan.images import Image
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.storage import Storage


class HostDevice(LogicalDevice):
    """Owner of what is made on the reference device. No VkDevice is behind it, and no queue."""

    def __init__(self, info: DeviceInfo):
        self._set_up(info)
        self.faults = ()
        self.staged = False
        self._timestamps = False
        self._closed = self._is_closing = False

    @property
    def is_compiling(self) -> bool:
        return False

    def _check_usable(self) -> None:
        pass

    def _has_settled(self) -> bool:
        return True

    def wait_for(self, token: int) -> None:
        """All work ends before the call that started it."""


class HostStorage(Storage):
    """The bytes of a buffer: always the same array, by which its views are known as one buffer."""

    def __init__(self, logical: LogicalDevice, stack: ExitStack, nbytes: int):
        self.logical = logical
        self.nbytes = nbytes
        self.token = next_token()
        self.bytes: Bytes = np.zeros(nbytes, np.uint8)

    @property
    def mapped(self) -> Bytes:
        return self.bytes

    @property
    def writable(self) -> Bytes:
        return self.bytes


class HostImage(Image):
    """The texels of a texture: u8[slices, height, width, samples, texel bytes] for each mip.

    Slices are layers or, of a 3D texture, depth.
    """

    def __init__(self, logical: LogicalDevice, format: Format, size: ImageSize):
        self.logical = logical
        self.format = format
        self.size = size
        self.token = next_token()
        self.levels = [np.zeros(level_shape(format, size, m), np.uint8) for m in range(size.mips)]

    def slices(self, mip: int, part: Part) -> Bytes:
        """The part's slices of a mip, writable."""
        first, count = part.first_layer, part.num_layers
        depth = self.size.extent(mip)[2]
        return self.levels[mip][first * depth : (first + count) * depth]


def level_shape(format: Format, size: ImageSize, mip: int) -> tuple[int, ...]:
    """The axes of a mip as the reference machine takes it."""
    width, height, depth = size.extent(mip)
    return (size.layers * depth, height, width, size.samples, format.texel_bytes)


class ReferenceBuffer(Buffer):
    """A buffer of the reference device."""

    _storage_type: ClassVar[type[Storage]] = HostStorage


class ReferenceTexture(Texture):
    """A texture of the reference device; every format can be sampled, stored to and compared."""

    def _create_image(self) -> Image:
        return HostImage(self._logical, self.layout.format, self.layout.size)

    @property
    def image(self) -> HostImage:
        image = super().image
        assert isinstance(image, HostImage)
        return image

    def read_part(self, part: Part) -> Bytes:
        return self.image.slices(part.first_mip, part).reshape(-1).copy()

    def write_part(self, part: Part, data: Bytes) -> None:
        slices = self.image.slices(part.first_mip, part)
        slices[...] = data.reshape(slices.shape)

    def _fill(self, levels: Sequence[Array]) -> None:
        for mip, level in enumerate(levels):
            self.write_part(Part(mip, 1, 0, self.layout.size.layers), bytes_of(level))


class ReferenceSampler(Sampler):
    """A sampler of the reference device; every border and bias will do."""

    def __init__(self, logical: LogicalDevice, state: SamplerState):
        logical.check_open()
        self.state = state
        self.logical = logical
        self.token = next_token()
