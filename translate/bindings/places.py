"""The set and binding of each descriptor: the default, or the one from the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from translate.errors import TranslateError
from translate.interface import Binding
from translate.ir.memory import Resource
from translate.options import Options

# First binding number of each register class, in the set of the register's space
BASES: Mapping[str, int] = {"cb": 0, "s": 16, "t": 32, "u": 160}
COUNTER_BASE = 224
REPORT_BASE = 288
MESSAGES_BASE = 289
SIZES_BASES: Mapping[str, int] = {"t": 320, "u": 448}
COUNTER_SIZES_BASE = 512
WINDOWS_BASES: Mapping[str, int] = {"t": 576, "u": 704}
_MAX_U32 = 0xFFFFFFFF


def place_of(resource: Resource, register: str, base: int, options: Options) -> tuple[int, int]:
    """The set and binding of a register that belongs to a resource."""
    chosen = options.bindings.get(register)
    return chosen if chosen is not None else (resource.space, base + resource.number)


def check_places(bindings: Sequence[Binding], options: Options) -> None:
    """Check that each descriptor has its own place, and that options name known registers."""
    registers = {b.register for b in bindings}
    for register in (*options.bindings, *options.formats):
        if register not in registers:
            there = ", ".join(b.register for b in bindings) or "none"
            raise TranslateError(f"{register} is not a register of this shader; it has {there}")
    taken: dict[tuple[int, int], str] = {}
    for b in bindings:
        if not (0 <= b.set <= _MAX_U32 and 0 <= b.binding <= _MAX_U32):
            raise TranslateError(f"{b.register} has no default binding: choose one in bindings")
        other = taken.setdefault((b.set, b.binding), b.register)
        if other != b.register:
            place = f"set {b.set}, binding {b.binding}"
            raise TranslateError(f"{other} and {b.register} are both bound to {place}")
