"""The set and binding of each descriptor: the default, or the one from the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from translate.bindings.described import unknown_register
from translate.errors import OptionError
from translate.interface import TEXTURE, TYPED_BUFFER, Binding
from translate.interface.kinds import ADDED
from translate.options import Options

# The default bindings of each class, in the set of the register's space
PLACES: Mapping[str, range] = {
    "cb": range(0, 16),
    "s": range(16, 32),
    "t": range(32, 160),
    "u": range(160, 224),
    "u.counter": range(224, 288),
    "report": range(288, 289),
    "messages": range(289, 290),
    "tables": range(290, 291),
}
_FREE_BASE = 768
_MAX_U32 = 0xFFFFFFFF


def place_of(
    register: str, register_class: str, options: Options, space: int = 0, number: int = 0
) -> tuple[int, int]:
    """The set and binding of a register: those in the options, else the default of its class.

    `placed` may replace the default if it is not free.
    """
    chosen = options.bindings.get(register)
    return chosen if chosen is not None else (space, PLACES[register_class].start + number)


def placed(bindings: Sequence[Binding], options: Options) -> tuple[Binding, ...]:
    """The bindings with their final sets and numbers.

    In cs_5_1 a register may be too high for the numbers of its class in `PLACES`. It keeps its
    default number if no other descriptor has that, otherwise it gets a free one.

    Raises TranslateError for registers that the shader lacks and for places that options give to
    two descriptors.
    """
    _check_registers(bindings, options)
    kept = {b.register for b in bindings if b.register in options.bindings or _fits(b)}
    _check_places([b for b in bindings if b.register in kept])
    taken = {(b.set, b.binding) for b in bindings if b.register in kept}
    free = {b.set: count(_FREE_BASE) for b in bindings}
    found: list[Binding] = []
    for b in bindings:
        own = b
        if b.register not in kept:
            if b.binding > _MAX_U32 or (b.set, b.binding) in taken:
                number = next(n for n in free[b.set] if (b.set, n) not in taken)
                own = replace(b, binding=number)
            taken.add((own.set, own.binding))
        found.append(own)
    return tuple(found)


def _fits(binding: Binding) -> bool:
    return binding.binding in PLACES[binding.register_class]


def _check_registers(bindings: Sequence[Binding], options: Options) -> None:
    """Raise TranslateError for a name that no binding has, and for formats of bare memory."""
    known = {b.register: b for b in bindings}
    shown = [(b.register, b.name) for b in bindings if b.kind not in ADDED]
    for register in (*options.bindings, *options.formats):
        if register not in known:
            raise unknown_register(register, shown)
    for register in options.formats:
        kind = known[register].kind
        if kind not in (TEXTURE, TYPED_BUFFER):
            raise OptionError(f"{register} is a {kind.replace('_', ' ')}, which has no format")


def _check_places(bindings: Sequence[Binding]) -> None:
    taken: dict[tuple[int, int], str] = {}
    for b in bindings:
        if b.set > _MAX_U32 or b.binding > _MAX_U32:
            raise OptionError(f"{b.register}: set and binding are at most {_MAX_U32}")
        other = taken.setdefault((b.set, b.binding), b.register)
        if other != b.register:
            raise OptionError(
                f"{other} and {b.register} are both bound to set {b.set}, binding {b.binding}:"
                " give them different places in Options.bindings (command line: --bind)"
            )
