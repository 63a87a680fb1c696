"""The bytes of a test's constant buffers: by name, as numbers, or by a pattern."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from translate import Binding
from vkrunner.shadertest.cases import Constants, Number
from vkrunner.shadertest.device_resources import count_of
from vkrunner.shadertest.encoding import encode, fill
from vkrunner.values.arrays import Array
from vkrunner.values.elements import Leaf, element_of_dtype, element_of_dwords

_VARIABLE = re.compile(r"\w+")


def constant_data(record: Constants, binding: Binding) -> Array:
    """The bytes of a constant buffer, u8[n]. Raises ShaderTestError."""
    if record.members:
        return _members(record, binding)
    element = record.type or element_of_dwords(1)
    count = count_of(record.values, element, binding.size_bytes or 0)
    return fill(record.values, element, count, record.token).reshape(-1)


def _members(record: Constants, binding: Binding) -> Array:
    label = binding.label
    if binding.dtype is None or binding.dtype.names is None:
        first = next(iter(record.members))
        raise first.error(f"{label} has no names: the shader comes without RDEF; write numbers")
    element = element_of_dtype(binding.dtype)
    data: Array = np.zeros(element.itemsize, np.uint8)
    given: set[str] = set()
    optional: set[str] = set()  # variables with an initialiser, and those that nothing reads
    for constant in binding.constants or ():
        if constant.default is not None:
            end = constant.offset + len(constant.default)
            data[constant.offset : end] = np.frombuffer(constant.default, np.uint8)
        if constant.default is not None or not constant.used:
            optional.add(constant.name)
    for token, numbers in record.members.items():
        leaves = element.field(f".{token.text}")
        if not leaves:
            there = ", ".join(binding.dtype.names)
            raise token.error(f"{label} has no {token.text!r}; it has {there}")
        if len(leaves) != len(numbers):
            raise token.error(f"{token.text} takes {len(leaves)} numbers, not {len(numbers)}")
        put(data, leaves, numbers)
        given.update(leaf.name for leaf in leaves)
    missing = [
        leaf.name[1:]
        for leaf in element.leaves
        if leaf.name not in given and _VARIABLE.findall(leaf.name)[0] not in optional
    ]
    if missing:
        raise record.token.error(f"{label} lacks {', '.join(missing[:8])}")
    return data


def put(data: Array, leaves: Sequence[Leaf], numbers: Sequence[Number]) -> None:
    """Write numbers into the bytes of an element, at the places of its leaves.

    Raises ShaderTestError.
    """
    for leaf, number in zip(leaves, numbers, strict=True):
        bits = encode(number, leaf).to_bytes(leaf.size, "little")
        data[leaf.place] = np.frombuffer(bits, np.uint8)
