"""Memory: variables for resources, and accesses in bounds.

Storage buffers are `struct { uint data[]; }`, where a single index in dwords reaches everything, or
`data` has structures (`passes.guards.layout`). Constant buffers and other vectors are arrays of
vectors with their declared size; `pushes` has those that are push constants. g# is Workgroup
memory, x# is Function or Private memory, an icb is a constant Private array. Memory that mostly
holds floats is declared as floats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.errors import row_of
from translate.ir import ops, row
from translate.ir.memory import (
    BOUND,
    SHARED,
    Access,
    Addressing,
    Home,
    MemoryKind,
    Resource,
)
from translate.ir.tables import Start
from translate.ir.types import U32
from translate.ir.values import Value
from translate.spirv.code import (
    Code,
    Emitters,
    array_type,
    element_pointer,
    mark,
    require_indexing,
    split,
)
from translate.spirv.grammar import Decoration, MemorySemantics, Op, Scope, Std450, StorageClass
from translate.spirv.push_constants import PushConstants
from translate.spirv.sections import put

Bind = Callable[[str], tuple[int, int]]
_DWORD_BYTES = 4
_VECTOR_BYTES = 16
_RELAXED = 0

# Of memory that is accessed through pointers to its elements, except x#: `Memory.thread_class`
STORAGE_CLASSES: Mapping[MemoryKind, int] = {
    MemoryKind.RAW: StorageClass.StorageBuffer,
    MemoryKind.STRUCTURED: StorageClass.StorageBuffer,
    MemoryKind.SHARED_RAW: StorageClass.Workgroup,
    MemoryKind.SHARED_STRUCTURED: StorageClass.Workgroup,
    MemoryKind.CONSTANTS: StorageClass.Uniform,
    MemoryKind.IMMEDIATE_CONSTANTS: StorageClass.Private,
}
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
    """Declares variables at their first use, and emits accesses to them.

    `bind` returns the set and binding of a register. `coherent` are the UAVs with writes that other
    threads of the group must see. `thread_class` is the storage class of x#: Private if functions
    share it.
    """

    def __init__(
        self,
        code: Code,
        bind: Bind,
        coherent: frozenset[Resource],
        thread_class: int,
        pushes: PushConstants,
    ):
        self.code = code
        self.sections = code.sections
        self.layouts = code.tables.layouts
        self.bind = bind
        self.coherent = coherent
        self.thread_class = thread_class
        self.pushes = pushes
        self.variables: dict[str, int] = {}
        self._function_scope: set[str] = set()
        self._block_types: dict[tuple[object, ...], int] = {}

    def emitters(self) -> Emitters:
        """The emitter of each operation."""
        return {
            ops.LOAD_ELEMENT: self._load,
            ops.STORE_ELEMENT: self._store,
            ops.LOAD_VECTOR: self._load_vector,
            ops.STORE_VECTOR: self._store_vector,
            ops.ATOMIC_ELEMENT: self._atomic,
            ops.COUNTER_ADD: self._counter_add,
            ops.DWORD_COUNT: self._count,
            ops.STRUCTURE_COUNT: self._count,
            ops.BARRIER: self._barrier,
        }

    # --- variables -----------------------------------------------------------------------------

    def variable(self, resource: Resource) -> int:
        """The id of a resource's variable, which is declared at its first use."""
        number = self.variables.get(resource.register)
        if number is None:
            number = self._declare(resource)
            self.variables[resource.register] = number
            self.sections.name(number, self.sections.name_of(resource.register))
        return number

    def _declare(self, resource: Resource) -> int:
        kind = resource.kind
        if kind.addressing is not Addressing.ELEMENTS:
            bound = kind in BOUND
            return self._declare_storage(resource) if bound else self._declare_dwords(resource)
        declare = {
            Home.DESCRIPTOR: self._declare_constants,
            Home.PROGRAM: self._declare_immediate_constants,
            Home.THREAD: self._declare_indexable_temp,
        }[kind.home]
        return declare(resource)

    def descriptor(self, variable: int, register: str) -> int:
        """Decorate a variable with its descriptor set and binding; return the variable."""
        set_number, binding = self.bind(register)
        self.sections.decorate(variable, Decoration.DescriptorSet, set_number)
        self.sections.decorate(variable, Decoration.Binding, binding)
        return variable

    def opaque(self, resource: Resource, type_id: int) -> int:
        """The variable of an image or sampler; `type_id` is the type of one descriptor."""
        number = self.variables.get(resource.register)
        if number is None:
            kind = array_type(self.code, resource, type_id)
            number = self.sections.variable(StorageClass.UniformConstant, kind)
            if resource.is_uav:
                self.decorate_access(number, resource)
            self.descriptor(number, resource.register)
            self.sections.name(number, self.sections.name_of(resource.register))
            self.variables[resource.register] = number
        return number

    def _declare_storage(self, resource: Resource) -> int:
        kind = array_type(self.code, resource, self._storage_block(resource))
        variable = self.sections.variable(StorageClass.StorageBuffer, kind)
        self.decorate_access(variable, resource)
        return self.descriptor(variable, resource.register)

    def _declare_dwords(self, resource: Resource) -> int:
        storage_class = self._storage_class(resource.kind)
        return self.sections.variable(storage_class, self._dwords_array(resource))

    def _storage_class(self, kind: MemoryKind) -> int:
        if kind is MemoryKind.INDEXABLE_TEMP:
            return self.thread_class
        return row_of(STORAGE_CLASSES, kind, "STORAGE_CLASSES of translate/spirv/memory.py")

    def decorate_access(self, variable: int, resource: Resource) -> None:
        """Decorate a view's variable as read-only or coherent."""
        if not resource.is_uav:
            self.sections.decorate(variable, Decoration.NonWritable)
        elif resource in self.coherent:
            self.sections.decorate(variable, Decoration.Coherent)

    def _scalar(self, resource: Resource) -> int:
        """The type of a resource's dwords."""
        return self.code.type(self.layouts[resource].dword)

    def _vector(self, resource: Resource) -> int:
        return self.sections.vector(self._scalar(resource), self.layouts[resource].width)

    def _vector_bytes(self, resource: Resource) -> int:
        return _DWORD_BYTES * self.layouts[resource].width

    def _structure(self, resource: Resource) -> tuple[int, int, int]:
        """The vectors or dwords in a nested resource's structures: type, size in bytes, number."""
        if self.layouts[resource].vectors:
            size = self._vector_bytes(resource)
            return self._vector(resource), size, resource.stride // size
        return self._scalar(resource), _DWORD_BYTES, resource.stride // _DWORD_BYTES

    def _storage_block(self, resource: Resource) -> int:
        """`struct { T data[]; }`, shared by buffers with the same T (dwords or structures)."""
        if not self.layouts[resource].nested:
            return self._dwords_block(self._scalar(resource))
        part, size, count = self._structure(resource)
        key = (part, count)
        if key not in self._block_types:
            if count > 1:
                part = self.sections.unique_type(Op.TypeArray, part, self.sections.u32(count))
                self.sections.decorate(part, Decoration.ArrayStride, size)
            self._block_types[key] = self.sections.block(resource.stride, Op.TypeRuntimeArray, part)
        return self._block_types[key]

    def _dwords_block(self, scalar: int) -> int:
        key = (scalar, 0)
        if key not in self._block_types:
            self._block_types[key] = self.sections.block(_DWORD_BYTES, Op.TypeRuntimeArray, scalar)
        return self._block_types[key]

    def _dwords_array(self, resource: Resource) -> int:
        """`T data[length]`, of dwords or structures."""
        sections = self.sections
        if not self.layouts[resource].nested:
            dwords = resource.declared_bytes // _DWORD_BYTES
            return sections.array(self._scalar(resource), dwords)
        part, _, count = self._structure(resource)
        return sections.array(sections.array(part, count) if count > 1 else part, resource.length)

    def _vectors_block(self, resource: Resource) -> int:
        """`struct { vec4 data[length]; }`, shared by constant buffers of that size."""
        vector = self._vector(resource)
        key = (vector, -resource.length)
        if key not in self._block_types:
            count = self.sections.u32(resource.length)
            block = self.sections.block(_VECTOR_BYTES, Op.TypeArray, vector, count)
            self._block_types[key] = block
        return self._block_types[key]

    def _declare_constants(self, resource: Resource) -> int:
        block = array_type(self.code, resource, self._vectors_block(resource))
        variable = self.sections.variable(StorageClass.Uniform, block)
        return self.descriptor(variable, resource.register)

    def _declare_immediate_constants(self, resource: Resource) -> int:
        sections, declared = self.sections, resource.components
        element, size = self._element_type(resource), self.code.tables.components(resource)
        rows = (resource.contents[i : i + size] for i in range(0, len(resource.contents), declared))
        elements = [sections.u32(word) for row in rows for word in row]
        if size > 1:
            elements = [
                sections.constant(Op.ConstantComposite, element, *elements[i : i + size])
                for i in range(0, len(elements), size)
            ]
        array = sections.array(element, resource.length)
        contents = sections.constant(Op.ConstantComposite, array, *elements)
        return sections.variable(StorageClass.Private, array, contents)

    def _declare_indexable_temp(self, resource: Resource) -> int:
        """Declare an x#: with the guards' spare element unless `bounded`, and zeros if required."""
        sections = self.sections
        length = resource.length + (not self.layouts[resource].bounded)
        array = sections.array(self._element_type(resource), length)
        initial: list[int] = []
        if self.layouts[resource].start is Start.INITIALISER:
            initial = [sections.constant(Op.ConstantNull, array)]
        if self.thread_class == StorageClass.Private:
            return sections.variable(StorageClass.Private, array, *initial)
        pointer, number = sections.pointer(StorageClass.Function, array), sections.id()
        put(self.code.variables, Op.Variable, pointer, number, StorageClass.Function, *initial)
        self._function_scope.add(resource.register)
        return number

    def _element_type(self, resource: Resource) -> int:
        size = self.code.tables.components(resource)
        scalar = self._scalar(resource)
        return scalar if size == 1 else self.sections.vector(scalar, size)

    def _counter(self, resource: Resource) -> int:
        """The variable of a UAV's hidden counter."""
        register = f"{resource.register}.counter"
        number = self.variables.get(register)
        if number is None:
            kind = array_type(self.code, resource, self._dwords_block(self.sections.uint))
            number = self.sections.variable(StorageClass.StorageBuffer, kind)
            self.variables[register] = self.descriptor(number, register)
            self.sections.name(number, self.sections.name_of(register))
        return number

    def module_variables(self) -> list[int]:
        """All module-scope variables; since SPIR-V 1.4, entry points list them."""
        return [n for name, n in self.variables.items() if name not in self._function_scope]

    def module_variable(self, resource: Resource) -> int | None:
        """The module-scope variable of a resource, or None."""
        register = resource.register
        return None if register in self._function_scope else self.variables.get(register)

    # --- accesses ------------------------------------------------------------------------------

    def _pointer(self, access: Access, args: list[Value], descriptor: Value | None) -> int:
        """A pointer to an accessed dword in bounds; `args` begin with the address."""
        resource = access.resource
        is_vector = resource.kind.addressing is Addressing.ELEMENTS
        path = [self._index(resource, args[0])]
        if self.layouts[resource].nested:
            path += self._within(resource, args[1])
        elif is_vector and self.code.tables.components(resource) > 1:
            path.append(self.sections.u32(access.component))
        return self._chain(resource, self._scalar(resource), path, descriptor)

    def _index(self, resource: Resource, index: Value) -> int:
        """The id of an index in bounds.

        Mesa unrolls each loop whose own number is an index into an icb, however long the loop; UMin
        hides the number from it.
        """
        number = self.code.use(index)
        loop = row.CONSTRUCT.of(index) if index.op is ops.PARAM else None
        is_of_loop = isinstance(loop, Value) and loop.op is ops.LOOP
        if resource.kind.home is not Home.PROGRAM or not is_of_loop:
            return number
        last = self.sections.u32(resource.length - 1)
        return self.code.extended(Std450.UMin, self.code.type(U32), number, last)

    def _within(self, resource: Resource, dword: Value) -> list[int]:
        """The indices of a dword in a structure: its own, or its vector's and its component."""
        if not self.layouts[resource].vectors:
            return [self.code.use(dword)]
        vector, component = divmod(row.BITS.of(dword), self.layouts[resource].width)
        path = [self.sections.u32(vector)] if self._has_vectors(resource) else []
        return [*path, self.sections.u32(component)]

    def _has_vectors(self, resource: Resource) -> bool:
        """Whether a structure has several vectors, so that a path names one."""
        return resource.stride > self._vector_bytes(resource)

    def _vector_pointer(
        self, resource: Resource, args: list[Value], descriptor: Value | None
    ) -> int:
        """A pointer to a vector in a structure."""
        path = [self.code.use(args[0])]
        if self._has_vectors(resource):
            path.append(self.code.use(args[1]))
        return self._chain(resource, self._vector(resource), path, descriptor)

    def _chain(
        self, resource: Resource, kind: int, path: list[int], descriptor: Value | None
    ) -> int:
        """A pointer to a `kind` inside a resource; `path` has the ids of the indices."""
        if resource in self.pushes.offsets:
            path = [self.sections.u32(self.pushes.member(resource)), *path]
            variable, storage_class = self.pushes.variable(), StorageClass.PushConstant
            return self._chain_from(resource, variable, storage_class, kind, path, descriptor)
        variable, zero = self.variable(resource), self.sections.u32(0)
        if resource.kind in BOUND:  # a member of a block
            path = [zero, *path]
        storage_class = self._storage_class(resource.kind)
        return self._chain_from(resource, variable, storage_class, kind, path, descriptor)

    def _chain_from(
        self,
        resource: Resource,
        variable: int,
        storage_class: int,
        kind: int,
        path: list[int],
        descriptor: Value | None,
    ) -> int:
        if descriptor is not None:
            require_indexing(self.code, resource, descriptor)
            path = [self.code.use(descriptor), *path]
        pointer = self.sections.pointer(storage_class, kind)
        chain = self.code.instruct(Op.AccessChain, pointer, variable, *path)
        return mark(self.code, resource, descriptor, chain)

    def store_zero(self, array: Resource, index: int) -> None:
        """Store zeros in a whole element of an x#."""
        element = self._element_type(array)
        pointer = self._chain(array, element, [index], None)
        zero = self.sections.constant(Op.ConstantNull, element)
        self.code.effect(Op.Store, pointer, zero)

    def _load(self, value: Value) -> int:
        access = row.ACCESS.of(value)
        args, descriptor = split(value.args, access.resource)
        pointer = self._pointer(access, args, descriptor)
        number = self.code.instruct(Op.Load, self._scalar(access.resource), pointer)
        if access.resource.kind is MemoryKind.CONSTANTS and args[0].op is ops.CONST:
            self._name_constant(number, access.resource, row.BITS.of(args[0]), access.component)
        return number

    def _name_constant(self, number: int, resource: Resource, vector: int, component: int) -> None:
        """Name a value from a constant buffer as in the source."""
        names = self.sections.names_of_source
        name = names.constant(resource.register, 4 * vector + component)
        if name is not None:
            self.sections.name(number, name)

    def _store(self, value: Value) -> None:
        access = row.ACCESS.of(value)
        args, descriptor = split(value.args, access.resource)
        pointer = self._pointer(access, args, descriptor)
        self.code.effect(Op.Store, pointer, self.code.use(args[-1]))

    def _load_vector(self, value: Value) -> int:
        resource = row.VECTOR.of(value).resource
        pointer = self._vector_pointer(resource, *split(value.args, resource))
        loaded = self.code.instruct(Op.Load, self._vector(resource), pointer)
        if not self.layouts[resource].pairs:
            return loaded
        return self._shuffled(self.code.type(value.type), loaded, 0, 1, 0, 1)

    def _store_vector(self, value: Value) -> None:
        resource = row.VECTOR.of(value).resource
        args, descriptor = split(value.args, resource)
        pointer = self._vector_pointer(resource, args, descriptor)
        stored = self.code.use(args[-1])
        if self.layouts[resource].pairs:
            stored = self._shuffled(self._vector(resource), stored, 0, 1)
        self.code.effect(Op.Store, pointer, stored)

    def _shuffled(self, kind: int, vector: int, *components: int) -> int:
        return self.code.instruct(Op.VectorShuffle, kind, vector, vector, *components)

    def _atomic(self, value: Value) -> int:
        access = value.data
        assert isinstance(access, Access)
        resource = access.resource
        shared = resource.kind in SHARED
        args, descriptor = split(value.args, resource)
        pointer = self._pointer(access, args, descriptor)
        operands = [*map(self.code.use, args[2 if self.layouts[resource].nested else 1 :])]
        scope = Scope.Workgroup if shared else Scope.Device
        return self.atomic(access.operation, self.code.type(U32), pointer, scope, operands)

    def atomic(
        self, operation: str, type_id: int, pointer: int, scope: int, operands: list[int]
    ) -> int:
        """A relaxed atomic, as in D3D: only `sync` orders memory (FS §7.14)."""
        scope_id, relaxed = self.sections.u32(scope), self.sections.u32(_RELAXED)
        arguments = [scope_id, relaxed, *operands]
        if operation == "cmp_exch":
            compare, new = operands
            arguments = [scope_id, relaxed, relaxed, new, compare]
        return self.code.instruct(_ATOMICS[operation], type_id, pointer, *arguments)

    def _counter_add(self, value: Value) -> int:
        zero, resource = self.sections.u32(0), row.RESOURCE.of(value)
        assert isinstance(resource, Resource)
        args, descriptor = split(value.args, resource)
        pointer = self._chain_from(
            resource,
            self._counter(resource),
            StorageClass.StorageBuffer,
            self.sections.uint,
            [zero, zero],
            descriptor,
        )
        operands = [*map(self.code.use, args)]
        return self.atomic("iadd", self.code.type(U32), pointer, Scope.Device, operands)

    def _count(self, value: Value) -> int:
        """The number of dwords or structures in a view."""
        resource = row.RESOURCE.of(value)
        return self._length(value, self.variable(resource), self._storage_block(resource))

    def counter_size(self, value: Value) -> int:
        """The number of dwords in a hidden counter's descriptor: 1, or 0 for a null one."""
        block = self._dwords_block(self.sections.uint)
        return self._length(value, self._counter(row.RESOURCE.of(value)), block)

    def _length(self, value: Value, variable: int, block: int) -> int:
        """OpArrayLength of `variable`, or of the buffer in that array that `value` selects."""
        resource = row.RESOURCE.of(value)
        _, descriptor = split(value.args, resource)
        storage_class = StorageClass.StorageBuffer
        pointer = element_pointer(self.code, resource, storage_class, block, variable, descriptor)
        return self.code.instruct(Op.ArrayLength, self.code.type(U32), pointer, 0)

    def _barrier(self, value: Value) -> None:
        barrier = row.BARRIER.of(value)
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
