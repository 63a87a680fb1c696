"""The IR as text, for review and for errors: one value a line, blocks indented.

%4 = ult %1, %3
if %4 {
  store_element %1, %2 (u0.0)
  yield
} else {
  yield
}
"""

from __future__ import annotations

import struct
from typing import cast

from translate.errors import Where, render_caret
from translate.ir import ops
from translate.ir.memory import Access, Resource
from translate.ir.types import BOOL, F32, F64, VOID
from translate.ir.values import Block, Module, Value

Cases = tuple[tuple[int | None, ...], ...]
_INDENT = "  "


def print_module(module: Module) -> str:
    """A module: its facts, its resources, its code."""
    return "\n".join(_lines(module).lines) + "\n"


def excerpt(module: Module, value: Value) -> str:
    """The line of a value in the module's text, with carets below it; '' if it has none."""
    printer = _lines(module)
    line = printer.line_of.get(value)
    if line is None:
        return ""
    text = printer.lines[line]
    column = len(text) - len(text.lstrip()) + 1
    return render_caret(Where(line=line + 1, column=column, length=len(text)), text)


def _lines(module: Module) -> _Printer:
    x, y, z = module.thread_group
    lines = [f"{module.profile} thread_group {x} {y} {z}"]
    lines += [f"resource {_resource(resource)}" for resource in module.resources]
    printer = _Printer(lines)
    printer.block(module.body, 1)
    for name, body in module.functions.items():
        lines.append(f"function {name}")
        printer.block(body, 1)
    return printer


def _resource(resource: Resource) -> str:
    facts = [resource.register, resource.kind.name.lower()]
    facts += [f"{name}={getattr(resource, name)}" for name in ("stride", "length") if
              getattr(resource, name)]  # fmt: skip
    flags = ("read", "written", "atomic", "counter", "globally_coherent")
    return " ".join(facts + [flag for flag in flags if getattr(resource, flag)])


class _Printer:
    def __init__(self, lines: list[str]):
        self.lines = lines
        self.names: dict[Value, str] = {}
        self.line_of: dict[Value, int] = {}

    def block(self, block: Block, depth: int) -> None:
        for value in block.values:
            self._value(value, depth)

    def _name(self, value: Value) -> str:
        if value.op is ops.CONST:
            return constant_text(value)
        return self.names.setdefault(value, f"%{len(self.names)}")

    def _value(self, value: Value, depth: int) -> None:
        pad = _INDENT * depth
        self.line_of[value] = len(self.lines)
        text = " ".join(filter(None, (value.op.name, ", ".join(map(self._name, value.args)))))
        data = _data_text(value)
        head = "" if value.type is VOID else f"{self._name(value)}: {value.type.text} = "
        if not value.blocks:
            self.lines.append(f"{pad}{head}{text}{data}")
            return
        for position, inner in enumerate(value.blocks):
            opening = f"{text} " if position == 0 else "} "
            self.lines.append(f"{pad}{opening}{self._label(value, position)}{{")
            self.block(inner, depth + 1)
        results = ", ".join(f"{self._name(r)}: {r.type.text}" for r in value.results)
        self.lines.append(f"{pad}}}{f' -> {results}' if results else ''}")

    def _label(self, value: Value, position: int) -> str:
        params = ", ".join(f"{self._name(p)}: {p.type.text}" for p in value.blocks[position].params)
        given = f"({params}) " if params else ""
        if value.op is ops.SWITCH:
            data: object = value.data
            cases = cast("Cases", data) if isinstance(data, tuple) else ()
            case = cases[position] if position < len(cases) else ()
            labels = ", ".join("default" if c is None else str(c) for c in case)
            return f"case {labels} {given}"
        if value.op is ops.IF and position == 1:
            return f"else {given}"
        return given


def constant_text(value: Value) -> str:
    """A constant: integers in decimal or hex, floats by their bits beside their value."""
    bits: int = value.data
    if type(bits) is not int or not 0 <= bits < 1 << max(value.type.bits, 1):
        return f"{value.type.text}:{bits!r}"
    if value.type is BOOL:
        return "true" if bits else "false"
    if value.type is F32:
        return f"{struct.unpack('<f', struct.pack('<I', bits))[0]!r}f"
    if value.type is F64:
        return f"{struct.unpack('<d', struct.pack('<Q', bits))[0]!r}d"
    return str(bits) if bits < 65536 else hex(bits)


def _data_text(value: Value) -> str:
    data = value.data
    if isinstance(data, Access):
        operation = f" {data.operation}" if data.operation else ""
        return f" ({data.resource.register}.{data.component}{operation})"
    if data is None or data is False or value.op is ops.RESULT:
        return ""
    if data is True:
        return " (precise)"
    return f" ({data})"
