"""Build the chunks of a complete container, as fxc does.

SFI0 (feature flags) and STAT (statistics) are derived from the statements; a compute shader's
signatures are empty. Source: reference "DXBC container", §1, §3 and §4; observed fxc output.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from translate.dxbc.container import PROGRAM_CHUNKS, build_container
from translate.dxbc.decode import decode_program
from translate.dxbc.encode import encode_program
from translate.dxbc.ifce import build_ifce
from translate.dxbc.rdef import build_rdef, parse_rdef
from translate.errors import TranslateError
from translate.isa.declarations import (
    CUSTOM_DATA,
    DCL_GLOBAL_FLAGS,
    DCL_INPUT,
    DCL_TEMPS,
    RASTERIZER_ORDERED,
)
from translate.isa.instruction import SM51, Flow, Kind, Role
from translate.isa.registers import Dimension, RegisterFile
from translate.linkage import Linkage
from translate.program import Chunk, Program, Statement
from translate.reflection import Reflection

_EMPTY_SIGNATURE = struct.pack("<II", 0, 8)
_STAT_DWORDS = {4: 29, 5: 37}  # by major version
_UAVS_OF_11_0 = 8
_REFLECTION, _FEATURES, _STATISTICS = b"RDEF", b"SFI0", b"STAT"
_INTERFACES = b"IFCE"
_OF_THE_PROGRAM = (*PROGRAM_CHUNKS, _FEATURES, _STATISTICS)  # stale if the program changes

_TYPED_UAV = 4  # D3D_SHADER_INPUT_TYPE; bits 2-3 of its binding's flags are components - 1

# SFI0 bits
_SIXTY_FOUR_UAVS = 0x8
_TILED_RESOURCES = 0x100
_TYPED_UAV_LOADS = 0x800  # for formats with several components
_RASTERIZER_ORDERED_VIEWS = 0x1000
_FEATURE_OF_GLOBAL_FLAG = {12: 0x1, 14: 0x2, 16: 0x10, 17: 0x20, 18: 0x40}


def encode_container(program: Program) -> bytes:
    """Build a complete container with a valid checksum.

    A program from a container keeps its other chunks. Chunks that describe the program are rebuilt
    if the program or its reflection changed. Raises TranslateError for a value that cannot be
    encoded.
    """
    payload = encode_program(program.version, program.statements)
    if not program.chunks:
        return build_container(_fresh_chunks(program, payload))
    return build_container(_kept_chunks(program, payload))


def _fresh_chunks(program: Program, payload: bytes) -> list[Chunk]:
    chunks = [
        Chunk(b"ISGN", _EMPTY_SIGNATURE),
        Chunk(b"OSGN", _EMPTY_SIGNATURE),
        Chunk(PROGRAM_CHUNKS[0], payload),  # fxc uses SHEX for compute shaders even in cs_4_0
    ]
    if program.reflection:
        chunks.insert(0, Chunk(_REFLECTION, build_rdef(program.reflection, program.version)))
    if program.linkage != Linkage():
        chunks.insert(-1, Chunk(_INTERFACES, build_ifce(program.linkage)))
    features = feature_flags(program)
    if features:
        chunks.append(Chunk(_FEATURES, struct.pack("<Q", features)))
    return [*chunks, Chunk(_STATISTICS, _statistics(program))]


def _kept_chunks(program: Program, payload: bytes) -> list[Chunk]:
    """The program's chunks in their order; stale ones are replaced."""
    stale = set[bytes]() if _still_holds(program, payload) else set(_OF_THE_PROGRAM)
    stale |= {_REFLECTION} if _reflection_changed(program) else set()
    if not stale:
        return program.chunks
    fresh = {chunk.fourcc: chunk for chunk in _fresh_chunks(program, payload)}
    chunks: list[Chunk] = []
    for chunk in program.chunks:
        if chunk.fourcc not in stale:
            chunks.append(chunk)
        elif chunk.fourcc in PROGRAM_CHUNKS:
            chunks.append(Chunk(chunk.fourcc, payload))
        elif chunk.fourcc in fresh:
            chunks.append(fresh[chunk.fourcc])
    return _with_missing(chunks, [c for c in fresh.values() if c.fourcc in stale])


def _with_missing(chunks: list[Chunk], fresh: list[Chunk]) -> list[Chunk]:
    """Add required chunks that the container lacks; statistics are optional."""
    present = {_STATISTICS, *(chunk.fourcc for chunk in chunks)}
    if present.intersection(PROGRAM_CHUNKS):
        present.update(PROGRAM_CHUNKS)
    missing = [chunk for chunk in fresh if chunk.fourcc not in present]
    first = [chunk for chunk in missing if chunk.fourcc == _REFLECTION]
    return [*first, *chunks, *(chunk for chunk in missing if chunk.fourcc != _REFLECTION)]


