"""Typed resources: image types, fetches, reads, writes, atomics and sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir import ops
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.types import TEXELS, U32
from translate.ir.values import Value
from translate.spirv.code import Code
from translate.spirv.formats import image_format, is_extended
from translate.spirv.grammar import Capability, Dim, ImageFormat, Op, Scope, StorageClass
from translate.spirv.memory import Memory

_SAMPLED, _STORAGE = 1, 2  # OpTypeImage's "Sampled"
_ATOMIC_FORMATS = {"uint": ImageFormat.R32ui, "sint": ImageFormat.R32i}


class Images:
    """Declares image variables in `memory` and writes accesses to them."""

    def __init__(self, code: Code, memory: Memory):
        self.code = code
        self.sections = code.sections
        self.memory = memory
        self.types: dict[Resource, int] = {}
        self.emitters: Mapping[ops.Op, Callable[[Value], int | None]] = {
            ops.LOAD_TEXEL: self._load,
            ops.STORE_TEXEL: self._store,
            ops.ATOMIC_TEXEL: self._atomic,
            ops.TEXEL_COUNT: self._size,
        }

    def _scalar(self, resource: Resource) -> int:
        return self.sections.texel_scalar(TEXELS[resource.component])

    def _format(self, resource: Resource) -> int:
        """The declared format; Unknown needs the device's without-format features."""
        if not resource.is_uav:
            return ImageFormat.Unknown
        if resource.atomic:
            return _ATOMIC_FORMATS[resource.component]
        number = image_format(resource.format)
        if is_extended(number):
            self.sections.capabilities.add(Capability.StorageImageExtendedFormats)
        if number == ImageFormat.Unknown and resource.read:
            self.sections.capabilities.add(Capability.StorageImageReadWithoutFormat)
        if number == ImageFormat.Unknown and resource.written:
            self.sections.capabilities.add(Capability.StorageImageWriteWithoutFormat)
        return number

    def _type(self, resource: Resource) -> int:
        number = self.types.get(resource)
        if number is None:
            storage = resource.is_uav
            self.sections.capabilities.add(
                Capability.ImageBuffer if storage else Capability.SampledBuffer
            )
            number = self.types[resource] = self.sections.type(
                Op.TypeImage, self._scalar(resource), Dim.Buffer, 0, 0, 0,
                _STORAGE if storage else _SAMPLED, self._format(resource),
            )  # fmt: skip
        return number

    def _variable(self, resource: Resource) -> int:
        assert resource.kind is MemoryKind.TYPED
        known = self.memory.variables.get(resource.register)
        if known is not None:
            return known
        image = self._type(resource)
        variable = self.sections.variable(StorageClass.UniformConstant, image)
        if resource.is_uav:
            self.memory.decorate_access(variable, resource)
        self.memory.descriptor(variable, resource.register)
        self.sections.name(variable, resource.register)
        self.memory.variables[resource.register] = variable
        return variable

    def _image(self, resource: Resource) -> int:
        variable = self._variable(resource)
        return self.code.instruct(Op.Load, self._type(resource), variable)

    def _coordinates(self, values: list[Value]) -> int:
        ids = self.code.uses(values)
        if len(ids) == 1:
            return ids[0]
        vector = self.sections.vector(self.sections.uint, len(ids))
        return self.code.instruct(Op.CompositeConstruct, vector, *ids)

    def _load(self, value: Value) -> int:
        access: Access = value.data
        image = self._image(access.resource)
        coordinates = self._coordinates(value.args)
        op = Op.ImageRead if access.resource.is_uav else Op.ImageFetch
        return self.code.instruct(op, self.code.type(value.type), image, coordinates)

    def _store(self, value: Value) -> None:
        access: Access = value.data
        image = self._image(access.resource)
        coordinates = self._coordinates(value.args[:-1])
        self.code.effect(Op.ImageWrite, image, coordinates, self.code.use(value.args[-1]))

    def _atomic(self, value: Value) -> int:
        access: Access = value.data
        resource, scalar = access.resource, self._scalar(access.resource)
        count = access.address_count
        coordinates = self._coordinates(value.args[:count])
        pointer_type = self.sections.pointer(StorageClass.Image, scalar)
        pointer = self.code.instruct(
            Op.ImageTexelPointer, pointer_type, self._variable(resource), coordinates,
            self.sections.u32(0),
        )  # fmt: skip
        operands = [self._cast(scalar, v) for v in self.code.uses(value.args[count:])]
        old = self.memory.atomic(access.operation, scalar, pointer, Scope.Device, operands)
        return self._cast_back(scalar, old)

    def _cast(self, scalar: int, number: int) -> int:
        same = scalar == self.sections.uint
        return number if same else self.code.instruct(Op.Bitcast, scalar, number)

    def _cast_back(self, scalar: int, number: int) -> int:
        uint = self.code.type(U32)
        return number if scalar == uint else self.code.instruct(Op.Bitcast, uint, number)

    def _size(self, value: Value) -> int:
        self.sections.capabilities.add(Capability.ImageQuery)
        image = self._image(value.data)
        return self.code.instruct(Op.ImageQuerySize, self.code.type(U32), image)
