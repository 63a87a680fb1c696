"""The bindings of any compiler's module, read from its SPIR-V: enough for a layout and descriptors.

Source: SPIR-V specification, "Instructions"; Vulkan specification, "Shader Resource Interface".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from vkrunner.vulkan.machine_code import Entry, Slot

_ENTRY_POINT, _CONSTANT, _VARIABLE, _DECORATE = 15, 43, 59, 71
_INT, _IMAGE, _SAMPLER, _SAMPLED_IMAGE = 21, 25, 26, 27
_ARRAY, _RUNTIME_ARRAY, _POINTER = 28, 29, 32
_BUFFER_BLOCK, _BINDING, _SET = 3, 33, 34  # decorations
_UNIFORM, _PUSH_CONSTANT, _STORAGE_BUFFER = 2, 9, 12  # storage classes
_DIM_BUFFER, _SAMPLED = 5, 1
_PUSH_BYTES = 128
_UNBOUNDED = 4  # descriptors of an array without a length: lavapipe has 32 storage buffers


@dataclass(frozen=True, slots=True)
class Texels:
    """The operands of an OpTypeImage; `component` is float, sint or uint."""

    component: str
    dimension: int
    is_depth: bool
    is_array: bool
    is_multisampled: bool
    format: int


@dataclass(frozen=True, slots=True)
class DeclaredSlot(Slot):
    """A binding, with the operands of its image."""

    texels: Texels | None = None


@dataclass(frozen=True, slots=True)
class Declared(Entry):
    """A module's compute entry point and its bindings."""

    slots: tuple[DeclaredSlot, ...]


def declared_by(words: Any, features: Collection[str] | None = None) -> Declared:
    """The declarations of a module with one entry point, which relies on these features."""
    return replace(_Reader(words).declared(), features=features)


def _instructions(words: Any) -> Iterator[tuple[int, list[int]]]:
    at, numbers = 5, [int(word) for word in words]
    while at < len(numbers):
        length = numbers[at] >> 16
        if length == 0:
            raise ValueError(f"no SPIR-V: an instruction of no words at word {at}")
        yield numbers[at] & 0xFFFF, numbers[at + 1 : at + length]
        at += length


class _Reader:
    """Types and constants by id, as their opcodes and operands."""

    def __init__(self, words: Any):
        self._types: dict[int, tuple[int, list[int]]] = {}
        self._constants: dict[int, int] = {}
        self._decorations: dict[int, dict[int, int]] = defaultdict(dict)
        self._variables: list[tuple[int, int, int]] = []  # id, type, storage class
        self._entry_point = ""
        for opcode, operands in _instructions(words):
            self._read(opcode, operands)

    def _read(self, opcode: int, operands: list[int]) -> None:
        if opcode == _ENTRY_POINT:
            text = b"".join(word.to_bytes(4, "little") for word in operands[2:])
            self._entry_point = text.split(b"\0")[0].decode()
        elif opcode == _CONSTANT:
            self._constants[operands[1]] = operands[2]
        elif opcode == _DECORATE:
            self._decorations[operands[0]][operands[1]] = (operands[2:] or [0])[0]
        elif opcode == _VARIABLE:
            self._variables.append((operands[1], operands[0], operands[2]))
        elif _IMAGE <= opcode <= _POINTER or opcode in range(19, 25):
            self._types[operands[0]] = opcode, operands[1:]

    def declared(self) -> Declared:
        found = [self._slot(*v) for v in self._variables if _SET in self._decorations[v[0]]]
        pushes = any(storage == _PUSH_CONSTANT for _, _, storage in self._variables)
        merged = {(slot.set, slot.binding): slot for slot in found}
        slots = tuple(merged[key] for key in sorted(merged))
        return Declared(self._entry_point, slots, _PUSH_BYTES if pushes else 0)

    def _slot(self, variable: int, type_id: int, storage: int) -> DeclaredSlot:
        pointee = self._types[type_id][1][1]
        opcode, operands = self._types[pointee]
        count = 1
        while opcode in (_ARRAY, _RUNTIME_ARRAY):
            count *= self._constants[operands[1]] if opcode == _ARRAY else _UNBOUNDED
            pointee = operands[0]
            opcode, operands = self._types[pointee]
        decorations = self._decorations[variable]
        kind = self._kind(opcode, operands, storage, pointee)
        texels = self._texels(operands) if opcode == _IMAGE else None
        return DeclaredSlot(decorations[_SET], decorations.get(_BINDING, 0), kind, count, texels)

    def _texels(self, operands: list[int]) -> Texels:
        sampled, dimension, depth, array, multisampled, _, format_, *_ = operands
        opcode, numbers = self._types[sampled]
        is_signed = opcode == _INT and numbers[1] == 1
        component = "float" if opcode != _INT else "sint" if is_signed else "uint"
        return Texels(component, dimension, depth == 1, array == 1, multisampled == 1, format_)

    def _kind(self, opcode: int, operands: list[int], storage: int, pointee: int) -> str:
        if opcode == _IMAGE:
            sampled = operands[5] == _SAMPLED
            if operands[1] == _DIM_BUFFER:
                return "UNIFORM_TEXEL_BUFFER" if sampled else "STORAGE_TEXEL_BUFFER"
            return "SAMPLED_IMAGE" if sampled else "STORAGE_IMAGE"
        if opcode in (_SAMPLER, _SAMPLED_IMAGE):
            return "SAMPLER" if opcode == _SAMPLER else "COMBINED_IMAGE_SAMPLER"
        block = _BUFFER_BLOCK in self._decorations[pointee]
        return "STORAGE_BUFFER" if storage == _STORAGE_BUFFER or block else "UNIFORM_BUFFER"
