"""A program's declarations as records for the reference machine; its class instances.

This parses the declarations' operands and dwords independently of lowering, by the rows' field
names. Source: FS §22.3, §7.19; reference "Interfaces".
"""

from __future__ import annotations

from collections.abc import Mapping

from translate.dataclass import dataclass, field
from translate.errors import OptionError, ProgramError, Where, escaped, listed
from translate.interface import register_name
from translate.isa.instruction import SM51, Role
from translate.isa.registers import DIMENSIONS, RETURN_TYPES, Dimension, RegisterFile, ReturnType
from translate.linkage import Choice, ClassInstance, ClassInstances
from translate.program import Program, Statement

_BOUND = (
    RegisterFile.RESOURCE,
    RegisterFile.UAV,
    RegisterFile.CONSTANT_BUFFER,
    RegisterFile.SAMPLER,
)
_NO_END = 0xFFFFFFFF  # the last register of an unbounded range
_DIMENSION_SHIFT, _DIMENSION_MASK = 11, 31  # TPF, dcl_resource's token


@dataclass(frozen=True, slots=True)
class Slots:
    """Declared registers of t#, u#, cb# or s#, from `first` to `last`.

    Before cs_5_1, `first` and `last` are equal. `stride` is in bytes, 0 of raw buffers. `dimension`
    is None but for typed resources; `component` is the type that is read from these: float, uint or
    sint.
    """

    file: RegisterFile
    first: int
    last: int
    space: int = 0
    stride: int = 0
    dimension: Dimension | None = None
    component: str = "uint"

    @property
    def is_unbounded(self) -> bool:
        """Whether the range is unbounded."""
        return self.last == _NO_END

    def register(self, number: int) -> str:
        """The key of a register in Resources: `t3`, or `t3_space2`."""
        return register_name(self.file.prefix, number, self.space)


@dataclass(frozen=True, slots=True)
class SharedArray:
    """A g# of `size` bytes; `stride` is 0 for a raw one."""

    number: int
    size: int
    stride: int = 0


@dataclass(frozen=True, slots=True)
class IndexedArray:
    """An x# of `length` vectors with `components` each."""

    number: int
    length: int
    components: int


@dataclass(frozen=True, slots=True)
class InterfaceArray:
    """An fp#: `count` interface slots from `first_slot` on.

    `call_sites` is its number of methods; `tables` are the numbers of the ft# that it may call.
    """

    first_slot: int
    count: int
    call_sites: int
    tables: tuple[int, ...]


@dataclass(slots=True)
class Layout:
    """All declarations of a program. `slots` are by file and number (cs_5_1: the range's id).

    `changed` are those that the program stores to, or changes by atomics.
    """

    group: tuple[int, int, int] = (0, 0, 0)
    temps: int = 0
    slots: dict[tuple[RegisterFile, int], Slots] = field(
        default_factory=dict[tuple[RegisterFile, int], Slots]
    )
    shared: dict[int, SharedArray] = field(default_factory=dict[int, SharedArray])
    arrays: dict[int, IndexedArray] = field(default_factory=dict[int, IndexedArray])
    immediate_constants: tuple[int, ...] = ()
    tables: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    interfaces: dict[int, InterfaceArray] = field(default_factory=dict[int, InterfaceArray])
    changed: frozenset[tuple[RegisterFile, int]] = frozenset()

    @property
    def group_size(self) -> int:
        """The number of threads in a group."""
        x, y, z = self.group
        return x * y * z

    @property
    def shared_bytes(self) -> int:
        """The bytes of group-shared memory per group."""
        return sum(array.size for array in self.shared.values())


def read_layout(program: Program) -> Layout:
    """Parse every declaration. Raises TranslateError for an invalid one."""
    layout = Layout()
    for statement in program.statements:
        if statement.row.is_declaration:
            _declare(layout, statement, program.version >= SM51)
    layout.changed = frozenset(
        (operand.file, operand.number)
        for statement in program.statements
        for operand, spec in zip(statement.operands, statement.specs, strict=False)
        if spec.role is Role.TARGET and operand.file is RegisterFile.UAV
    )
    if not layout.group_size:
        raise ProgramError("the program has no dcl_thread_group, or an empty one")
    return layout


def _declare(layout: Layout, statement: Statement, ranges: bool) -> None:
    fields = _fields(statement, ranges)
    if statement.data:
        layout.immediate_constants = statement.data
    elif statement.operands:
        _declare_register(layout, statement, fields)
    elif "bodies" in fields:
        layout.tables[fields["number"]] = statement.extra[1:]
    elif "call_sites" in fields:
        _declare_interface(layout, statement.extra)
    elif "components" in fields:
        number, length, components = statement.extra
        layout.arrays[number] = IndexedArray(number, length, components)
    elif "x" in fields:
        if layout.group_size:
            raise ProgramError("dcl_thread_group is there twice", statement.where)
        layout.group = (fields["x"], fields["y"], fields["z"])
    elif "count" in fields:
        layout.temps = fields["count"]


def _fields(statement: Statement, ranges: bool) -> Mapping[str, int]:
    """The dwords after a declaration's operands, by the names in its row.

    Of a list of dwords only the first is included. `ranges`: the program is cs_5_1.
    """
    row = statement.row
    names = row.extras_51 if ranges and row.extras_51 is not None else row.extras
    return dict(zip(names, statement.extra, strict=False))


