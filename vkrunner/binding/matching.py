"""Values by register: those passed by names and keys, spread over arrays of resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from translate.interface import COUNTER, SAMPLER, Binding, ShaderInterface
from vkrunner.binding.registers import COUNTER_SUFFIX, FILLED, Key, find, label_of
from vkrunner.errors import ArgumentError

_OPTIONAL = (COUNTER, SAMPLER, *FILLED)  # what may be left out


class Elements(dict[int, Any]):
    """Values of single elements of an array of resources."""


@dataclass(frozen=True, slots=True)
class CounterOwner:
    """The value of the UAV whose hidden counter is meant."""

    value: Any


def match_arguments(
    interface: ShaderInterface, named: Mapping[str, Any], keyed: Mapping[Key, Any]
) -> dict[str, Any]:
    """Values by register.

    Raises ArgumentError for a key that the shader does not have, for one given twice, and for
    registers that got nothing; only a hidden counter may be left out.
    """
    given: dict[str, Any] = {}
    for key, value in (*named.items(), *keyed.items()):
        binding, element = find(interface, key)
        register = binding.register
        if element is not None:
            there = given.setdefault(register, Elements())
            if isinstance(there, Elements) and element not in there:
                there[element] = value
                continue
        if register in given:
            raise ArgumentError(f"{key if element is not None else register} is given twice")
        given[register] = value
    missing = [b for b in interface if b.register not in given and b.kind not in _OPTIONAL]
    if missing:
        listed = "; ".join(f"{label_of(b)}, a {b.kind.replace('_', ' ')}" for b in missing)
        raise ArgumentError(f"missing: {listed}")
    return given


def elements_of(binding: Binding, given: Mapping[str, Any]) -> list[Any]:
    """The values of all of a binding's descriptors; those that are not given are None."""
    value, count = _given(binding, given), binding.count
    if count == 1:
        return [value]
    if isinstance(value, Elements):
        return [value.get(n) for n in range(count or max(value) + 1)]
    if isinstance(value, CounterOwner) and value.value is None:
        value = None
    if value is None:
        return [None] * max(count, 1)
    if not isinstance(value, (list, tuple)):
        raise ArgumentError(f"{label_of(binding)} is an array of resources: pass a list of them")
    values = list(cast("Sequence[Any]", value))
    if count and len(values) > count:
        raise ArgumentError(f"{label_of(binding)} has {count} resources, {len(values)} are given")
    return values + [None] * (count - len(values))


def _given(binding: Binding, given: Mapping[str, Any]) -> Any:
    """A binding's value; a counter that is left out has its owner's."""
    if binding.kind == COUNTER and binding.register not in given:
        return _owners(given[binding.register.removesuffix(COUNTER_SUFFIX)])
    return given.get(binding.register)


def _owners(owner: Any) -> Any:
    if isinstance(owner, Elements):
        return Elements({n: CounterOwner(value) for n, value in owner.items()})
    if isinstance(owner, (list, tuple)):
        return [CounterOwner(value) for value in cast("Sequence[Any]", owner)]
    return CounterOwner(owner)
