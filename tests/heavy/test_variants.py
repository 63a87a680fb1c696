"""Listings of many kinds: each translates, and the driver's compile time is judged."""

from __future__ import annotations

import pytest

import translate

from .compiling import SECONDS, Compiled, compile_apart
from .listings import calls, listing
from .measure import LARGEST, Cost
from .variants import VARIANTS, Variant
from .verdicts import judge

GOOD = Cost(100, 0.1, 10.0, 500)
QUICK, SLOW = Compiled(1.0), Compiled(SECONDS + 1)


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_translate(name: str) -> None:
    """Small listings; those of the measured size may be refused."""
    translate.to_spirv(translate.load(VARIANTS[name].family(4)))
    assert len(VARIANTS[name].text) <= 1.1 * LARGEST


@pytest.mark.parametrize(
    ("cost", "compiled", "why", "breach", "verdict"),
    [
        (GOOD, QUICK, "", False, "good"),
        (GOOD, SLOW, "", True, "the driver takes long: nothing says why"),
        (GOOD, SLOW, "its size", False, "the driver takes long: its size"),
        (GOOD, Compiled(refused="no doubles"), "", False, "not compiled: no doubles"),
        (GOOD, Compiled(crash="ended with -11"), "its size", True, "the driver ended with -11"),
        (Cost(100, 9.0, 10.0, 500), QUICK, "its size", True, "the translator took 9.0 s"),
        (Cost(100, 0.1), SLOW, "", False, "the translator refuses it"),
    ],
)
def test_verdicts(cost: Cost, compiled: Compiled, why: str, breach: bool, verdict: str) -> None:
    outcome = judge(Variant(calls, 3, why), lambda _: cost, lambda _: compiled)
    assert (outcome.is_breach, outcome.verdict) == (breach, verdict)
    assert str(outcome).endswith(f"  {verdict}")


@pytest.mark.parametrize("text", [calls(3), listing("loop\nendloop\n")])
def test_a_driver_compiles(text: str) -> None:
    """The time does not include the dispatch, which need not end."""
    compiled = compile_apart(text)
    assert not compiled.refused
    assert not compiled.crash
    assert 0 <= compiled.seconds < SECONDS


def test_a_driver_refuses() -> None:
    assert "nothing" in compile_apart(listing("nothing\n")).refused
