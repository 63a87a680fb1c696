"""Values that are the same number whatever a shader loads: `x & 1 & 2`, `x - (x + 1) + 1`.

A driver finds such numbers by rules of its own. Here each operation is computed from pseudo-random
inputs (`ir.lanes`): a value that is always the same number has this number in every lane, so none
is missed. A value that differs for few inputs only may count too; to hide it costs an operation.

A load is a function of its address, so that equal loads are equal. A value that depends on the way
taken, and a load of memory that the shader stores to, is in each round another one of its sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from translate.ir import ops, row
from translate.ir.lanes import ONES, choose, evaluate, of_bits
from translate.ir.row import Effect, Lanes
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Block, Module, Value

Hashes = NDArray[np.uint64]

_LANES = 16
_ROUNDS = 3
_EMPTY, _FULL = 0, 0x3FFFFFFF  # dwords of the smallest and the largest buffer: lanes 0 and 1
_COUNTS = (ops.DWORD_COUNT, ops.STRUCTURE_COUNT, ops.TABLE_COUNT, ops.WINDOW_COUNT)
_CONNECTIVES = (ops.LNOT, ops.LAND, ops.LOR, ops.LXOR)
_SCALARS = (U32, BOOL, F32, F64)
_FLOATS = (F32, Type.TEXEL_F32)
_FACTOR, _STEP = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_NUMBERS = np.arange(1, _LANES + 1, dtype=np.uint64) * _STEP

Sources = Callable[[Value], Sequence[Value]]


def constant_values(module: Module, needed: set[Value], sources: Sources) -> set[Value]:
    """Those of the needed values that have the same number in every lane of a round.

    `sources` lists the values of which a merged or loaded value may be one: it is another one in
    each round. A float constant among them counts as unknown, since it is hidden.
    """
    several = any(len(sources(value)) > 1 for value in needed)
    found = set[Value]()
    for number in range(_ROUNDS if several else 1):
        lanes = _Round(module, sources, number).computed(needed)
        found |= {v for v, bits in lanes if (bits == bits[0]).all()}
    return found


def chosen_constants(module: Module, sources: Sources) -> Iterator[tuple[Value, set[int]]]:
    """Computed values that are one of two numbers, with these: `(c ? 1 : 0) * 5`.

    They depend on nothing but constants, conditions and the way taken, which each lane chooses at
    random.
    """
    chosen = _chosen(module, sources)
    for value, bits in _Round(module, sources, None).computed(chosen):
        numbers = set(bits.tolist())
        if len(numbers) == 2:
            yield value, numbers


def _chosen(module: Module, sources: Sources) -> set[Value]:
    chosen = set[Value]()
    for body in module.bodies():
        for value in _in_order(body):
            parts = [*value.args, *sources(value)]
            if value.type is BOOL or (
                (value.op.evaluate is not None or sources(value))
                and all(part.op is ops.CONST or part in chosen for part in parts)
            ):
                chosen.add(value)
    return chosen


class _Round:
    """The lanes of values in one round; without a number, lanes choose among sources."""

    def __init__(self, module: Module, sources: Sources, number: int | None):
        self._module = module
        self._sources = sources
        self._number = number
        self._lanes: dict[Value, Lanes] = {}
        self._seeds: dict[object, int] = {}

    def computed(self, needed: set[Value]) -> Iterator[tuple[Value, Hashes]]:
        """The needed scalars, with the bits in their lanes."""
        with np.errstate(all="ignore"):
            for body in self._module.bodies():
                for value in _in_order(body):
                    if value in needed:
                        self._lanes[value] = lanes = self._computed(value)
                        if value.type in _SCALARS:
                            yield value, _bits(lanes)

    def _computed(self, value: Value) -> Lanes:
        sources = self._sources(value)
        if sources:
            return self._merged(value, sources)
        if value.op is ops.INPUT:
            return self._input(*row.INPUT.of(value))
        if value.type is BOOL and self._number is None and value.op not in _CONNECTIVES:
            return _typed(value, self._hashes(value))
        if value.op.evaluate is not None and value.op is not ops.FMA:  # it is slow
            args = [self._operand(value, arg) for arg in value.args]
            return evaluate(value.op, value.type, args, value.data)
        reads = value.op.effect is Effect.READS or value.op.effect is Effect.PURE
        lanes = self._unknown(value, (value.op, value.data) if reads else value)
        if value.op in _COUNTS:
            lanes[:2] = _EMPTY, _FULL
        elif value.type is U32:
            lanes[:3] = 0, 1, ONES
        return lanes

    def _merged(self, value: Value, sources: Sequence[Value]) -> Lanes:
        """The lanes of a source, if these are known by now."""
        if self._number is not None:
            chosen = sources[self._number % len(sources)]
            hidden = _is_hidden(chosen)
            return self._unknown(value, value) if hidden else self._source(value, chosen)
        lanes = self._source(value, sources[0])
        for source in sources[1:]:
            taken = self._hashes((value, source)) >> np.uint64(63) == 1
            lanes = choose(taken, self._source(value, source), lanes)
        return lanes

    def _source(self, value: Value, source: Value) -> Lanes:
        if source.type is value.type and (source.op is ops.CONST or source in self._lanes):
            return self._of(source)
        return self._unknown(value, value)

    def _operand(self, value: Value, arg: Value) -> Lanes:
        hidden = value.op is ops.SELECT and self._number is not None and _is_hidden(arg)
        return self._unknown(arg, arg) if hidden else self._of(arg)

    def _of(self, value: Value) -> Lanes:
        """The lanes of an operand; constants are in no block."""
        return _filled(value) if value.op is ops.CONST else self._lanes[value]

    def _unknown(self, value: Value, key: object) -> Lanes:
        """Lanes that depend on the key and on the operands' lanes."""
        hashes = self._hashes(key)
        for arg in value.args:
            hashes = _mixed(hashes ^ _bits(self._of(arg)))
        if value.type in _SCALARS:
            return _typed(value, hashes)
        return np.stack([_typed(value, _mixed(hashes + np.uint64(n))) for n in range(4)])

    def _hashes(self, key: object) -> Hashes:
        seed = self._seeds.setdefault(key, len(self._seeds) + 1)
        return _mixed(_NUMBERS + np.uint64(seed) * _FACTOR)

    def _input(self, name: str, component: int) -> Lanes:
        """Numbers of threads and groups that belong together; lanes 0 and 1 are in group 0."""
        sizes = self._module.thread_group
        places = [_integers(self._hashes(("place", n))) % size for n, size in enumerate(sizes)]
        if name == "vThreadIDInGroup":
            return places[component]
        if name == "vThreadIDInGroupFlattened":
            x, y, _ = sizes
            return places[0] + x * (places[1] + y * places[2])
        group = _integers(self._hashes(("group", component))) >> 16
        group[:2] = 0
        if name == "vThreadGroupID":
            return group
        if name == "vThreadID":
            return group * sizes[component] + places[component] & ONES
        return _integers(self._hashes((name, component)))


