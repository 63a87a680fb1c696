"""Build the chunks of a complete container, as fxc does; the docstring of `decode` has the layout.

SFI0 (feature flags) and STAT (statistics) are derived from the statements; a compute shader's
signatures are empty. Source: reference "DXBC container", §1, §3 and §4, "SM4/SM5 token format", §5
and §7; observed fxc output.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from translate.dxbc import tokens
from translate.dxbc.container import PROGRAM_CHUNKS, build_container, parse_container
from translate.dxbc.decode import decode_program, write_message
from translate.dxbc.ifce import build_ifce
from translate.dxbc.rdef import build_rdef, parse_rdef
from translate.dxbc.tokens import TokenError, write_operand
from translate.errors import ProgramError, TranslateError
from translate.isa.declarations import (
    CUSTOM_DATA,
    CUSTOM_DATA_ICB,
    DCL_GLOBAL_FLAGS,
    DCL_INPUT,
    DCL_TEMPS,
    RASTERIZER_ORDERED,
)
from translate.isa.instruction import CONTROLS_MASK, SM51, Flow, Kind, Role
from translate.isa.registers import Dimension, RegisterFile
from translate.linkage import Linkage
from translate.program import Chunk, Program, Statement
from translate.reflection import Reflection

_MORE = tokens.EXTENDED.place(1)
_EMPTY_SIGNATURE = struct.pack("<II", 0, 8)
_STAT_DWORDS = {4: 29, 5: 37}  # by major version
_UAVS_OF_11_0 = 8
_REFLECTION, _FEATURES, _STATISTICS = b"RDEF", b"SFI0", b"STAT"
_INTERFACES = b"IFCE"
# It names the places of instructions in the code
_DEBUG_INFORMATION = (b"SPDB", b"SDBG", b"ILDB", b"ILDN", b"PDBI")
# Stale if the program changes
_OF_THE_PROGRAM = (*PROGRAM_CHUNKS, _FEATURES, _STATISTICS, *_DEBUG_INFORMATION)
_TYPED_UAV = 4  # D3D_SHADER_INPUT_TYPE; bits 2-3 of its binding's flags are components - 1
# SFI0 bits
_SIXTY_FOUR_UAVS = 0x8
_TILED_RESOURCES = 0x100
_TYPED_UAV_LOADS = 0x800  # for formats with several components
_RASTERIZER_ORDERED_VIEWS = 0x1000
_FEATURE_OF_GLOBAL_FLAG = {12: 0x1, 14: 0x2, 16: 0x10, 17: 0x20, 18: 0x40}


def encode_program(version: tuple[int, int], statements: Sequence[Statement]) -> bytes:
    """The payload of a SHEX chunk. Raises TranslateError for a value that does not fit."""
    head = tokens.PROGRAM_TYPE.place(tokens.COMPUTE)
    head |= tokens.MAJOR.place(version[0]) | tokens.MINOR.place(version[1])
    body = b"".join(_statement_bytes(statement) for statement in statements)
    return struct.pack("<II", head, 2 + len(body) // 4) + body


def _statement_bytes(statement: Statement) -> bytes:
    try:
        words = _words_of(statement)
    except TokenError as error:
        raise ProgramError(f"{statement.row.name}: {error}", statement.where) from None
    try:
        return struct.pack(f"<{len(words)}I", *words)
    except struct.error:
        message = f"{statement.row.name} has a value that does not fit into 32 bits"
        raise ProgramError(message, statement.where) from None


def _words_of(statement: Statement) -> list[int]:
    if statement.row is CUSTOM_DATA:
        return _custom_data(statement)
    return _words(statement) if statement.row.message is None else write_message(statement)


def _custom_data(statement: Statement) -> list[int]:
    token = CUSTOM_DATA.opcode | tokens.CUSTOM_DATA_CLASS.place(CUSTOM_DATA_ICB)
    return [token, 2 + len(statement.data), *statement.data]


def _words(statement: Statement) -> list[int]:
    row = statement.row
    token = tokens.OPCODE.place(row.opcode) | statement.controls & CONTROLS_MASK
    lead = 0 if row.is_declaration else len(row.extras)
    body = _extensions(statement)
    token |= _MORE if body else 0
    body += statement.extra[:lead]
    for operand in statement.operands:
        body += write_operand(operand)
    body += _trailing(statement, lead)
    length = 1 + len(body)
    if length <= tokens.MAX_SHORT_LENGTH:
        return [token | tokens.LENGTH.place(length), *body]
    if not row.long_form:
        raise TokenError(f"an instruction has at most 127 dwords, found {length}")
    return [token | _MORE, length + 1, *body]


def _trailing(statement: Statement, lead: int) -> list[int]:
    """The dwords after the operands; lists get their count."""
    row, extra = statement.row, statement.extra
    if not row.extras or row.extras[-1] not in tokens.LISTS:
        return list(extra[lead:])
    count = tokens.LISTS[row.extras[-1]]
    first = len(row.extras) - 1
    listed = first + len(count.others)
    if len(extra) < listed:
        raise TokenError(f"{len(extra)} dwords after the name, expected {listed}")
    items = extra[listed:]
    return [*extra[:first], count.join(len(items), extra[first:listed]), *items]


def _extensions(statement: Statement) -> list[int]:
    """The extended opcode tokens in order of their kinds.

    All except the last have the bit for "another extended token follows".
    """
    words: list[int] = []
    if statement.offsets is not None:
        words.append(_offsets(statement.offsets))
    if statement.dimension is not None:
        token = tokens.EXTENSION_KIND.place(tokens.RESOURCE_DIMENSION)
        token |= tokens.DIMENSION.place(statement.dimension.number)
        words.append(token | tokens.STRIDE.place(statement.stride))
    if statement.returns is not None:
        token = tokens.EXTENSION_KIND.place(tokens.RESOURCE_RETURN_TYPE)
        for field, component in zip(tokens.RETURNS, statement.returns, strict=True):
            token |= field.place(component.number)
        words.append(token)
    return [word | _MORE for word in words[:-1]] + words[-1:]


def _offsets(offsets: tuple[int, int, int]) -> int:
    token = tokens.EXTENSION_KIND.place(tokens.SAMPLE_CONTROLS)
    for field, offset in zip(tokens.OFFSETS, offsets, strict=True):
        token |= field.place_signed(offset)
    return token


def encode_container(program: Program) -> bytes:
    """Build a complete container with a valid checksum.

    A program from a container keeps its other chunks. Chunks that describe the program are rebuilt
    if the program or its reflection changed; debug information of other code is left out. Raises
    TranslateError for a value that cannot be encoded.
    """
    payload = encode_program(program.version, program.statements)
    if not program.chunks:
        return build_container(_fresh_chunks(program, payload))
    return build_container(_kept_chunks(program, payload))


def lost_debug_information(program: Program, container: bytes) -> list[str]:
    """The names of the chunks with debug information that `container`, the program's, lacks."""
    kept = {chunk.fourcc for chunk in parse_container(container, None).chunks}
    held = (chunk.fourcc for chunk in program.chunks)
    return [name.decode() for name in held if name in _DEBUG_INFORMATION and name not in kept]


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
