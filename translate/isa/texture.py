"""Texture loads, sampling and queries. Source: FS §22.4.

Typed buffers share `ld` with textures. The tiled-resource forms (`*_s`) only add a status as a
destination. The lowering driver writes it: all bound resources are resident.
"""

from __future__ import annotations

from collections.abc import Callable

from translate.dataclass import replace
from translate.ir.builder import Builder
from translate.ir.memory import Resource, Sample, SampleMode
from translate.ir.types import F32, TEXELS, U32
from translate.ir.values import Value
from translate.isa.instruction import (
    SM4,
    SM5,
    SM41,
    Control,
    Instruction,
    Kind,
    Lower,
    Role,
    Scalar,
    Spec,
    address,
    dst,
    resource,
    src,
)
from translate.isa.memory import lower_typed_load
from translate.isa.registers import Dimension

F, U, B = Scalar.F32, Scalar.U32, Scalar.BITS
Values = list[Value]
_SAMPLER = Spec(Role.SAMPLER, B, "sampler")
_COORDINATES = address("coordinates", scalar=F)
OFFSET = src(Scalar.I32, "offset", 2)
REFERENCE = src(F, "reference", 1)
_LOD = src(F, "lod", 1)
LOD_CLAMP = src(F, "lod_clamp", 1)
_GRADIENTS = (src(F, "ddx", 3), src(F, "ddy", 3))
_SAMPLE = src(U, "sample", 1)

RETURN_KIND = Control("return_kind", 11, ("", "_rcpfloat", "_uint"), last=True)
INTEGER_RETURN = Control("return_kind", 11, ("", "_uint"), last=True)
_RECIPROCAL, _UINT = 1, 2

# The standard position (x, y) of each sample, in sixteenths from the centre; FS §19.2.4. Vulkan's
# standardSampleLocations count from the corner, 0.5 more.
SAMPLE_POSITIONS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((4, 4), (-4, -4)),
    4: ((-2, -6), (6, -2), (-6, 2), (2, 6)),
    8: ((1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)),
    16: (
        *((1, 1), (-1, -3), (-3, 2), (4, -1), (-5, -2), (2, 5), (5, 3), (3, -5)),
        *((-2, 6), (0, -7), (-4, -6), (-6, 4), (-8, 0), (7, -4), (6, 7), (-7, -8)),
    ),
}


def lower_sampling(mode: SampleMode) -> Callable[..., Values]:
    """The `lower` of rows with this mode; it calls `sample_of(mode)` for the static part."""

    def lower(
        b: Builder,
        sample_of: Callable[[SampleMode], Sample],
        arguments: Values,
        components: list[int],
    ) -> Values:
        sample = sample_of(mode)
        if sample.dynamic_offset:
            arguments[-2:] = [_texel_offset(b, value) for value in arguments[-2:]]
        if mode is SampleMode.COMPARE:
            return [b.sample_compare(sample, arguments)] * len(components)
        kind = sample.resource.component
        texel = b.sample(TEXELS[kind], sample, arguments)
        return [b.extract(F32 if kind == "float" else U32, texel, c) for c in components]

    return lower


def _texel_offset(b: Builder, value: Value) -> Value:
    """Use the low six bits as a signed number (FS §22.4.4)."""
    return b.bitfield_sextract(value, b.u32(0), b.u32(6))


def lower_resinfo(
    b: Builder, memory: Resource, arguments: Values, components: list[int], return_kind: int
) -> Values:
    """Extents, layers and mip count; past the last mip, all but the count are 0 (FS §22.4.14).

    `_rcpfloat` returns 1/x for extents, which is an infinity for a null resource.
    """
    mip, shape = arguments[0], memory.shape
    levels = _mip_count(b, memory)
    inside = b.ult(mip, levels)
    size = b.image_size(memory, [b.u32(0)] if memory.has_mips else [])
    results: Values = []
    for component in components:
        number = levels if component == 3 else b.extract(U32, size, component)
        if component < 3 and mip.constant_bits != 0:  # all sizes of a null resource are 0
            if component < shape.axes:
                number = b.mip_extent(number, mip)
            number = b.select(inside, number, b.u32(0))
        if return_kind != _UINT:
            number = b.u32_to_f(F32, number)
        if return_kind == _RECIPROCAL and component < shape.axes:
            number = b.fdiv(b.f32(1.0), number)
        results.append(number)
    return results


