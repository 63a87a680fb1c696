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
        size = layout.size
        uses = possible_uses(logical, layout.format, size.samples)
        image = Image(logical, layout.format, size, uses)
        self._image: Image | None = image
        self.token = image.token
        logical.plans.forget_with(self, image.token)
        self._fill(image, levels)

    @property
    def image(self) -> Image:
        """Raises ArgumentError when the texture or its device is closed."""
        image = self._image
        if image is None:
            raise ArgumentError("the texture is closed")
        self.owner.check_open()
        return image

    def check_open(self) -> None:
        """Raises ArgumentError when it or its device is closed."""
        _ = self.image

    def read(self, part: Part) -> Bytes:
        """A copy of one mip of some layers, when no work in flight uses the texture."""
        with self.owner.in_use():
            return self._read(self.image, part)

    def write(self, part: Part, data: Bytes) -> None:
        """Replace one mip of some layers, when no work in flight uses the texture."""
        with self.owner.in_use():
            self._write(self.image, part, data)

    def close(self) -> None:
        """Free the image, when work in flight has ended."""
        image, self._image, self.token = self._image, None, 0
        if image is not None:
            token = image.token
            del image
            self.owner.forget(token)

    def _read(self, image: Image, part: Part) -> Bytes:
        if image.size.samples > 1:
            return _layers(read_samples(image), image.size, part)
        with self.owner.temporaries() as stack:
            copy = ImageCopy(image, stack, part)

            def record(commands: vk.Handle) -> None:
                record_barrier(commands, AFTER_ALL, BEFORE_COPY)
                copy.record_download(commands)
                record_barrier(commands, AFTER_COPY, BEFORE_HOST)

            self.owner.execute(record)
            return copy.level(part.first_mip).copy()

    def _write(self, image: Image, part: Part, data: Bytes) -> None:
        if image.size.samples > 1:
            whole = read_samples(image)
            _layers(whole, image.size, part)[:] = data
            write_samples(image, whole)
            return
        with self.owner.temporaries() as stack:
            copy = ImageCopy(image, stack, part)
            copy.level(part.first_mip)[:] = data

            def record(commands: vk.Handle) -> None:
                record_barrier(commands, AFTER_ALL, BEFORE_COPY)
                copy.record_upload(commands)

            self.owner.execute(record)

    def _fill(self, image: Image, levels: Sequence[Array]) -> None:
        """The first contents; levels that are not given are zero."""
        if image.size.samples > 1:
            self.owner.execute(image.record_start)
            write_samples(image, bytes_of(levels[0]))
            return
        with self.owner.temporaries() as stack:
            copy = ImageCopy(image, stack, image.whole)
            for mip in range(image.size.mips):
                copy.level(mip)[:] = bytes_of(levels[mip]) if mip < len(levels) else 0

            def record(commands: vk.Handle) -> None:
                image.record_start(commands)
                copy.record_upload(commands)

            self.owner.execute(record)


def image_of(memory: DeviceTexture) -> Image:
    """The image of a texture whose owner was checked. Raises ArgumentError when it is closed."""
    assert isinstance(memory, VulkanTexture), "textures of other devices were refused"
    return memory.image


def _layers(data: Bytes, size: ImageSize, part: Part) -> Bytes:
    """The bytes of some layers among those of all."""
    step = data.nbytes // size.layers
    return data[part.first_layer * step : (part.first_layer + part.num_layers) * step]
