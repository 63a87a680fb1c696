"""Finds the binding that a name or a register means, and the element if it is within a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from translate.errors import did_you_mean
from translate.interface import (
    COUNTER,
    MESSAGES,
    REPORT,
    TABLES,
    Binding,
    ShaderInterface,
    register_name,
    register_place,
)
from vkrunner.errors import UnknownNameError, WrongTypeError
from vkrunner.shader.device_options import KernelOptions
from vkrunner.values.numbers import is_integer

Key = str | tuple[str, int, int]  # a register, an HLSL name, or (class, space, number)

COUNTER_SUFFIX = ".counter"

FILLED = (REPORT, MESSAGES, TABLES)  # kinds of bindings that take no argument
_ELEMENT = re.compile(r"(.+)\[(\d{1,10})\]")  # `A[2]`: before cs_5_1, elements are own bindings


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
    names = [b.name or b.register for b in _passed(interface)]
    named = "".join(f", {name}=..." for name in names)
    return WrongTypeError(f"arrays and constants are passed by name: dispatch(groups{named})")


def find(interface: ShaderInterface, key: Key) -> tuple[Binding, int | None]:
    """Like `look_up`, but raises ArgumentError, which lists the resources, if no binding fits."""
    found = look_up(interface, key)
    if found is not None:
        return found
    there = ", ".join(b.label for b in _passed(interface))
    there = there or "no resources"
    hint = _hint(interface, key) or did_you_mean(str(key), _names(interface))
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

    The first register of a range names the whole range. Returns None if no binding fits. Raises
    ArgumentError for a text that is a register of one resource and the HLSL name of another.
    """
    name = _name_of(key)
    if name is key and (doubt := two_meanings(interface, name)):
        raise UnknownNameError(doubt)
    if isinstance(name, str) and name in interface and interface[name].kind not in FILLED:
        return interface[name], None
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
