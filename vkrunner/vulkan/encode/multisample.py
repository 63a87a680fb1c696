"""Multisampled textures to and from the host, sample by sample.

Vulkan does not copy between buffers and multisampled images, so that a small shader of our own
does it. From a texture to a typed buffer it is a D3D shader; D3D 11 has none the other way, from a
typed buffer to a storage image, so that one is SPIR-V.
Source: Vulkan specification, "Copying Data Between Buffers and Images"; SPIR-V specification.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import translate
from translate import Binding, ShaderInterface, SpirvModule
from translate.interface import STORAGE_IMAGE, UNIFORM_TEXEL_BUFFER
from vkrunner.errors import FeatureError, LimitError
from vkrunner.resources.device_objects import next_token
from vkrunner.shader.shader import Shader
from vkrunner.values.arrays import Bytes
from vkrunner.values.dimensions import DIMENSIONS
from vkrunner.values.formats import Format, plain_twin
from vkrunner.vulkan.encode.command_list import CommandList
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.encode.dispatch import run
from vkrunner.vulkan.encode.pipeline import Pipeline
from vkrunner.vulkan.objects.format_features import SAMPLED, STORAGE
from vkrunner.vulkan.objects.held_texels import held_texels
from vkrunner.vulkan.objects.images import Image
from vkrunner.vulkan.objects.storage import StagingBuffer, texel_view

_BUFFER, _IMAGE = "u0", "t0"  # in both shaders
_GROUP = 8  # threads in x and in y
_ARRAY = DIMENSIONS["2dmsarray"]
_WRITE_FEATURES = ("storage_image_write_without_format", "storage_image_multisample")


def write_samples(image: Image, data: Bytes) -> None:
    """Fill an image: `data` is layers, height, width and samples, outermost first.

    Raises FeatureError where the device has no such storage images, or holds other texels.
    """
    name, features = image.logical.info.name, image.logical.info.features
    if held_texels(image.format) is not None:
        raise FeatureError(f"{name} cannot fill multisampled textures of {image.format.name}")
    lacking = [name for name in _WRITE_FEATURES if not getattr(features, name)]
    if lacking:
        raise FeatureError(
            f"{name} cannot fill multisampled textures: it lacks {', '.join(lacking)}"
        )
    _copy(image, data, to_image=True)


def read_samples(image: Image) -> Bytes:
    """The samples of an image, in the order of `write_samples`.

    They are numbers on the way: of a snorm format the lowest, -128, comes back as -127, its equal.
    """
    return _copy(image, None, to_image=False)


def _copy(image: Image, data: Bytes | None, *, to_image: bool) -> Bytes:
    logical, format, size = image.logical, plain_twin(image.format), image.size
    count = size.width * size.height * size.layers * size.samples
    if count > logical.info.limits.max_texel_buffer_elements:
        raise LimitError(f"{count} samples: {logical.info.name} copies fewer at a time")
    work = CommandList(logical)
    module = _write_module(format) if to_image else _read_module(format)
    pipeline = Pipeline(logical, module, next_token())
    texels = StagingBuffer(logical, work.stack, count * format.texel_bytes)
    if data is not None:
        texels.incoming[:] = data
    slot, nbytes = texels.device, texels.nbytes
    view = texel_view(logical, slot, format, (0, nbytes), work.stack)
    buffer, texture = pipeline.interface[_BUFFER], pipeline.interface[_IMAGE]
    use = STORAGE if to_image else SAMPLED
    shown = image.create_view(_ARRAY, image.whole, work.stack, image.format, use)
    bound = (
        Bound(buffer, slot=slot, size=nbytes, texels=view, transient=texels),
        Bound(texture, image=shown, owner=image),
    )
    run(logical, work, pipeline, bound, _groups(image))
    return texels.outgoing.copy()


def _groups(image: Image) -> tuple[int, int, int]:
    size = image.size
    return -(-size.width // _GROUP), -(-size.height // _GROUP), size.layers * size.samples


def _read_module(format: Format) -> SpirvModule:
    """The D3D shader, translated for the format of the buffer."""
    listing = _READ.format(kind=",".join([format.component] * 4), group=_GROUP)
    options = translate.Options(guards="off", formats={_BUFFER: format.name})
    return Shader(listing).module(options)


def _write_module(format: Format) -> SpirvModule:
    bindings = (
        Binding(_BUFFER, "typed_buffer", 0, 0, UNIFORM_TEXEL_BUFFER),
        Binding(_IMAGE, "texture", 0, 1, STORAGE_IMAGE, written=True),
    )
    interface = ShaderInterface((_GROUP, _GROUP, 1), bindings, features=_WRITE_FEATURES)
    return SpirvModule(_words(format.component), interface)


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


# --- the other shader ---------------------------------------------------------------------------

_MAGIC, _VERSION = 0x07230203, 0x00010300
_STORAGE, _SAMPLED = 2, 1  # OpTypeImage's "Sampled"
_DIM_2D, _DIM_BUFFER = 1, 5
_UNIFORM_CONSTANT, _INPUT = 0, 1
_SAMPLE = 64  # ImageOperands
_GLOBAL_INVOCATION_ID = 28

_OPS = {
    "MemoryModel": 14, "EntryPoint": 15, "ExecutionMode": 16, "Capability": 17,
    "TypeVoid": 19, "TypeBool": 20, "TypeInt": 21, "TypeFloat": 22, "TypeVector": 23,
    "TypeImage": 25, "TypePointer": 32, "TypeFunction": 33, "Function": 54, "FunctionEnd": 56,
    "Variable": 59, "Load": 61, "Decorate": 71, "CompositeConstruct": 80, "CompositeExtract": 81,
    "ImageFetch": 95, "ImageWrite": 99, "ImageQuerySize": 104, "ImageQuerySamples": 107,
    "IAdd": 128, "IMul": 132, "UDiv": 134, "UMod": 137, "LogicalAnd": 167, "ULessThan": 176,
    "SelectionMerge": 247, "Label": 248, "Branch": 249, "BranchConditional": 250, "Return": 253,
}  # fmt: skip
_CAPABILITIES = (1, 46, 27, 48, 50, 56)  # Shader, SampledBuffer, storage MS arrays, query, formats
_COMPONENTS = {"float": ("TypeFloat", 32), "uint": ("TypeInt", 32, 0), "sint": ("TypeInt", 32, 1)}

Operand = int | str  # a literal, or the name of a result


def _words(component: str) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """The module's words."""
    ids: dict[str, int] = {}
    words: list[int] = []
    for name, *operands in (*_header(), *_types(component), *_BODY):
        assert isinstance(name, str)
        encoded = [o if isinstance(o, int) else ids.setdefault(o, len(ids) + 1) for o in operands]
        words += [len(encoded) + 1 << 16 | _OPS[name], *encoded]
    return np.array([_MAGIC, _VERSION, 0, len(ids) + 1, 0, *words], np.uint32)


