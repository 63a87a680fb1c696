"""After lowering, a module does what the reference machine does with the program."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from translate import reference
from translate.interpret import Outcome
from translate.reference.resources import Written
from vkrunner.values.formats import format_of_name

from ..fuzz import compare as fuzz_compare
from ..fuzz.case import Case as Drawn
from ..fuzz.dice import drawn
from ..ir.corpus import CORPUS, MORE, ROOT
from .cases import ENDLESS, parameters, stem
from .compare import difference
from .subjects import Subject, of_corpus, of_drawn, register_of, reported, reported_by_reference

_SHADERS = [path for path in (*CORPUS, *MORE) if stem(path) not in ENDLESS]
_SINE = 0.0008  # between -100 pi and 100 pi: docs/numerics.md
_LARGE = 40  # sines of larger numbers, at most
_RANDOM = 120


@pytest.mark.parametrize("path", parameters(_SHADERS, lambda p: str(p.relative_to(ROOT)), 12))
def test_shaders(path: Path) -> None:
    subject = of_corpus(path, "report", 0)
    expected, found = subject.reference_outcome(), subject.lowered_outcome()
    sines = any(s.row.name == "sincos" for s in subject.program.statements)
    distance, large = (_SINE, _LARGE) if sines else (0.0, 0)
    written = expected.written, found.written
    assert difference(subject.resources, *written, distance, large) is None
    _check_findings(expected.findings, found)


@pytest.mark.parametrize("seed", parameters([*range(_RANDOM)], str, 20))
def test_random_programs(seed: int) -> None:
    (case,) = drawn(seed, 1)
    subject = of_drawn(case, "report")
    expected, found = subject.reference_outcome(), subject.lowered_outcome()
    left = _left(case, subject, expected.written), _left(case, subject, found.written)
    outcomes = [fuzz_compare.Outcome(arrays, Counter(), 0, ()) for arrays in left]
    assert fuzz_compare.difference(case, *outcomes) == ""
    _check_findings(expected.findings, found)


def _left(case: Drawn, subject: Subject, written: Written) -> fuzz_compare.Left:
    """The UAVs of a random program, in the form of `tests.fuzz.compare`."""
    left: fuzz_compare.Left = {}
    for argument in case.arguments:
        register = register_of(argument)
        if argument.register[0] != "u" or subject.resources[register] is None:
            continue
        mips = written.textures.get(register)
        data = written.buffers[register] if mips is None else mips[0].reshape(-1)
        dtype = format_of_name(argument.format).dtype if argument.format else np.dtype("<u4")
        left[argument.name] = data.view(dtype)
        if register in written.counters:
            left[f"{argument.name}.counter"] = np.array([written.counters[register]])
    return left


def _check_findings(findings: reference.Findings, found: Outcome) -> None:
    """The reports and races are equal, as far as the machine keeps them."""
    if findings.violation_count == len(findings.violations):
        assert reported(found) == reported_by_reference(findings)
    assert found.races == bool(findings.race_count)
