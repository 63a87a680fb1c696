"""The effect of declarations on a module: the `lower` functions of their rows. Source: FS §22.3.

A function takes the module, the declared operand (or None) and the declaration's fields: the row's
extras and controls by name, and the token's bits as `controls`. It returns the declared resource,
or None.
"""

from __future__ import annotations

from collections.abc import Mapping

from translate.dataclass import replace
from translate.errors import ProgramError, UnsupportedError
from translate.interface import register_name
from translate.ir.memory import MAX_VECTORS, MemoryKind, Resource
from translate.ir.values import Interface, Module
from translate.isa.registers import (
    DIMENSIONS,
    RETURN_TYPES,
    SAMPLER_MODES,
    Dimension,
    Operand,
    ReturnType,
    SamplerMode,
)


class Fields(dict[str, int]):
    """A declaration's extra dwords and control fields by name.

    `extra` has all extra dwords in order, `data` the contents of an icb.
    """

    def __init__(self, named: Mapping[str, int], data: tuple[int, ...], extra: tuple[int, ...]):
        super().__init__(named)
        self.data = data
        self.extra = extra


COMPONENTS: dict[ReturnType | None, str] = {
    ReturnType.UINT: "uint",
    ReturnType.SINT: "sint",
    ReturnType.FLOAT: "float",
    ReturnType.UNORM: "float",
    ReturnType.SNORM: "float",
    ReturnType.MIXED: "uint",  # fxc's tbuffers: loads give bits
}
_UNBOUNDED = 0xFFFFFFFF
MAX_STRIDE = 2048  # bytes; FS §5.3.10
MAX_THREADS = 1024  # in a group; FS §18.6.3
MAX_GROUP_SHARED = 32768  # bytes; FS §18.6.6


def _range(register: Operand) -> tuple[int, int]:
    """The first register and the number of registers, which is 0 for an unbounded range.

    In cs_5_1 the operand is (range id, lower, upper); an unbounded range has all ones as `upper`.
    """
    if len(register.indices) < 3:
        return register.number, 1
    _, lower, upper = (index.base for index in register.indices)
    if upper == _UNBOUNDED:
        return lower, 0
    if upper < lower:
        raise ProgramError(f"a range from {lower} to {upper} is empty")
    return lower, upper - lower + 1


def _resource(kind: MemoryKind, register: Operand | None, fields: Fields) -> Resource:
    assert register is not None
    number, count = _range(register)
    space = fields.get("space", 0)
    name = register_name(register.file.prefix, number, space)
    coherent = bool(fields.get("glc", 0))
    return Resource(name, kind, number, space=space, globally_coherent=coherent, count=count)


def _stride(fields: Fields) -> int:
    stride = fields["stride"]
    if stride == 0 or stride % 4 or stride > MAX_STRIDE:
        message = f"a stride must be a multiple of 4 from 4 to {MAX_STRIDE}, not {stride}"
        raise ProgramError(message)
    return stride


def resource_raw(module: Module, register: Operand | None, fields: Fields) -> Resource:
    return _resource(MemoryKind.RAW, register, fields)


def resource_structured(module: Module, register: Operand | None, fields: Fields) -> Resource:
    return replace(_resource(MemoryKind.STRUCTURED, register, fields), stride=_stride(fields))


def uav_raw(module: Module, register: Operand | None, fields: Fields) -> Resource:
    return replace(_resource(MemoryKind.RAW, register, fields), is_uav=True)


def uav_structured(module: Module, register: Operand | None, fields: Fields) -> Resource:
    stride = _stride(fields)
    return replace(_resource(MemoryKind.STRUCTURED, register, fields), is_uav=True, stride=stride)


def _component(returns: int) -> str:
    """The component type that a typed resource's first return type makes: float, uint or sint."""
    kind = RETURN_TYPES.get(returns & 15)
    if kind not in COMPONENTS:
        raise UnsupportedError(f"return type {kind.printed if kind else returns & 15}")
    return COMPONENTS[kind]


_NOT_TYPED = (Dimension.UNKNOWN, Dimension.RAW_BUFFER, Dimension.STRUCTURED_BUFFER)


def _typed(register: Operand | None, fields: Fields, *, is_uav: bool) -> Resource:
    controls = fields["controls"]
    dimension = DIMENSIONS.get(controls >> 11 & 31, Dimension.UNKNOWN)
    shape = dimension.shape
    if dimension in _NOT_TYPED:
        raise ProgramError(f"a typed resource cannot be a {dimension.printed}")
    if fields["returns"] & 15 == ReturnType.MIXED.number and (is_uav or not shape.is_buffer):
        raise UnsupportedError(f"return type mixed of a {dimension.printed} that is no tbuffer")
    if is_uav and (shape.cube or shape.multisampled):  # not in D3D11_UAV_DIMENSION
        raise ProgramError(f"a UAV cannot be a {dimension.printed}")
    return replace(
        _resource(MemoryKind.TYPED, register, fields),
        is_uav=is_uav,
        dimension=dimension.printed,
        shape=shape,
        component=_component(fields["returns"]),
    )


