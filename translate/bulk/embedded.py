"""Find DXBC containers inside other data, including damaged ones.

Shaders of every stage are found. Containers without a program of their own, such as effects, are
left out, but they may enclose containers that have one.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from translate.bulk.pieces import Pieces
from translate.dxbc.container import MAGIC, PROGRAM_CHUNKS, Container, parse_container
from translate.errors import DecodeError

_HEADER = struct.Struct("<4s16sIII")  # magic, digest, version, size, number of chunks
_VERSION = 1
_MOST_CHUNKS = 1024  # compilers write a dozen
_MOST_DAMAGED = 16  # limits how often a byte is read, so that reading stays linear
_PROGRAM = (*PROGRAM_CHUNKS, b"DXIL")
_NAME_DIGITS = 32
_STAGES = {  # By the program type in the version token
    **{0: "ps", 1: "vs", 2: "gs", 3: "hs", 4: "ds", 5: "cs"},
    **{6: "lib", 13: "ms", 14: "as"},  # DXIL only
}


@dataclass(frozen=True, slots=True)
class Embedded:
    """A container and its offset in the searched data."""

    offset: int
    size: int
    digest: str  # SHA-256 of its bytes
    profile: str  # cs_5_0 and so on

    @property
    def name(self) -> str:
        """A file name for the container, derived from its contents."""
        return f"{self.digest[:_NAME_DIGITS]}.{self.profile}.dxbc"


@dataclass(frozen=True, slots=True)
class Damaged:
    """Data that begins like a container but is not a valid one."""

    offset: int
    reason: str


def find_containers(data: bytes | Pieces) -> Iterator[Embedded | Damaged]:
    """The containers in `data`, in order of their offsets; they do not overlap.

    The tag `DXBC` alone does not count, because programs that read containers include it too. A tag
    followed by a version is a container. It is damaged if its sizes are wrong, or its checksum.
    """
    ends: list[int] = []  # of the damaged containers around `at`
    at = data.find(MAGIC)
    while at >= 0:
        following = at + len(MAGIC)
        found = _read(data, at, ends) if _begins_container(data, at) else None
        if isinstance(found, Embedded):
            following = at + found.size
        if found is not None:
            yield found
        at = data.find(MAGIC, following)


def _begins_container(data: bytes | Pieces, at: int) -> bool:
    return data[at + 20 : at + 24] == _VERSION.to_bytes(4, "little")


def _read(data: bytes | Pieces, at: int, ends: list[int]) -> Embedded | Damaged | None:
    """The container at `at`; None if it has no program."""
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


def _size(data: bytes | Pieces, at: int) -> int:
    """The size in the header. Raises DecodeError if it cannot be right."""
    header = data[at : at + _HEADER.size]
    if len(header) < _HEADER.size:
        raise DecodeError("its header is cut off")
    size, count = _HEADER.unpack(header)[-2:]
    if size > len(data) - at:
        raise DecodeError(f"the container has {size} bytes, but only {len(data) - at} are left")
    if count > _MOST_CHUNKS:
        raise DecodeError(f"the container has {count} chunks, more than compilers write")
    return size


def _profile(container: Container) -> str | None:
    """The profile in the program's version token; None for a container without a program."""
    for fourcc in _PROGRAM:
        index = container.find(fourcc)
        if index is not None and len(container.chunks[index].payload) >= 4:
            (token,) = struct.unpack_from("<I", container.chunks[index].payload)
            stage = _STAGES.get(token >> 16, f"stage{token >> 16}")
            return f"{stage}_{token >> 4 & 0xF}_{token & 0xF}"
    return None
