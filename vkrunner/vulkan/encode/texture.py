"""TextureImage: an image that stays on the device, and the copies to and from the host.

Vulkan cannot copy between buffers and multisampled images, so small shaders do. A D3D shader copies
from a texture to a typed buffer. D3D 11 has no UAVs of multisampled textures, so the shader for the
other direction is SPIR-V: `write_samples.spvasm`, assembled for each kind of texel. Source: Vulkan
specification, "Copying Data Between Buffers and Images".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import translate
from translate import Binding, ShaderInterface, SpirvModule
from translate.interface import STORAGE_IMAGE, UNIFORM_TEXEL_BUFFER
from vkrunner.errors import FeatureError, LimitError
from vkrunner.resources.device_objects import next_token
from vkrunner.shader.shader import Shader
from vkrunner.values.formats import Format, plain_twin
from vkrunner.values.numbers import Array, Bytes, bytes_of
from vkrunner.values.texture_layout import DIMENSIONS, ImageSize, Part, TextureLayout
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.command_list import CommandList
from vkrunner.vulkan.encode.descriptor import Bound, ImageDescriptor, TexelDescriptor
from vkrunner.vulkan.encode.pipeline import Pipeline, run
from vkrunner.vulkan.objects.format_support import SAMPLED, STORAGE, held_texels, possible_uses
from vkrunner.vulkan.objects.images import Image, ImageCopy
from vkrunner.vulkan.objects.storage import StagingBuffer, texel_view

_BUFFER, _IMAGE = "u0", "t0"  # the registers of both shaders
_GROUP = 8  # threads in x and in y
_ARRAY = DIMENSIONS["2dmsarray"]
_WRITE_FEATURES = ("storage_image_write_without_format", "storage_image_multisample")
_READ = """
cs_5_0
dcl_resource_texture2dmsarray(0) ({kind}) t0
dcl_uav_typed_buffer ({kind}) u0
dcl_input vThreadID.xyz
dcl_temps 4
dcl_thread_group {group}, {group}, 1
resinfo_indexable(texture2dmsarray)({kind})_uint r0.xyz, l(0), t0.xyzw
sampleinfo_uint r0.w, t0.yzwx
ult r1.xy, vThreadID.xyxx, r0.xyxx
and r1.x, r1.x, r1.y
if_nz r1.x
  udiv r1.z, r2.x, vThreadID.z, r0.w
  mov r1.xy, vThreadID.xyxx
  imad r3.x, r1.z, r0.y, r1.y
  imad r3.x, r3.x, r0.x, r1.x
  imad r3.x, r3.x, r0.w, r2.x
  mov r1.w, l(0)
  ldms_indexable(texture2dmsarray)({kind}) r2.xyzw, r1.xyzw, t0.xyzw, r2.x
  store_uav_typed u0.xyzw, r3.xxxx, r2.xyzw
endif
ret
"""


def write_samples(image: Image, data: Bytes) -> None:
    """Fill a multisampled image; the order of `data` is layers, height, width, samples.

    Raises FeatureError if the device lacks a feature for multisampled storage images, or if it
    holds the texels of this format converted.
    """
    name, features = image.logical.info.name, image.logical.info.features
    if held_texels(image.format) is not None:
        raise FeatureError(
            f"the device {name} cannot upload multisampled textures of {image.format.name}"
        )
    lacking = [name for name in _WRITE_FEATURES if not getattr(features, name)]
    if lacking:
        raise FeatureError(
            f"the device {name} cannot upload multisampled textures: it lacks {', '.join(lacking)}"
        )
    _copy(image, data, to_image=True)


def read_samples(image: Image) -> Bytes:
    """The samples of an image, in the order of `write_samples`.

    They are copied as numbers: -128 of a snorm format becomes -127, which has the same value.
    """
    return _copy(image, None, to_image=False)


def _copy(image: Image, data: Bytes | None, *, to_image: bool) -> Bytes:
    logical, format, extent = image.logical, plain_twin(image.format), image.size
    count = extent.width * extent.height * extent.layers * extent.samples
    if count > logical.info.limits.max_texel_buffer_elements:
        raise LimitError(f"{count} samples: {logical.info.name} copies fewer at a time")
    work = CommandList(logical)
    module = _write_module(format) if to_image else _read_module(format)
    pipeline = Pipeline(logical, module, next_token())
    size = count * format.texel_bytes
    texels = StagingBuffer(logical, work.stack, size, is_returned=not to_image)
    if data is not None:
        texels.incoming[:] = data
    buffer, texture = pipeline.interface[_BUFFER], pipeline.interface[_IMAGE]
    span, use = (0, texels.nbytes), buffer.descriptor_type
    view = texel_view(logical, texels.device, format, span, use, work.stack)
    side = STORAGE if to_image else SAMPLED
    shown = image.create_view(_ARRAY, image.whole, work.stack, image.format, side)
    bound = Bound([TexelDescriptor(buffer, 0, view), ImageDescriptor(texture, 0, shown)])
    bound.copies.append(texels)
    bound.owners.append(image)
    run(logical, work, pipeline, bound, _groups(image))
    return texels.outgoing.copy() if data is None else data


def _groups(image: Image) -> tuple[int, int, int]:
    size = image.size
    return -(-size.width // _GROUP), -(-size.height // _GROUP), size.layers * size.samples


def _read_module(format: Format) -> SpirvModule:
    """The D3D shader that copies samples to a buffer, translated for the buffer's format."""
    listing = _READ.format(kind=",".join([format.component] * 4), group=_GROUP)
    options = translate.Options(guards="off", formats={_BUFFER: format.name})
    return Shader(listing).module(options)


def _write_module(format: Format) -> SpirvModule:
    """The stored SPIR-V that copies a buffer to samples, for texels of the format's component."""
    bindings = (
        Binding(_BUFFER, "typed_buffer", 0, 0, UNIFORM_TEXEL_BUFFER),
        Binding(_IMAGE, "texture", 0, 1, STORAGE_IMAGE, written=True),
    )
    interface = ShaderInterface((_GROUP, _GROUP, 1), bindings, features=_WRITE_FEATURES)
    path = Path(__file__).with_name(f"write_samples_{format.component}.spv")
    return SpirvModule(path.read_bytes(), interface)


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
