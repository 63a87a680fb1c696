"""Capabilities that compiled shaders need: 32-bit code needs 32-bit numbers only."""

from pathlib import Path

import pytest

import translate
from translate.options import GUARDS

from .spirv_words import instructions

HERE = Path(__file__).parent
OP_CAPABILITY = 17
FLOAT64 = 10
WIDE_OR_NARROW = {FLOAT64: "Float64", 9: "Float16", 11: "Int64", 22: "Int16", 39: "Int8"}
DOUBLES = "double_precision"
SHADERS = sorted(path for path in HERE.glob("cs_5_*/*.dxbc"))


@pytest.mark.parametrize("guards", GUARDS)
@pytest.mark.parametrize("path", SHADERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_widths(path: Path, guards: str) -> None:
    module = translate.to_spirv(translate.load(path), translate.Options(guards=guards))
    declared = {row[1] for row in instructions(module.words) if row[0] == OP_CAPABILITY}
    assert declared & set(WIDE_OR_NARROW) == ({FLOAT64} if path.stem == DOUBLES else set())
    assert ("float64" in module.interface.features) == (path.stem == DOUBLES)
    assert "int64" not in module.interface.features


def test_every_profile_is_there() -> None:
    profiles = {path.parent.name for path in SHADERS}
    assert profiles == {"cs_5_0", "cs_5_0_Od", "cs_5_1"}
    assert {path.parent.name for path in SHADERS if path.stem == DOUBLES} == profiles