def _declare_register(layout: Layout, statement: Statement, fields: Mapping[str, int]) -> None:
    operand = statement.operands[0]
    if operand.file is RegisterFile.GROUP_SHARED:
        stride = fields.get("stride", 0)
        size = fields["size"] if "size" in fields else stride * fields["count"]
        layout.shared[operand.number] = SharedArray(operand.number, size, stride)
    elif operand.file in _BOUND:
        layout.slots[operand.file, operand.number] = _slots(statement, fields)


def _slots(statement: Statement, fields: Mapping[str, int]) -> Slots:
    operand = statement.operands[0]
    first = last = operand.number
    if len(operand.indices) == 3:  # cs_5_1: range id, first and last register
        first, last = operand.indices[1].base, operand.indices[2].base
    space = fields.get("space", 0)
    if "returns" not in fields:
        return Slots(operand.file, first, last, space, stride=fields.get("stride", 0))
    number = statement.controls >> _DIMENSION_SHIFT & _DIMENSION_MASK
    return Slots(
        operand.file,
        first,
        last,
        space,
        dimension=DIMENSIONS.get(number, Dimension.UNKNOWN),
        component=_component(fields["returns"]),
    )


def _component(returns: int) -> str:
    """The type of a texel, from its first component's return type: float, uint or sint.

    fxc declares tbuffers as mixed, and loads the bits of their variables.
    """
    kind = RETURN_TYPES.get(returns & 15)
    if kind is ReturnType.MIXED:
        return "uint"
    return kind.printed if kind in (ReturnType.UINT, ReturnType.SINT) else "float"


def _declare_interface(layout: Layout, extra: tuple[int, ...]) -> None:
    """Interfaces take consecutive slots in order of declaration (FS §22.3.50)."""
    number, call_sites, count, *tables = extra
    first = max((i.first_slot + i.count for i in layout.interfaces.values()), default=0)
    layout.interfaces[number] = InterfaceArray(first, count, call_sites, tuple(tables))


class Classes:
    """The class instance of every interface slot."""

    def __init__(self, program: Program, layout: Layout, chosen: ClassInstances):
        """Raises TranslateError for a choice with an unknown interface or instance."""
        self._layout = layout
        self._linkage = program.linkage
        self._slots: dict[int, ClassInstance] = {}
        names = _interface_slots(program)
        for name, choice in chosen.items():
            interface = self._interface(name, names)
            choices = [choice] if isinstance(choice, (str, ClassInstance)) else list(choice)
            if len(choices) != interface.count:
                raise OptionError(
                    f"{escaped(name)} takes {interface.count} class instances, found {len(choices)}"
                )
            for position, one in enumerate(choices):
                self._slots[interface.first_slot + position] = self._instance(one)

    def _interface(self, name: str, names: dict[str, int]) -> InterfaceArray:
        for number, interface in self._layout.interfaces.items():
            if name == f"fp{number}" or names.get(name) == interface.first_slot:
                return interface
        there = listed([*names] or [f"fp{n}" for n in self._layout.interfaces]) or "none"
        raise OptionError(f"no interface {name!r}; the shader has {there}")

    def _instance(self, choice: Choice) -> ClassInstance:
        if isinstance(choice, ClassInstance):
            return choice
        instance = self._linkage.instance(choice)
        if instance is None:
            there = listed(i.name for i in self._linkage.instances) or "none"
            raise OptionError(f"no class instance {choice!r}; the shader has {there}")
        return instance

    @property
    def slot_count(self) -> int:
        """The number of slots of all interfaces."""
        return sum(interface.count for interface in self._layout.interfaces.values())

    def this(self, slot: int, component: int) -> int:
        """A component of `this[slot]`: cb#, vector in it, first t#, first s#; 0 past the end."""
        if slot >= self.slot_count:
            return 0
        one = self._at(slot)
        return (one.constant_buffer, one.constant_offset, one.texture, one.sampler)[component]

    def elements(self, number: int, where: Where) -> int:
        """The number of elements of the fp# that `where` names. Raises TranslateError if none."""
        return self._declared(number, where).count

    def body(self, number: int, element: int, call_site: int, where: Where) -> str:
        """The label (`fb3`) of the function body that `fcall fp#[element][call_site]` runs."""
        interface = self._declared(number, where)
        if element >= interface.count or call_site >= interface.call_sites:
            message = f"fp{number} has no element {element}, call site {call_site}"
            raise ProgramError(message, where)
        slot = interface.first_slot + element
        instance = self._at(slot)
        table = instance.table
        if table is None:
            table = self._linkage.tables_of_slot(slot).get(instance.type_id, -1)
        if table not in interface.tables:
            raise OptionError(f"the class of {instance.name!r} does not implement fp{number}")
        bodies = self._layout.tables.get(table, ())
        if call_site >= len(bodies):
            raise ProgramError(f"ft{table} does not implement fp{number}", where)
        return f"fb{bodies[call_site]}"

    def _declared(self, number: int, where: Where) -> InterfaceArray:
        if number not in self._layout.interfaces:
            raise ProgramError(f"fp{number} is not declared", where)
        return self._layout.interfaces[number]

    def _at(self, slot: int) -> ClassInstance:
        if slot not in self._slots:
            raise OptionError(f"interface slot {slot} has no class instance")
        return self._slots[slot]


def _interface_slots(program: Program) -> dict[str, int]:
    """The first slot of each interface, by HLSL name."""
    if program.reflection is None:
        return {}
    pointers = program.reflection.buffer("$ThisPointer")
    return {v.name: v.offset for v in pointers.variables} if pointers else {}
