"""verify: operations that break their rows, one fault each; mostly memory operations."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from translate.errors import NOWHERE, VerifyError
from translate.ir import ops
from translate.ir.memory import Access, ImageShape, MemoryKind, Resource, Site
from translate.ir.types import U32
from translate.ir.values import Module, Value
from translate.ir.verify import verify

from .building import faults, module_of

DATA = Path(__file__).parent / "data"
HEAD = (Path(__file__).parent / "data/head.ir").read_text("utf-8")

MEMORY = faults((DATA / "wrong_memory.txt").read_text("utf-8"))
VALUES = faults((DATA / "wrong_values.txt").read_text("utf-8"))


def with_thread(line: str) -> Module:
    return module_of(f"%0: u32 = input (vThreadID.x)\n{line}\nreturn", HEAD)


def check(module: Module, message: str) -> None:
    with pytest.raises(VerifyError, match=f"^{re.escape(message)}"):
        verify(module)


@pytest.mark.parametrize(("message", "line"), [*MEMORY, *VALUES])
def test_a_wrong_operation_is_refused(message: str, line: str) -> None:
    check(with_thread(line), message)


def test_there_are_many_kinds_of_faults() -> None:
    """Each memory operation is wrong at least once."""
    named = {message.split()[0] for message, _ in MEMORY}
    touching = {op.name for op in ops.OPS.values() if op.memory is not None}
    assert touching - named == set()


# An operation, a change of its attribute that no text can name, and the message
ATTRIBUTES: list[tuple[str, Callable[[Any], object], str]] = [
    ("load 1 (u0.0)", lambda access: None, "load has the attribute None, where access belongs"),
    ("load 1 (u0.0)", lambda access: access.resource, "load has the attribute u0, where access"),
    ("load 1, 1 (u1.0)", lambda access: replace(access, address_count=1),
     "load addresses u1 by 1 operands, where 2 do"),
    ("load_typed 1, 1, 1 (t1.0)", lambda access: replace(access, address_count=3),
     "load_typed addresses t1 by 3 operands, where 2 do"),
    ("check 1, 1 (u7.0 counter)",
     lambda check: replace(check, access=replace(check.access, address_count=2)),
     "check addresses a counter by 2 operands"),
    ("element_count (u0)", lambda resource: Access(resource, 1),
     "element_count has the attribute Access(resource=u0, "),
    ("barrier (threads)", lambda kind: None,
     "barrier has the attribute None, where barrier belongs"),
    ("iadd 1, 1", lambda none: True, "iadd has the attribute True, where none belongs"),
    ("fadd 0.5f, 0.5f", lambda precise: None,
     "fadd has the attribute None, where precise belongs"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "change", "message"), ATTRIBUTES, ids=[a[2] for a in ATTRIBUTES])
def test_wrong_attributes_refused(line: str, change: Callable[[Any], object], message: str) -> None:
    module = with_thread(line)
    operation = module.body.values[1]
    operation.data = change(operation.data)
    check(module, message)


def test_a_report_without_a_coordinate_is_refused() -> None:
    module = with_thread("report 1, 1, 1 (0)")
    defined = (True, True, False, False)
    site = Site(NOWHERE, "t1", MemoryKind.TYPED, ImageShape(2), defined, coordinates=("y",))
    module.sites.append(site)
    check(module, "report has 3 operands for a site of 4")


@pytest.mark.parametrize(("line", "bits"), [("inot 1", 1 << 32), ("lnot true", 2)])
def test_a_constant_of_too_many_bits_is_refused(line: str, bits: int) -> None:
    module = with_thread(line)
    (constant,) = module.body.values[1].args
    constant.data = bits
    type_ = constant.type.text
    check(module, f"{line[:4]} has operand 0, which cannot be a constant of type {type_}")


@pytest.mark.parametrize("op", [ops.CONST, ops.PARAM], ids=str)
def test_a_block_has_only_operations(op: ops.Op) -> None:
    module = with_thread("inot 1")
    module.body.values.insert(0, Value(op, U32, [], 1, NOWHERE))
    check(module, f"{op.name} stands in a block")


def test_the_message_shows_the_operation() -> None:
    place = '@0 file="a.asm" line=7 column=1\n'
    line = "store_element true, 1.0d, 1 (u0.0) @0"
    head = "module cs_5_0\nresource u0 raw 0 is_uav\n"
    with pytest.raises(VerifyError) as caught:
        verify(module_of(f"{line}\nreturn", head, place))
    assert str(caught.value) == (
        "a.asm:7:1: error: store_element takes 2 operands, found 3\n"
        "   4 |   store_element true, 1.0d, 1 (u0.0)\n"
        "     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    )


RESOURCES = faults((DATA / "wrong_resources.txt").read_text("utf-8"))


RESOURCES.append(
    ("resource report has structures of no size", "internal report structured 9\nreport report 4")
)


@pytest.mark.parametrize(("message", "lines"), RESOURCES)
def test_a_wrong_resource_is_refused(message: str, lines: str) -> None:
    check(module_of("return", f"module cs_5_0\n{lines}\n"), message)


def test_two_resources_of_a_name_are_refused() -> None:
    module = module_of("return", HEAD)
    module.resources.append(Resource("u0", MemoryKind.RAW, 0))
    check(module, "two resources are u0")


def test_valid_operations_pass() -> None:
    """The same operations and resources as above, without faults."""
    verify(with_thread((DATA / "fit.txt").read_text("utf-8")))
