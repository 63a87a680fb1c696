"""Containers for tests: fxc's from `data/` and the corpus, and small hand-made ones."""

import struct
from pathlib import Path

from translate.dxbc.container import build_container
from translate.program import Chunk

CORPUS = Path(__file__).parents[2] / "corpus"
LISTINGS = sorted((Path(__file__).parent / "data").glob("*.asm"))
CS_4_0, CS_5_0, CS_5_1 = 0x50040, 0x50050, 0x50051
RET = 0x0100003E
FIRST_TOKEN = 52  # header 32, one chunk offset 4, chunk header 8, version and length 8


def container_of(stem: str) -> Path:
    """The container of a listing in `data/`; tests of listings have some of them too."""
    own = Path(__file__).parent / "data" / f"{stem}.dxbc"
    return own if own.exists() else Path(__file__).parents[1] / "asm" / "data" / own.name


def held(stem: str) -> bytes:
    return container_of(stem).read_bytes()


CONTAINERS = sorted((*CORPUS.glob("*/*.dxbc"), *(container_of(path.stem) for path in LISTINGS)))
EVERY_ROW = sorted((Path(__file__).parents[1] / "asm" / "data").glob("*.dxbc"))  # some by hand


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def program(*words: int, version: int = CS_5_0) -> bytes:
    """A container whose only chunk holds these dwords after the program's header."""
    payload = struct.pack(f"<{len(words) + 2}I", version, len(words) + 2, *words)
    return build_container([Chunk(b"SHEX", payload)])
