"""Memory: variables for resources, and accesses that are known to lie in bounds.

Storage buffers are `struct { uint data[]; }`, so that one index in dwords reaches everything;
constant buffers and other vectors are arrays of uvec4 of their declared size. g# is workgroup
memory, x# the function's, an icb a constant array of the invocation's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir import ops
from translate.ir.memory import SHARED, VIEWS, Access, Barrier, MemoryKind, Resource
from translate.ir.types import U32
from translate.ir.values import Value
from translate.spirv.arrays import array_type, element_pointer, mark, require_indexing, split
from translate.spirv.code import Code
from translate.spirv.grammar import Decoration, MemorySemantics, Op, Scope, StorageClass
from translate.spirv.sections import put

Bind = Callable[[str], tuple[int, int]]
_VECTOR_BYTES = 16
_RELAXED = 0

_ATOMICS: Mapping[str, int] = {
    "iand": Op.AtomicAnd,
    "ior": Op.AtomicOr,
    "ixor": Op.AtomicXor,
    "iadd": Op.AtomicIAdd,
    "smax": Op.AtomicSMax,
    "smin": Op.AtomicSMin,
    "umax": Op.AtomicUMax,
    "umin": Op.AtomicUMin,
    "exch": Op.AtomicExchange,
    "cmp_exch": Op.AtomicCompareExchange,
}


class Memory:
    """Declares variables when they are first used, and writes accesses to them.

    `bind` gives set and binding of a register; `coherent` the UAVs whose writes other threads of
    the group have to see; `thread_class` is the storage class of x#, Private where functions share
    it.
    """

    def __init__(self, code: Code, bind: Bind, coherent: frozenset[Resource], thread_class: int):
        self.code = code
        self.sections = code.sections
        self.bind = bind
        self.coherent = coherent
        self.thread_class = thread_class
        self.variables: dict[str, int] = {}
        self._function_scope: set[str] = set()
        self._block_types: dict[int, int] = {}
        self.emitters: Mapping[ops.Op, Callable[[Value], int | None]] = {
            ops.LOAD_ELEMENT: self._load,
            ops.STORE_ELEMENT: self._store,
            ops.ATOMIC_ELEMENT: self._atomic,
            ops.COUNTER_ADD: self._counter_add,
            ops.DWORD_COUNT: self._dword_count,
            ops.BARRIER: self._barrier,
        }

    # --- variables -----------------------------------------------------------------------------

    def variable(self, resource: Resource) -> int:
        """The variable that stands for a resource."""
        number = self.variables.get(resource.register)
        if number is None:
            number = self._declare(resource)
            self.variables[resource.register] = number
            self.sections.name(number, resource.register)
        return number

    def _declare(self, resource: Resource) -> int:
        kind = resource.kind
        if kind in VIEWS:
            return self._declare_storage(resource)
        if kind is MemoryKind.CONSTANTS:
            return self._declare_constants(resource)
        if kind in SHARED:
            dwords = resource.length * max(resource.stride, 1) // 4
            return self.sections.variable(
                StorageClass.Workgroup, self.sections.array(self.sections.uint, dwords)
            )
        if kind is MemoryKind.IMMEDIATE_CONSTANTS:
            return self._declare_immediate_constants(resource)
        assert kind is MemoryKind.INDEXABLE_TEMP
        return self._declare_indexable_temp(resource)

    def descriptor(self, variable: int, register: str) -> int:
        """Give a variable its set and binding."""
        set_number, binding = self.bind(register)
        self.sections.decorate(variable, Decoration.DescriptorSet, set_number)
        self.sections.decorate(variable, Decoration.Binding, binding)
        return variable

    def opaque(self, resource: Resource, type_id: int) -> int:
        """The variable of an image or a sampler."""
        number = self.variables.get(resource.register)
        if number is None:
            kind = array_type(self.code, resource, type_id)
            number = self.sections.variable(StorageClass.UniformConstant, kind)
            if resource.is_uav:
                self.decorate_access(number, resource)
            self.descriptor(number, resource.register)
            self.sections.name(number, resource.register)
            self.variables[resource.register] = number
        return number

    def _declare_storage(self, resource: Resource) -> int:
        kind = array_type(self.code, resource, self._dwords_block())
        variable = self.sections.variable(StorageClass.StorageBuffer, kind)
        self.decorate_access(variable, resource)
        return self.descriptor(variable, resource.register)

    def decorate_access(self, variable: int, resource: Resource) -> None:
        """What a view's variable says about reading, writing and who sees the writes."""
        if not resource.is_uav:
            self.sections.decorate(variable, Decoration.NonWritable)
        elif resource in self.coherent:
            self.sections.decorate(variable, Decoration.Coherent)

    def _dwords_block(self) -> int:
        """`struct { uint data[]; }`, shared by all storage buffers."""
        if 0 not in self._block_types:
            array = self.sections.unique_type(Op.TypeRuntimeArray, self.sections.uint)
            self._block_types[0] = self._block(array, 4)
        return self._block_types[0]

    def _vectors_block(self, length: int) -> int:
        """`struct { uvec4 data[length]; }`, shared by the constant buffers of that size."""
        if length not in self._block_types:
            vector = self.sections.vector(self.sections.uint, 4)
            count = self.sections.u32(length)
            array = self.sections.unique_type(Op.TypeArray, vector, count)
            self._block_types[length] = self._block(array, _VECTOR_BYTES)
        return self._block_types[length]

    def _block(self, array: int, stride: int) -> int:
        self.sections.decorate(array, Decoration.ArrayStride, stride)
        block = self.sections.unique_type(Op.TypeStruct, array)
        self.sections.decorate(block, Decoration.Block)
        self.sections.decorate_member(block, 0, Decoration.Offset, 0)
        return block

    def _declare_constants(self, resource: Resource) -> int:
        block = array_type(self.code, resource, self._vectors_block(resource.length))
        variable = self.sections.variable(StorageClass.Uniform, block)
        return self.descriptor(variable, resource.register)

    def _declare_immediate_constants(self, resource: Resource) -> int:
        sections = self.sections
        vector = sections.vector(sections.uint, 4)
        words = [sections.u32(word) for word in resource.contents]
        vectors = [
            sections.constant(Op.ConstantComposite, vector, *words[i : i + 4])
            for i in range(0, len(words), 4)
        ]
        array = sections.array(vector, resource.length)
        contents = sections.constant(Op.ConstantComposite, array, *vectors)
        return sections.variable(StorageClass.Private, array, contents)

    def _declare_indexable_temp(self, resource: Resource) -> int:
        """Zeroed, since D3D leaves its first contents open; with the spare element of `bounds`."""
        sections = self.sections
        array = sections.array(self._element_type(resource), resource.length + 1)
        zero = sections.constant(Op.ConstantNull, array)
        if self.thread_class == StorageClass.Private:
            return sections.variable(StorageClass.Private, array, zero)
        pointer, number = sections.pointer(StorageClass.Function, array), sections.id()
        put(self.code.variables, Op.Variable, pointer, number, StorageClass.Function, zero)
        self._function_scope.add(resource.register)
        return number

    def _element_type(self, resource: Resource) -> int:
        if resource.components == 1:
            return self.sections.uint
        return self.sections.vector(self.sections.uint, resource.components)

    def _counter(self, resource: Resource) -> int:
        """The variable of a UAV's hidden counter."""
        register = f"{resource.register}.counter"
        number = self.variables.get(register)
        if number is None:
            kind = array_type(self.code, resource, self._dwords_block())
            number = self.sections.variable(StorageClass.StorageBuffer, kind)
            self.variables[register] = self.descriptor(number, register)
            self.sections.name(number, register)
        return number

    def module_variables(self) -> list[int]:
        """All variables at module scope, which entry points list from SPIR-V 1.4 on."""
        return [n for name, n in self.variables.items() if name not in self._function_scope]

    # --- accesses ------------------------------------------------------------------------------

    def _pointer(self, access: Access, index: Value, descriptor: Value | None) -> int:
        """A pointer to the dword that an access in bounds touches."""
        resource, kind = access.resource, access.resource.kind
        variable, zero = self.variable(resource), self.sections.u32(0)
        path = [self.code.use(index)]
        storage_class = StorageClass.StorageBuffer
        if kind in SHARED:
            storage_class = StorageClass.Workgroup
        elif kind in VIEWS:
            path.insert(0, zero)
        else:
            storage_class = self._vector_class(kind)
            if resource.components > 1:
                path.append(self.sections.u32(access.component))
            if kind is MemoryKind.CONSTANTS:
                path.insert(0, zero)
        return self._chain(resource, storage_class, variable, path, descriptor)

    def _vector_class(self, kind: MemoryKind) -> int:
        if kind is MemoryKind.INDEXABLE_TEMP:
            return self.thread_class
        return StorageClass.Uniform if kind is MemoryKind.CONSTANTS else StorageClass.Private

    def _chain(
        self,
        resource: Resource,
        storage_class: int,
        variable: int,
        path: list[int],
        descriptor: Value | None,
    ) -> int:
        if descriptor is not None:
            require_indexing(self.code, resource, descriptor)
            path = [self.code.use(descriptor), *path]
        pointer = self.sections.pointer(storage_class, self.sections.uint)
        return mark(
            self.code, resource, self.code.instruct(Op.AccessChain, pointer, variable, *path)
        )

    def _load(self, value: Value) -> int:
        access: Access = value.data
        args, descriptor = split(value, access.resource)
        pointer = self._pointer(access, args[0], descriptor)
        return self.code.instruct(Op.Load, self.code.type(U32), pointer)

    def _store(self, value: Value) -> None:
        access: Access = value.data
        args, descriptor = split(value, access.resource)
        pointer = self._pointer(access, args[0], descriptor)
        self.code.effect(Op.Store, pointer, self.code.use(args[1]))

    def _atomic(self, value: Value) -> int:
        access: Access = value.data
        shared = access.resource.kind in SHARED
        args, descriptor = split(value, access.resource)
        pointer = self._pointer(access, args[0], descriptor)
        operands = self.code.uses(args[1:])
        scope = Scope.Workgroup if shared else Scope.Device
        return self.atomic(access.operation, self.code.type(U32), pointer, scope, operands)

    def atomic(
        self, operation: str, type_id: int, pointer: int, scope: int, operands: list[int]
    ) -> int:
        """A relaxed atomic, as D3D's are: only `sync` orders memory (FS §7.14)."""
        scope_id, relaxed = self.sections.u32(scope), self.sections.u32(_RELAXED)
        arguments = [scope_id, relaxed, *operands]
        if operation == "cmp_exch":
            compare, new = operands
            arguments = [scope_id, relaxed, relaxed, new, compare]
        return self.code.instruct(_ATOMICS[operation], type_id, pointer, *arguments)

    def _counter_add(self, value: Value) -> int:
        zero, resource = self.sections.u32(0), value.data
        assert isinstance(resource, Resource)
        args, descriptor = split(value, resource)
        variable, storage_class = self._counter(resource), StorageClass.StorageBuffer
        pointer = self._chain(resource, storage_class, variable, [zero, zero], descriptor)
        operands = self.code.uses(args)
        return self.atomic("iadd", self.code.type(U32), pointer, Scope.Device, operands)

    def _dword_count(self, value: Value) -> int:
        resource: Resource = value.data
        _, descriptor = split(value, resource)
        pointer = self.variable(resource)
        if descriptor is not None:
            pointer = element_pointer(
                self.code,
                resource,
                StorageClass.StorageBuffer,
                self._dwords_block(),
                pointer,
                descriptor,
            )
        return self.code.instruct(Op.ArrayLength, self.code.type(U32), pointer, 0)

    def _barrier(self, value: Value) -> None:
        barrier: Barrier = value.data
        semantics = 0
        if barrier.shared_memory:
            semantics |= MemorySemantics.WorkgroupMemory
        if barrier.uav_memory:
            semantics |= MemorySemantics.UniformMemory | MemorySemantics.ImageMemory
        if semantics:
            semantics |= MemorySemantics.AcquireRelease
        scope = self.sections.u32(Scope.Device if barrier.device_scope else Scope.Workgroup)
        if barrier.threads:
            workgroup = self.sections.u32(Scope.Workgroup)
            self.code.effect(Op.ControlBarrier, workgroup, scope, self.sections.u32(semantics))
        elif semantics:
            self.code.effect(Op.MemoryBarrier, scope, self.sections.u32(semantics))
