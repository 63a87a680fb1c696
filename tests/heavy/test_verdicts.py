"""Listings of many kinds translate, and the driver's compile time is judged."""

import pytest

import translate
from checks.heavy.compiling import SECONDS, Compiled, compile_apart
from checks.heavy.listings import Family, calls, listing
from checks.heavy.measure import LARGEST, Cost
from checks.heavy.variants import REPETITIONS, VARIANTS, Variant
from checks.heavy.verdicts import Growth, grow, judge

GOOD = Cost(100, 0.1, 10.0, 500)
QUICK, SLOW = Compiled(1.0), Compiled(SECONDS + 1)
SMALL = {name: (variant.family, 8) for name, variant in VARIANTS.items()}
SMALL |= {f"repeated {name}": (family, 3) for name, family in REPETITIONS.items()}


@pytest.mark.parametrize(("family", "count"), SMALL.values(), ids=SMALL)
def test_small_listings_translate(family: Family, count: int) -> None:
    """Those of the measured size may be refused."""
    translate.to_spirv(translate.load(family(count)))


def test_sizes_of_variants() -> None:
    assert {
        name: size for name, v in VARIANTS.items() if (size := len(v.text)) > 1.1 * LARGEST
    } == {}


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
    assert (compiled.refused, compiled.problem) == ("", "")
    assert compiled.seconds >= 0


def test_a_driver_refuses() -> None:
    assert "nothing" in compile_apart(listing("nothing\n")).refused


def of_lines(text: str) -> Compiled:
    """A driver that takes a millisecond for each line, and refuses more than 600."""
    lines = text.count("\n")
    return Compiled(refused="too large") if lines > 600 else Compiled(lines / 1000, words=lines)


def test_the_growth_ends_before_a_refusal() -> None:
    growth = grow(lambda count: "mov\n" * count, of_lines)
    assert growth == Growth(512, 2048, Compiled(0.512, words=512), "refused: too large")
    assert str(growth).endswith("512 words   0.51 s   1000 us a word  refused: too large")


@pytest.mark.parametrize(
    ("made", "count", "ended"),
    [
        (Compiled(1.0, words=10), 512, "the largest size"),
        (SLOW, 16, "takes long"),
        (Compiled(crash="ended with -11"), 16, "ended with -11"),
        (Compiled(refused="no doubles"), 0, "refused: no doubles"),
    ],
)
def test_the_end_of_a_growth(made: Compiled, count: int, ended: str) -> None:
    growth = grow(lambda count: "x" * 100 * count, lambda _: made)
    assert (growth.count, growth.bytes, growth.ended) == (count, 100 * count, ended)
    assert 512 * 100 <= LARGEST < 1024 * 100
