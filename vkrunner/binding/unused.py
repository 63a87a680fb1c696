"""Resources that a kernel does not have, which `strict=False` ignores.

A host may thus pass one set of resources to several kernels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from translate.interface import ShaderInterface
from vkrunner.binding.making import RESOURCES
from vkrunner.binding.registers import Key, elements_of, look_up
from vkrunner.errors import UnknownNameError, WrongTypeError
from vkrunner.values.numbers import BYTES_LIKE, as_array

_ARRAYS = (*BYTES_LIKE, np.ndarray, np.generic)
_NUMBERS = (bool, int, float)
_VALUES = (type(None), *_NUMBERS, *RESOURCES, Mapping)  # beside arrays


def used_resources(
    interface: ShaderInterface, given: Mapping[Key, Any], strict: object
) -> dict[Key, Any]:
    """The given resources that the kernel has; if `strict`, all, so that unknown ones raise later.

    Raises ArgumentError if `strict` is not a bool, and for values that no register could take.
    """
    if not isinstance(strict, (bool, np.bool_)):
        raise WrongTypeError(
            f"strict is True or False, not {type(strict).__name__}: a resource of this name goes"
            " by its register, or into bindings"
        )
    made: dict[Key, Any] = {}
    for key, value in given.items():
        if strict or look_up(interface, key) is not None or elements_of(interface, key):
            made[key] = value
        else:
            _check_unused(key, value)
    return made


def _check_unused(key: Key, value: Any) -> None:
    """Raise ArgumentError for a value of a type that no kind of register takes."""
    several = isinstance(value, (list, tuple))
    for one in cast("Sequence[Any]", value) if several else (value,):
        if isinstance(one, _ARRAYS):
            as_array(one, str(key))
        elif not isinstance(one, _VALUES):
            raise UnknownNameError(f"{key!r}: no resource is of type {type(one).__name__}")
