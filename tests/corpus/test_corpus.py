"""fxc's code of every corpus shader, profile and form, run and compared with its HLSL in NumPy."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import translate
from checks.corpus.case import explained_by_some_order
from checks.corpus.cases import CASES, CORPUS, PROFILES, check_results
from translate.options import GUARDS

from .spirv_words import instructions


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_results(device: Any, shader: str, profile: str, form: str) -> None:
    check_results(device, shader, CORPUS / profile / f"{shader}.{form}")


@pytest.mark.parametrize("shader", CASES)
def test_results_without_optimisation(device: Any, shader: str) -> None:
    check_results(device, shader, CORPUS / "cs_5_0" / f"{shader}.dxbc", optimize=False)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_listing_describes_the_same_interface(shader: str, profile: str) -> None:
    container, listing = (
        translate.to_spirv(
            translate.load(CORPUS / profile / f"{shader}.{form}")
        ).interface.to_dict()
        for form in ("dxbc", "asm")
    )
    assert container == listing


# Capabilities that compiled shaders need: 32-bit code needs 32-bit numbers only

OP_CAPABILITY = 17
FLOAT64 = 10
WIDE_OR_NARROW = {FLOAT64: "Float64", 9: "Float16", 11: "Int64", 22: "Int16", 39: "Int8"}
DOUBLES = "double_precision"
SHADERS = sorted(path for path in CORPUS.glob("cs_5_*/*.dxbc"))


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


# The check of atomics' returned values accepts what some order gives, and nothing else


def exchange(value: int, operand: int) -> int:
    return operand


@pytest.mark.parametrize("operation", [int.__add__, max, exchange])
@pytest.mark.parametrize("seed", range(5))
def test_any_order_is_accepted(operation: Callable[[int, int], int], seed: int) -> None:
    order = list(range(20))
    random.Random(seed).shuffle(order)
    returned, value = [0] * 20, 3
    for operand in order:
        returned[operand] = value
        value = operation(value, operand)
    assert explained_by_some_order(3, range(20), returned, value, operation)
    assert not explained_by_some_order(3, range(20), returned, value + 1, operation)
    returned[order[10]] += 1000
    assert not explained_by_some_order(3, range(20), returned, value, operation)


def test_a_lost_update_is_seen() -> None:
    """Two threads read 0, both add 1: the end would be 1."""
    assert not explained_by_some_order(0, [1, 1], [0, 0], 1, int.__add__)


def test_a_closed_walk_elsewhere_is_seen() -> None:
    """Balanced degrees alone would accept values that were never in memory."""
    assert not explained_by_some_order(0, [8, 9], [9, 8], 0, exchange)