def _mip_count(b: Builder, memory: Resource) -> Value:
    """The number of mips: 1 for UAVs and multisampled textures, 0 for a null resource."""
    if memory.has_mips:
        return b.image_levels(memory)
    width = b.extract(U32, b.image_size(memory, []), 0)
    return b.select(b.nonzero(width), b.u32(1), b.u32(0))


def _sample_count(b: Builder, memory: Resource) -> Value:
    """The number of samples; 0 for a null resource."""
    width = b.extract(U32, b.image_size(memory, []), 0)
    return b.select(b.nonzero(width), b.image_samples(memory), b.u32(0))


def lower_sampleinfo(
    b: Builder, memory: Resource, arguments: Values, components: list[int], return_kind: int
) -> Values:
    """(count, 0, 0, 0) as floats or integers (FS §22.4.21)."""
    count = _sample_count(b, memory)
    if return_kind == 0:
        count = b.u32_to_f(F32, count)
    return [count if c == 0 else b.u32(0) for c in components]


def lower_samplepos(
    b: Builder, memory: Resource, arguments: Values, components: list[int], return_kind: int
) -> Values:
    """A sample's standard position, from -0.5 to 0.5; 0 past the last sample (FS §22.4.22).

    Each pattern's positions are stored as nibbles in two constants per axis.
    """
    index, count = arguments[0], _sample_count(b, memory)
    results: Values = []
    for component in components:
        if component > 1:
            results.append(b.u32(0))
            continue
        words = [b.u32(0), b.u32(0)]
        for samples, positions in SAMPLE_POSITIONS.items():
            match = b.ieq(count, b.u32(samples))
            packed = _pack([position[component] for position in positions])
            words = [b.select(match, b.u32(p), w) for p, w in zip(packed, words, strict=True)]
        word = b.select(b.ult(index, b.u32(8)), words[0], words[1])
        first = b.ishl(b.iand(index, b.u32(7)), b.u32(2))
        sixteenths = b.s32_to_f(F32, b.bitfield_sextract(word, first, b.u32(4)))
        position = b.fmul(sixteenths, b.f32(1 / 16))
        results.append(b.select(b.ult(index, count), position, b.f32(0.0)))
    return results


def _pack(numbers: list[int]) -> tuple[int, int]:
    """Pack up to 16 signed 4-bit numbers into two words, the first number in the lowest bits."""
    word = sum((number & 15) << 4 * i for i, number in enumerate(numbers))
    return word & 0xFFFFFFFF, word >> 32


def lower_check_mapped(b: Builder, status: Value) -> Value:
    """All ones if all texels are mapped, else 0. D3D leaves the status open; here 0 is unmapped."""
    return b.mask(b.nonzero(status))


def _fetch(
    name: str,
    opcode: int,
    operands: tuple[Spec, ...],
    source: str,
    since: tuple[int, int],
    lower: Lower,
    kind: Kind = Kind.TEXTURE,
    feedback: bool = False,
    padding: int = 0,
) -> Instruction:
    """The row of a texture instruction; with `feedback`, of the form with a residency status."""
    destinations = (dst(B), dst(U, "status")) if feedback else (dst(B),)
    return Instruction(
        name=name,
        opcode=opcode,
        kind=kind,
        operands=(*destinations, *operands),
        since=since,
        lower=lower,
        source=source,
        feedback=feedback,
        padding=padding,
    )


def _forms(
    name: str,
    opcode: int,
    feedback_opcode: int,
    operands: tuple[Spec, ...],
    source: str,
    since: tuple[int, int],
    lower: Lower,
    kind: Kind = Kind.TEXTURE,
    feedback_padding: int = 0,
    aliases: tuple[str, ...] = (),
) -> tuple[Instruction, Instruction]:
    """The rows of an instruction and of its tiled-resource form, which has a status."""
    feedback = f"{name}_s"
    plain = _fetch(name, opcode, operands, source, since, lower, kind)
    with_status = _fetch(
        feedback, feedback_opcode, operands, source, SM5, lower, kind, True, feedback_padding
    )
    return (
        replace(plain, aliases=aliases),
        replace(with_status, aliases=tuple(f"{alias}_s" for alias in aliases)),
    )


