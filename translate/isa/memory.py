"""Accesses to buffers and group-shared memory; atomics and hidden counters; `sync`.

`lower` of a load or store takes the resource, the address as values, and the components to load or
the values to store, in order. The results of out-of-bounds accesses are decided in
`passes.guards.bounds`. Each atomic has a form without a result (`atomic_*`) and one that returns
the old value (`imm_atomic_*`). Both lower to the same IR; an unused result costs nothing. Source:
FS §22.4, §22.17, §7.14.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add

from translate.ir.builder import Builder
from translate.ir.lanes import choose, numpy
from translate.ir.memory import Access, Barrier, Check, Resource
from translate.ir.types import F32, TEXELS, U32
from translate.ir.values import Value
from translate.isa.instruction import (
    SM4,
    SM5,
    Control,
    Evaluate,
    Instruction,
    Kind,
    Lower,
    Scalar,
    Spec,
    address,
    dst,
    resource,
    src,
    target,
)

B, I, U = Scalar.BITS, Scalar.I32, Scalar.U32  # noqa: E741
Values = list[Value]


def lower_load(b: Builder, memory: Resource, at: Values, components: list[int]) -> Values:
    """Load one dword for each component, counted from the address (FS §22.4.10, §22.4.12)."""
    count = len(at)
    b.check(Check(Access(memory, count), tuple(sorted(set(components)))), at)
    loaded = {c: b.load(Access(memory, count, c), list(at)) for c in sorted(set(components))}
    return [loaded[c] for c in components]


def lower_store(b: Builder, memory: Resource, at: Values, values: Values) -> None:
    """Store consecutive dwords from the address on (FS §22.4.11, §22.4.13)."""
    b.check(Check(Access(memory, len(at)), tuple(range(len(values))), writes=True), at)
    b.store(Access(memory, len(at)), at, values)


def lower_typed_load(b: Builder, memory: Resource, at: Values, components: list[int]) -> Values:
    """Load a texel, converted from the view's format (FS §22.4.6-8); mip or sample come last."""
    access = Access(memory, memory.shape.coordinates)
    b.check(Check(access), at)
    texel = b.load_typed(TEXELS[memory.component], access, at)
    scalar = F32 if memory.component == "float" else U32
    return [b.extract(scalar, texel, c) for c in components]


def lower_typed_store(b: Builder, memory: Resource, at: Values, values: Values) -> None:
    """Store a texel, converted to the view's format; the mask is always full (FS §22.4.9)."""
    scalar = F32 if memory.component == "float" else U32
    texel = b.compose(TEXELS[memory.component], *(b.bitcast(scalar, v) for v in values))
    b.check(Check(Access(memory, len(at)), writes=True), at)
    b.store_typed(Access(memory, len(at)), at, texel)


def lower_bufinfo(
    b: Builder, memory: Resource, arguments: Values, components: list[int], return_kind: int
) -> Values:
    """The size in bytes for a raw view, in structures or elements for others (FS §22.4.1)."""
    return [b.element_count(memory)] * len(components)


def _load(
    name: str,
    opcode: int,
    where: tuple[Spec, ...],
    lower: Lower,
    source: str,
    since: tuple[int, int] = SM4,
    feedback: bool = False,
) -> Instruction:
    """The row of a load; with `feedback`, of its tiled-resource form, which returns a status."""
    destinations = (dst(B), dst(Scalar.U32, "status")) if feedback else (dst(B),)
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.LOAD,
        operands=(*destinations, *where, resource()),
        since=since,
        lower=lower,
        source=source,
        feedback=feedback,
    )


def _store(
    name: str,
    opcode: int,
    where: tuple[Spec, ...],
    lower: Lower,
    source: str,
    since: tuple[int, int] = SM4,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.STORE,
        operands=(target(), *where, src(B, "value")),
        since=since,
        lower=lower,
        source=source,
    )


_OFFSET = (address("byte_offset", 1),)
_STRUCTURE = (address("index", 1), address("byte_offset", 1))
_TEXEL = (address(),)

BUFFERS = (
    _load("ld_uav_typed", 0xA3, _TEXEL, lower_typed_load, "FS §22.4.8", SM5),
    _store("store_uav_typed", 0xA4, _TEXEL, lower_typed_store, "FS §22.4.9", SM5),
    _load("ld_raw", 0xA5, _OFFSET, lower_load, "FS §22.4.10"),
    _store("store_raw", 0xA6, _OFFSET, lower_store, "FS §22.4.11"),
    _load("ld_structured", 0xA7, _STRUCTURE, lower_load, "FS §22.4.12"),
    _store("store_structured", 0xA8, _STRUCTURE, lower_store, "FS §22.4.13"),
    _load("ld_uav_typed_s", 0xE1, _TEXEL, lower_typed_load, "FS §22.4.8", SM5, feedback=True),
    _load("ld_raw_s", 0xE2, _OFFSET, lower_load, "FS §22.4.10", SM5, feedback=True),
    _load("ld_structured_s", 0xE3, _STRUCTURE, lower_load, "FS §22.4.12", SM5, feedback=True),
    Instruction(
        name="bufinfo",
        opcode=0x79,
        kind=Kind.QUERY,
        operands=(dst(Scalar.U32), resource()),
        since=SM5,
        lower=lower_bufinfo,
        source="FS §22.4.1",
    ),
)


