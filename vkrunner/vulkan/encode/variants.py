"""Variants: the pipelines of one shader, by formats, lengths of arrays, windows, samples.

A shader is translated once for each combination of the formats bound to its typed buffers and
textures, and of the lengths of its unbounded arrays. It is also translated for views that need
windows, and for constant buffers that are larger than the shader declares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from threading import RLock
from typing import Any

from translate import ShaderInterface, SpirvModule
from translate.dataclass import replace
from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER, TEXTURE, TYPED_BUFFER, Binding
from translate.options import INDEXING_FEATURES
from vkrunner.binding.arguments import (
    VECTOR_BYTES,
    ConstantRange,
    ImagePart,
    NullImage,
    Shown,
    TexelRange,
    Typed,
)
from vkrunner.binding.registers import COUNTER_SUFFIX
from vkrunner.errors import FormatError
from vkrunner.info.device_info import Tried
from vkrunner.info.faults import MIPS_OF_VIEWS
from vkrunner.resources.device_objects import next_token
from vkrunner.shader.cache.store import Recent
from vkrunner.shader.device_options import (
    check_device,
    check_workarounds,
    constants_for,
    module_for,
    packed,
)
from vkrunner.shader.shader import Shader
from vkrunner.values.formats import FORMATS, has_own_code
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.bind import needs_window
from vkrunner.vulkan.encode.descriptor import check_tables
from vkrunner.vulkan.encode.pipeline import Pipeline
from vkrunner.vulkan.objects.format_support import check_formats

# The register of a typed resource and the bound DXGI format, or one format for each element
Formats = dict[str, str | tuple[str, ...]]
Windows = tuple[str, ...]  # registers of views that need windows in wider descriptors
Singles = tuple[str, ...]  # registers of multisampled textures that have one sample
Lengths = tuple[tuple[str, int], ...]  # by register
Variant = tuple[tuple[tuple[str, str | tuple[str, ...]], ...], Lengths, Windows, Singles, Lengths]

_PLAIN: Variant = ((), (), (), (), ())

_MOST_PIPELINES = 256  # of one kernel; recorded work keeps its pipeline even if it is dropped here

# Features that a module needs for some formats and lengths
_BY_VARIANT = (
    *INDEXING_FEATURES,  # an array of known length needs none, unless it is long
    "storage_image_read_without_format",
    "storage_image_write_without_format",
    "storage_image_extended_formats",
    "runtime_descriptor_array",
)


class Variants:
    """A `DevicePipeline`: the pipelines of one kernel, each made when arguments first need it.

    A shader that needs the same pipeline for all arguments gets it at once, so that its first
    dispatch need not wait for the driver's compiler. That is no gain with a driver that compiles at
    the first dispatch; and lavapipe of Mesa 22.3 never frees all memory of a pipeline that is not
    dispatched.
    """

    def __init__(
        self, logical: LogicalDevice, shader: Shader, options: Mapping[str, Any], tried: Tried
    ):
        logical.context.check_open()
        self._logical = logical
        self.token = next_token()
        self._pipelines = Recent[Pipeline](_MOST_PIPELINES)
        self._making: dict[Variant, RLock] = {}  # held to make a pipeline, once
        self._shader = shader
        self.options, self._module = module_for(shader, options, logical.info, tried)
        self._tried = tried
        if self._is_finished and "size_tables" not in options:
            check_tables(logical, self._module.interface, tried.faults)
        if self._is_finished and "workarounds" not in options:
            check_workarounds(logical.info, self._module.interface, tried.faults)
        self.interface: ShaderInterface = self._module.interface
        has_textures = any(binding.kind == TEXTURE for binding in self.interface)
        # whether to copy views' mips before each dispatch
        self.copies_mips = has_textures and MIPS_OF_VIEWS in tried.faults({"textures"})
        self._make_first()

    def _make_first(self) -> None:
        """Make the pipeline if all arguments need the same; otherwise only check the device."""
        if not (self._has_variants or self._logical.compiles_late):
            pipeline = self._made(self._module)
            self._pipelines.put(_PLAIN, pipeline, 1)
            return
        features = self.interface.features
        if self._has_variants and not self._is_finished:
            features = tuple(name for name in features if name not in _BY_VARIANT)
        check_device(self._logical.info, replace(self.interface, features=features))

    @property
    def _is_finished(self) -> bool:
        """Whether the shader is a finished SPIR-V module, which cannot be translated again."""
        return self._shader.finished is not None

    @property
    def _has_variants(self) -> bool:
        """Whether other arguments may need another translation or another pipeline layout."""
        if any(binding.count == 0 for binding in self.interface):
            return True
        typed = any(binding.kind in (TYPED_BUFFER, TEXTURE) for binding in self.interface)
        return typed and not self._is_finished

    def pipeline(self, views: Sequence[Shown]) -> Pipeline:
        """The pipeline for these views: their formats, samples, windows and lengths of arrays."""
        lengths = Counter(v.binding.register for v in views if v.binding.count == 0)
        formats, singles = _formats(views), _singles(views)
        if formats:
            check_formats(self._logical, views)
        constants = _constant_lengths(views)
        if self._is_finished:
            _check_fixed(self.interface, formats, singles, constants)
            formats, singles = {}, ()
        windows = self._windows(views)
        variant = _PLAIN
        if self._has_variants or windows or constants:
            named = tuple(formats.items()), tuple(lengths.items())
            variant = (*named, windows, singles, tuple(constants.items()))
        found = self._pipelines.get(variant)
        if found is None:
            making = self._making.setdefault(variant, RLock())
            with making:
                found = self._pipelines.get(variant)  # another thread may have made it
                if found is None:
                    module = self._module
                    if variant != _PLAIN:
                        module = self._translated(formats, lengths, windows, singles, constants)
                    found = self._made(module)
                    self._pipelines.put(variant, found, 1)
            self._making.pop(variant, None)
        return found

    def _made(self, module: SpirvModule) -> Pipeline:
        constants = constants_for(module.interface, self._logical.info, self._tried)
        return Pipeline(self._logical, module, self.token, constants)

    def _windows(self, views: Sequence[Shown]) -> Windows:
        """The registers of views that need windows, but are not in `Options.windows`.

        A finished module gets none.
        """
        if self._is_finished:
            return ()
        asked = self.options.windows
        needed = {v.binding.register: None for v in views if needs_window(self._logical, v)}
        return tuple(register for register in needed if register not in asked)

    def _translated(
        self,
        formats: Formats,
        lengths: Mapping[str, int],
        windows: Windows,
        singles: Singles,
        constants: Mapping[str, int],
    ) -> SpirvModule:
        """The module for these formats and lengths. A finished module only gets another layout."""
        if self._is_finished:
            bindings = tuple(
                replace(b, count=lengths.get(b.register, b.count)) for b in self.interface
            )
            interface = replace(self.interface, bindings=bindings)
            return replace(self._module, interface=interface)
        uavs = {r: n for r, n in lengths.items() if not r.endswith(COUNTER_SUFFIX)}
        options = replace(
            self.options,
            formats=formats,
            array_lengths={**self.options.array_lengths, **uavs},
            constant_lengths={**self.options.constant_lengths, **constants},
            windows=self.options.windows | frozenset(windows),
            single_sample=self.options.single_sample | frozenset(singles),
        )
        if options == self.options:  # the caller gave the formats
            return self._module
        return packed(self._shader, options, self._logical.info)[1]


def _constant_lengths(views: Sequence[Shown]) -> dict[str, int]:
    """Register -> size in vectors, for bound constant buffers that are larger than declared.

    Sizes are rounded up to a power of two, so that there are few variants. Only buffers that the
    shader may read past the declared end are listed.
    """
    found: dict[str, int] = {}
    for view in views:
        binding, size = view.binding, view.size if isinstance(view, ConstantRange) else 0
        if binding.most_bytes is not None and size > (binding.size_bytes or 0):
            length = 1 << (-(-size // VECTOR_BYTES) - 1).bit_length()
            found[binding.register] = max(length, found.get(binding.register, 0))
    return found


def _formats(views: Sequence[Shown]) -> Formats:
    """Register -> format, for typed buffers and textures.

    An array has one format for each element if they differ. A null element takes the format of the
    first element that is not null, for fewer variants: a null descriptor reads zero in any format.
    """
    found: dict[str, list[tuple[str, bool]]] = {}
    for view in views:
        if isinstance(view, Typed):
            is_null = isinstance(view, NullImage) or (
                isinstance(view, TexelRange) and not view.size
            )
            found.setdefault(view.binding.register, []).append((view.format.name, is_null))
    formats: Formats = {}
    for register, names in found.items():
        first = next((name for name, is_null in names if not is_null), names[0][0])
        each = tuple(first if is_null else name for name, is_null in names)
        formats[register] = each if len(set(each)) > 1 else first
    return formats


def _singles(views: Sequence[Shown]) -> Singles:
    """The registers of multisampled textures that have one sample: Vulkan has no such images.

    The shader is translated to read them as images that are not multisampled.

    Raises ArgumentError for an array in which only some textures have one sample.
    """
    found: dict[str, set[bool]] = {}
    for view in views:
        if isinstance(view, ImagePart) and view.dimension.multisampled:
            has_one = view.layout.size.samples == 1
            found.setdefault(view.binding.register, set()).add(has_one)
    for register, kinds in found.items():
        if len(kinds) > 1:
            raise FormatError(
                f"{register} has textures of one sample beside others: Vulkan has no such arrays"
            )
    return tuple(register for register, kinds in found.items() if True in kinds)


def _check_fixed(
    interface: ShaderInterface,
    formats: Formats,
    singles: Singles,
    constants: Mapping[str, int],
) -> None:
    """Raise ArgumentError if a finished module was made for other arguments.

    These are other formats, more samples, or smaller constant buffers.
    """
    for register, length in constants.items():
        raise FormatError(
            f"the module has {register} with {interface[register].size_bytes} bytes, and may read"
            f" more: bind a view of them, or translate it with"
            f" Options(constant_lengths={{{register!r}: {length}}})"
        )
    if singles:
        raise FormatError(
            f"the module has {singles[0]} with several samples: translate it with"
            f" single_sample={{{singles[0]!r}}}"
        )
    for register, names in formats.items():
        wanted = interface[register].format
        for name in (names,) if isinstance(names, str) else names:
            if wanted not in (None, name):
                raise FormatError(f"the module has {register} as {wanted}, not {name}")
            if wanted is None and _has_own_code(interface[register], name):
                raise FormatError(
                    f"the module has {register} as any format, which {name} is not: translate it"
                    f" with Options(formats={{{register!r}: {name!r}}})"
                )


def _has_own_code(binding: Binding, name: str) -> bool:
    return has_own_code(
        FORMATS[name],
        storage=binding.descriptor_type in (STORAGE_IMAGE, STORAGE_TEXEL_BUFFER),
        buffer=binding.kind == TYPED_BUFFER,
        compared=bool(binding.comparison),
    )
