"""No pass changes the behaviour of the corpus' modules or of random programs."""

import re
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from checks.fuzz.case import Case as Drawn
from checks.fuzz.dice import drawn
from translate.passes.pipeline import passes

from ..ir.corpus import CORPUS, MORE, name_of
from . import subjects
from .passes import check_passes

Case = tuple[Path, str]

_EVERY: list[Case] = [
    *((path, name) for path in CORPUS for name in subjects.SETS),
    *((path, "d3d") for path in MORE),
]
_CASES = [(path, name) for path, name in _EVERY if subjects.stem(path) not in subjects.ENDLESS]
_RANDOM = 150
_CALLING = [
    path
    for path in MORE
    if subjects.stem(path).startswith(("class_", "flow", "interfaces", "subr"))
]
_CALLING_PROGRAMS = 18
_CALL, _BARRIER = re.compile(r"^call", re.MULTILINE), re.compile(r"^sync\w*_t", re.MULTILINE)


@pytest.mark.parametrize("case", subjects.parameters(_CASES, name_of, 21))
def test_shaders(case: Case) -> None:
    path, options = case
    subject = subjects.of_corpus(path, options, subjects.BETWEEN_TEXELS.get(subjects.stem(path), 0))
    done = check_passes(subject)
    assert done == len(passes(subject.options)) or _may_leave(path, options)


def _may_leave(path: Path, options: str) -> bool:
    return options in ("off", "robustness2") and subjects.stem(path) in subjects.LEAVING


@pytest.mark.parametrize("seed", subjects.parameters([*range(_RANDOM)], str, 15, 16))
def test_random_programs(seed: int) -> None:
    (case,) = drawn(seed, 1, subjects.ABILITIES)
    options = [*subjects.SETS][seed % len(subjects.SETS)]
    check_passes(subjects.of_drawn(case, options))


@pytest.mark.parametrize("path", subjects.parameters(_CALLING, lambda path: path.name, 4))
def test_resumed_calls(path: Path) -> None:
    subject = subjects.of_corpus(path, "d3d", subjects.BETWEEN_TEXELS.get(subjects.stem(path), 0))
    assert subject.module().functions
    check_passes(_resumed(subject))


@pytest.mark.slow(reason="each pass, of many random programs")
@pytest.mark.parametrize("number", subjects.parameters(range(_CALLING_PROGRAMS), str, 6))
def test_resumed_calls_of_random_programs(number: int) -> None:
    subject = subjects.of_drawn(_calling(number), [*subjects.SETS][number % len(subjects.SETS)])
    assert subject.module().functions
    check_passes(_resumed(subject))


def _calling(number: int) -> Drawn:
    """A random program with subroutines, every second one with barriers.

    Seeds draw other programs as soon as the table of instructions changes, so none is fixed here.
    """
    for seed in count(100 * number):
        (case,) = drawn(seed, 1, subjects.ABILITIES)
        if _CALL.search(case.listing) and (number % 2 or _BARRIER.search(case.listing)):
            return case


def _resumed(subject: subjects.Subject) -> subjects.Subject:
    """With every subroutine called from one place."""
    return replace(subject, options=replace(subject.options, max_inlined=0))


def test_little_is_left_out() -> None:
    stems = {subjects.stem(path) for path, _ in _EVERY}
    assert {*subjects.ENDLESS, *subjects.LEAVING} <= stems
    assert len(subjects.ENDLESS) <= 2
    assert len(subjects.LEAVING) <= 14
    assert sum(_may_leave(*case) for case in _CASES) <= 0.1 * len(_CASES)
