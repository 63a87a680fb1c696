"""Runs the tests of `vkrunner/conformance` on a device; a verdict on each, and a report.

A test is exact; tolerated (numbers differ from the expected ones within D3D's tolerance);
unsupported (the device lacks a feature); wrong; or an error (it could not run).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from translate.dataclass import dataclass, replace
from translate.errors import escaped
from vkrunner.info.faults import FAULTS
from vkrunner.shadertest.outcome import FAILED, SKIPPED, Failure, Outcome, to_json
from vkrunner.shadertest.selection import SUFFIX
from vkrunner.values.comparison import text_table

CONFORMANCE = Path(__file__).parents[1] / "conformance"
EXACT, TOLERATED, UNSUPPORTED, WRONG, ERROR = VERDICTS = (
    *("exact", "tolerated", "unsupported"),
    *("wrong", "error"),
)
_FAULTS = {fault.test: fault for fault in FAULTS.values()}
_INDENT = "  "
_SHOWN = 4  # the most probes and failures that are shown for a test


def verdict(outcome: Outcome) -> str:
    """The verdict on a test."""
    if outcome.failures:
        return WRONG if outcome.status == FAILED else ERROR
    if outcome.status == SKIPPED:
        return UNSUPPORTED
    return TOLERATED if outcome.tolerated else EXACT


def short_path(path: str) -> str:
    """A path relative to the folder of the conformance tests, if it is below.

    So a report does not name other folders of its machine.
    """
    return path.removeprefix(f"{CONFORMANCE}{os.sep}")


def settled(outcome: Outcome, device: str) -> Outcome:
    """The outcome with this name of the device, and short paths.

    If all failures are features, formats or limits that the device lacks, the test was skipped.
    """
    if outcome.failures and all(failure.is_lacking for failure in outcome.failures):
        reason = "; ".join(failure.message for failure in outcome.failures)
        outcome = replace(outcome, failures=(), reason=reason)
    path, failures = short_path(outcome.path), tuple(map(_shortened, outcome.failures))
    return replace(outcome, device=device, path=path, failures=failures)


def _shortened(failure: Failure) -> Failure:
    path = failure.where.file and short_path(failure.where.file)
    return replace(failure, where=replace(failure.where, file=path))


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """All outcomes on one device; `device` describes it: a name and a text for each line."""

    device: Mapping[str, str]
    outcomes: Sequence[Outcome]
    seconds: float

    def lines(self) -> Iterator[str]:
        """The report as text: the device, the table, and each test that is not exact."""
        yield from text_table([*self.device.items()])
        yield ""
        yield from text_table([*self._rows()], align=str.rjust)
        for kind in VERDICTS[1:]:
            yield from self._details(kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        counts = Counter(map(verdict, self.outcomes))
        tests = to_json(self.outcomes, self.seconds)["tests"]
        return {
            "device": dict(self.device),
            "summary": {kind: counts[kind] for kind in VERDICTS} | {"seconds": self.seconds},
            "tests": [
                {**test, "verdict": verdict(outcome), "fault": fault.name if fault else None}
                for test, outcome in zip(tests, self.outcomes, strict=True)
                for fault in [_FAULTS.get(file_of(outcome))]
            ],
        }

    def _rows(self) -> Iterator[Sequence[str]]:
        yield ("", *VERDICTS)
        areas = {area_of(outcome): None for outcome in self.outcomes}
        for area in areas:
            yield _row(area, [o for o in self.outcomes if area_of(o) == area])
        yield _row("all", self.outcomes)

    def _details(self, kind: str) -> Iterator[str]:
        chosen = [outcome for outcome in self.outcomes if verdict(outcome) == kind]
        if chosen:
            yield from ("", kind)
        for outcome in chosen:
            about = _after(outcome.reason) or _after_fault(outcome)
            yield escaped(f"{_INDENT}{label_of(outcome)}{about}")
            texts = [*outcome.tolerated, *(failure.text() for failure in outcome.failures)]
            if len(texts) > _SHOWN:
                texts[_SHOWN:] = [f"and {len(texts) - _SHOWN} more, which --json has"]
            for text in texts:
                yield from (_INDENT * 2 + line for line in text.splitlines())


def area_of(outcome: Outcome) -> str:
    """The folder of a test's file: bounds, floats."""
    return Path(outcome.path).parent.name


def label_of(outcome: Outcome) -> str:
    """`bounds/raw: stores`; without the test's name if that is only its number."""
    return f"{file_of(outcome)}{'' if outcome.name.isdecimal() else _after(outcome.name)}"


def file_of(outcome: Outcome) -> str:
    """The test's file and its folder: `bounds/raw`."""
    path = Path(outcome.path)
    return f"{path.parent.name}/{path.name.removesuffix(SUFFIX)}"


def _after(text: str) -> str:
    return f": {text}" if text else ""


def _after_fault(outcome: Outcome) -> str:
    fault = _FAULTS.get(file_of(outcome))
    return f": fault {fault.name}: {fault.effect}" if fault else ""


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    counts = Counter(map(verdict, outcomes))
    return name, *(str(counts[kind] or ".") for kind in VERDICTS)