def _in_order(block: Block) -> Iterator[Value]:
    """The values of a block, merged ones too, each after those that it is computed from."""
    yield from block.params
    for value in block.values:
        for inner in value.blocks:
            yield from _in_order(inner)
        yield value
        yield from value.results


def _is_hidden(value: Value) -> bool:
    return value.op is ops.CONST and value.type in (F32, F64)


def _filled(constant: Value) -> Lanes:
    """The lanes of a constant; of texels only zeros are constants."""
    bits = row.BITS.of(constant)
    if constant.type not in _SCALARS:
        kind = np.float32 if constant.type in _FLOATS else np.int64
        return np.zeros((4, _LANES), kind)
    if constant.type is BOOL:
        return np.full(_LANES, bits != 0)
    filled = np.full(_LANES, bits, np.uint64 if constant.type is F64 else np.uint32)
    return filled.astype(np.int64) if constant.type is U32 else of_bits(constant.type, filled)


def _mixed(hashes: Hashes) -> Hashes:
    hashes = (hashes ^ hashes >> np.uint64(30)) * _FACTOR
    return (hashes ^ hashes >> np.uint64(27)) * _STEP


def _integers(hashes: Hashes) -> Lanes:
    return (hashes >> np.uint64(32)).astype(np.int64)


def _typed(value: Value, hashes: Hashes) -> Lanes:
    """Hashes as lanes of the value's type, or of its components'."""
    if value.type is BOOL:
        return hashes >> np.uint64(63) == 1
    if value.type is F64:
        return hashes.view(np.float64)
    words = _integers(hashes)
    return of_bits(F32, words) if value.type in _FLOATS else words


def _bits(lanes: Lanes) -> Hashes:
    if lanes.dtype == np.float32:
        return lanes.view(np.uint32).astype(np.uint64)
    if lanes.dtype == np.float64:
        return lanes.view(np.uint64)
    return lanes.astype(np.uint64)
