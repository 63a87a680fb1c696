"""DXBC containers inside of other data: their places, and damaged ones.

Found are containers with a program, of any stage. Others, such as effects, have none of their own,
but may hold some that have one; root signatures hold none.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap

from translate.dxbc.container import MAGIC, PROGRAM_CHUNKS, Container, parse_container
from translate.errors import DecodeError

_HEADER = struct.Struct("<4s16sIII")  # magic, digest, version, size, number of chunks
_VERSION = 1
_MOST_CHUNKS = 1024  # compilers write a dozen
_MOST_DAMAGED = 16  # containers that may cover a byte: each is read, and reading stays linear so
_PROGRAM = (*PROGRAM_CHUNKS, b"DXIL")
_NAME_DIGITS = 32
_STAGES = {  # by the program type in the version token
    **{0: "ps", 1: "vs", 2: "gs", 3: "hs", 4: "ds", 5: "cs"},
    **{6: "lib", 13: "ms", 14: "as"},  # of DXIL
}


@dataclass(frozen=True, slots=True)
class Embedded:
    """A container at a byte of the data that it was found in."""

    offset: int
    size: int
    digest: str  # SHA-256 of its bytes
    profile: str  # cs_5_0 and so on

    @property
    def name(self) -> str:
        """A file name for it, which its contents alone decide."""
        return f"{self.digest[:_NAME_DIGITS]}.{self.profile}.dxbc"


@dataclass(frozen=True, slots=True)
class Damaged:
    """Data that begins like a container and is none."""

    offset: int
    reason: str


def find_containers(data: bytes | mmap) -> Iterator[Embedded | Damaged]:
    """The containers in `data`, by their offsets; none lies within another one.

    The bytes of a tag alone, as programs have them that read containers, are nothing; a tag with a
    version is a container, which is damaged where it does not fit or its checksum is wrong.
    """
    ends: list[int] = []  # of damaged containers that reach beyond `at`
    at = data.find(MAGIC)
    while at >= 0:
        following = at + len(MAGIC)
        found = _read(data, at, ends) if _begins_container(data, at) else None
        if isinstance(found, Embedded):
            following = at + found.size
        if found is not None:
            yield found
        at = data.find(MAGIC, following)


def _begins_container(data: bytes | mmap, at: int) -> bool:
    return data[at + 20 : at + 24] == _VERSION.to_bytes(4, "little")


def _read(data: bytes | mmap, at: int, ends: list[int]) -> Embedded | Damaged | None:
    """None for a container without a program."""
    ends[:] = [end for end in ends if end > at]
    try:
        size = _size(data, at)
        if len(ends) == _MOST_DAMAGED:
            return Damaged(at, f"it lies within {_MOST_DAMAGED} others that are damaged")
        ends.append(at + size)
        contents = data[at : at + size]
        container = parse_container(contents, None)
    except DecodeError as error:
        return Damaged(at, error.message)
    if container.warnings:
        return Damaged(at, container.warnings[0])
    profile = _profile(container)
    if profile is None:
        return None
    ends.pop()
    return Embedded(at, size, hashlib.sha256(contents).hexdigest(), profile)


def _size(data: bytes | mmap, at: int) -> int:
    """The size that the header has. Raises DecodeError where it cannot be right."""
    header = data[at : at + _HEADER.size]
    if len(header) < _HEADER.size:
        raise DecodeError("the data end within its header")
    size, count = _HEADER.unpack(header)[-2:]
    if size > len(data) - at:
        raise DecodeError(f"the container has {size} bytes, and {len(data) - at} are left")
    if count > _MOST_CHUNKS:
        raise DecodeError(f"the container has {count} chunks, more than compilers write")
    return size


def _profile(container: Container) -> str | None:
    """From the version token that a program begins with; None where there is no program."""
    for fourcc in _PROGRAM:
        index = container.find(fourcc)
        if index is not None and len(container.chunks[index].payload) >= 4:
            (token,) = struct.unpack_from("<I", container.chunks[index].payload)
            stage = _STAGES.get(token >> 16, f"stage{token >> 16}")
            return f"{stage}_{token >> 4 & 0xF}_{token & 0xF}"
    return None
