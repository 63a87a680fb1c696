"""The value of each descriptor, from values that are passed by name, register or tuple."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from translate.interface import COUNTER, SAMPLER, Binding, ShaderInterface
from vkrunner.binding.registers import COUNTER_SUFFIX, FILLED, Key, elements_of, find, written
from vkrunner.errors import (
    DuplicateError,
    LimitError,
    MissingError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.info.device_info import MOST_DESCRIPTORS, DeviceLimits

_OPTIONAL = (COUNTER, SAMPLER, *FILLED)

Keys = dict[str, Key | dict[int, Key]]  # by register, or by register and element of a range


@dataclass(frozen=True, slots=True)
class CounterOwner:
    """The value of a UAV, passed on for its hidden counter, for which the caller gave no value."""

    value: Any


def with_elements(interface: ShaderInterface, given: Mapping[Any, Any]) -> dict[Any, Any]:
    """The values, with lists for arrays of resources split into one value for each register.

    Only in shaders before cs_5_1, where each element of an array is a binding of its own. Elements
    that the shader does not use are left out. Raises ArgumentError for a register that is given
    twice.
    """
    made: dict[Any, Any] = {}
    for key, value in given.items():
        elements = elements_of(interface, key) if isinstance(value, (list, tuple)) else {}
        found: dict[Any, Any] = {key: value}
        if elements:
            found = by_register(interface, elements, cast("Sequence[Any]", value))
        for name, one in found.items():
            if name in made:
                raise DuplicateError(f"{name} is given twice")
            made[name] = one
    return made


def by_register(
    interface: ShaderInterface, elements: Mapping[int, str], values: Sequence[Any]
) -> dict[str, Any]:
    """The values of a list for an array of resources, by register; see `elements_of`.

    In a shader without names, the registers may belong to no array. Then a value whose index has no
    register raises ArgumentError; in others it is one that the shader does not use.
    """
    is_named = all(interface[register].name for register in elements.values())
    for index, value in enumerate(values):
        if value is not None and index not in elements and not is_named:
            raise UnknownNameError(
                f"the shader has {', '.join(elements.values())}, and no register for number {index}"
                f" of the list's {len(values)} resources"
            )
    given = ((n, value) for n, value in enumerate(values) if n in elements)
    return {written(interface, elements[n]): value for n, value in given}


def match_keys(interface: ShaderInterface, keys: Iterable[Key]) -> Keys:
    """For each register, the caller's key that names it; for each element of a range, its key.

    Raises ArgumentError for a key that the shader does not have, a register with two keys, and a
    register without a key. Only hidden counters and samplers may be omitted.
    """
    found: Keys = {}
    for key in keys:
        binding, element = find(interface, key)
        register = binding.register
        if element is not None and binding.count != 1:
            there = found.setdefault(register, {})
            if isinstance(there, dict) and element not in there:
                there[element] = key
                continue
        if register in found:
            raise DuplicateError(f"{key if element is not None else register} is given twice")
        found[register] = key
    missing = [b for b in interface if b.register not in found and b.kind not in _OPTIONAL]
    if missing:
        listed = "; ".join(f"{b.label}, a {b.kind.replace('_', ' ')}" for b in missing)
        raise MissingError(f"missing: {listed}")
    return found


def check_counts(
    interface: ShaderInterface, keys: Keys, given: Mapping[Any, Any], limits: DeviceLimits
) -> None:
    """Raise LimitError if ranges need more descriptors than D3D or the device has.

    They take memory for null ones too: in an unbounded range, for all up to the last value.
    """
    counts = [(b, _count(b, keys.get(b.register), given)) for b in interface if b.count != 1]
    for is_sampler, limit in ((False, limits.max_resources), (True, limits.max_samplers)):
        most = min(limit, MOST_DESCRIPTORS)
        ranges = [(b, count) for b, count in counts if (b.kind == SAMPLER) == is_sampler]
        if sum(count for _, count in ranges) > most:
            binding, count = max(ranges, key=lambda one: one[1])
            raise LimitError(
                f"{binding.label} would have {count} resources, null ones included; all arrays of"
                f" a dispatch may have {most}"
            )


def _count(binding: Binding, key: Key | dict[int, Key] | None, given: Mapping[Any, Any]) -> int:
    """The number of descriptors of a range, up to the last value if it is unbounded."""
    if binding.count:
        return binding.count
    if isinstance(key, dict):
        return max(key) + 1
    value = given.get(key)
    return len(cast("Sequence[Any]", value)) if isinstance(value, (list, tuple)) else 1


def values_of(binding: Binding, keys: Keys, given: Mapping[Any, Any]) -> Sequence[Any]:
    """The values of all descriptors of a binding, None for those without a value.

    A counter without a key gets the value of its UAV, as a CounterOwner.
    """
    key, is_owner = keys.get(binding.register), False
    if binding.kind == COUNTER and key is None:
        key, is_owner = keys[binding.register.removesuffix(COUNTER_SUFFIX)], True
    if isinstance(key, dict):
        values = [given.get(key.get(n)) for n in range(binding.count or max(key) + 1)]
    else:
        values = _spread(binding, given.get(key))
    return [CounterOwner(value) for value in values] if is_owner else values


def _spread(binding: Binding, value: Any) -> Sequence[Any]:
    """One value for each descriptor: of a range, those of a list, followed by None."""
    count = binding.count
    if count == 1:
        return [value]
    if value is None:
        return [None] * max(count, 1)
    if not isinstance(value, (list, tuple)):
        raise WrongTypeError(f"{binding.label} is an array of resources: pass a list of them")
    values = list(cast("Sequence[Any]", value))
    if count and len(values) > count:
        raise ShapeError(f"{binding.label} has {count} resources, {len(values)} are given")
    return (values + [None] * (count - len(values))) or [None]
