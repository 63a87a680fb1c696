"""Dynamic linkage: the function bodies of `fcall` and the values of `this`, by class instances.

Source: FS §7.19, §22.3.49-50; reference "Interfaces".
"""

from __future__ import annotations

from translate.errors import OptionError
from translate.linkage import Choice, ClassInstance, ClassInstances
from translate.program import Program
from translate.reference.layout import InterfaceArray, Layout


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
                    f"{name} takes {interface.count} class instances, found {len(choices)}"
                )
            for position, one in enumerate(choices):
                self._slots[interface.first_slot + position] = self._instance(one)

    def _interface(self, name: str, names: dict[str, int]) -> InterfaceArray:
        for number, interface in self._layout.interfaces.items():
            if name == f"fp{number}" or names.get(name) == interface.first_slot:
                return interface
        there = ", ".join([*names] or [f"fp{n}" for n in self._layout.interfaces]) or "none"
        raise OptionError(f"no interface {name!r}; the shader has {there}")

    def _instance(self, choice: Choice) -> ClassInstance:
        if isinstance(choice, ClassInstance):
            return choice
        instance = self._linkage.instance(choice)
        if instance is None:
            there = ", ".join(i.name for i in self._linkage.instances) or "none"
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

    def elements(self, number: int) -> int:
        """The number of elements of an fp#. Raises TranslateError for an undeclared one."""
        return self._declared(number).count

    def body(self, number: int, element: int, call_site: int) -> str:
        """The label (`fb3`) of the function body that `fcall fp#[element][call_site]` runs."""
        interface = self._declared(number)
        if element >= interface.count or call_site >= interface.call_sites:
            raise OptionError(f"fp{number} has no element {element}, call site {call_site}")
        slot = interface.first_slot + element
        instance = self._at(slot)
        table = instance.table
        if table is None:
            table = self._linkage.tables_of_slot(slot).get(instance.type_id, -1)
        bodies = self._layout.tables.get(table, ())
        if table not in interface.tables or call_site >= len(bodies):
            raise OptionError(f"the class of {instance.name!r} does not implement fp{number}")
        return f"fb{bodies[call_site]}"

    def _declared(self, number: int) -> InterfaceArray:
        if number not in self._layout.interfaces:
            raise OptionError(f"fp{number} is not declared")
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
