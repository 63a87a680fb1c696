"""Zeros that only a driver may know, for `test_zero_sources`: each a few lines that compute r2.x.

A driver knows them since it forwards stores to loads, compiles sizes or constants into the code,
knows the condition in its branch, or follows bits and signs.

`data/zero_sources.asm` has them in blocks: the name, the contents of resources (keys of CONTENTS),
and -0 for a zero with a sign; declarations; the lines; after `...` what ends their branches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..listings import titled


@dataclass(frozen=True)
class Source:
    """Lines that compute a zero of the sign of `number` in r2.x; `after` ends their branches.

    r0.x is any float, r4.x the byte offset of the thread's dword.
    """

    lines: str
    declarations: str
    after: str
    number: float
    resources: dict[str, Any]


INTEGERS = np.arange(3, 67, dtype=np.uint32)
CONTENTS: dict[str, Any] = {
    "null": None,
    "zeros": np.zeros(64, np.float32),
    "ones": np.ones(16, np.uint32),
    "row": np.zeros((1, 4), np.float32),
    "rows": np.zeros((16, 4), np.float32),
    "texels": np.zeros(4, np.float32),
    "texture": np.zeros((4, 4), np.float32),
    "integers": INTEGERS,
    "floats": INTEGERS.astype(np.float32),
}


def parts(text: str) -> tuple[str, str, str]:
    """The declarations of a block, its lines, and those behind `...`."""
    lines = text.splitlines()
    declared = [line for line in lines if line.startswith("dcl_")]
    before, _, after = "\n".join(lines[len(declared) :]).partition("\n...\n")
    return "\n".join(declared), before, after


def source(words: Sequence[str], text: str) -> Source:
    """The source of a block, of the words behind its name and of its text."""
    declared, lines, after = parts(text)
    given = dict(word.split("=") for word in words if "=" in word)
    number = -0.0 if "-0" in words else 0.0
    resources = {register: CONTENTS[word] for register, word in given.items()}
    return Source(lines, declared, after, number, resources)


SOURCES = {
    name: source(words, text)
    for name, (words, text) in titled(Path(__file__).parent / "data/zero_sources.asm").items()
}
