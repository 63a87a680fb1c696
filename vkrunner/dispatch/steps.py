"""Steps: dispatches, copies and fills with checked arguments, the same for every backend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from translate.dataclass import dataclass, field, replace
from translate.interface import Binding, ShaderInterface, line_of
from vkrunner.binding.arguments import Argument, ArrayArgument, Place, ResidentArgument
from vkrunner.binding.constants import changed, constant_bytes, has_any_size
from vkrunner.binding.registers import find
from vkrunner.dispatch.groups import Groups, Indirect
from vkrunner.errors import (
    FormatError,
    InvalidValueError,
    MissingError,
    OverlapError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.report.page import ExplainedKernel, ReportedDispatch, sizes_of
from vkrunner.resources.buffers import (
    Buffer,
    BufferView,
    counter_of,
    range_of,
)
from vkrunner.resources.device_objects import DeviceChild, DevicePipeline, counter_value, object_of
from vkrunner.resources.textures import Texture, TextureView, check_texels, first_mip_of, layout_of
from vkrunner.values.numbers import Array, as_array, as_numbers, check_numbers

SOURCE = "source"  # the name of a copy's array in replacements
_PATTERN_BYTES = (1, 2, 4)


@dataclass(frozen=True, slots=True, eq=False)
class Replaceable:
    """An array that a submission may replace by another one of the same dtype and shape.

    The array of a constant buffer may be replaced by any value of the same size,
    which is checked when it is written.
    """

    label: str
    array: Array
    binding: Binding | None = None  # None for the source of a copy

    def check(self, value: Any) -> Any:
        """The replacement: the value, or an array made of it. Raises ArgumentError."""
        binding = self.binding
        if binding is not None and binding.has_variables:
            self._check_size(binding, value)
            return value
        ours: Array = self.array
        found = value if type(value) is np.ndarray else as_array(value, self.label)
        if binding is not None and found.dtype == np.bool_:
            found = as_numbers(binding, found)
        if found.dtype.newbyteorder("=") != ours.dtype or found.shape != ours.shape:
            raise ShapeError(
                f"{self.label} was recorded with an array of {ours.dtype}{list(ours.shape)}, and"
                f" takes no other: not {found.dtype}{list(found.shape)}"
            )
        return found

    def _check_size(self, binding: Binding, value: Any) -> None:
        """Raise ArgumentError for another size, if results depend on a constant buffer's size."""
        if not has_any_size(binding):
            return
        ours, found = self.array.nbytes, constant_bytes(binding, value, self.label).nbytes
        if found != ours:
            raise ShapeError(
                f"{self.label} was recorded with {ours} bytes, and takes no other: not {found}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class DispatchStep:
    """A dispatch with checked arguments.

    `name` and `interface` are the kernel's; at most `message_capacity` messages are kept.
    `explained` has the page for its violations; None if it has no report, or no page.
    """

    name: str
    kernel: DeviceChild[DevicePipeline]
    interface: ShaderInterface
    groups: Groups | Indirect
    arguments: Sequence[Argument]
    message_capacity: int
    explained: ExplainedKernel | None
    _known: dict[str, tuple[Place, Replaceable]] = field(
        default_factory=dict[str, tuple[Place, Replaceable]]
    )

    def __repr__(self) -> str:
        return line_of(self, repr(self.name), f"groups {self.groups}")

    @property
    def pipeline(self) -> Any:
        """The backend's object for the kernel. Raises ArgumentError if the kernel is closed."""
        return object_of(self.kernel)

    @property
    def needs(self) -> list[DeviceChild[Any]]:
        """The device objects that the step uses."""
        found = [a.resource for a in self.arguments if isinstance(a, ResidentArgument)]
        indirect = [self.groups.buffer] if isinstance(self.groups, Indirect) else []
        return [self.kernel, *found, *indirect]

    def reported_dispatch(self) -> ReportedDispatch | None:
        """The dispatch for the page of its report, if it has one."""
        if self.explained is None:
            return None
        threads = None
        if not isinstance(self.groups, Indirect):
            sizes = zip(self.groups, self.interface.thread_group, strict=True)
            x, y, z = (groups * size for groups, size in sizes)
            threads = x, y, z
        shares_memory = self.interface.shared_memory_bytes > 0
        return ReportedDispatch(self.explained, threads, sizes_of(self.arguments), shares_memory)

    def replaceable(self, name: str) -> tuple[Place, Replaceable]:
        """The place and the recorded array for a register or HLSL name.

        Raises ArgumentError if it was recorded with a resource, or without a value.
        """
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._find(name)
        return found

    def _find(self, name: str) -> tuple[Place, Replaceable]:
        binding, element = find(self.interface, name)
        place = binding.register, element or 0
        for argument in self.arguments:
            if argument.shown.place != place or not isinstance(argument, ArrayArgument):
                continue
            if argument.is_moved:
                return place, Replaceable(binding.label, argument.array, binding)
        raise UnknownNameError(f"{binding.label} was not recorded with an array: it stays bound")

    def with_copies(self) -> DispatchStep:
        """The same dispatch with copies of its arrays."""
        copies: list[Argument] = [
            a.copied() if isinstance(a, ArrayArgument) else a for a in self.arguments
        ]
        return replace(self, arguments=copies)


@dataclass(frozen=True, slots=True, eq=False)
class BufferRegion:
    """`nbytes` of a buffer from byte `first` on."""

    buffer: Buffer
    first: int
    nbytes: int

    @property
    def on_device(self) -> Any:
        """The backend's object for the buffer. Raises ArgumentError if the buffer is closed."""
        return object_of(self.buffer)


@dataclass(frozen=True, slots=True, eq=False)
class TextureRegion:
    """The mips and slices of a texture that a step copies; just one mip if it copies an array."""

    view: TextureView

    @property
    def on_device(self) -> Any:
        """The backend's object for the texture. Raises ArgumentError if the texture is closed."""
        return object_of(self.view.texture)

    @property
    def nbytes(self) -> int:
        shape = self.view.shape
        return int(np.prod(shape, dtype=np.int64)) * self.view.texture.dtype.itemsize


Region = BufferRegion | TextureRegion


@dataclass(frozen=True, slots=True, eq=False)
class CopyStep:
    """A copy to `target` from an array, or from a region of the same kind: buffer or texture."""

    source: Region | Array
    target: Region

    @property
    def needs(self) -> list[DeviceChild[Any]]:
        """The device objects that the step uses."""
        ends = (self.source, self.target)
        buffers = [end.buffer for end in ends if isinstance(end, BufferRegion)]
        return [*buffers, *(e.view.texture for e in ends if isinstance(e, TextureRegion))]

    def replaceable(self, name: str) -> tuple[Place, Replaceable]:
        """The place and the array of the source. Raises ArgumentError if it is not an array."""
        if name != SOURCE or isinstance(self.source, (BufferRegion, TextureRegion)):
            raise UnknownNameError(f"a copy has no array {name!r} to be replaced")
        return (SOURCE, 0), Replaceable("the source of a copy", self.source)


@dataclass(frozen=True, slots=True, eq=False)
class FillStep:
    """Fills a region with a repeated dword."""

    region: BufferRegion
    dword: int

    @property
    def needs(self) -> list[DeviceChild[Any]]:
        """The device objects that the step uses."""
        return [self.region.buffer]

    def replaceable(self, name: str) -> tuple[Place, Replaceable]:
        raise UnknownNameError(f"a clear has no array {name!r} to be replaced")


Step = DispatchStep | CopyStep | FillStep
Updates = Mapping[Any, Mapping[str, Any]]


def copy_step(source: Any, target: Any) -> CopyStep:
    """See `Recording.copy`."""
    to = _region(target)
    if isinstance(source, (Buffer, BufferView, Texture, TextureView)):
        origin = _region(source)
        _check_pair(origin, to)
        return CopyStep(origin, to)
    array = as_array(source, "the source of a copy")
    if isinstance(to, TextureRegion):
        to = TextureRegion(first_mip_of(to.view))
        if to.view.texture.samples > 1:
            raise FormatError("multisampled textures are not copied to: write() fills them")
    if array.nbytes != to.nbytes:
        sizes = f"the target has {to.nbytes} bytes, the array {array.nbytes}"
        raise ShapeError(f"{sizes}: they must be equal")
    if isinstance(to, TextureRegion):
        check_texels(to.view, array)
    else:
        check_numbers(to.buffer.dtype, array, "the target")
    return CopyStep(array.copy(), to)


def clear_step(target: Any, value: Any) -> CopyStep | FillStep:
    """See `Recording.clear`."""
    region = _region(target)
    if isinstance(region, TextureRegion):
        view = first_mip_of(region.view)
        return copy_step(_texels(view, value), view)
    pattern = _pattern(region.buffer.dtype, value)
    end = region.first + region.nbytes
    if region.first % 4 or (end % 4 and end < region.buffer.nbytes):
        raise InvalidValueError("what is cleared begins and ends at a multiple of 4 bytes")
    whole = BufferRegion(region.buffer, region.first, -(-end // 4) * 4 - region.first)
    return FillStep(whole, pattern)


def counter_step(buffer: Any, value: int) -> FillStep:
    """See `Recording.set_counter`."""
    counter = _hidden_counter(buffer)
    return FillStep(BufferRegion(counter, 0, counter.nbytes), counter_value(value))


def counter_copy_step(buffer: Any, target: Any) -> CopyStep:
    """See `Recording.copy_counter`."""
    return copy_step(_hidden_counter(buffer), target)


def _hidden_counter(buffer: Any) -> Buffer:
    counter = counter_of(buffer) if isinstance(buffer, Buffer) else None
    if counter is None:
        raise MissingError("no buffer with a counter: make it by device.buffer(..., counter=0)")
    return counter


def _texels(view: TextureView, value: Any) -> Array:
    """An array of a view's shape from one value, or from one value for each component."""
    dtype = view.texture.dtype
    one = _converted(value, dtype, f"a texture of {dtype}")
    try:
        return np.array(np.broadcast_to(one, view.shape))
    except ValueError:
        raise ShapeError(f"{value!r} does not fit texels of {list(view.shape)}") from None


def _pattern(dtype: np.dtype[Any], value: Any) -> int:
    """The dword whose repetition fills a buffer of a dtype with a value."""
    if dtype.itemsize in _PATTERN_BYTES and dtype.names is None:
        one = _converted(value, dtype, f"a buffer of {dtype}")
        if one.shape:
            raise WrongTypeError(f"a buffer is cleared to one number, not to {value!r}")
        return int(np.full(4 // dtype.itemsize, one).view(np.uint32)[0])
    if isinstance(value, (int, float)) and value == 0:
        return 0
    raise WrongTypeError(f"a buffer of {dtype} is cleared to 0 only: copy an array to it")


def _converted(value: Any, dtype: np.dtype[Any], what: str) -> Array:
    """A value as an array of a dtype. Raises ArgumentError if the dtype cannot hold its numbers."""
    try:
        given: Array = np.asarray(value)
    except ValueError:  # sequences of unequal length
        given = np.empty(0, object)
    if given.dtype.kind not in "biuf":
        raise WrongTypeError(f"{what} is cleared to numbers, not to {value!r}")
    with np.errstate(over="ignore", invalid="ignore"):
        made = given.astype(dtype)
    if changed(given, made).any():
        raise WrongTypeError(f"{what} cannot hold {value!r}")
    return made


def _region(value: Any) -> Region:
    """The resource to copy or clear. Raises ArgumentError unless it is on the device."""
    if isinstance(value, Texture):
        value = value.view()
    if isinstance(value, TextureView):
        return TextureRegion(value)
    if isinstance(value, Buffer):
        return BufferRegion(value, 0, value.nbytes)
    if isinstance(value, BufferView):
        return BufferRegion(value.buffer, *range_of(value, value.buffer.dtype.itemsize))
    kind = type(value).__name__
    raise WrongTypeError(f"a buffer or a texture that stays on the device is needed, not a {kind}")


def _check_pair(source: Region, target: Region) -> None:
    """Raise ArgumentError unless one region can be copied to the other."""
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        if source.nbytes != target.nbytes:
            raise ShapeError(f"the target has {target.nbytes} bytes, the source {source.nbytes}")
        spans = sorted((r.first, r.first + r.nbytes) for r in (source, target))
        if source.buffer is target.buffer and spans[0][1] > spans[1][0]:
            raise OverlapError("source and target overlap")
        return
    if not (isinstance(source, TextureRegion) and isinstance(target, TextureRegion)):
        raise WrongTypeError("a buffer is copied to a buffer, a texture to a texture")
    _check_textures(source.view, target.view)


def _check_textures(source: TextureView, target: TextureView) -> None:
    looks = [_looks(view) for view in (source, target)]
    if looks[0] != looks[1]:
        raise FormatError(f"the textures differ: {looks[0]} is copied to {looks[1]}")
    if source.texture is target.texture and source.part.meets(target.part):
        raise OverlapError("source and target overlap")


def _looks(view: TextureView) -> tuple[str, list[Sequence[int]], int]:
    """The properties that source and target of a copy share: format, extents, layers, samples."""
    size, part = layout_of(view.texture).size, view.part
    extents: list[Sequence[int]] = [size.part_extent(part, mip) for mip in part.mips]
    return view.texture.format, [(*extent, part.num_layers) for extent in extents], size.samples
