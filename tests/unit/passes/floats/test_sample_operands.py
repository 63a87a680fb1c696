"""Sample operands on which drivers disagree are checked, unless they cannot occur."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate.options import Options

from ....corpus.spirv_words import instructions
from ....listings import blocks

DATA = Path(__file__).parent / "data"
SELECTION = 247  # OpSelectionMerge
HEAD = (DATA / "sample_operands.asm").read_text("utf-8")
FLAT = "sample_l_indexable(texture2d)(float,float,float,float) r2.x, {}, t1.xyzw, s0, {}"
ARRAY = "sample_l_indexable(texture2darray)(float,float,float,float) r2.x, {}, t2.xyzw, s0, {}"
CUBE = "sample_l_indexable(texturecube)(float,float,float,float) r2.x, {}, t3.xyzw, s0, {}"
GRADIENTS = "sample_d_indexable(texture2d)(float,float,float,float) r2.x, {}, t1.xyzw, s0, {}, {}"

PROVED = blocks(DATA / "proved_operands.asm")
TESTED = blocks(DATA / "tested_operands.asm")


def words(body: str, sampling: str, **options: Any) -> bytes:
    program = translate.load(f"{HEAD}{body}\nstore_raw u0.x, l(0), r2.x\nret\n")
    return translate.to_spirv(program, Options(sampling=sampling, **options)).to_bytes()


@pytest.mark.parametrize("body", PROVED.values(), ids=PROVED)
def test_proved_operands_are_not_checked(body: str) -> None:
    assert words(body, "d3d") == words(body, "device")


@pytest.mark.parametrize("body", TESTED.values(), ids=TESTED)
def test_other_operands_are_checked(body: str) -> None:
    assert words(body, "d3d") != words(body, "device")


def branches(body: str) -> int:
    """The number of branches around replacements."""
    modules = (np.frombuffer(words(body, sampling), np.uint32) for sampling in ("d3d", "device"))
    with_checks, plain = (
        [opcode for opcode, *_ in instructions(module)].count(SELECTION) for module in modules
    )
    return with_checks - plain


def test_samples_at_the_same_place_share_its_replacement() -> None:
    """They share it if they use the same replacement, which a gather does not."""
    gather = "gather4_indexable(texture2d)(float,float,float,float) r2.x, r0.xyxx, t1.xyzw, s0.x"
    one = FLAT.format("r0.xyxx", "l(0.0)")
    stored = "store_raw u0.x, l(4), r2.x\n"
    assert branches(one) == branches(f"{one}\n{stored}{one}") == 1
    assert branches(f"{one}\n{stored}{gather}") == 2


def test_samples_of_a_group_share_a_test() -> None:
    """A group has up to four samples, and no store between them."""
    lines = [
        f"add r1.xy, r0.zwzz, l({n}.5, 0.25, 0, 0)\n{FLAT.format('r1.xyxx', 'l(0.0)')}\n"
        "add r2.y, r2.y, r2.x\n"
        for n in range(9)
    ]
    stored, total = "store_raw u0.x, l(4), r2.x\n", "mov r2.x, r2.y"
    assert [branches("".join(lines[:n]) + total) for n in (1, 4, 5, 9)] == [1, 1, 2, 3]
    assert branches(stored.join(lines[:3]) + total) == 3


def test_no_guards_means_no_tests() -> None:
    body = FLAT.format("r0.xyxx", "l(0.0)")
    assert words(body, "d3d", guards="off") == words(body, "device", guards="off")
    assert words(body, "d3d", guards="robustness2") != words(body, "device", guards="robustness2")


EXACT = {
    "coordinates": FLAT.format("r0.xyxx", "l(0.0)"),
    "slices": "mov r1.xyz, l(0.5, 0.5, 0, 0)\nmov r1.z, r0.z\n" + ARRAY.format("r1.xyzx", "l(0.0)"),
    "levels_of_detail": FLAT.format("l(0.5, 0.5, 0.0, 0.0)", "r0.x"),
    "gradients": GRADIENTS.format("l(0.5, 0.5, 0, 0)", "r0.xyxx", "l(0.5, 0.0, 0.0, 0.0)"),
    "directions": CUBE.format("r0.xyzx", "l(0.0)"),
}


@pytest.mark.parametrize("kind", EXACT)
def test_exact_operands_are_not_tested(kind: str) -> None:
    body = EXACT[kind]
    assert words(body, "d3d", exact_samples={kind}) == words(body, "device")
    others = {*EXACT} - {kind}
    assert words(body, "d3d", exact_samples=others) == words(body, "d3d")


def test_other_choices_are_refused() -> None:
    with pytest.raises(translate.OptionError, match="d3d"):
        Options(sampling="off")
