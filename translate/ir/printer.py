"""The IR as text, which `ir.parser` reads back: one value a line, blocks indented.

%4: bool = ult %1, %3
if %4 {
  store_element %1, %2 (u0.0)
  yield
} else {
  yield
}

docs/ir.md has the grammar.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.errors import NOWHERE, Where, render_caret
from translate.ir import ops, row
from translate.ir.memory import Resource, resources_of
from translate.ir.reader import constant_text
from translate.ir.spelling import Names, write_attribute, write_record, write_resource, write_value
from translate.ir.types import VOID
from translate.ir.values import ONE_THREAD, Block, Module, Value

_INDENT = "  "


def print_module(module: Module, locations: bool = False) -> str:
    """A module as text, with or without the places in its source."""
    printer = _Printer(module, locations)
    printer.module_text()
    return "\n".join(printer.lines) + "\n"


def placed_lines(module: Module) -> list[tuple[str, Where]]:
    """The lines of a module's text, each with its value's place; NOWHERE for declarations."""
    printer = _Printer(module, False)
    printer.module_text()
    places = {line: value.where for value, line in printer.line_of.items()}
    return [(text, places.get(line, NOWHERE)) for line, text in enumerate(printer.lines)]


def excerpt(module: Module, value: Value) -> str:
    """The line of a value in the module's text, with carets below it; '' if it has none."""
    printer = _Printer(module, False)
    printer.module_text()
    line = printer.line_of.get(value)
    if line is None:
        return ""
    text = printer.lines[line]
    column = len(text) - len(text.lstrip()) + 1
    return render_caret(Where(line=line + 1, column=column, length=len(text)), text)


def undeclared(module: Module) -> list[Resource]:
    """The resources that passes have added to the declared ones, in order of their use."""
    found = dict.fromkeys(module.written_marks.values())
    if module.report is not None:
        found[module.report.buffer] = None
    if module.message_buffer is not None:
        found[module.message_buffer] = None
    for value in module.walk():
        found.update(dict.fromkeys(resources_of(value.data)))
    declared = set(module.resources)
    return [resource for resource in found if resource not in declared]


class _Printer:
    def __init__(self, module: Module, locations: bool):
        self.module = module
        self.locations = locations
        self.lines: list[str] = []
        self.names = Names()
        self.values: dict[Value, str] = {}
        self.line_of: dict[Value, int] = {}

    def module_text(self) -> None:
        self._head()
        self._function("main", self.module.body)
        for name, body in self.module.functions.items():
            self._function(name, body)
        if self.locations:
            for where, number in self.names.numbers.items():
                self.lines.append(f"@{number} {write_record(where, self.names)}")

    def _head(self) -> None:
        module, names = self.module, self.names
        after = f" after {module.after}" if module.after else ""
        self.lines.append(f"module {module.profile}{after}{self._place(module.where, NOWHERE)}")
        if module.thread_group != ONE_THREAD:
            self.lines.append("thread_group " + " ".join(map(str, module.thread_group)))
        if module.flags:
            self.lines.append("flags " + " ".join(sorted(module.flags)))
        if module.exposed:
            self.lines.append("exposed " + " ".join(sorted(module.exposed)))
        if module.temp_count:
            self.lines.append(f"temps {module.temp_count}")
        self._resources()
        for number, table in module.function_tables.items():
            self.lines.append(f"table {number} {write_value(table, names)}")
        for number, interface in module.interfaces.items():
            self.lines.append(f"interface {number} {write_record(interface, names)}")
        without = () if self.locations else ("where",)
        for message in module.messages:
            self.lines.append(f"message {write_record(message, names, without)}")
        if self.locations:
            self.lines += [f"site {write_record(site, names)}" for site in module.sites]

    def _resources(self) -> None:
        for resource in self.module.resources:
            self.lines.append(f"resource {self._resource(resource)}")
        for resource in undeclared(self.module):
            self.lines.append(f"internal {self._resource(resource)}")
        for resource, marks in self.module.written_marks.items():
            self.lines.append(f"marks {resource} {marks}")
        report = self.module.report
        if report is not None:
            self.lines.append(f"report {report.buffer} {report.first_count}")
        if self.module.message_buffer is not None:
            self.lines.append(f"message_buffer {self.module.message_buffer}")
        for resource, word in report.shortfalls.items() if report else ():
            self.lines.append(f"shortfall {resource} {word}")

    def _resource(self, resource: Resource) -> str:
        return write_resource(resource, self.module.tables, self.names)

    def _function(self, name: str, body: Block) -> None:
        self.lines.append(f"function {name} {{")
        self._block(body, 1)
        self.lines.append("}")

    def _block(self, block: Block, depth: int) -> None:
        for value in block.values:
            self._value(value, depth)

    def _name(self, value: Value) -> str:
        if value.op is ops.CONST:
            return constant_text(value)
        return self.values.setdefault(value, f"%{len(self.values)}")

    def _place(self, where: Where, outer: Where) -> str:
        """The text of a place, ` @3`; '' without locations, or if `where` equals `outer`."""
        if not self.locations or where == outer:
            return ""
        return f" @{self.names.number(where)}"

    def _value(self, value: Value, depth: int) -> None:
        pad = _INDENT * depth
        self.line_of[value] = len(self.lines)
        text = " ".join(filter(None, (value.op.name, ", ".join(map(self._name, value.args)))))
        attribute = write_attribute(value, self.names)
        text += f" ({attribute})" if attribute else ""
        text += self._place(value.where, NOWHERE)
        head = "" if value.type is VOID else f"{self._name(value)}: {value.type.text} = "
        if not value.blocks:
            self.lines.append(f"{pad}{head}{text}")
            return
        for position, inner in enumerate(value.blocks):
            opening = f"{head}{text} " if position == 0 else "} "
            self.lines.append(f"{pad}{opening}{self._label(value, position)}{{")
            self._block(inner, depth + 1)
        results = f" -> {self._merged(value, value.results)}" if value.results else ""
        self.lines.append(f"{pad}}}{results}")

    def _merged(self, construct: Value, values: Sequence[Value]) -> str:
        """The declarations of a block's parameters or a construct's results."""
        return ", ".join(
            f"{self._name(v)}: {v.type.text}{self._place(v.where, construct.where)}" for v in values
        )

    def _label(self, value: Value, position: int) -> str:
        params = self._merged(value, value.blocks[position].params)
        given = f"({params}) " if params else ""
        if value.op is ops.SWITCH:
            cases = row.CASES.of(value) if isinstance(value.data, tuple) else ()
            case = cases[position] if position < len(cases) else ()
            labels = ", ".join("default" if c is None else str(c) for c in case)
            return f"case {labels} {given}"
        return f"else {given}" if value.op is ops.IF and position == 1 else given
