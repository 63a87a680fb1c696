"""Modules for tests of the IR and its passes: a raw u0, a structured u1, and a builder."""

import re
import textwrap

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.parser import parse_module
from translate.ir.printer import print_module
from translate.ir.tables import Layout, Usage, View
from translate.ir.types import U32, VOID, Type
from translate.ir.values import Block, Module, Value


class Small:
    """A module being built, with the resources that tests use."""

    def __init__(self) -> None:
        self.u0 = Resource("u0", MemoryKind.RAW, 0, is_uav=True)
        self.u1 = Resource("u1", MemoryKind.STRUCTURED, 1, is_uav=True, stride=12)
        self.t0 = Resource("t0", MemoryKind.RAW, 0)
        self.g0 = Resource("g0", MemoryKind.SHARED_RAW, 0, length=64)
        self.x0 = Resource("x0", MemoryKind.INDEXABLE_TEMP, 0, length=5)
        self.module = Module("cs_5_0", Block(), (1, 1, 1), temp_count=8)
        self.b = Builder(self.module.body)

    def finish(self) -> Module:
        self.b.emit(ops.RETURN, VOID, [])
        return self.module

    def known(
        self, resource: Resource, *records: Usage | View | Layout, indexed: bool = False
    ) -> Resource:
        """The resource, with entries in the module's tables."""
        tables = self.module.tables
        for record in records:
            if isinstance(record, View):
                tables.views[resource] = record
            elif isinstance(record, Layout):
                tables.layouts[resource] = record
            else:
                tables.usage[resource] = record
        tables.indexed |= {resource} if indexed else frozenset()
        return resource

    def thread(self, component: int = 0) -> Value:
        return self.b.input("vThreadID", component)

    def load(self, resource: Resource, index: Value) -> Value:
        """A load in bounds."""
        return self.b.emit(ops.LOAD_ELEMENT, U32, [index], Access(resource, 1))

    def store(self, value: Value, index: int = 0) -> None:
        """A store in bounds, to u0."""
        address = self.b.u32(index)
        self.b.emit(ops.STORE_ELEMENT, VOID, [address, value], Access(self.u0, 1))

    def construct(self, op: ops.Op, args: list[Value], blocks: tuple[Block, ...]) -> Value:
        value = self.b.emit(op, VOID, args)
        value.blocks = blocks
        for block in blocks:
            for param in block.params:
                param.data = value
        return value

    def end(self, op: ops.Op, *args: Value) -> None:
        self.b.emit(op, VOID, list(args))

    def within(self, block: Block) -> Builder:
        """The builder, moved into a block."""
        self.b.block = block
        return self.b


def add_param(block: Block, type_: Type) -> Value:
    """A new parameter of a block, of the construct that will be made of it."""
    value = Value(ops.PARAM, type_, [], None, Builder(block).where)
    block.params.append(value)
    return value


def add_result(construct: Value, type_: Type) -> Value:
    """A new result of a construct."""
    value = Value(ops.RESULT, type_, [], construct, construct.where)
    construct.results += (value,)
    return value


def module_of(code: str, head: str = "module cs_5_0\n", places: str = "") -> Module:
    """The module whose `main` has this code; it is not verified."""
    body = textwrap.indent(textwrap.dedent(code).strip("\n"), "  ")
    return parse_module(f"{head}function main {{\n{body}\n}}\n{places}")


def faults(cases: str) -> list[tuple[str, str]]:
    """Messages and code: "; message" stands behind the code that has the fault, or above it."""
    found = re.findall(r"^(?:; (.*)\n)?([^;\n]+?)(?:  ; (.*))?$", cases, re.MULTILINE)
    return [(above or behind, code) for above, code, behind in found]


def code(module: Module) -> str:
    """The printed code of a module, without its head and the frame of its entry."""
    head, _, rest = print_module(module).partition("function main {\n")
    assert head
    body, _, others = rest.partition("\n}\n")
    return textwrap.dedent(body) + "\n" + others
