"""After lowering, a module does what the reference machine does with the program."""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from checks.fuzz import compare as fuzz_compare
from checks.fuzz.case import Case as Drawn
from checks.fuzz.dice import drawn
from checks.interpret import Outcome
from translate import reference
from translate.reference.resources import Written
from vkrunner.values.formats import format_of_name

from ..ir.corpus import CORPUS, MORE, ROOT
from . import subjects
from .compare import difference

_SHADERS = [path for path in (*CORPUS, *MORE) if subjects.stem(path) not in subjects.ENDLESS]
_SINE = 0.0008  # between -100 pi and 100 pi: docs/numerics.md
_LARGE = 40  # sines of larger numbers, at most
_RANDOM = 120


@pytest.mark.parametrize(
    "path", subjects.parameters(_SHADERS, lambda p: str(p.relative_to(ROOT)), 12)
)
def test_shaders(path: Path) -> None:
    subject = subjects.of_corpus(path, "report", 0)
    expected, found = subject.reference_outcome(), subject.lowered_outcome()
    sines = any(s.row.name == "sincos" for s in subject.program.statements)
    distance, large = (_SINE, _LARGE) if sines else (0.0, 0)
    written = expected.written, found.written
    assert difference(subject.resources, *written, distance, large) is None
    _check_findings(expected.findings, found)


@pytest.mark.parametrize("seed", subjects.parameters([*range(_RANDOM)], str, 20, 16))
def test_random_programs(seed: int) -> None:
    (case,) = drawn(seed, 1, subjects.ABILITIES)
    subject = subjects.of_drawn(case, "report")
    expected, found = subject.reference_outcome(), subject.lowered_outcome()
    left = _left(case, subject, expected.written), _left(case, subject, found.written)
    outcomes = [fuzz_compare.Outcome(arrays, Counter(), Counter(), 0, ()) for arrays in left]
    assert fuzz_compare.difference(case, *outcomes) == ""
    _check_findings(expected.findings, found)


EXTREMES = Path(__file__).parent / "data/extremes.asm"
_PATTERNS = (0, 0x80000000, 1, 0x80000001, 0x3F800000, 0x7F80000B, 0x7FC00000, 0x7FF00000)


def test_minima_and_maxima_of_zeros_and_nans() -> None:
    """Both evaluators give the same zero, of `_sat` too, and a number beside a NaN."""
    rows = np.array([*itertools.product(_PATTERNS, repeat=2)], np.uint32)
    operands = np.concatenate([rows, rows], axis=1)
    shape = (len(operands), 6)
    resources = {"t0": _buffer(operands), "u0": _buffer(np.zeros(shape, np.uint32))}
    program = translate.load(EXTREMES)
    subject = subjects.Subject(program, translate.Options(), resources, (len(operands), 1, 1))
    expected, found = subject.reference_outcome(), subject.lowered_outcome()
    assert difference(resources, expected.written, found.written) is None


def _buffer(array: np.ndarray[Any, Any]) -> reference.Buffer:
    return reference.Buffer(array.reshape(-1).view(np.uint8))


def _left(case: Drawn, subject: subjects.Subject, written: Written) -> fuzz_compare.Left:
    """The UAVs of a random program, in the form of `checks.fuzz.compare`."""
    left: fuzz_compare.Left = {}
    for argument in case.arguments:
        register = subjects.register_of(argument)
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
    """The reports and races are equal, as far as the machine keeps them.

    The interpreter looks for races in group-shared memory only.
    """
    if findings.violation_count == len(findings.violations):
        assert subjects.reported(found) == subjects.reported_by_reference(findings)
    assert found.races == any(register.startswith("g") for register, _, _ in findings.races_of)
