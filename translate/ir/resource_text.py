"""A resource's line in the IR's text: its declaration, and its entries in the side tables."""

from __future__ import annotations

from dataclasses import dataclass

from translate.ir.memory import Resource
from translate.ir.reader import Reader
from translate.ir.records import Names, make_record, read_fields, write_record
from translate.ir.tables import Layout, Tables, Usage, View


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
