"""Every pass of the list has cases (`cases.py`), and its results are those of the cases."""

import pytest

from checks.passes.cases import Case, cases, folders
from checks.passes.repeats import folded, unfolded
from translate.options import INDEXING_FEATURES, WORKAROUNDS, Options
from translate.passes.pipeline import passes

from ..complete import check_complete

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    difference = case.difference()
    assert not difference, f"\n{difference}(python -m checks.passes --update rewrites the file)"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_says_its_rule(case: Case) -> None:
    first = case.before.partition("\n")[0]
    assert first.startswith("; ")
    assert first.endswith(".")
    assert case.path.suffix == ".ir"


def test_long_repetitions_are_written_once() -> None:
    texts = [case.path.read_text(encoding="utf-8") for case in CASES]
    shorter = [text for text in texts if " times\n" in text]
    assert len(shorter) > 10
    assert [folded(unfolded(text)) for text in shorter] == shorter


def test_every_pass_has_cases() -> None:
    every = Options(workarounds=WORKAROUNDS, missing_indexing=frozenset(INDEXING_FEATURES))
    options = (every, Options(guards="report"))
    names = {one.name.partition(".")[0] for given in options for one in passes(given)}
    check_complete((folder.name for folder in folders()), names, "tests/passes (a folder of cases)")
    check_complete((case.path.parent.name for case in CASES), names, "tests/passes (cases)")
