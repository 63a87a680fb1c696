"""Finds the binding and element that a name or register means, and each descriptor's value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from translate.dataclass import dataclass, replace
from translate.errors import did_you_mean, escaped, listed
from translate.interface import (
    COUNTER,
    MESSAGES,
    REPORT,
    SAMPLER,
    TABLES,
    Binding,
    ShaderInterface,
    register_name,
    register_place,
)
from vkrunner.errors import (
    DuplicateError,
    LimitError,
    MissingError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.info.device_info import MOST_DESCRIPTORS, DeviceLimits
from vkrunner.shader.device_options import KernelOptions
from vkrunner.values.numbers import is_integer

Key = str | tuple[str, int, int]  # a register, an HLSL name, or (class, space, number)

COUNTER_SUFFIX = ".counter"

FILLED = (REPORT, MESSAGES, TABLES)  # kinds of bindings that take no argument
_ELEMENT = re.compile(r"(.+)\[(\d{1,10})\]")  # `A[2]`: before cs_5_1, elements are own bindings
_OPTIONAL = (COUNTER, SAMPLER, *FILLED)
Keys = dict[str, Key | dict[int, Key]]  # by register, or by register and element of a range


def register_of(interface: ShaderInterface, key: Key) -> str:
    """The register that a key names. Raises ArgumentError like `find`."""
    return find(interface, key)[0].register


def unnamed_error(values: Sequence[object], interface: ShaderInterface) -> WrongTypeError:
    """The error for values after the groups of `dispatch`, which were given without a name."""
    if all(map(is_integer, values)):
        return WrongTypeError(
            "several numbers of thread groups are a tuple: dispatch((41, 27), ...);"
            " groups_for(width, height) computes them"
        )
    names = [escaped(b.name or b.register) for b in _passed(interface)]
    named = "".join(f", {name}=..." for name in names)
    return WrongTypeError(f"arrays and constants are passed by name: dispatch(groups{named})")


def find(interface: ShaderInterface, key: Key) -> tuple[Binding, int | None]:
    """Like `look_up`, but raises ArgumentError, which lists the resources, if no binding fits."""
    found = look_up(interface, key)
    if found is not None:
        return found
    there = ", ".join(b.label for b in _passed(interface))
    there = there or "no resources"
    names = _names(interface)
    hint = _hint(interface, key) or did_you_mean(str(key), names)
    if not hint and not names:
        hint = "; it has no names (RDEF), which a listing has in fxc's comments"
    raise UnknownNameError(f"no resource {key!r}; the shader has {there}{hint}")


def _passed(interface: ShaderInterface) -> list[Binding]:
    """The bindings for which a dispatch takes an argument."""
    return [b for b in interface if b.kind not in (COUNTER, *FILLED)]


def _names(interface: ShaderInterface) -> list[str]:
    return [b.name for b in _passed(interface) if b.name]


def _hint(interface: ShaderInterface, key: Key) -> str:
    """Advice for an error if the key names an array, a variable or an option; else ""."""
    if elements_of(interface, key):
        return f"; {key!r} is an array of resources: pass a list of them"
    for binding in interface:
        if any(constant.name == key for constant in binding.constants or ()):
            owner = binding.name or binding.register
            return f"; {key!r} is a variable of {binding.register}: {owner}={{{key!r}: ...}}"
    return f"; {key} is an option of device.kernel" if key in _options() else ""


def _options() -> set[str]:
    """The names of the options of `Device.kernel`."""
    return {"file", "message_capacity", *KernelOptions.__annotations__}


def look_up(interface: ShaderInterface, key: Key) -> tuple[Binding, int | None] | None:
    """The binding of a key, and the element if the key is a register within a range.

    The first register of a range names the whole range, and `kept.counter` the hidden counter of
    `kept`. Returns None if no binding fits. Raises
    ArgumentError for a text that is a register of one resource and the HLSL name of another.
    """
    name = _name_of(key)
    if name is key and (doubt := two_meanings(interface, name)):
        raise UnknownNameError(doubt)
    if isinstance(name, str) and name in interface and interface[name].kind not in FILLED:
        return interface[name], None
    if isinstance(name, str) and name.endswith(COUNTER_SUFFIX):
        owner = look_up(interface, name.removesuffix(COUNTER_SUFFIX))
        hidden = owner[0].register + COUNTER_SUFFIX if owner is not None else ""
        return (interface[hidden], None) if hidden in interface else None
    return at_register(interface, name)


def bound_by_callers(interface: ShaderInterface) -> ShaderInterface:
    """The interface without the bindings that the runner fills; they differ between devices."""
    bindings = tuple(one for one in interface if one.kind not in FILLED)
    return replace(interface, bindings=bindings)


def two_meanings(interface: ShaderInterface, text: Any) -> str:
    """The error for a text that is a register and another resource's HLSL name; else ""."""
    if _place(text) is None:
        return ""
    placed = at_register(interface, text)
    if placed is None or _array_of(placed[0]) == text:
        return ""
    for binding in interface:
        if _array_of(binding) == text and binding is not placed[0] and binding.kind != COUNTER:
            owner = f"register of {placed[0].name}" if placed[0].name else "register"
            return (
                f"{text} is a {owner}, and the name of {binding.register}: write"
                f" {_with_space(text)} or {_with_space(binding.register)}"
            )
    return ""


