"""Texture reads, sampling and queries. Source: FS §22.4.

Typed buffers share `ld` with textures. The other rows are not translated yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from translate.isa.instruction import (
    SM4,
    SM5,
    SM41,
    Control,
    Instruction,
    Kind,
    Role,
    Scalar,
    Spec,
    address,
    dst,
    resource,
    src,
)
from translate.isa.memory import lower_typed_load

F, U, B = Scalar.F32, Scalar.U32, Scalar.BITS
_SAMPLER = Spec(Role.SAMPLER, B, "sampler")
_COORDINATES = address("coordinates", scalar=F)
_OFFSET = src(Scalar.I32, "offset", 2)
_REFERENCE = src(F, "reference", 1)
_LOD = src(F, "lod", 1)
_CLAMP = src(F, "lod_clamp", 1)
_GRADIENTS = (src(F, "ddx", 3), src(F, "ddy", 3))
_SAMPLE = src(U, "sample", 1)

RETURN_KIND = Control("return_kind", 11, ("", "_rcpfloat", "_uint"), last=True)
INTEGER_RETURN = Control("return_kind", 11, ("", "_uint"), last=True)


def _fetch(
    name: str,
    opcode: int,
    operands: tuple[Spec, ...],
    source: str,
    since: tuple[int, int],
    kind: Kind = Kind.TEXTURE,
    lower: Callable[..., Any] | None = None,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=kind,
        operands=(dst(B), *operands),
        since=since,
        lower=lower,
        source=source,
    )


def _feedback(
    name: str, opcode: int, operands: tuple[Spec, ...], source: str, kind: Kind = Kind.TEXTURE
) -> Instruction:
    """A tiled-resource form: the second destination is the status."""
    return Instruction(
        name=name,
        opcode=opcode,
        kind=kind,
        operands=(dst(B), dst(U, "status"), *operands),
        since=SM5,
        source=source,
        feedback=True,
    )


_SAMPLED = (_COORDINATES, resource(), _SAMPLER)
_PROGRAMMABLE = (_COORDINATES, _OFFSET, resource(), _SAMPLER)
_TEXEL = (address(), resource())
_TEXEL_MS = (address(), resource(), _SAMPLE)

ROWS = (
    _fetch("ld", 0x2D, _TEXEL, "FS §22.4.6", SM4, Kind.LOAD, lower_typed_load),
    _fetch("ldms", 0x2E, _TEXEL_MS, "FS §22.4.7", SM41),
    _fetch("sample_c_lz", 0x47, (*_SAMPLED, _REFERENCE), "FS §22.4.20", SM4),
    _fetch("sample_l", 0x48, (*_SAMPLED, _LOD), "FS §22.4.18", SM4),
    _fetch("sample_d", 0x49, (*_SAMPLED, *_GRADIENTS), "FS §22.4.17", SM4),
    _fetch("gather4", 0x6D, _SAMPLED, "FS §22.4.2", SM41),
    _fetch("gather4_c", 0x7E, (*_SAMPLED, _REFERENCE), "FS §22.4.3", SM5),
    _fetch("gather4_po", 0x7F, _PROGRAMMABLE, "FS §22.4.4", SM5),
    _fetch("gather4_po_c", 0x80, (*_PROGRAMMABLE, _REFERENCE), "FS §22.4.5", SM5),
    _feedback("gather4_s", 0xDB, _SAMPLED, "FS §22.4.2"),
    _feedback("gather4_c_s", 0xDC, (*_SAMPLED, _REFERENCE), "FS §22.4.3"),
    _feedback("gather4_po_s", 0xDD, _PROGRAMMABLE, "FS §22.4.4"),
    _feedback("gather4_po_c_s", 0xDE, (*_PROGRAMMABLE, _REFERENCE), "FS §22.4.5"),
    _feedback("ld_s", 0xDF, _TEXEL, "FS §22.4.6", Kind.LOAD),
    _feedback("ldms_s", 0xE0, _TEXEL_MS, "FS §22.4.7"),
    _feedback("sample_l_s", 0xE4, (*_SAMPLED, _LOD), "FS §22.4.18"),
    _feedback("sample_c_lz_s", 0xE5, (*_SAMPLED, _REFERENCE), "FS §22.4.20"),
    _feedback("sample_d_cl_s", 0xE8, (*_SAMPLED, *_GRADIENTS, _CLAMP), "FS §22.4.17"),
    Instruction(
        name="resinfo",
        opcode=0x3D,
        kind=Kind.QUERY,
        operands=(dst(B), address("mip", 1), resource()),
        controls=(RETURN_KIND,),
        source="FS §22.4.14",
    ),
    Instruction(
        name="sampleinfo",
        opcode=0x6F,
        kind=Kind.QUERY,
        operands=(dst(B), resource()),
        since=SM41,
        controls=(INTEGER_RETURN,),
        source="FS §22.4.21",
    ),
    Instruction(
        name="samplepos",
        opcode=0x6E,
        kind=Kind.QUERY,
        operands=(dst(F), resource(), _SAMPLE),
        since=SM41,
        source="FS §22.4.22",
    ),
    Instruction(
        name="check_access_fully_mapped",
        opcode=0xEA,
        kind=Kind.ALU,
        operands=(dst(U), src(U, "status")),
        since=SM5,
        source="FS §22.4.29",
        aliases=("check_access_mapped",),
    ),
)
