"""Look up RDEF's resource bindings by register, and registers by RDEF's names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from translate.bindings.kinds import register_class
from translate.errors import OptionError, TranslateError, did_you_mean
from translate.ir.memory import BOUND, Resource
from translate.ir.values import Module
from translate.options import Options
from translate.reflection import Reflection, ResourceBinding

_COMPONENTS_SHIFT = 2  # D3D_SIF_TEXTURE_COMPONENTS

_Value = TypeVar("_Value")
Rows = dict[tuple[str, int, int], ResourceBinding]


def rows_of(reflection: Reflection | None) -> Rows:
    """RDEF's bindings by register letters, number and space."""
    if reflection is None:
        return {}
    return {(b.register_prefix, b.bind_point, b.space): b for b in reflection.bindings}


def row_of(resource: Resource, rows: Rows) -> ResourceBinding | None:
    """RDEF's binding for a resource's first register, or None."""
    return rows.get((register_class(resource), resource.number, resource.space))


def by_register(options: Options, module: Module, reflection: Reflection | None) -> Options:
    """The options with registers in place of HLSL names, where they name single resources."""
    named = options.bindings or options.formats or options.windows or options.single_sample
    if reflection is None or not named:
        return options
    rows = rows_of(reflection)
    bound = [resource for resource in module.resources if resource.kind in BOUND]
    names = {row.name: r.register for r in bound if (row := row_of(r, rows)) is not None}
    for resource in bound:
        names.pop(resource.register, None)  # a register comes before an equal name
    return replace(
        options,
        bindings=_renamed(options.bindings, names),
        formats=_renamed(options.formats, names),
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
            raise OptionError(f"an option names {register} twice")
        found[register] = value
    return found


def unknown_register(
    name: str, known: Iterable[tuple[str, str | None]], use: str = ""
) -> TranslateError:
    """The error for a name that is neither of these registers nor a name that RDEF gives them."""
    rows = [*known]
    there = ", ".join(f"{register} ({word})" if word else register for register, word in rows)
    hint = did_you_mean(name, [word for row in rows for word in row if word])
    return OptionError(
        f"{name} is not a register of this shader{use}; it has {there or 'none'}{hint}"
    )


def components_of(row: ResourceBinding) -> int:
    """The number of components that HLSL declares for a typed resource."""
    return (row.flags >> _COMPONENTS_SHIFT & 3) + 1