def _array_of(binding: Binding) -> str | None:
    """The HLSL name of a binding, or of the array that it is an element of."""
    match = _ELEMENT.fullmatch(binding.name or "")
    return match[1] if match else binding.name


def written(interface: ShaderInterface, register: str) -> str:
    """A register as text that means nothing else."""
    return _with_space(register) if two_meanings(interface, register) else register


def _with_space(register: str) -> str:
    return register if "_space" in register else f"{register}_space0"


def _name_of(key: Key) -> Any:
    """The name of a register given as (class, space, number); other keys are returned."""
    if not isinstance(key, tuple):
        return key
    letters, space, number = key
    return register_name(letters, number, space)


def elements_of(interface: ShaderInterface, key: Key) -> dict[int, str]:
    """For a resource array in a shader before cs_5_1: index -> register (`{0: 't0', 2: 't2'}`).

    `key` is the array's name or its first register; any other key gives an empty dict. fxc names
    the registers `A[0]`, `A[2]`, and omits those that the shader does not use. In a shader without
    names, all registers of the class from the first one on count as the array.
    """
    name = _name_of(key)
    first, named, unnamed = _place(name), dict[int, str](), dict[int, str]()
    for binding in interface:
        place = _place(binding.register)
        if interface.profile == "cs_5_1" or place is None or place[0] == "cb":
            continue
        match = _ELEMENT.fullmatch(binding.name or "")
        if match is not None:
            index = int(match[2])
            if name == match[1] or first == (*place[:2], place[2] - index):
                named[index] = binding.register
        elif binding.name is None and first is not None and first[:2] == place[:2]:
            unnamed[place[2] - first[2]] = binding.register
    if named or 0 not in unnamed:
        return named
    return {index: register for index, register in unnamed.items() if index >= 0}


def has_resource(interface: ShaderInterface, key: Key) -> bool:
    """Whether the shader has a resource, or an array of them, by this name or register."""
    return look_up(interface, key) is not None or bool(elements_of(interface, key))


def at_register(interface: ShaderInterface, register: Any) -> tuple[Binding, int] | None:
    """The binding whose range contains a register, and the register's element; None without one."""
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
    """`register_place` of a key; None for one that is no text."""
    return register_place(name) if isinstance(name, str) else None


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
                f"the shader has {listed(elements.values())}, and no register for number {index}"
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


def misread_text(binding: Binding, label: str, format: str, component: str) -> str:
    """The start of an error about a format whose texels the shader takes for another component."""
    verb = "written" if binding.written and not binding.read else "read"
    return f"{label} is {verb} as {binding.component}, but {format} is {component}"
