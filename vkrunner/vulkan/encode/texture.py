"""TextureImage: an image that stays on the device, and the copies to and from the host."""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner.values.arrays import Array, Bytes, bytes_of
from vkrunner.values.dimensions import ImageSize, Part
from vkrunner.values.texture_layout import TextureLayout
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.multisample import read_samples, write_samples
from vkrunner.vulkan.objects.format_features import possible_uses
from vkrunner.vulkan.objects.images import Image, ImageCopy


class TextureImage(Image):
    """A `DeviceTexture`. Vulkan cannot copy multisampled images to buffers, so a shader does."""

    def __init__(self, logical: LogicalDevice, layout: TextureLayout, levels: Sequence[Array]):
        uses = possible_uses(logical, layout.format, layout.size.samples)
        super().__init__(logical, layout.format, layout.size, uses, is_cast=True)
        self._fill(levels)

    def read(self, part: Part) -> Bytes:
        if self.size.samples > 1:
            return _layers(read_samples(self), self.size, part)
        with self.logical.temporaries() as stack:
            copy = ImageCopy(self, stack, part)
            self.logical.copy(copy.record_download)
            return copy.get(part.first_mip)

    def write(self, part: Part, data: Bytes) -> None:
        if self.size.samples > 1:
            whole = read_samples(self)
            _layers(whole, self.size, part)[:] = data
            write_samples(self, whole)
            return
        with self.logical.temporaries() as stack:
            copy = ImageCopy(self, stack, part)
            copy.put(part.first_mip, data)
            self.logical.copy(copy.record_upload)

    def _fill(self, levels: Sequence[Array]) -> None:
        """Write the first contents; missing levels become zero."""
        if self.size.samples > 1:
            self.logical.copy(self.record_start)
            write_samples(self, bytes_of(levels[0]))
            return
        with self.logical.temporaries() as stack:
            copy = ImageCopy(self, stack, self.whole)
            for mip in range(self.size.mips):
                if mip < len(levels):
                    copy.put(mip, bytes_of(levels[mip]))
                else:
                    copy.clear(mip)
            self.logical.copy(self.record_start, copy.record_upload)


def _layers(data: Bytes, size: ImageSize, part: Part) -> Bytes:
    """The bytes of the part's layers; `data` has all layers of the image."""
    step = data.nbytes // size.layers
    return data[part.first_layer * step : (part.first_layer + part.num_layers) * step]
