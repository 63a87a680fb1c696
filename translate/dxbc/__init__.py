"""The binary front end: a DXBC container to a Program and back."""

from __future__ import annotations

from translate.dxbc.container import Container, parse_container
from translate.dxbc.contents import encode_container
from translate.dxbc.decode import decode_program
from translate.dxbc.ifce import parse_ifce
from translate.dxbc.rdef import parse_rdef
from translate.errors import DecodeError
from translate.linkage import Linkage
from translate.program import Program
from translate.reflection import Reflection

__all__ = ["decode_container", "encode_container"]


def decode_container(data: bytes, file: str | None = None) -> Program:
    """Read a container.

    What can be tolerated, such as a wrong checksum, is a line in `Program.warnings`. Raises
    DecodeError for malformed bytes, UnsupportedError for another stage or model.
    """
    container = parse_container(data, file)
    index = container.program_chunk()
    decoded = decode_program(container.chunks[index].payload, container.offsets[index], file)
    return Program(
        decoded.version,
        decoded.statements,
        reflection=_reflection(container),
        linkage=_linkage(container),
        chunks=container.chunks,
        file=file,
        warnings=container.warnings,
    )


def _linkage(container: Container) -> Linkage:
    """What IFCE tells; a damaged one becomes a warning."""
    index = container.find(b"IFCE")
    if index is None:
        return Linkage()
    try:
        return parse_ifce(container.chunks[index].payload)
    except DecodeError as error:
        container.warnings.append(error.message)
        return Linkage()


def _reflection(container: Container) -> Reflection | None:
    """What RDEF tells; a damaged one becomes a warning, for the program runs without."""
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