def resource_typed(module: Module, register: Operand | None, fields: Fields) -> Resource:
    return _typed(register, fields, is_uav=False)


def uav_typed(module: Module, register: Operand | None, fields: Fields) -> Resource:
    return _typed(register, fields, is_uav=True)


def sampler(module: Module, register: Operand | None, fields: Fields) -> Resource:
    mode = SAMPLER_MODES.get(fields["controls"] >> 11 & 15, SamplerMode.DEFAULT)
    comparison = mode is SamplerMode.COMPARISON
    return replace(_resource(MemoryKind.SAMPLER, register, fields), comparison=comparison)


def constant_buffer(module: Module, register: Operand | None, fields: Fields) -> Resource:
    """Declare cb#. Its size in 16-byte vectors is the second index, or in cs_5_1 a separate dword.

    A size of 0 means that it is unknown (FS §22.3.3).
    """
    assert register is not None
    if "size" not in fields and len(register.indices) < 2:
        raise ProgramError("a constant buffer is declared with its number and its size")
    size = fields["size"] if "size" in fields else register.indices[1].base
    if size > MAX_VECTORS:
        raise ProgramError(f"a constant buffer has at most {MAX_VECTORS} vectors, not {size}")
    made = _resource(MemoryKind.CONSTANTS, register, fields)
    return replace(made, length=size) if size else replace(made, length=MAX_VECTORS, declared=0)


def immediate_constant_buffer(module: Module, register: Operand | None, fields: Fields) -> Resource:
    data = fields.data
    if not data or len(data) % 4 or len(data) > 4 * MAX_VECTORS:
        raise ProgramError(f"an icb has 1 to {MAX_VECTORS} vectors of four dwords")
    kind = MemoryKind.IMMEDIATE_CONSTANTS
    return Resource("icb", kind, -1, length=len(data) // 4, contents=data)


def tgsm_raw(module: Module, register: Operand | None, fields: Fields) -> Resource:
    size = fields["size"]
    if size == 0 or size % 4 or size > MAX_GROUP_SHARED:
        raise ProgramError(f"g# has 4 to {MAX_GROUP_SHARED} bytes in steps of 4, not {size}")
    return replace(_resource(MemoryKind.SHARED_RAW, register, fields), length=size)


def tgsm_structured(module: Module, register: Operand | None, fields: Fields) -> Resource:
    stride, count = fields["stride"], fields["count"]
    if not stride or stride % 4 or not count or stride * count > MAX_GROUP_SHARED:
        raise ProgramError(
            f"g# has at most {MAX_GROUP_SHARED} bytes in structures of a multiple of 4, "
            f"not {count} of {stride}"
        )
    kind = MemoryKind.SHARED_STRUCTURED
    return replace(_resource(kind, register, fields), stride=stride, length=count)


def indexable_temp(module: Module, register: Operand | None, fields: Fields) -> Resource:
    number, length, components = fields["number"], fields["length"], fields["components"]
    if not 1 <= components <= 4 or not 1 <= length <= MAX_VECTORS:
        raise ProgramError(f"x{number}[{length}], {components} is not an indexable temporary")
    kind = MemoryKind.INDEXABLE_TEMP
    return Resource(f"x{number}", kind, number, length=length, components=components)


def temps(module: Module, register: Operand | None, fields: Fields) -> None:
    if fields["count"] > MAX_VECTORS:
        raise ProgramError(f"at most {MAX_VECTORS} temporaries, not {fields['count']}")
    if module.temp_count:
        raise ProgramError("the temporaries are declared twice")
    module.temp_count = fields["count"]


def thread_group(module: Module, register: Operand | None, fields: Fields) -> None:
    x, y, z = fields["x"], fields["y"], fields["z"]
    if not (1 <= x <= 1024 and 1 <= y <= 1024 and 1 <= z <= 64 and x * y * z <= MAX_THREADS):
        raise ProgramError(
            f"a thread group of {x} x {y} x {z}: D3D allows 1 to 1024 threads in x "
            f"and y, 1 to 64 in z, and {MAX_THREADS} in a group"
        )
    if any(module.thread_group):
        raise ProgramError("the thread group is declared twice")
    module.thread_group = (x, y, z)


def nothing(module: Module, register: Operand | None, fields: Fields) -> None:
    """A declaration without effect on the code (`dcl_input`)."""


def function_table(module: Module, register: Operand | None, fields: Fields) -> None:
    """Declare ft#, the list of the function bodies (fb#) of a class's methods."""
    number, *bodies = fields.extra
    module.function_tables[number] = tuple(bodies)


def interface(module: Module, register: Operand | None, fields: Fields) -> None:
    """Declare fp#, an array of interfaces; each element takes the next interface slot."""
    number, call_sites, count, *tables = fields.extra
    if number in module.interfaces:
        raise ProgramError(f"fp{number} is declared twice")
    last = next(reversed(module.interfaces.values()), None)
    first = last.first_slot + last.count if last else 0
    module.interfaces[number] = Interface(first, count, call_sites, tuple(tables))