def _query(
    name: str,
    opcode: int,
    operands: tuple[Spec, ...],
    source: str,
    since: tuple[int, int],
    lower: Lower,
    controls: tuple[Control, ...] = (),
    padding: int = 0,
    aliases: tuple[str, ...] = (),
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.QUERY,
        operands=operands,
        since=since,
        lower=lower,
        controls=controls,
        source=source,
        padding=padding,
        aliases=aliases,
    )


_PLANES = (Dimension.TEXTURE2D, Dimension.TEXTURE2DARRAY)
_GATHERED = (*_PLANES, Dimension.TEXTURECUBE, Dimension.TEXTURECUBEARRAY)
_COMPARABLE = (*_GATHERED, Dimension.TEXTURE1D, Dimension.TEXTURE1DARRAY)
_ALL = (*_COMPARABLE, Dimension.TEXTURE3D)


def _sampled(
    dimensions: tuple[Dimension, ...], *offset: Spec, scalar: Scalar = F
) -> tuple[Spec, ...]:
    """The operands of every sample; only `gather4` and `gather4_po`, of bits, read integers too."""
    return (_COORDINATES, *offset, resource(dimensions=dimensions, scalar=scalar), _SAMPLER)


_TEXEL = (address(), resource())
_LODS, _GRADS = lower_sampling(SampleMode.LOD), lower_sampling(SampleMode.GRADIENTS)
_COMPARED = lower_sampling(SampleMode.COMPARE)
_GATHER = lower_sampling(SampleMode.GATHER)
_GATHER_C = lower_sampling(SampleMode.GATHER_COMPARE)

TEXTURES = (
    *_forms("ld", 0x2D, 0xDF, _TEXEL, "FS §22.4.6", SM4, lower_typed_load, Kind.LOAD),
    *_forms("ldms", 0x2E, 0xE0, (*_TEXEL, _SAMPLE), "FS §22.4.7", SM41, lower_typed_load,
            Kind.LOAD, aliases=("ld2dms",)),
    *_forms("sample_c_lz", 0x47, 0xE5, (*_sampled(_COMPARABLE), REFERENCE), "FS §22.4.20", SM4,
            _COMPARED, feedback_padding=1),
    *_forms("sample_l", 0x48, 0xE4, (*_sampled(_ALL), _LOD), "FS §22.4.18", SM4, _LODS,
            feedback_padding=1),
    _fetch("sample_d", 0x49, (*_sampled(_ALL), *_GRADIENTS), "FS §22.4.17", SM4, _GRADS),
    _fetch("sample_d_cl_s", 0xE8, (*_sampled(_ALL), *_GRADIENTS, LOD_CLAMP), "FS §22.4.17", SM5,
           _GRADS, feedback=True, padding=1),
    *_forms("gather4", 0x6D, 0xDB, _sampled(_GATHERED, scalar=B), "FS §22.4.2", SM41, _GATHER),
    *_forms("gather4_c", 0x7E, 0xDC, (*_sampled(_GATHERED), REFERENCE), "FS §22.4.3", SM5,
            _GATHER_C),
    *_forms("gather4_po", 0x7F, 0xDD, _sampled(_PLANES, OFFSET, scalar=B), "FS §22.4.4", SM5,
            _GATHER),
    *_forms("gather4_po_c", 0x80, 0xDE, (*_sampled(_PLANES, OFFSET), REFERENCE), "FS §22.4.5",
            SM5, _GATHER_C),
    _query("resinfo", 0x3D, (dst(B), address("mip", 1), resource()), "FS §22.4.14", SM4,
           lower_resinfo, (RETURN_KIND,)),
    _query("sampleinfo", 0x6F, (dst(B), resource()), "FS §22.4.21", SM41,
           lower_sampleinfo, (INTEGER_RETURN,), aliases=("sample_info",)),
    _query("samplepos", 0x6E, (dst(F), resource(), _SAMPLE), "FS §22.4.22", SM41,
           lower_samplepos, padding=1, aliases=("sample_pos",)),
    Instruction(
        name="check_access_fully_mapped",
        opcode=0xEA,
        kind=Kind.ALU,
        operands=(dst(U), src(U, "status")),
        since=SM5,
        lower=lower_check_mapped,
        evaluate=lambda status: (status != 0) * status.dtype.type(0xFFFFFFFF),
        source="FS §22.4.29",
        aliases=("check_access_mapped",),
        converted=0,
    ),
)  # fmt: skip