def _still_holds(program: Program, payload: bytes) -> bool:
    """Whether the container's own program chunk is equivalent to `payload`.

    It may contain comments, or spell the same tokens differently. If its bytes differ, it is
    decoded and encoded again for the comparison.
    """
    held = {chunk.fourcc: chunk.payload for chunk in reversed(program.chunks)}
    original = next((held[name] for name in PROGRAM_CHUNKS if name in held), None)
    if original is None or original == payload:
        return original is not None
    try:
        decoded = decode_program(original, 0, None)
    except TranslateError:
        return False
    return encode_program(decoded.version, decoded.statements) == payload


def _reflection_changed(program: Program) -> bool:
    """Whether the reflection differs from the container's; None counts as unchanged."""
    if program.reflection is None:
        return False
    for chunk in program.chunks:
        if chunk.fourcc == _REFLECTION:
            return _parsed(chunk.payload) != program.reflection
    return True


def _parsed(payload: bytes) -> Reflection | None:
    try:
        return parse_rdef(payload)
    except TranslateError:
        return None


def facts_of(program: Program) -> tuple[int, int]:
    """SFI0's bits and STAT's number of instructions.

    They come from the container's chunks (0 for a missing one), or are computed for other programs.
    """
    if not program.chunks:
        return feature_flags(program), _count_instructions(program)
    held = {chunk.fourcc: chunk.payload for chunk in reversed(program.chunks)}
    features = held.get(_FEATURES, b"")[:8].ljust(8, b"\0")
    instructions = held.get(_STATISTICS, b"")[:4].ljust(4, b"\0")
    return int.from_bytes(features, "little"), int.from_bytes(instructions, "little")


def feature_flags(program: Program) -> int:
    """SFI0: the optional device features that the program needs."""
    flags = 0
    uavs = 0
    for statement in program.statements:
        if statement.row.kind is Kind.DECLARATION:
            flags |= _declared_features(statement)
            uavs = max(uavs, _uavs(statement))
        else:
            flags |= _TILED_RESOURCES if statement.row.feedback else 0
            flags |= _TYPED_UAV_LOADS if _loads_typed_uav(statement, program) else 0
    if program.version < SM51 and uavs > _UAVS_OF_11_0:
        flags |= _SIXTY_FOUR_UAVS
    return flags


def _declared_features(statement: Statement) -> int:
    flags = 0
    if statement.row is DCL_GLOBAL_FLAGS:
        for bit, feature in _FEATURE_OF_GLOBAL_FLAG.items():
            flags |= feature if statement.controls >> bit & 1 else 0
    elif RASTERIZER_ORDERED in statement.row.controls and RASTERIZER_ORDERED.read(
        statement.controls
    ):
        flags |= _RASTERIZER_ORDERED_VIEWS
    return flags


def _uavs(statement: Statement) -> int:
    """The number of UAV slots that a declaration requires."""
    declared = statement.operands[:1]
    return max((o.number + 1 for o in declared if o.file is RegisterFile.UAV), default=0)


def _loads_typed_uav(statement: Statement, program: Program) -> bool:
    """Whether the statement loads from a typed UAV whose HLSL type has several components.

    Without RDEF, the load counts if it uses a component other than the first.
    """
    if statement.row.kind is not Kind.LOAD:
        return False
    if statement.dimension in (Dimension.RAW_BUFFER, Dimension.STRUCTURED_BUFFER):
        return False
    typed = any(spec.role is Role.ADDRESS and spec.slots is None for spec in statement.row.operands)
    read = [operand for operand in statement.operands if operand.file is RegisterFile.UAV]
    if not typed or not read:
        return False
    components = _texel_components(read[0].number, program)
    if components is not None:
        return components > 1
    return any(read[0].component(slot) for slot in statement.operands[0].written())


def _texel_components(number: int, program: Program) -> int | None:
    """The number of components of a typed UAV; None if RDEF does not list the UAV.

    `number` is its register, in cs_5_1 the id of its range.
    """
    for binding in program.reflection.bindings if program.reflection else ():
        place = binding.range_id if program.version >= SM51 else binding.bind_point
        if binding.type == _TYPED_UAV and place == number:
            return (binding.flags >> 2 & 3) + 1
    return None


def _statistics(program: Program) -> bytes:
    """STAT with the known values: instructions, temps, constants and inputs; others are 0."""
    words = [0] * _STAT_DWORDS[program.version[0]]
    words[0] = _count_instructions(program)
    temps = sum(s.extra[0] for s in _declarations(program, DCL_TEMPS.name) if s.extra)
    words[1] = min(temps, 0xFFFFFFFF)
    words[2] = sum(len(s.data) // 4 for s in _declarations(program, CUSTOM_DATA.name))
    words[3] = sum(1 for _ in _declarations(program, DCL_INPUT.name))
    return struct.pack(f"<{len(words)}I", *words)


def _count_instructions(program: Program) -> int:
    """Count like fxc, without labels and `abort`."""
    instructions = (s for s in program.statements if not s.row.is_declaration)
    return sum(s.row.flow not in (Flow.LABEL, Flow.ABORT) for s in instructions)


def _declarations(program: Program, name: str) -> Iterable[Statement]:
    return (s for s in program.statements if s.row.name == name)
