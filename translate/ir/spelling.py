"""Attributes, resources and other dataclasses as text: `u1 structured 1 is_uav stride=12`.

The printer writes it, the parser reads it. Fields without a default stand first, in order; then a
flag's name where it is set, and `name=value` where a value differs from its default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, TypeGuard, TypeVar, cast, get_args, get_origin, get_type_hints

from translate.dataclass import dataclass, replace
from translate.errors import Where, shown, without_commands
from translate.ir import row
from translate.ir.memory import Access, Barrier, Check, Resource, Sample
from translate.ir.reader import Reader
from translate.ir.row import Attribute
from translate.ir.tables import Layout, Tables, Usage, View
from translate.ir.values import Value

if TYPE_CHECKING:
    from _typeshed import DataclassInstance as Record

R = TypeVar("R", bound="Record")
T = TypeVar("T")
_WORD = re.compile(r"[A-Za-z_][\w.$]*")


class Names:
    """The objects to which a module's records refer: places by number, resources by register."""

    def __init__(self) -> None:
        self.resources: dict[str, Resource] = {}
        self.places: dict[int, Where] = {}
        self.numbers: dict[Where, int] = {}

    def number(self, where: Where) -> int:
        """The number of a place in the source; a new place gets the next number."""
        number = self.numbers.setdefault(where, len(self.numbers))
        self.places[number] = where
        return number


# --- writing -------------------------------------------------------------------------------------


def write_record(record: Record, names: Names, without: Collection[str] = ()) -> str:
    """A dataclass as text; `without` are the names of fields that are left out."""
    return " ".join(_written(record, names, without))


def _written(record: Record, names: Names, without: Collection[str]) -> Iterator[str]:
    for field in fields(record):
        value, default = getattr(record, field.name), _default(field)
        if field.name in without or value == default:
            continue
        if value is True:
            yield field.name
        elif default is MISSING:
            yield write_value(value, names)
        else:
            yield f"{field.name}={write_value(value, names)}"


def _default(field: Field[object]) -> object:
    """A field's default; False for a flag that has none."""
    if field.default is MISSING and field.type in ("bool", bool):
        return False
    return field.default


def write_value(value: object, names: Names) -> str:
    if isinstance(value, Resource):
        return value.register
    if isinstance(value, Where):
        return f"@{names.number(value)}"
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) else without_commands(json.dumps(value))
    if isinstance(value, (frozenset, tuple)):
        items = cast("Collection[str]", value)
        listed = sorted(items) if isinstance(value, frozenset) else items
        return f"[{', '.join(write_value(item, names) for item in listed)}]"
    if is_dataclass(value) and not isinstance(value, type):
        return f"({write_record(value, names)})"
    return repr(value)


# --- reading -------------------------------------------------------------------------------------


def read_record(type_: type[R], reader: Reader, names: Names, **given: object) -> R:
    """Read a dataclass from its text, which lacks the fields in `given`."""
    return make_record(type_, read_fields((type_,), reader, names, **given))


def read_fields(
    types: Sequence[type[Record]], reader: Reader, names: Names, **given: object
) -> dict[str, object]:
    """Read the fields of several dataclasses from one text, in any order; values by field name.

    `given` are values that the text does not have.
    """
    known = {field.name: field for type_ in types for field in fields(type_)}
    hints = {name: hint for type_ in types for name, hint in _hints(type_).items()}
    values = dict[str, object](given)
    for name, field in known.items():
        if name not in values and _default(field) is MISSING and field.default_factory is MISSING:
            values[name] = read_value(hints[name], reader, names)
    while reader.next.kind == "word" and reader.next.text in known:
        token = reader.take()
        if token.text in values:
            raise reader.fault(f"a second {token.text}", token)
        if hints[token.text] is bool and not _is_assignment(reader):
            values[token.text] = True
            continue
        reader.expect("=")
        values[token.text] = read_value(hints[token.text], reader, names)
    flags = {name: False for name, field in known.items() if field.default is MISSING}
    return {**{n: f for n, f in flags.items() if hints[n] is bool}, **values}


def make_record(type_: type[R], values: Mapping[str, object]) -> R:
    """A dataclass from its fields in `values`, which may have other fields too."""
    make = cast("Callable[..., R]", type_)
    return make(**{f.name: values[f.name] for f in fields(type_) if f.name in values})


def _is_assignment(reader: Reader) -> bool:
    return reader.next.kind == "sign" and reader.next.text == "="


@cache
def _hints(type_: type[Record]) -> dict[str, object]:
    return get_type_hints(type_)


def read_value(type_: object, reader: Reader, names: Names) -> object:
    """Read a value of the type `type_`, which is a field's annotation."""
    origin = get_origin(type_)
    if origin in (tuple, frozenset):
        element: object = get_args(type_)[0]
        found = read_list(reader, lambda: read_value(element, reader, names))
        return tuple(found) if origin is tuple else frozenset(found)
    if type_ is Resource:
        return read_resource(reader, names)
    if type_ is Where:
        return read_place(reader, names)
    if _is_enum(type_):
        return _member(type_, reader)
    if is_dataclass(type_):
        reader.expect("(")
        record = read_record(cast("type[Record]", type_), reader, names)
        reader.expect(")")
        return record
    if type_ is bool:
        return _flag(reader)
    return _text(reader) if _is_text(type_) else reader.number()


def read_list(reader: Reader, read: Callable[[], T]) -> list[T]:
    """Read a list `[a, b]`."""
    found: list[T] = []
    reader.expect("[")
    if reader.accept("]"):
        return found
    found.append(read())
    while reader.accept(","):
        found.append(read())
    reader.expect("]")
    return found


def read_resource(reader: Reader, names: Names) -> Resource:
    token = reader.of_kind("word", "a resource")
    resource = names.resources.get(token.text)
    if resource is None:
        raise reader.fault(f"{token.text} is no resource of this module", token)
    return resource


def read_place(reader: Reader, names: Names) -> Where:
    """Read `@3`, the number of a place in the table of places."""
    token = reader.of_kind("place", "a place")
    where = names.places.get(int(token.text[1:]))
    if where is None:
        raise reader.fault(f"{token.text} is not in the table of places", token)
    return where


def _is_enum(type_: object) -> TypeGuard[type[Enum]]:
    return isinstance(type_, type) and issubclass(type_, Enum)


def _is_text(type_: object) -> bool:
    return str in (type_, *get_args(type_))


def _text(reader: Reader) -> str:
    if reader.next.kind == "string":
        token = reader.take()
        try:
            return json.loads(token.text)
        except ValueError:
            raise reader.fault(f"{shown(token.text)} is no string of JSON's", token) from None
    return reader.word("a word or a string")


def _flag(reader: Reader) -> bool:
    if reader.accept("true"):
        return True
    reader.expect("false")
    return False


def _member(type_: type[Enum], reader: Reader) -> Enum:
    token = reader.of_kind("word", "a word")
    member = type_.__members__.get(token.text.upper())
    if member is None:
        there = ", ".join(name.lower() for name in type_.__members__)
        raise reader.fault(f"expected one of {there}, found {token.text}", token)
    return member


_LETTERS = "xyzw"


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


def _write_word(word: str, names: Names) -> str:
    return word


def _read_word(reader: Reader, names: Names) -> str:
    return reader.word()


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
        _spelling(row.SUBROUTINE, _write_word, _read_word),
        _spelling(row.SPECIALIZATION, _write_word, _read_word),
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
