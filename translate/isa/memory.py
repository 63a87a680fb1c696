"""Raw, structured and typed loads and stores, and buffer size queries. Source: FS §22.4.

`lower` takes the resource, the address as values, and the components to load or the values to
store, in order. The results of out-of-bounds accesses are decided in `passes.guards.bounds`.
"""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.memory import Access, Check, Resource
from translate.ir.types import F32, TEXELS, U32
from translate.ir.values import Value
from translate.isa.instruction import (
    SM4,
    SM5,
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

B = Scalar.BITS
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

ROWS = (
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
