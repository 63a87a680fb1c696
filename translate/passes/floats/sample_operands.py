"""Operands of samples on which drivers disagree: NaNs, infinities and very large numbers.

One test covers all operands of a group of samples, by their bits, which no driver can fold. If it
fails, a branch replaces the operands by others for which all drivers give D3D's results
(docs/numerics.md, "Sampling"). The sampler is unknown here, so a replacement is right in every
address mode: it is outside of the texture if the operand was, and at the same place of the repeated
or mirrored texture. Operands that `float_ranges` proves to be near (below 2^17) are not tested, nor
are those of kinds that the device gets right (`Options.exact_samples`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set

from translate.dataclass import dataclass
from translate.ir import ops, row
from translate.ir.builder import Builder, bits_of, magnitude
from translate.ir.memory import MemoryKind, Sample
from translate.ir.ops import COMPUTING
from translate.ir.values import Block, Module, Value
from translate.passes.floats.float_ranges import FloatRanges
from translate.passes.floats.replaced_operands import (
    GATHERS,
    LONGEST,
    SHORTEST,
    Layout,
    Replacements,
    is_extreme,
)
from translate.passes.rewrite import through_casts

SAMPLES = (ops.SAMPLE, ops.SAMPLE_COMPARE)
_MOST = 4  # samples, since their operands are in registers at the same time
Group = tuple[Value, ...]
_NEAR = 512.0  # drivers are exact below: 2^23 texels at a size of 2^14
_PROVED = 2.0**17  # numbers below never reach 2^31 texels
_SMALL = 8.0  # a near number may be moved by this much and is below _PROVED
_CLAMPS = "clamps"  # of levels of detail, which no device is tried for
_Key = tuple[object, ...]


def in_groups(values: Sequence[Value], is_wanted: Callable[[Value], bool]) -> list[Value | Group]:
    """A block's values, with a tuple of each group's samples in front of the first of them.

    Values that later samples of a group need move in front of the group; no writes are in between.
    """
    found: list[Value | Group] = []
    group: _Group | None = None
    for value in values:
        if group is not None and group.takes(value, is_wanted):
            continue
        if group is not None:
            found += group.close()
        group = _Group(value) if value.op in SAMPLES and is_wanted(value) else None
        if group is None:
            found.append(value)
    return found if group is None else [*found, *group.close()]


class _Group:
    """`values` are those from the first sample on. `late` are the samples, and the values that
    depend on them; `end` is the position in `values` after the last sample."""

    def __init__(self, first: Value):
        self.samples = [first]
        self.values = [first]
        self.late = {first}
        self.end = 1

    def takes(self, value: Value, is_wanted: Callable[[Value], bool]) -> bool:
        """Add the next value of the block; returns False if the group ends before it."""
        if value.op not in COMPUTING:
            return False
        depends = not self.late.isdisjoint(value.args)
        wanted = value.op in SAMPLES and is_wanted(value)
        if wanted and (depends or len(self.samples) == _MOST):
            return False
        self.values.append(value)
        if wanted:
            self.samples.append(value)
            self.end = len(self.values)
        if wanted or depends:
            self.late.add(value)
        return True

    def close(self) -> list[Value | Group]:
        """All values in their new order, with the group before its first sample."""
        early = [value for value in self.values[: self.end] if value not in self.late]
        late = [value for value in self.values[: self.end] if value in self.late]
        return [*early, tuple(self.samples), *late, *self.values[self.end :]]


def limit_sample_operands(
    module: Module, exact: Set[str] = frozenset(), *, specialized: bool = False
) -> None:
    """Replace the operands of every sample, except those of the `exact` kinds.

    `specialized`: a specialization constant for each other kind says whether the device is exact.
    """
    if any(resource.kind is MemoryKind.SAMPLER for resource in module.resources):
        limits = _Limits(module, exact, specialized)
        for body in module.bodies():
            limits.block(body)


@dataclass(frozen=True, slots=True)
class _Operands:
    """A sample, its texture's index in an array, and `loose`, the positions of operands to replace.

    The test covers the values in `tested`, and a cube's `direction`, empty if it needs no test. A
    value is with the specialization constant that says whether the device is exact, or with "".
    """

    value: Value
    index: Value | None
    loose: tuple[int, ...]
    tested: tuple[tuple[Value, str], ...]
    direction: tuple[Value, ...]

    @property
    def key(self) -> _Key:
        """The facts on which replacements depend: samples with equal keys share replacements."""
        sample: Sample = row.SAMPLE.of(self.value)
        on_place = not self.loose or self.loose[-1] in Layout.of(sample).place
        mode = sample.mode in GATHERS if on_place else sample.mode
        given = (through_casts(self.value.args[n]) for n in self.loose)
        return sample.resource, self.index, sample.dynamic_offset, mode, self.loose, *given


class _Limits:
    """Replaces the operands of a module's samples."""

    def __init__(self, module: Module, exact: Set[str], specialized: bool):
        self.takes_index = module.tables.takes_index
        self.ranges = FloatRanges(module)
        self.exact = exact
        self.specialized = specialized

    def block(self, block: Block) -> None:
        """Rewrite a block and the blocks in it."""
        values, block.values = block.values, []
        b, known = Builder(block), dict[_Key, list[Value]]()
        for item in in_groups(values, lambda sample: bool(self._operands(sample).loose)):
            if not isinstance(item, Value):
                b.where = item[0].where
                self._replace(b, item, known)
                continue
            for inner in item.blocks:
                self.block(inner)
            block.values.append(item)

    def _replace(self, b: Builder, group: Group, known: dict[_Key, list[Value]]) -> None:
        """Replace operands of a group by results of a branch, which is rarely taken.

        Samples of a texture at the same place share its replacement, within a block.
        """
        every = [self._operands(value) for value in group]
        new = {one.key: one for one in every if one.key not in known}
        if new:
            otherwise = [one.value.args[n] for one in new.values() for n in one.loose]
            with b.selection(
                _failed(b, [*new.values()], self._constant("directions")), otherwise
            ) as taken:
                b.precise, made = True, Replacements(b, self._is_finite)
                taken.values = [
                    x for one in new.values() for x in made.of(one.value, one.index, one.loose)
                ]
                b.precise = False
            results = iter(taken.results)
            known |= {key: [next(results) for _ in one.loose] for key, one in new.items()}
        for one in every:
            args = [*one.value.args]
            for n, x in zip(one.loose, known[one.key], strict=True):
                args[n] = x
            one.value.args = args

    def _operands(self, value: Value) -> _Operands:
        """The operands of a sample that may be special and that the device may get wrong."""
        sample, args = row.SAMPLE.of(value), value.args
        layout, is_cube = Layout.of(sample), sample.resource.shape.cube
        kinds = {
            "coordinates": () if is_cube else layout.place,
            "slices": layout.slices,
            "levels_of_detail": layout.lods,
            _CLAMPS: layout.clamps,
        }
        far = [
            (n, kind)
            for kind in kinds
            for n in kinds[kind]
            if kind not in self.exact and self._is_far(args[n])
        ]
        loose = [n for n, _ in far]
        direction = self._direction([args[n] for n in layout.place]) if is_cube else ()
        gradients = [args[n] for n in layout.gradients if "gradients" not in self.exact]
        steep = [x for x in gradients if self._is_far(x)]
        if steep or direction:  # gradients are scaled with a direction
            loose += layout.gradients
        loose += layout.place if direction else ()
        given = [(args[n], kind) for n, kind in far] + [(x, "gradients") for x in steep]
        return _Operands(
            value,
            self._index(value),
            tuple(sorted(loose)),
            tuple((self._root(x), self._constant(kind)) for x, kind in given),
            direction,
        )

    def _constant(self, kind: str) -> str:
        """The specialization constant that says whether the device is exact; "" for none."""
        return f"exact_{kind}" if self.specialized and kind != _CLAMPS else ""

    def _direction(self, given: list[Value]) -> tuple[Value, ...]:
        """A cube's direction if drivers may disagree on one of its length, else empty."""
        ranges = [self.ranges.range(x) for x in given]
        is_short = max(r.least_magnitude for r in ranges) < SHORTEST
        is_ordinary = not is_short and max(r.magnitude for r in ranges) < LONGEST
        return () if is_ordinary or "directions" in self.exact else tuple(given)

    def _index(self, value: Value) -> Value | None:
        sample = row.SAMPLE.of(value)
        if not self.takes_index(sample.resource):
            return None
        return value.args[-2 if self.takes_index(sample.sampler) else -1]

    def _is_far(self, x: Value) -> bool:
        """Whether a float may have a magnitude of 2^17 or more, or be a NaN."""
        return not self.ranges.range(x).magnitude < _PROVED

    def _is_finite(self, x: Value) -> bool:
        return math.isfinite(self.ranges.range(x).magnitude)

    def _root(self, x: Value) -> Value:
        """The value to test instead of x: x without summands of a magnitude up to 8.

        If its magnitude is below 512, that of x is below 2^17, where drivers agree. Samples around
        one place have a test in common then.
        """
        x = through_casts(x)
        if x.op is ops.FLUSH:
            return self._root(x.args[0])
        if x.op in (ops.FADD, ops.FSUB):
            for one, other in (x.args, x.args[::-1]):
                if self.ranges.range(other).magnitude <= _SMALL:
                    return self._root(one)
        return x


def _failed(b: Builder, operands: Sequence[_Operands], exact_directions: str) -> Value:
    """Whether operands need replacements: a tested value has a magnitude of 512 or more or is NaN,
    or a direction is extreme."""
    found = [
        is_extreme(b, [*one]) for one in {one.direction: 0 for one in operands if one.direction}
    ]
    if exact_directions:
        found = [b.land(one, b.lnot(b.specialized(exact_directions))) for one in found]
    tested = [*{pair: 0 for one in operands for pair in one.tested}]
    if tested:
        largest = _inexact(b, *tested[0])
        for pair in tested[1:]:
            largest = b.umax(largest, _inexact(b, *pair))
        found.append(b.uge(largest, b.u32(bits_of(_NEAR))))
    failed = found[0]
    for one in found[1:]:
        failed = b.lor(failed, one)
    return failed


def _inexact(b: Builder, x: Value, exact: str) -> Value:
    """The magnitude of x as an integer, 0 if a specialization constant says that it may be any."""
    bits = magnitude(b, x)
    return b.select(b.specialized(exact), b.u32(0), bits) if exact else bits
