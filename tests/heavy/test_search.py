"""The search for expensive listings: its grammar, its measures, and its guidance by cost."""

import random
from pathlib import Path

import pytest

import translate
from checks.heavy.genome import CONSTRUCTS, STATEMENTS, Genome, Piece, mutate, random_piece
from checks.heavy.listings import calls
from checks.heavy.measure import LARGEST, MEGABYTES, SECONDS, Cost, measure
from checks.heavy.search import Search, resized


def translated(genome: Genome) -> None:
    translate.to_spirv(translate.load(genome.render()))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_translate(statement: str) -> None:
    piece = Piece(statement, count=3)
    loops = statement.startswith(("breakc", "continuec"))
    translated(Genome((Piece("loop", "breakc_nz r0.x\nendloop", inside=(piece,)),)) if loops
               else Genome((piece,)))  # fmt: skip


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_constructs_translate(construct: tuple[str, str]) -> None:
    piece = Piece(*construct, count=3, inside=(Piece(STATEMENTS[0]),))
    cases = construct[0].startswith("case")
    translated(Genome((Piece("switch r0.x", "endswitch", inside=(piece,)) if cases else piece,)))


@pytest.mark.slow(reason="60 shaders of up to 20 KB")
def test_most_mutants_translate() -> None:
    rng, done = random.Random(7), 0
    genome = Genome((random_piece(rng),))
    for _ in range(60):
        if len(genome.render()) > LARGEST / 5:  # larger ones take time and show nothing new
            genome = Genome((random_piece(rng),))
        changed = mutate(genome, rng, genome)
        try:
            translated(changed)
        except translate.TranslateError:
            continue
        genome, done = changed, done + 1
    assert done > 30


@pytest.mark.parametrize("size", [3_000, LARGEST])
def test_listings_have_the_size_that_is_wanted(size: int) -> None:
    genome = Genome((Piece(STATEMENTS[0], count=5), Piece("if_nz r{a}.x", "endif", count=3)))
    assert 0.9 * size < len(resized(genome, size)) <= size


def of_sines(text: str) -> Cost:
    """A measure by which only sines take time."""
    return Cost(len(text), seconds=text.count("sincos") / 500)


def searched(into: Path, steps: int) -> Search:
    search = Search(3, into, of_sines)
    for _ in range(steps):
        search.step()
    return search


@pytest.mark.slow(reason="300 steps of a search")
def test_cost_guides_the_search(tmp_path: Path) -> None:
    """A listing of 100 KB with nothing but sines has some 2800 of them: 5.6 s."""
    search = searched(tmp_path, 300)
    best = max(one.cost.seconds / one.cost.bytes for one in search.pool)
    assert best > 0.9 * 5.6 / LARGEST
    found = sorted(tmp_path.glob("*.asm"))
    assert found
    for path in found:
        text = path.read_text()
        assert len(text) <= LARGEST
        assert of_sines(text).seconds > SECONDS
        assert "took 5" in path.with_suffix(".txt").read_text()


def test_findings_are_measured_again(tmp_path: Path) -> None:
    """Other work on the machine may make a listing slow once."""
    seen: set[str] = set()

    def slow_at_first(text: str) -> Cost:
        again = text in seen
        seen.add(text)
        return Cost(len(text), 0.1 if again else SECONDS + 1)

    search = Search(3, tmp_path, slow_at_first)
    for _ in range(60):
        search.step()
    assert max(map(len, seen)) > LARGEST / 2
    assert not search.kinds


def test_a_seed_gives_one_search(tmp_path: Path) -> None:
    one, other = (searched(tmp_path / name, 60) for name in ("one", "other"))
    assert [c.genome for c in one.pool] == [c.genome for c in other.pool]


def test_measures() -> None:
    cost = measure(calls(20))
    assert cost.bytes == len(calls(20))
    assert cost.words > 100
    assert 0 < cost.seconds < SECONDS
    assert 0 <= cost.megabytes < MEGABYTES
    assert not cost.finding
    assert measure("cs_5_0\nnothing\n").words == 0


def test_findings() -> None:
    assert Cost(1, SECONDS + 1).finding == "took 6.0 s"
    assert Cost(1, 0.0, MEGABYTES + 1.0).finding == f"took {MEGABYTES + 1} MB"
    assert Cost(1, fault="KeyError: 1").finding == "KeyError: 1"