def _header() -> Sequence[tuple[Operand, ...]]:
    name = np.frombuffer(b"main\0\0\0\0", "<u4").tolist()
    return (
        *(("Capability", c) for c in _CAPABILITIES),
        ("MemoryModel", 0, 1),
        ("EntryPoint", 5, "main", *name, "thread"),
        ("ExecutionMode", "main", 17, _GROUP, _GROUP, 1),
        ("Decorate", "thread", 11, _GLOBAL_INVOCATION_ID),
        ("Decorate", "buffer", 34, 0), ("Decorate", "buffer", 33, 0),
        ("Decorate", "image", 34, 0), ("Decorate", "image", 33, 1),
    )  # fmt: skip


def _types(component: str) -> Sequence[tuple[Operand, ...]]:
    kind, *width = _COMPONENTS[component]
    scalar = "uint" if component == "uint" else "scalar"
    own = [] if component == "uint" else [(kind, scalar, *width)]
    return (
        ("TypeVoid", "void"), ("TypeFunction", "function", "void"), ("TypeBool", "bool"),
        ("TypeInt", "uint", 32, 0), *own,
        ("TypeVector", "vector", "uint", 3), ("TypeVector", "texel", scalar, 4),
        ("TypePointer", "vector*", _INPUT, "vector"), ("Variable", "vector*", "thread", _INPUT),
        ("TypeImage", "buffer type", scalar, _DIM_BUFFER, 0, 0, 0, _SAMPLED, 0),
        ("TypePointer", "buffer*", _UNIFORM_CONSTANT, "buffer type"),
        ("Variable", "buffer*", "buffer", _UNIFORM_CONSTANT),
        ("TypeImage", "image type", scalar, _DIM_2D, 0, 1, 1, _STORAGE, 0),
        ("TypePointer", "image*", _UNIFORM_CONSTANT, "image type"),
        ("Variable", "image*", "image", _UNIFORM_CONSTANT),
    )  # fmt: skip


# A thread copies one sample: z counts samples within layers.
_BODY: Sequence[tuple[Operand, ...]] = (
    ("Function", "void", "main", 0, "function"), ("Label", "start"),
    ("Load", "vector", "id", "thread"),
    ("Load", "buffer type", "texels", "buffer"), ("Load", "image type", "samples", "image"),
    ("ImageQuerySize", "vector", "size", "samples"),
    ("ImageQuerySamples", "uint", "count", "samples"),
    *(("CompositeExtract", "uint", axis, "id", n) for n, axis in enumerate("xyz")),
    ("CompositeExtract", "uint", "width", "size", 0),
    ("CompositeExtract", "uint", "height", "size", 1),
    ("UDiv", "uint", "layer", "z", "count"), ("UMod", "uint", "sample", "z", "count"),
    ("ULessThan", "bool", "x inside", "x", "width"),
    ("ULessThan", "bool", "y inside", "y", "height"),
    ("LogicalAnd", "bool", "inside", "x inside", "y inside"),
    ("SelectionMerge", "end", 0), ("BranchConditional", "inside", "copy", "end"),
    ("Label", "copy"),
    ("IMul", "uint", "rows", "layer", "height"), ("IAdd", "uint", "row", "rows", "y"),
    ("IMul", "uint", "before", "row", "width"), ("IAdd", "uint", "texel at", "before", "x"),
    ("IMul", "uint", "first", "texel at", "count"), ("IAdd", "uint", "at", "first", "sample"),
    ("CompositeConstruct", "vector", "place", "x", "y", "layer"),
    ("ImageFetch", "texel", "value", "texels", "at"),
    ("ImageWrite", "samples", "place", "value", _SAMPLE, "sample"),
    ("Branch", "end"), ("Label", "end"), ("Return",), ("FunctionEnd",),
)  # fmt: skip
