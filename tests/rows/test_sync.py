"""The scopes and semantics of `sync` in SPIR-V: on CPU drivers results do not depend on them."""

import itertools
import re

import pytest

import translate

from ..listings import listing

DEVICE, WORKGROUP = 1, 2  # scopes
ACQUIRE_RELEASE, WORKGROUP_MEMORY = 0x8, 0x100
UNIFORM_AND_IMAGE_MEMORY = 0x40 | 0x800
_BARRIER = re.compile(r"Op(Control|Memory)Barrier ((?:%uint_\d+ ?)+)")
# Every combination with at least one kind of memory
FLAGS = [
    "".join(parts)
    for parts in itertools.product(("", "_uglobal"), ("", "_ugroup"), ("", "_g"), ("", "_t"))
    if any(parts[:3])
]


@pytest.mark.parametrize("suffix", FLAGS)
def test_scopes_and_semantics(suffix: str) -> None:
    """`_t` is a control barrier; only `_uglobal` reaches past the group (FS §22.17.7)."""
    text = translate.to_spirv(translate.load(listing([f"sync{suffix}"]))).text()
    (found,) = _BARRIER.finditer(text)
    uav, shared = "_u" in suffix, bool(re.search("_g(?!l|r)", suffix))
    semantics = ACQUIRE_RELEASE | WORKGROUP_MEMORY * shared | UNIFORM_AND_IMAGE_MEMORY * uav
    expected = [DEVICE if "_uglobal" in suffix else WORKGROUP, semantics]
    expected = [WORKGROUP, *expected] if "_t" in suffix else expected
    assert found[1] == ("Control" if "_t" in suffix else "Memory")
    assert [int(number) for number in re.findall(r"\d+", found[2])] == expected
