"""The parser of the IR's text, as `ir.printer` writes it with locations. Grammar: docs/ir.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from translate.errors import NOWHERE, AssemblyError, Where, row_of
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Message, Report, Resource, Site
from translate.ir.ops import OPS, Effect, Op
from translate.ir.reader import Reader, Token, read_constant, starts_constant
from translate.ir.row import Cases
from translate.ir.spelling import (
    SPELLINGS,
    Names,
    read_list,
    read_place,
    read_record,
    read_resource,
    read_resource_line,
)
from translate.ir.tables import Interface
from translate.ir.types import VOID, Type
from translate.ir.values import ONE_THREAD, Block, Module, Value

_TYPES: Mapping[str, Type] = {type_.text: type_ for type_ in Type if type_ is not VOID}
_HEAD = re.compile(r"(?:[ \t\r]*(?:;.*)?\n)*[ \t]*module\b")
_IN_NO_BLOCK = (ops.CONST, ops.PARAM, ops.RESULT)


def parse_module(text: str, file: str | None = None) -> Module:
    """Read a module from its text.

    This checks only that the text is well formed; `verify` checks the module. Raises
    AssemblyError with line, column and length.
    """
    if not _HEAD.match(text):  # it may be any file, and the error shows no part of it
        raise AssemblyError("expected 'module', as the IR's text begins", Where(file, 1, 1))
    try:
        return _Parser(Reader(text, file)).run()
    except RecursionError:
        raise AssemblyError("blocks nest too deep", Where(file, 1, 1)) from None


class _Parser:
    def __init__(self, reader: Reader):
        self.reader = reader
        self.names = Names()
        self.values: dict[str, Value] = {}
        self.b = Builder(Block())
        self.module = Module("", Block(), ONE_THREAD)
        self._lines: Mapping[str, Callable[[], None]] = {
            "thread_group": self._thread_group,
            "flags": self._flags,
            "exposed": self._exposed,
            "temps": self._temps,
            "resource": lambda: self.module.resources.append(self._resource()),
            "internal": lambda: self._resource() and None,
            "marks": self._marks,
            "report": self._report,
            "shortfall": self._shortfall,
            "table": self._table,
            "interface": self._interface,
            "site": self._site,
            "message": self._message,
            "message_buffer": self._message_buffer,
            "function": self._function,
        }

    def run(self) -> Module:
        self._places()
        reader, module = self.reader, self.module
        reader.expect("module")
        module.profile = reader.word("a profile, as cs_5_0")
        module.after = reader.word("a pass") if reader.accept("after") else ""
        module.where = self._place(NOWHERE)
        reader.end_line()
        while not reader.at_end:
            token = reader.of_kind("word", f"one of {', '.join(self._lines)}")
            line = self._lines.get(token.text)
            if line is None:
                raise reader.fault(f"expected one of {', '.join(self._lines)}", token)
            line()
            reader.end_line()
        if not module.body.values:
            raise reader.expected("function main")
        return module

    # --- places ------------------------------------------------------------------------------

    def _places(self) -> None:
        """Read the table of places, which `Reader` moves to the front of the text."""
        while self.reader.next.kind == "place":
            number = int(self.reader.take().text[1:])
            self.names.places[number] = read_record(Where, self.reader, self.names)
            self.reader.end_line()

    def _place(self, outer: Where) -> Where:
        if self.reader.next.kind != "place":
            return outer
        return read_place(self.reader, self.names)

    # --- the head ----------------------------------------------------------------------------

    def _thread_group(self) -> None:
        reader = self.reader
        self.module.thread_group = (reader.number(), reader.number(), reader.number())

    def _words(self) -> list[str]:
        names: list[str] = []
        while self.reader.next.kind == "word":
            names.append(self.reader.word())
        return names

    def _flags(self) -> None:
        self.module.flags = frozenset(self._words())

    def _exposed(self) -> None:
        self.module.exposed = {*self._words()}

    def _temps(self) -> None:
        self.module.temp_count = self.reader.number()

    def _resource(self) -> Resource:
        token = self.reader.next
        resource = read_resource_line(self.reader, self.module.tables, self.names)
        if self.names.resources.setdefault(resource.register, resource) is not resource:
            raise self.reader.fault(f"a second resource {resource}", token)
        return resource

    def _marks(self) -> None:
        resource = read_resource(self.reader, self.names)
        self.module.written_marks[resource] = read_resource(self.reader, self.names)

    def _report(self) -> None:
        buffer = read_resource(self.reader, self.names)
        self.module.report = Report(buffer, self.reader.number())

    def _shortfall(self) -> None:
        token, report = self.reader.next, self.module.report
        resource = read_resource(self.reader, self.names)
        if report is None:
            raise self.reader.fault("a shortfall without a report", token)
        report.shortfalls[resource] = self.reader.number()

    def _table(self) -> None:
        number = self.reader.number()
        bodies = read_list(self.reader, self.reader.number)
        self.module.function_tables[number] = tuple(bodies)

    def _interface(self) -> None:
        number = self.reader.number()
        self.module.interfaces[number] = read_record(Interface, self.reader, self.names)

    def _site(self) -> None:
        self.module.sites.append(read_record(Site, self.reader, self.names))

    def _message(self) -> None:
        self.module.messages.append(read_record(Message, self.reader, self.names))

    def _message_buffer(self) -> None:
        self.module.message_buffer = read_resource(self.reader, self.names)

    # --- code --------------------------------------------------------------------------------

    def _function(self) -> None:
        token = self.reader.of_kind("word", "a function's name")
        body = self.module.body if token.text == "main" else Block()
        known = self.module.functions.setdefault(token.text, body)
        if known is not body or body.values:
            raise self.reader.fault(f"a second function {token.text}", token)
        if token.text == "main":
            del self.module.functions["main"]
        self.reader.expect("{")
        self._block(body)

    def _block(self, block: Block) -> None:
        """Read the lines of a block and its closing brace."""
        self.reader.end_line()
        while not self.reader.accept("}"):
            self._value(block)
            self.reader.end_line()

    def _value(self, block: Block) -> None:
        reader = self.reader
        defined, type_ = None, VOID
        if reader.next.kind == "value":
            defined, type_ = self._declared()
            reader.expect("=")
        op = self._op()
        args = self._operands()
        spelling = row_of(SPELLINGS, op.attribute, "SPELLINGS of translate/ir/spelling.py")
        data: object = spelling.absent
        if op.effect is not Effect.CONTROL and reader.accept("("):
            data = spelling.read(reader, self.names)
            reader.expect(")")
        place = self._place(NOWHERE)
        if op is ops.SWITCH:
            data = self._cases()
        value = Value(op, type_, args, data, place)
        if op.effect is Effect.CONTROL:
            self._blocks(value)
        block.values.append(value)
        if defined is not None:
            self._define(defined, value)

    def _op(self) -> Op:
        token = self.reader.of_kind("word", "an operation")
        op = OPS.get(token.text)
        if op is None or op in _IN_NO_BLOCK:
            raise self.reader.fault(f"{token.text} is no operation", token)
        return op

    def _operands(self) -> list[Value]:
        args: list[Value] = []
        if not self._starts_operand():
            return args
        args.append(self._operand())
        while self.reader.accept(","):
            args.append(self._operand())
        return args

    def _starts_operand(self) -> bool:
        return self.reader.next.kind == "value" or starts_constant(self.reader)

    def _operand(self) -> Value:
        if starts_constant(self.reader):
            return self.b.constant(*read_constant(self.reader))
        token = self.reader.of_kind("value", "a value or a constant")
        value = self.values.get(token.text)
        if value is None:
            raise self.reader.fault(f"{token.text} is not defined before", token)
        return value

    def _declared(self) -> tuple[Token, Type]:
        """Read `%3: u32`."""
        token = self.reader.of_kind("value", "a value's name")
        self.reader.expect(":")
        named = self.reader.of_kind("word", "a type")
        type_ = _TYPES.get(named.text)
        if type_ is None:
            raise self.reader.fault(f"expected one of {', '.join(_TYPES)}", named)
        return token, type_

    def _define(self, token: Token, value: Value) -> None:
        if self.values.setdefault(token.text, value) is not value:
            raise self.reader.fault(f"{token.text} is defined twice", token)

    # --- constructs --------------------------------------------------------------------------

    def _blocks(self, value: Value) -> None:
        """Read the blocks of a construct, and its results."""
        reader = self.reader
        blocks: list[Block] = []
        while not blocks or self._goes_on(value):
            if value.op is ops.SWITCH:
                self._labels()
            block = Block()
            if reader.accept("("):
                block.params = self._merged(value, ops.PARAM)
                reader.expect(")")
            reader.expect("{")
            self._block(block)
            blocks.append(block)
        value.blocks = tuple(blocks)
        if reader.accept("->"):
            value.results = tuple(self._merged(value, ops.RESULT))

    def _goes_on(self, value: Value) -> bool:
        if value.op is ops.SWITCH:
            return self.reader.next.text == "case"
        return value.op is ops.IF and self.reader.accept("else")

    def _cases(self) -> Cases:
        """The labels of a switch, found by looking ahead: each block is preceded by its own."""
        reader, cases = self.reader, list[tuple[int | None, ...]]()
        start = reader.position
        while not cases or reader.next.text == "case":
            cases.append(self._labels())
            self._skip_block()
        reader.position = start
        return tuple(cases)

    def _skip_block(self) -> None:
        """Skip the next block, with its closing brace."""
        reader, depth = self.reader, 0
        while not reader.at_end:
            token = reader.take()
            if token.kind == "sign":
                depth += (token.text == "{") - (token.text == "}")
                if depth == 0 and token.text == "}":
                    return

    def _labels(self) -> tuple[int | None, ...]:
        """Read `case 1, default`; None stands for the default."""
        self.reader.expect("case")
        labels = [self._label()]
        while self.reader.accept(","):
            labels.append(self._label())
        return tuple(labels)

    def _label(self) -> int | None:
        return None if self.reader.accept("default") else self.reader.number()

    def _merged(self, construct: Value, op: Op) -> list[Value]:
        """Read the declarations of a block's parameters or a construct's results."""
        found: list[Value] = []
        while not found or self.reader.accept(","):
            token, type_ = self._declared()
            found.append(Value(op, type_, [], construct, self._place(construct.where)))
            self._define(token, found[-1])
        return found
