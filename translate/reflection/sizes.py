"""Sizes of types in bytes, inside constant buffers (`packed`) and outside."""

from __future__ import annotations

from translate.reflection.records import DOUBLE, Type


def size_of(kind: Type, packed: bool) -> int:
    """The size of a type in bytes, including arrays; in constant buffers, without final padding."""
    one = _element_size(kind, packed)
    if not kind.elements:
        return one
    step = -(-one // 16) * 16 if packed else one
    return step * (kind.elements - 1) + one


def _element_size(kind: Type, packed: bool) -> int:
    if kind.klass == 5:
        end = max((m.offset + size_of(m.type, packed) for m in kind.members), default=0)
        # Outside of constant buffers, a structure with a double is padded to a multiple of 8 bytes.
        return -(-end // 8) * 8 if not packed and _holds_double(kind) else end
    width = 8 if kind.base == DOUBLE else 4
    if kind.klass <= 1:
        return width * max(1, kind.columns)
    outer, inner = (kind.rows, kind.columns) if kind.klass == 2 else (kind.columns, kind.rows)
    step = -(-inner * width // 16) * 16 if packed else inner * width
    return step * (outer - 1) + inner * width


def _holds_double(kind: Type) -> bool:
    return kind.base == DOUBLE or any(_holds_double(m.type) for m in kind.members)
