"""The rule for texts besides listings: HLSL as far as it is read here, IR, profiles, manifests."""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import translate
from checks.dialects.search import candidate
from checks.profiles import CARD
from translate.asm import parse_listing
from translate.bulk.manifest import NAME, Manifest
from translate.explanation import dump_ir, translate_ir
from translate.hlsl.includes import find_includes
from translate.hlsl.messages import read_messages
from translate.hlsl.source import HlslSource, is_hlsl
from vkrunner import ArgumentError, load_profile
from vkrunner.shadertest.session import parse_expression

_ROOT = Path(__file__).parents[2]
_IR_SEEDS, _DIALECT_SEEDS = 24, 60
_INCLUDES = """#include "a.h"
  # /* one */ /* two */ include <b.h> // three
/* four
*/ #include "c/d.h"
#define N "str\\"ing" // #include
[ numthreads(8, 8, 1) ] [RootSignature("x")] void main(uint3 id : SV_DispatchThreadID) {}
blur.hlsl(3,5-9): error X3004: undeclared identifier 'a'
blur.hlsl:3:5: E5005: Undefined variable "a".
(a or b) and not (c or "d e")
"""
_MANIFEST = {
    "name": "a/b.dxbc",
    "contents": "0" * 64,
    "recipe": "1" * 64,
    "words": 300,
    "files": {".spv": "2" * 64, ".json": "3" * 64},
    "reason": None,
    "detail": None,
}


def check_grown_listing(data: bytes) -> None:
    """A listing is read and printed; its length makes a translation take longer than that."""
    try:
        program = parse_listing(data.decode("utf-8", "replace"), None)
        translate.disassemble(program, header=True)
    except translate.TranslateError as error:
        str(error)


def check_hlsl(data: bytes) -> None:
    """What is read of HLSL, of its compiler's output, and of `-k`, which is none of these."""
    text = data.decode("utf-8", "replace")
    source = HlslSource(data, "/no/such/folder/a.hlsl")
    source.entry_points()
    is_hlsl(data)
    find_includes(source, ["/no/such/other"])
    list(read_messages(text, _no_lines))
    with suppress(ArgumentError):
        parse_expression(text)("a")


def _no_lines(name: str) -> tuple[str | None, Sequence[bytes], int]:
    return name, [b"one line"], 0


def check_ir(data: bytes) -> None:
    """The IR's text is refused, or translated."""
    try:
        translate_ir(data.decode("utf-8", "replace"), translate.Options(validate=False))
    except translate.TranslateError as error:
        str(error)


def check_profile(data: bytes) -> None:
    """A profile of a device."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            load_profile(file.name)
        except ArgumentError as error:
            str(error)


def check_manifest(data: bytes) -> None:
    """A manifest; damaged lines are nothing that stops a run."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, NAME).write_bytes(data)
        with Manifest(Path(folder)) as manifest:
            for entry in list(manifest.entries.values()):
                manifest.done(entry.name, entry.contents, entry.recipe, (".spv",))
                manifest.replace(entry.name, {}, ())
                manifest.add(entry)


@cache
def dialects() -> tuple[bytes, ...]:
    """Listings of fxc, 3Dmigoto and RenderDoc."""
    made = (candidate(random.Random(f"seed {number}"))[0] for number in range(_DIALECT_SEEDS))
    return tuple(text.encode() for text in made)


@cache
def hlsl() -> tuple[bytes, ...]:
    files = sorted((_ROOT / "tests/corpus/hlsl").glob("*.hlsl"))
    return (_INCLUDES.encode(), *(path.read_bytes() for path in files))


@cache
def ir() -> tuple[bytes, ...]:
    """Small shaders before, between and after the passes."""
    rng = random.Random(1)
    listings = sorted((_ROOT / "tests/golden/shaders").glob("*.asm"))
    stages = ("lowering", "guard_bounds", None)
    options = translate.Options(validate=False)
    made = (dump_ir(translate.load(path), options, rng.choice(stages)) for path in listings)
    return tuple(text.encode() for text in made)[:_IR_SEEDS]


@cache
def profiles() -> tuple[bytes, ...]:
    return (json.dumps(CARD, indent=1).encode(), re.sub(r"\s", "", json.dumps(CARD)).encode())


@cache
def manifests() -> tuple[bytes, ...]:
    refused = {**_MANIFEST, "name": "c", "files": {}, "reason": "no", "detail": ": error: no"}
    return ("".join(f"{json.dumps(row)}\n" for row in (_MANIFEST, refused)).encode(),)
