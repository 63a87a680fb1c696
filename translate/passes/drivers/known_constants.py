"""Values that a driver may find to be constants although the translator does not.

A driver unrolls short loops, reads constant arrays at constant indices, and compiles the elements
of constant buffers on which branches depend into the code. In a branch that is taken where a value
equals a constant, it replaces the value by the constant, and the condition of a branch by true or
false. A load becomes the value that was stored. lavapipe of Mesa 22.3 compiles the sizes of
textures and typed buffers and the zeros of null UAVs into the code. Then a driver folds further, by
rules of arithmetic and of bits (`sampled`). This analysis finds every value that may become a
constant in one of these ways, except through values that `hide_zeros` hides (`choices`, `stored`,
`queried`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

from translate.ir import ops, row
from translate.ir.builder import EXPONENT, MAGNITUDE, SIGN, WIDE_EXPONENT
from translate.ir.lanes import ONES
from translate.ir.memory import OWN_ARRAYS, SHARED, Home, MemoryKind, Resource
from translate.ir.types import F32, F64, U32, Type
from translate.ir.values import Block, Module, Value
from translate.passes.guards.facts import Facts
from translate.passes.rewrite import Incoming, through_casts


class Level(IntEnum):
    """The knowledge that a driver may have of a value."""

    NOTHING = 0
    NUMBER = 1  # a constant that is no zero if read as a float
    ZERO = 2  # a constant that may be a zero


Use = tuple[Value, int]  # an operand: the value that has it, and its position
_Element = tuple[Resource, int | None, int]  # of a constant buffer: vector, component

FORWARDING = frozenset((ops.BITCAST, ops.FNEG, ops.FABS, ops.FLUSH))
FORWARDED = (MemoryKind.RAW, MemoryKind.STRUCTURED, *SHARED)
_QUERIES = (ops.IMAGE_SIZE, ops.IMAGE_LEVELS, ops.IMAGE_SAMPLES, ops.TEXEL_COUNT)
_MERGING = (ops.PARAM, ops.RESULT, ops.SELECT)
_CONNECTIVES = (ops.LNOT, ops.LAND, ops.LOR)
_EQUALITIES = (ops.IEQ, ops.INE)
_PURE = frozenset(ops.PURE)
_FLOATS = (F32, F64)
_SCALARS = (*_FLOATS, U32)
_HIGHEST, _LOWEST = MAGNITUDE, SIGN  # of signed integers
# Operations that one operand may decide alone: for each position the constant that does, if any
_DECIDING: Mapping[ops.Op, tuple[int | None, ...]] = {
    **dict.fromkeys((ops.IAND, ops.IMUL, ops.UMUL_HIGH, ops.SMUL_HIGH, ops.UMIN), (0, 0)),
    **dict.fromkeys((ops.LIMIT_INDEX, ops.LAND), (0, 0)),
    **dict.fromkeys((ops.ISHL, ops.USHR, ops.SSHR, ops.UDIV, ops.UMOD), (0, None)),
    **dict.fromkeys((ops.BITFIELD_UEXTRACT, ops.BITFIELD_SEXTRACT), (0, None, 0)),
    **dict.fromkeys((ops.IOR, ops.UMAX), (ONES, ONES)),
    **dict.fromkeys((ops.ULT, ops.UGE), (ONES, 0)),
    **dict.fromkeys((ops.SLT, ops.SGE), (_HIGHEST, _LOWEST)),
    ops.SMIN: (_LOWEST, _LOWEST),
    ops.SMAX: (_HIGHEST, _HIGHEST),
    ops.LOR: (1, 1),
}
_EXPONENTS: Mapping[Type, int] = {F32: EXPONENT, F64: WIDE_EXPONENT << 32}


class KnownConstants:
    """The levels of a module's values.

    Rules of arithmetic and bits are regarded for values on which `users` depend.
    """

    def __init__(self, module: Module, incoming: Incoming, users: Sequence[Value]):
        self._facts = Facts(module)
        self._incoming = incoming
        self._values = [*_all(module)]
        self._levels: dict[Value, Level] = {}
        self._equal: set[Value] = set()
        self._stores = stores_of(self._values)
        self._branched = self._branch_elements()
        self._tested = self._tested_conditions(module, {*users})
        self._needed = self._closure(users, of_addresses=False)
        everything = self._closure(users, of_addresses=True)
        from translate.passes.drivers.sampled import constant_values  # imports NumPy

        self._folded = constant_values(module, everything, self._unhidden)
        self._spread()

    def level(self, value: Value) -> Level:
        """The most that a driver may know of a value."""
        if value.op is ops.CONST:
            return Level.ZERO if _may_be_zero(value) else Level.NUMBER
        return self._levels.get(value, Level.NOTHING)

    def is_compared(self, value: Value) -> bool:
        """Whether a branch may depend on the value being equal to one that the driver may know."""
        return through_casts(value) in self._equal

    def origins(self, value: Value) -> Sequence[Use]:
        """The operands that a merged value, or a load from memory with stores, may be equal to."""
        if _is_forwarded(value):
            return self._stores.get(row.ACCESS.of(value).resource, ())
        return self._incoming.get(value, ())

    def origins_of(self, value: Value) -> list[Value]:
        """The values of `origins`."""
        return [*map(_operand, self.origins(value))]

    def choices(self) -> Iterator[Use]:
        """The constant operands of selects and merges of floats whose outcome a driver may know."""
        for value in self._values:
            uses = self._chosen(value) if value.type in _FLOATS and value in self._needed else ()
            if uses and self._is_decided(value, uses):
                yield from (use for use in uses if _operand(use).op is ops.CONST)

    def stored(self) -> Iterator[Use]:
        """The stored operands that a driver may put in the place of loads."""
        for resource in {row.ACCESS.of(v).resource for v in self._needed if _is_forwarded(v)}:
            yield from self._stores.get(resource, ())

    def queried(self) -> Iterator[Use]:
        """The uses of queries and texels that a driver may know for the bound resource."""
        learnt = self._learnt()
        for user in self._values:
            yield from ((user, n) for n, arg in enumerate(user.args) if arg in learnt)

    def _learnt(self) -> set[Value]:
        """The scalars that a driver may compile into the code, for the bound resource."""
        learnt, before = {value for value in self._needed if _is_compiled(value)}, -1
        merged = [v for v in self._needed if v.op in _MERGING and v.type not in _SCALARS]
        while len(learnt) > before:  # a merged texel may be one of another
            before = len(learnt)
            learnt |= {v for v in merged if not learnt.isdisjoint(self._sources(v))}
        learnt |= {v for v in self._needed if v.op is ops.EXTRACT and v.args[0] in learnt}
        return {value for value in learnt if value.type in _SCALARS}

    def _spread(self) -> None:
        """Compute all levels: that of a value again whenever one that it depends on rises."""
        users: dict[Value, list[Value]] = {}
        for value in self._values:
            for source in self._sources(value):
                users.setdefault(source, []).append(value)
        work = self._values[::-1]
        while work:
            value = work.pop()
            for one, level in ((value, self._found(value)), *self._found_equal(value)):
                if level > self.level(one):
                    self._levels[one] = level
                    work += users.get(one, ())

    def _sources(self, value: Value) -> list[Value]:
        """The values that a value depends on."""
        condition = _condition(value)
        merged = self.origins_of(value)
        return [*value.args, *merged] if condition is None else [*value.args, condition, *merged]

    def _unhidden(self, value: Value) -> list[Value]:
        """The values of `origins`, but those of loads without constants, which are hidden."""
        found = self.origins_of(value)
        return [v for v in found if v.op is not ops.CONST] if _is_forwarded(value) else found

    def _closure(self, users: Sequence[Value], *, of_addresses: bool) -> set[Value]:
        """The values on which others depend, through addresses of bound memory or not."""
        found, work = set[Value](), [*users]
        while work:
            value = work.pop()
            if value not in found:
                found.add(value)
                read = value.op in ops.COMPUTING and value.op not in _PURE
                own = value.op in ops.LOADS and row.ACCESS.of(value).resource.kind in OWN_ARRAYS
                skipped = len(value.args) if read and not own and not of_addresses else 0
                work += self._sources(value)[skipped:]
        return found

    def _chosen(self, value: Value) -> Sequence[Use]:
        """The operands from which a select or merged value is selected; else empty."""
        return [(value, 1), (value, 2)] if value.op is ops.SELECT else self._incoming.get(value, ())

    def _is_decided(self, value: Value, uses: Sequence[Use]) -> bool:
        """Whether a driver may know the selected operand, or that all operands are equal."""
        condition = _condition(value)
        if condition is None or len(uses) < 2 or self.level(condition):
            return True
        return any(self.level(o) for o in map(_operand, uses) if o.op is not ops.CONST)

    def _found(self, value: Value) -> Level:
        uses = self._chosen(value)
        if uses:
            return self._of_choice(value, uses)
        levels = [self.level(arg) for arg in value.args]
        if value.op in FORWARDING:
            return levels[0]
        if value.op is ops.COMPOSE:
            return max(levels)
        if value.op is ops.INPUT:
            return Level.NOTHING if self._facts.upper(value) else Level.ZERO
        if value.op in ops.LOADS or value.op is ops.EXTRACT:
            known = self._loads_constant(value, levels)
            return Level.ZERO if known else Level.NOTHING
        known = bool(levels) and (all(levels) or self._decides(value) or value in self._folded)
        if value.op in _PURE and (known or value in self._tested):
            return Level.ZERO
        return Level.NOTHING

    def _of_choice(self, value: Value, uses: Sequence[Use]) -> Level:
        if not self._is_decided(value, uses):
            return Level.NOTHING
        operands = map(_operand, uses)
        hides = value.type in _FLOATS
        levels = [self.level(o) for o in operands if not (hides and o.op is ops.CONST)]
        return max(levels, default=Level.NOTHING)

    def _decides(self, value: Value) -> bool:
        """Whether an operand that a driver may know may decide the result alone."""
        if value.op in ops.COMPARISONS:
            return any(self.level(arg) and not _is_number(arg) for arg in value.args)
        constants = _DECIDING.get(value.op, ())
        return any(
            row.BITS.of(arg) == constant if arg.op is ops.CONST else self.level(arg)
            for arg, constant in zip(value.args, constants, strict=False)
            if constant is not None
        )

    def _found_equal(self, value: Value) -> Iterator[tuple[Value, Level]]:
        """Operands that a driver knows inside a branch on equality, or a case of a switch."""
        compared: list[tuple[Value, Level]] = []
        if value.op is ops.SWITCH:
            compared = [(value.args[0], Level.ZERO)]
        elif value.op in _EQUALITIES:
            one, other = value.args
            compared = [(one, self.level(other)), (other, self.level(one))]
        for operand, level in compared:
            bits = through_casts(operand)
            if bits.op is not ops.CONST:
                self._equal.add(bits)
                yield bits, level

    def _loads_constant(self, value: Value, levels: Sequence[Level]) -> bool:
        """Whether a driver may know the result of a load, or of a component of one."""
        element = _element(value)
        if element is not None:
            resource, vector, component = element
            places = {(resource, vector, component), (resource, None, component)}
            anywhere = vector is None and any(e[0] is resource for e in self._branched)
            return anywhere or not places.isdisjoint(self._branched)
        if value.op is ops.EXTRACT:
            return all(levels)
        resource = row.ACCESS.of(value).resource
        if resource.kind.home is Home.THREAD and resource not in self._stores:
            return True
        return resource.kind.home in (Home.THREAD, Home.PROGRAM) and all(levels)

    def _branch_elements(self) -> set[_Element]:
        """The elements of constant buffers that the condition of a branch depends on."""
        work = [v.args[0] for v in self._values if v.op in (ops.IF, ops.SWITCH)]
        found, seen = set[_Element](), set[Value]()
        while work:
            value = work.pop()
            if value not in seen:
                seen.add(value)
                work += value.args if _is_forwarded(value) else self._sources(value)
                element = _element(value)
                found |= set() if element is None else {element}
        return found

    def _tested_conditions(self, module: Module, users: set[Value]) -> set[Value]:
        """The conditions of branches with `users` that have other uses: they are known there."""
        work: list[Value] = []
        for body in module.bodies():
            _add_conditions(work, body, users)
        tested = set[Value]()
        while work:
            value = work.pop()
            if value not in tested:
                tested.add(value)
                work += value.args if value.op in _CONNECTIVES else ()
        testing = (*_CONNECTIVES, ops.IF)
        return {arg for v in self._values if v.op not in testing for arg in v.args} & tested


def _add_conditions(found: list[Value], block: Block, users: set[Value]) -> bool:
    """Add the conditions of branches with `users`, or that leave; whether the block has users."""
    has_users = False
    for value in block.values:
        inner = [_add_conditions(found, one, users) for one in value.blocks]
        leaves = any(one.values[-1].op is not ops.YIELD for one in value.blocks)
        if value.op is ops.IF and (leaves or any(inner)):
            found.append(value.args[0])
        has_users |= value in users or any(inner)
    return has_users


def _is_forwarded(value: Value) -> bool:
    """Whether it is a load in whose place a driver may put a value that the shader stores."""
    return value.op in ops.LOADS and row.ACCESS.of(value).resource.kind in FORWARDED


def _is_compiled(value: Value) -> bool:
    """Whether lavapipe of Mesa 22.3 may know the result, for the bound resource."""
    is_uav = value.op is ops.LOAD_TEXEL and row.ACCESS.of(value).resource.is_uav
    return is_uav or value.op in _QUERIES


def stores_of(values: Sequence[Value]) -> dict[Resource, list[Use]]:
    """The operands that are stored to each resource, by accesses to dwords."""
    stored: dict[Resource, list[Use]] = {}
    for value in values:
        if value.op in (ops.STORE_ELEMENT, ops.STORE_VECTOR):
            resource = row.ACCESS.of(value).resource
            position = len(value.args) - 1 - resource.is_array
            stored.setdefault(resource, []).append((value, position))
    return stored


def _operand(use: Use) -> Value:
    user, position = use
    return user.args[position]


def _condition(value: Value) -> Value | None:
    """The condition of a select, or of the `if` whose result the value is; else None."""
    if value.op is ops.SELECT:
        return value.args[0]
    construct = row.CONSTRUCT.of(value) if value.op is ops.RESULT else None
    if isinstance(construct, Value) and construct.op is ops.IF:
        return construct.args[0]
    return None


def _element(value: Value) -> _Element | None:
    """The element of a constant buffer that a value has loaded, else None.

    The element's vector is None for an index that is computed at run time.
    """
    load = value.args[0] if value.op is ops.EXTRACT else value
    if load.op not in ops.LOADS or row.ACCESS.of(load).resource.kind is not MemoryKind.CONSTANTS:
        return None
    if (load.op is ops.LOAD_VECTOR) is not (value.op is ops.EXTRACT):
        return None
    constant = all(arg.op is ops.CONST for arg in load.args)
    access = row.ACCESS.of(load)
    component = access.component if load is value else row.COMPONENT.of(value)
    return access.resource, row.BITS.of(load.args[0]) if constant else None, component


def _all(module: Module) -> Iterator[Value]:
    """Every value, merged ones too."""
    for value in module.walk():
        yield value
        for inner in value.blocks:
            yield from inner.params
        yield from value.results


def _may_be_zero(constant: Value) -> bool:
    """Whether the bits are those of a zero, or of a denormal."""
    return not row.BITS.of(constant) & _EXPONENTS.get(constant.type, _EXPONENTS[F32])


def _is_number(value: Value) -> bool:
    """Whether a value is a constant, and no NaN or infinity."""
    exponent = _EXPONENTS[value.type]
    return value.op is ops.CONST and row.BITS.of(value) & exponent != exponent
