"""Decode DXBC containers; `contents` encodes them."""

from __future__ import annotations

from translate.dxbc.container import WRONG_CHECKSUM, Container, parse_container
from translate.dxbc.decode import decode_program
from translate.dxbc.ifce import parse_ifce
from translate.dxbc.rdef import parse_rdef
from translate.dxbc.rts0 import parse_rts0
from translate.errors import DecodeError, Where
from translate.interface.root_signature import RootSignature
from translate.isa.instruction import Flow, Kind
from translate.linkage import Linkage
from translate.program import Program
from translate.reflection import Reflection


def decode_container(data: bytes, file: str | None = None) -> Program:
    """Decode a container into a Program.

    Tolerated defects, such as a wrong checksum, become lines in `Program.warnings`. Raises
    DecodeError for malformed bytes, and UnsupportedError for another stage or shader model.
    """
    container = parse_container(data, file)
    index = container.program_chunk()
    try:
        decoded = decode_program(container.chunks[index].payload, container.offsets[index], file)
    except DecodeError as error:
        if WRONG_CHECKSUM not in container.warnings:
            raise
        message = f"{error.message}; {WRONG_CHECKSUM}: the file is damaged"
        raise DecodeError(message, error.where) from None
    if Kind.MESSAGE in {statement.row.kind for statement in decoded.statements}:
        # fxc gives these another checksum, so that D3D accepts them only with its debug layer
        container.warnings = [w for w in container.warnings if w != WRONG_CHECKSUM]
    program = Program(
        decoded.version,
        decoded.statements,
        reflection=_reflection(container),
        linkage=_linkage(container),
        root_signature=_root_signature(container),
        chunks=container.chunks,
        file=file,
        warnings=container.warnings,
    )
    _note_source(container, program, container.offsets[index])
    return program


def _note_source(container: Container, program: Program, start: int) -> None:
    """Add the HLSL to the program, and HLSL lines to its statements.

    Damaged debug information becomes a warning.
    """
    index = container.find(b"SPDB")
    if index is None:
        return
    from translate.dxbc.pdb import parse_source_lines  # few containers have a database

    labels = (s.where.offset for s in program.statements if s.row.flow is Flow.LABEL)
    first = next((offset - start for offset in labels if offset is not None), None)
    try:
        lines = parse_source_lines(container.chunks[index].payload, first)
    except ValueError as error:
        container.warnings.append(f"the debug information (SPDB) is ignored: {error}")
        return
    program.hlsl_files, program.hlsl_entry = lines.texts, lines.entry
    for statement in program.statements:
        at = statement.where
        file, line = lines.at((at.offset or 0) - start)
        statement.where = Where(
            at.file,
            offset=at.offset,
            instruction=at.instruction,
            mnemonic=at.mnemonic,
            hlsl_file=file,
            hlsl_line=line,
        )


def _linkage(container: Container) -> Linkage:
    """The linkage in IFCE; a damaged chunk becomes a warning."""
    index = container.find(b"IFCE")
    if index is None:
        return Linkage()
    try:
        return parse_ifce(container.chunks[index].payload)
    except DecodeError as error:
        container.warnings.append(error.message)
        return Linkage()


def _root_signature(container: Container) -> RootSignature | None:
    """The root signature in RTS0; a damaged chunk becomes a warning."""
    index = container.find(b"RTS0")
    if index is None:
        return None
    try:
        return parse_rts0(container.chunks[index].payload)
    except DecodeError as error:
        container.warnings.append(f"{error.message}: its static samplers are not known")
        return None


def _reflection(container: Container) -> Reflection | None:
    """The reflection in RDEF. A damaged chunk becomes a warning; it is not needed to run."""
    index = container.find(b"RDEF")
    if index is None:
        return None
    try:
        return parse_rdef(container.chunks[index].payload)
    except DecodeError as error:
        offset = container.offsets[index] + (error.where.offset or 0)
        container.warnings.append(
            f"the reflection (RDEF) is damaged and ignored: {error.message} (at byte {offset:#x})"
        )
        return None
