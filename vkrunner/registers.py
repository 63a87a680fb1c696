"""Registers by name: which binding has them, whole or as one register of its range."""

from __future__ import annotations

import re
from typing import Any

from translate.interface import Binding, ShaderInterface

_REGISTER = re.compile(r"(cb|[stu])(\d+)(?:_space(\d+))?")


def at_register(interface: ShaderInterface, register: Any) -> tuple[Binding, int] | None:
    """The binding that has a register, and the element that it is; None where none has it."""
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
