"""Attributes and resources as text: how the printer writes them and the parser reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from translate.dataclass import dataclass, replace
from translate.ir import row
from translate.ir.memory import Access, Barrier, Check, Resource, Sample
from translate.ir.reader import Reader
from translate.ir.records import (
    Names,
    R,
    make_record,
    read_fields,
    read_record,
    read_resource,
    write_record,
)
from translate.ir.row import Attribute
from translate.ir.tables import Layout, Tables, Usage, View
from translate.ir.values import Value

_LETTERS = "xyzw"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spelling:
    """The text of one kind of attribute; if `write` gives '', the reader takes `absent`."""

    write: Callable[[Value, Names], str]
    read: Callable[[Reader, Names], object]
    absent: object


def _spelling(
    attribute: Attribute[T],
    write: Callable[[T, Names], str],
    read: Callable[[Reader, Names], T],
    absent: T | None = None,
) -> tuple[Attribute[T], Spelling]:
    """A row of `SPELLINGS`."""
    return attribute, Spelling(lambda value, names: write(attribute.of(value), names), read, absent)


def _write_access(access: Access, names: Names) -> str:
    operation = f" {access.operation}" if access.operation else ""
    return f"{access.resource.register}.{access.component}{operation}"


def _read_access(reader: Reader, names: Names) -> Access:
    """Read an access; the resource determines the number of address operands."""
    token = reader.of_kind("word", "a resource and a component, as u0.1")
    register, _, component = token.text.rpartition(".")
    resource = names.resources.get(register)
    if resource is None or not component.isdecimal():
        raise reader.fault(f"{token.text} is no resource of this module and component", token)
    operation = reader.word() if _is_operation(reader) else ""
    count = resource.shape.coordinates if resource.is_texels else resource.address_count
    return Access(resource, count, int(component), operation)


def _is_operation(reader: Reader) -> bool:
    return reader.next.kind == "word" and reader.next.text not in Check.__slots__


def _write_check(check: Check, names: Names) -> str:
    rest = write_record(check, names, without=("access",))
    return f"{_write_access(check.access, names)} {rest}".rstrip()


def _read_check(reader: Reader, names: Names) -> Check:
    """Read a check; a hidden counter has no address operands."""
    check = read_record(Check, reader, names, access=_read_access(reader, names))
    return replace(check, access=replace(check.access, address_count=0)) if check.counter else check


def _write_input(attribute: tuple[str, int], names: Names) -> str:
    name, component = attribute
    return f"{name}.{_LETTERS[component]}"


def _read_input(reader: Reader, names: Names) -> tuple[str, int]:
    return _lettered(reader, "an input and a component, as vThreadID.x")


def _lettered(reader: Reader, name: str) -> tuple[str, int]:
    token = reader.of_kind("word", name)
    register, _, letter = token.text.rpartition(".")
    if not register or len(letter) != 1 or letter not in _LETTERS:
        raise reader.fault(f"expected {name}, found {token.text}", token)
    return register, _LETTERS.index(letter)


def _write_register(number: int, names: Names) -> str:
    return f"r{number // 4}.{_LETTERS[number % 4]}"


def _read_register(reader: Reader, names: Names) -> int:
    token = reader.next
    register, component = _lettered(reader, "a register's component, as r1.y")
    if register[0] != "r" or not register[1:].isdecimal():
        raise reader.fault(f"{token.text} is no component of an r#", token)
    return 4 * int(register[1:]) + component


def _read_precise(reader: Reader, names: Names) -> bool:
    reader.expect("precise")
    return True


def _write_resource(resource: Resource, names: Names) -> str:
    return resource.register


def _record(attribute: Attribute[R], type_: type[R]) -> tuple[Attribute[R], Spelling]:
    """A row of `SPELLINGS` for an attribute that is a dataclass: its fields by name."""
    return _spelling(
        attribute, write_record, lambda reader, names: read_record(type_, reader, names)
    )


def _number(attribute: Attribute[int]) -> tuple[Attribute[int], Spelling]:
    return _spelling(
        attribute, lambda number, names: str(number), lambda reader, names: reader.number()
    )


_ABSENT = Spelling(lambda value, names: "", lambda reader, names: None, None)

SPELLINGS: Mapping[Attribute[object], Spelling] = dict(
    (
        (row.NONE, _ABSENT),
        (row.CASES, _ABSENT),  # the blocks have the labels
        _spelling(row.PRECISE, lambda on, names: "precise" if on else "", _read_precise, False),
        _spelling(row.REGISTER, _write_register, _read_register),
        _number(row.COMPONENT),
        _spelling(row.INPUT, _write_input, _read_input),
        _spelling(row.ACCESS, _write_access, _read_access),
        _spelling(row.VECTOR, _write_access, _read_access),
        _spelling(row.ATOMIC, _write_access, _read_access),
        _spelling(row.RESOURCE, _write_resource, read_resource),
        _record(row.SAMPLE, Sample),
        _spelling(row.CHECK, _write_check, _read_check),
        _number(row.SITE),
        _number(row.MESSAGE),
        _spelling(row.SUBROUTINE, lambda name, names: name, lambda reader, names: reader.word()),
        _record(row.BARRIER, Barrier),
    )
)


def write_attribute(value: Value, names: Names) -> str:
    """The text of a value's attribute; its `repr` if the row does not allow its type."""
    attribute = value.op.attribute
    spelling = SPELLINGS.get(attribute)
    if spelling is None or type(value.data) is not attribute.type:
        return repr(value.data)
    return spelling.write(value, names)


@dataclass(frozen=True, slots=True)
class _Membership:
    """Whether `Tables.indexed` has a resource, and its entry in `Tables.members`."""

    indexed: bool = False
    members: tuple[Resource, ...] = ()


def write_resource(resource: Resource, tables: Tables, names: Names) -> str:
    """The line's text: `u1 structured 1 is_uav stride=12 read written nested`."""
    records = (
        resource,
        tables.views[resource],
        tables.usage[resource],
        tables.layouts[resource],
        _Membership(resource in tables.indexed, tables.members.get(resource, ())),
    )
    return " ".join(filter(None, (write_record(record, names) for record in records)))


def read_resource_line(reader: Reader, tables: Tables, names: Names) -> Resource:
    """Read a resource's line, and enter its facts into `tables`."""
    fields = read_fields((Resource, View, Usage, Layout, _Membership), reader, names)
    resource = make_record(Resource, fields)
    tables.views[resource] = make_record(View, fields)
    tables.usage[resource] = make_record(Usage, fields)
    tables.layouts[resource] = make_record(Layout, fields)
    membership = make_record(_Membership, fields)
    if membership.indexed:
        tables.indexed |= {resource}
    if membership.members:
        tables.members[resource] = membership.members
    return resource