def _lower(operation: str, returns: bool) -> Callable[[Builder, Resource, Values, Values], Value]:
    def lower(b: Builder, memory: Resource, at: Values, operands: Values) -> Value:
        access = Access(memory, len(at), 0, operation)
        b.check(Check(access, writes=True, returns=returns), at)
        return b.atomic(access, at, operands)

    return lower


def _forms(
    operation: str,
    evaluate: Evaluate,
    scalar: Scalar,
    plain: tuple[str, int] | None,
    returning: tuple[str, int],
    values: tuple[str, ...] = ("value",),
) -> tuple[Instruction, ...]:
    """The rows of an operation's forms; `evaluate(old, *values)` gives memory's new contents."""
    operands = (target(), address(), *(src(scalar, name, 1) for name in values))

    def row(name: str, opcode: int, returns: bool) -> Instruction:
        return Instruction(
            name=name,
            opcode=opcode,
            kind=Kind.ATOMIC,
            operands=(dst(scalar), *operands) if returns else operands,
            since=SM5,
            lower=_lower(operation, returns),
            evaluate=evaluate,
            source="FS §22.17",
        )

    rows = (row(*returning, returns=True),)
    return (row(*plain, returns=False), *rows) if plain else rows


def lower_alloc(b: Builder, memory: Resource) -> Value:
    """Increment the counter, and return its old value (FS §22.17.17); 0 if none is bound."""
    _check_counter(b, memory)
    return b.counter_add(memory, b.u32(1))


def lower_consume(b: Builder, memory: Resource) -> Value:
    """Decrement the counter, and return its new value (FS §22.17.18); 0 if none is bound."""
    _check_counter(b, memory)
    left = b.isub(b.counter_add(memory, b.u32(-1)), b.u32(1))
    return b.select(b.nonzero(b.counter_size(memory)), left, b.u32(0))


def _check_counter(b: Builder, memory: Resource) -> None:
    """Report an access to an unbound counter; even a view without structures may have one."""
    b.check(Check(Access(memory, 0), writes=True, returns=True, counter=True), [])


def _counter(name: str, opcode: int, lower: Lower, evaluate: Evaluate, source: str) -> Instruction:
    """A counter's row; `evaluate(old)` gives the result and the new value of the counter."""
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.COUNTER,
        operands=(dst(Scalar.U32), target()),
        since=SM5,
        lower=lower,
        evaluate=evaluate,
        source=source,
    )


ATOMICS = (
    *_forms("iand", lambda x, y: x & y, U, ("atomic_and", 0xA9), ("imm_atomic_and", 0xB5)),
    *_forms("ior", lambda x, y: x | y, U, ("atomic_or", 0xAA), ("imm_atomic_or", 0xB6)),
    *_forms("ixor", lambda x, y: x ^ y, U, ("atomic_xor", 0xAB), ("imm_atomic_xor", 0xB7)),
    *_forms("cmp_exch", lambda old, compare, value: choose(old == compare, value, old), U,
            ("atomic_cmp_store", 0xAC), ("imm_atomic_cmp_exch", 0xB9), ("compare", "value")),
    *_forms("iadd", add, I, ("atomic_iadd", 0xAD), ("imm_atomic_iadd", 0xB4)),
    *_forms("smax", numpy("maximum"), I, ("atomic_imax", 0xAE), ("imm_atomic_imax", 0xBA)),
    *_forms("smin", numpy("minimum"), I, ("atomic_imin", 0xAF), ("imm_atomic_imin", 0xBB)),
    *_forms("umax", numpy("maximum"), U, ("atomic_umax", 0xB0), ("imm_atomic_umax", 0xBC)),
    *_forms("umin", numpy("minimum"), U, ("atomic_umin", 0xB1), ("imm_atomic_umin", 0xBD)),
    *_forms("exch", lambda old, value: value, U, None, ("imm_atomic_exch", 0xB8)),
    _counter("imm_atomic_alloc", 0xB2, lower_alloc,
             lambda old: (old, old + old.dtype.type(1)), "FS §22.17.17"),
    _counter("imm_atomic_consume", 0xB3, lower_consume,
             lambda old: (old - old.dtype.type(1),) * 2, "FS §22.17.18"),
)  # fmt: skip


_UAV_GLOBAL = Control("uav_global", 14, ("", "_uglobal"))
_UAV_GROUP = Control("uav_group", 13, ("", "_ugroup"))
_SHARED = Control("shared", 12, ("", "_g"))
_THREADS = Control("threads", 11, ("", "_t"))


def lower_sync(b: Builder, flags: dict[str, int]) -> None:
    """Emit the barrier. Only `_uglobal` has device scope; `_ugroup` is for the thread group."""
    b.barrier(
        Barrier(
            shared_memory=bool(flags["shared"]),
            uav_memory=bool(flags["uav_global"] or flags["uav_group"]),
            device_scope=bool(flags["uav_global"]),
            threads=bool(flags["threads"]),
        )
    )


SYNC = (
    Instruction(
        name="sync",
        opcode=0xBE,
        kind=Kind.SYNC,
        controls=(_UAV_GLOBAL, _UAV_GROUP, _SHARED, _THREADS),
        lower=lower_sync,
        source="FS §22.17.7",
    ),
)
