"""VulkanTexture: an image that stays on the device, and the copies to and from the host."""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner.device_objects import DeviceTexture
from vkrunner.errors import ArgumentError
from vkrunner.values.arrays import Array, Bytes, bytes_of
from vkrunner.values.dimensions import ImageSize, Part
from vkrunner.values.texture_layout import TextureLayout
from vkrunner.vulkan import vk
from vkrunner.vulkan.barriers import AFTER_ALL, AFTER_COPY, BEFORE_COPY, BEFORE_HOST, record_barrier
from vkrunner.vulkan.images import Image, ImageCopy, possible_uses
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.multisample import read_samples, write_samples


class VulkanTexture:
    """A `DeviceTexture`. Vulkan copies no multisampled images: a shader does."""

    def __init__(self, logical: LogicalDevice, layout: TextureLayout, levels: Sequence[Array]):
        self.owner = logical
        self._closed = False
        self._stack = logical.own(self)
        size = layout.size
        uses = possible_uses(logical, layout.format, size.samples)
        self.image = Image(logical, self._stack, layout.format, size, uses)
        self.token = self.image.token
        self._fill(levels)

    def check_open(self) -> None:
        """Raises ArgumentError when it or its device is closed."""
        if self._closed:
            raise ArgumentError("the texture is closed")
        self.owner.check_open()

    def read(self, part: Part) -> Bytes:
        """A copy of one mip of some layers, when no work in flight uses the texture."""
        with self.owner.in_use():
            self.check_open()
            return self._read(part)

    def write(self, part: Part, data: Bytes) -> None:
        """Replace one mip of some layers, when no work in flight uses the texture."""
        with self.owner.in_use():
            self.check_open()
            self._write(part, data)

    def close(self) -> None:
        """Free the image, when work in flight has ended."""
        self._closed, self.token = True, 0
        self.owner.closings += 1
        self.owner.retire(self._stack)

    def _read(self, part: Part) -> Bytes:
        image = self.image
        if image.size.samples > 1:
            return _layers(read_samples(image), image.size, part)
        stack = self.owner.own()
        try:
            copy = ImageCopy(image, stack, part)

            def record(commands: vk.Handle) -> None:
                record_barrier(commands, AFTER_ALL, BEFORE_COPY)
                copy.record_download(commands)
                record_barrier(commands, AFTER_COPY, BEFORE_HOST)

            self.owner.execute(record)
            return copy.level(part.first_mip).copy()
        finally:
            self.owner.release(stack)

    def _write(self, part: Part, data: Bytes) -> None:
        image = self.image
        if image.size.samples > 1:
            whole = read_samples(image)
            _layers(whole, image.size, part)[:] = data
            write_samples(image, whole)
            return
        stack = self.owner.own()
        try:
            copy = ImageCopy(image, stack, part)
            copy.level(part.first_mip)[:] = data

            def record(commands: vk.Handle) -> None:
                record_barrier(commands, AFTER_ALL, BEFORE_COPY)
                copy.record_upload(commands)

            self.owner.execute(record)
        finally:
            self.owner.release(stack)

    def _fill(self, levels: Sequence[Array]) -> None:
        """The first contents; levels that are not given are zero."""
        image = self.image
        if image.size.samples > 1:
            self.owner.execute(image.record_start)
            write_samples(image, bytes_of(levels[0]))
            return
        stack = self.owner.own()
        try:
            copy = ImageCopy(image, stack, image.whole)
            for mip in range(image.size.mips):
                copy.level(mip)[:] = bytes_of(levels[mip]) if mip < len(levels) else 0

            def record(commands: vk.Handle) -> None:
                image.record_start(commands)
                copy.record_upload(commands)

            self.owner.execute(record)
        finally:
            self.owner.release(stack)


def image_of(memory: DeviceTexture) -> Image:
    """The image of a texture whose owner was checked."""
    assert isinstance(memory, VulkanTexture), "textures of other devices were refused"
    return memory.image


def _layers(data: Bytes, size: ImageSize, part: Part) -> Bytes:
    """The bytes of some layers among those of all."""
    step = data.nbytes // size.layers
    return data[part.first_layer * step : (part.first_layer + part.num_layers) * step]
