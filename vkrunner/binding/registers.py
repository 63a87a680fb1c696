"""Registers by name: the binding that has a register, and the element of its range."""

from __future__ import annotations

import re
from typing import Any

from translate.errors import escaped
from translate.interface import (
    COUNTER,
    MESSAGES,
    REPORT,
    SIZES,
    WINDOWS,
    Binding,
    ShaderInterface,
)
from vkrunner.errors import ArgumentError

Key = str | tuple[str, int, int]  # a register, an HLSL name, or (class, space, number)

COUNTER_SUFFIX = ".counter"

FILLED = (REPORT, MESSAGES, SIZES, WINDOWS)  # kinds of bindings that take no argument
_REGISTER = re.compile(r"(cb|[stu])(\d{1,10})(?:_space(\d{1,10}))?")


def label_of(binding: Binding) -> str:
    """A register with its HLSL name, for errors."""
    named = binding.name and binding.name != binding.register
    return escaped(f"{binding.register} ({binding.name})") if named else binding.register


def register_of(interface: ShaderInterface, key: Key) -> str:
    """The register of a key. Raises ArgumentError like `find`."""
    return find(interface, key)[0].register


def find(interface: ShaderInterface, key: Key) -> tuple[Binding, int | None]:
    """The result of `look_up`; or ArgumentError, which lists the shader's resources."""
    found = look_up(interface, key)
    if found is not None:
        return found
    there = ", ".join(label_of(b) for b in interface if b.kind not in (COUNTER, *FILLED))
    there = there or "no resources"
    raise ArgumentError(f"no resource {key!r}; the shader has {there}{_hint(interface, key)}")


def _hint(interface: ShaderInterface, key: Key) -> str:
    """The constant buffer that has a variable of that name, and how to pass it; else ""."""
    for binding in interface:
        if any(constant.name == key for constant in binding.constants or ()):
            owner = binding.name or binding.register
            return f"; {key!r} is a variable of {binding.register}: {owner}={{{key!r}: ...}}"
    return ""


def look_up(interface: ShaderInterface, key: Key) -> tuple[Binding, int | None] | None:
    """The binding of a key, and the element if the key is a register within a range.

    The first register of a range names the whole range. Returns None if no binding fits.
    """
    name = key
    if isinstance(key, tuple):
        letters, space, number = key
        name = f"{letters}{number}" + (f"_space{space}" if space else "")
    if isinstance(name, str) and name in interface and interface[name].kind not in FILLED:
        return interface[name], None
    return at_register(interface, name)


def at_register(interface: ShaderInterface, register: Any) -> tuple[Binding, int] | None:
    """The binding with a register in its range, and the element of the register; else None."""
    wanted = _place(register)
    for binding in interface:
        first = _place(binding.register)
        if wanted is None or first is None or wanted[:2] != first[:2]:
            continue
        element = wanted[2] - first[2]
        if element >= 0 and (binding.count == 0 or element < binding.count):
            return binding, element
    return None


def _place(name: Any) -> tuple[str, int, int] | None:
    """(class, space, number) of a register's name."""
    match = _REGISTER.fullmatch(name) if isinstance(name, str) else None
    return (match[1], int(match[3] or 0), int(match[2])) if match else None
