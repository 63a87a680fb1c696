"""The scopes and semantics of `sync` in SPIR-V: on CPU drivers results do not depend on them."""

from __future__ import annotations

import re

import pytest

import translate

from .sync_cases import exchange, flags

DEVICE, WORKGROUP = 1, 2  # scopes
ACQUIRE_RELEASE, WORKGROUP_MEMORY = 0x8, 0x100
UNIFORM_AND_IMAGE_MEMORY = 0x40 | 0x800
_BARRIER = re.compile(r"Op(Control|Memory)Barrier ((?:%uint_\d+ ?)+)")


@pytest.mark.parametrize("suffix", flags())
def test_scopes_and_semantics(suffix: str) -> None:
    """`_t` is a control barrier; only `_uglobal` reaches past the group (FS §22.17.7)."""
    text = translate.to_spirv(translate.load(exchange(suffix).listing)).text()
    found = [(m[1], [int(n) for n in re.findall(r"\d+", m[2])]) for m in _BARRIER.finditer(text)]
    uav, shared = "_u" in suffix, bool(re.search("_g(?!l|r)", suffix))
    semantics = ACQUIRE_RELEASE | WORKGROUP_MEMORY * shared | UNIFORM_AND_IMAGE_MEMORY * uav
    memory = [DEVICE if "_uglobal" in suffix else WORKGROUP, semantics]
    expected = ("Control", [WORKGROUP, *memory]) if "_t" in suffix else ("Memory", memory)
    assert found == [expected] * 3
