"""The set and binding of each descriptor, its kind, and its name in RDEF."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import TypeVar

from translate.dataclass import replace
from translate.errors import OptionError, TranslateError, did_you_mean, escaped, listed, row_of
from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    SAMPLER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
)
from translate.interface.binding import ADDED
from translate.ir.memory import BOUND, ImageShape, MemoryKind, Resource
from translate.ir.values import Module
from translate.options import Options
from translate.reflection import Reflection, ResourceBinding

_NAMES: Mapping[MemoryKind, str] = {
    MemoryKind.RAW: RAW_BUFFER,
    MemoryKind.STRUCTURED: STRUCTURED_BUFFER,
    MemoryKind.SHARED_RAW: "group_shared",
    MemoryKind.SHARED_STRUCTURED: "group_shared",
    MemoryKind.CONSTANTS: CONSTANT_BUFFER,
    MemoryKind.IMMEDIATE_CONSTANTS: "immediate_constant_buffer",
    MemoryKind.INDEXABLE_TEMP: "indexable_temp",
    MemoryKind.SAMPLER: SAMPLER,
}
_CLASSES: Mapping[MemoryKind, str] = {MemoryKind.CONSTANTS: "cb", MemoryKind.SAMPLER: "s"}
_COMPONENTS_SHIFT = 2  # D3D_SIF_TEXTURE_COMPONENTS
_Value = TypeVar("_Value")
Rows = dict[tuple[str, int, int], ResourceBinding]
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


def name_of(kind: MemoryKind, shape: ImageShape) -> str:
    """The kind's name in interfaces and reports."""
    if kind is MemoryKind.TYPED:
        return TYPED_BUFFER if shape.is_buffer else TEXTURE
    return row_of(_NAMES, kind, "_NAMES of translate/bindings/places.py")


def descriptor_type(resource: Resource) -> str:
    """The value of `Binding.descriptor_type`."""
    return SAMPLER if resource.kind is MemoryKind.SAMPLER else resource.descriptor


def register_class(resource: Resource) -> str:
    """The register letters: `cb`, `s`, `t` or `u`."""
    return _CLASSES.get(resource.kind, "u" if resource.is_uav else "t")


def rows_of(reflection: Reflection | None) -> Rows:
    """RDEF's bindings by register letters, number and space."""
    if reflection is None:
        return {}
    return {(b.register_prefix, b.bind_point, b.space): b for b in reflection.bindings}


def rdef_binding_of(resource: Resource, rows: Rows) -> ResourceBinding | None:
    """RDEF's binding for a resource's first register, or None."""
    return rows.get((register_class(resource), resource.number, resource.space))


def by_register(options: Options, module: Module, reflection: Reflection | None) -> Options:
    """The options with registers in place of HLSL names, where they name single resources."""
    named = options.bindings or options.formats or options.windows or options.single_sample
    named = named or options.push_constants
    if reflection is None or not named:
        return options
    rows = rows_of(reflection)
    bound = [resource for resource in module.resources if resource.kind in BOUND]
    names = {row.name: r.register for r in bound if (row := rdef_binding_of(r, rows)) is not None}
    for resource in bound:
        names.pop(resource.register, None)  # a register comes before an equal name
    return replace(
        options,
        bindings=_renamed(options.bindings, names),
        formats=_renamed(options.formats, names),
        push_constants=_renamed(options.push_constants, names),
        windows=frozenset(names.get(name, name) for name in options.windows),
        single_sample=frozenset(names.get(name, name) for name in options.single_sample),
    )


def _renamed(given: Mapping[str, _Value], names: Mapping[str, str]) -> dict[str, _Value]:
    """The values by register; a counter's key is `name.counter`.

    Raises TranslateError if a register is named twice.
    """
    found: dict[str, _Value] = {}
    for key, value in given.items():
        name, dot, hidden = key.partition(".")
        register = f"{names.get(name, name)}{dot}{hidden}"
        if register in found:
            raise OptionError(f"an option names {escaped(register)} twice")
        found[register] = value
    return found


def unknown_register(
    name: str, known: Iterable[tuple[str, str | None]], use: str = ""
) -> TranslateError:
    """The error for a name that is neither of these registers nor a name that RDEF gives them."""
    rows = [*known]
    there = listed(f"{register} ({word})" if word else register for register, word in rows)
    hint = did_you_mean(name, [word for row in rows for word in row if word])
    return OptionError(
        f"{escaped(name)} is not a register of this shader{use}; it has {there or 'none'}{hint}"
    )


def components_of(row: ResourceBinding) -> int:
    """The number of components that HLSL declares for a typed resource."""
    return (row.flags >> _COMPONENTS_SHIFT & 3) + 1


def place_of(
    register: str, register_class: str, options: Options, space: int = 0, number: int = 0
) -> tuple[int, int]:
    """The set and binding of a register: those in the options, else the default of its class.

    `placed` may replace the default if it is not free.
    """
    chosen = options.bindings.get(register)
    if chosen is not None:
        return chosen
    first_set, first = options.layout.get(register_class, (0, PLACES[register_class].start))
    return first_set + space, first + number


def placed(bindings: Sequence[Binding], options: Options) -> tuple[Binding, ...]:
    """The bindings with their final sets and numbers.

    In cs_5_1 a register may be too high for the numbers of its class in `PLACES`. It keeps its
    default number if no other descriptor has that, otherwise it gets a free one.

    Raises TranslateError for registers that the shader lacks and for places that options give to
    two descriptors.
    """
    _check_registers(bindings, options)
    pushed = {b.register for b in bindings if b.push_offset is not None}
    chosen = {b.register for b in bindings if b.register_class in options.layout}
    chosen |= {b.register for b in bindings if b.register in options.bindings}
    kept = {b.register for b in bindings if b.register in chosen or _fits(b)} - pushed
    _check_places([b for b in bindings if b.register in kept])
    taken = {(b.set, b.binding) for b in bindings if b.register in kept}
    free = {b.set: count(_FREE_BASE) for b in bindings}
    found: list[Binding] = []
    for b in bindings:
        own = b
        if b.register not in kept | pushed:
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
            is_far = "_space" in other + b.register
            hint = "; a register of space n is n sets further than its class" if is_far else ""
            raise OptionError(
                f"{other} and {b.register} are both bound to set {b.set}, binding {b.binding}:"
                " give them different places in Options.bindings or layout (command line: --bind,"
                f" --layout){hint}"
            )
