"""Dynamic linkage: `fcall` and `this` under the chosen class instances. Source: FS §7.19, §22.3.50.

The instances are chosen before translation, so a call through an interface calls a known body. Only
an index into an array of interfaces is evaluated at run time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from translate.errors import OptionError, ProgramError, Where
from translate.ir.builder import Builder
from translate.ir.tables import Interface
from translate.ir.values import Module, Value
from translate.linkage import Choice, ClassInstance, ClassInstances
from translate.program import Program
from translate.reflection import Reflection


class Instances:
    """The chosen class instance for each interface slot."""

    def __init__(self, program: Program, module: Module, chosen: ClassInstances):
        self.module = module
        self.linkage = program.linkage
        self.names = _interface_names(program.reflection)
        self.slots: dict[int, ClassInstance] = {}
        for name, choice in chosen.items():
            self._choose(name, choice)

    def _choose(self, name: str, choice: Choice | Sequence[Choice]) -> None:
        interface = self._interface(name)
        choices = [choice] if isinstance(choice, (str, ClassInstance)) else list(choice)
        if len(choices) != interface.count:
            raise OptionError(
                f"{name} takes {interface.count} class instances, found {len(choices)}"
            )
        for position, one in enumerate(choices):
            self.slots[interface.first_slot + position] = self._instance(one)

    def _interface(self, name: str) -> Interface:
        slot = self.names.get(name)
        for number, interface in self.module.interfaces.items():
            if name == f"fp{number}" or interface.first_slot == slot:
                return interface
        there = ", ".join([*self.names] or [f"fp{n}" for n in self.module.interfaces]) or "none"
        raise OptionError(f"no interface {name!r}; the shader has {there}")

    def _instance(self, choice: Choice) -> ClassInstance:
        if isinstance(choice, ClassInstance):
            return choice
        instance = self.linkage.instance(choice)
        if instance is None:
            there = ", ".join(i.name for i in self.linkage.instances) or "none"
            raise OptionError(f"no class instance {choice!r}; the shader has {there}")
        return instance

    def at(self, slot: int) -> ClassInstance:
        """The instance chosen for a slot. Raises TranslateError if none is chosen."""
        if slot not in self.slots:
            name = next((n for n, first in self.names.items() if first == slot), None)
            what = f"interface {name}" if name else f"interface slot {slot}"
            there = ", ".join(i.name for i in self.linkage.instances) or "ClassInstance records"
            raise OptionError(
                f"{what} has no class instance: choose one by --class-instance, or class_instances"
                f" in Python, of {there}"
            )
        return self.slots[slot]

    def declared(self, number: int, where: Where) -> Interface:
        """The array of interfaces fp#, which a call at `where` names."""
        interface = self.module.interfaces.get(number)
        if interface is None:
            raise ProgramError(f"fp{number} is not declared", where)
        return interface

    def body(self, number: int, element: int, call_site: int, where: Where) -> str:
        """The name (fb#) of the body that the call of fp#[element][call_site] at `where` runs."""
        interface = self.declared(number, where)
        if element >= interface.count or call_site >= interface.call_sites:
            message = f"fp{number} has no element {element}, call site {call_site}"
            raise ProgramError(message, where)
        table = self._table(interface, interface.first_slot + element)
        if table not in interface.tables:
            raise OptionError(f"ft{table} does not implement fp{number}")
        bodies = self.module.function_tables.get(table, ())
        if call_site >= len(bodies):
            raise ProgramError(f"ft{table} does not implement fp{number}", where)
        return f"fb{bodies[call_site]}"

    def _table(self, interface: Interface, slot: int) -> int:
        instance = self.at(slot)
        if instance.table is not None:
            return instance.table
        tables = self.linkage.tables_of_slot(slot)
        if instance.type_id not in tables:
            raise OptionError(f"the class of {instance.name} does not implement that interface")
        return tables[instance.type_id]

    def this(self, slot: int, component: int) -> int:
        """A component of `this[slot]`: number of the cb#, vector in it, first t#, first s#."""
        one = self.at(slot)
        return (one.constant_buffer, one.constant_offset, one.texture, one.sampler)[component]


def _interface_names(reflection: Reflection | None) -> Mapping[str, int]:
    """The first slot of each interface, by its HLSL name."""
    if reflection is None:
        return {}
    return {
        variable.name: variable.offset
        for buffer in reflection.buffers
        if buffer.name == "$ThisPointer"
        for variable in buffer.variables
    }


def choose_dynamically(b: Builder, index: Value, choices: list[int]) -> Value:
    """`choices[index]`, 0 past the end."""
    result = b.u32(0)
    for position, number in enumerate(choices):
        result = b.select(b.ieq(index, b.u32(position)), b.u32(number), result)
    return result
