"""The reference machine finds the violations that a Vulkan device reports.

Their results are compared with the same expected ones: `tests/corpus` and `test_corpus.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from ...corpus.case import on_device
from ...corpus.cases import CASES, HERE


@pytest.mark.parametrize("shader", ["bounds", "histogram", "philox", "raw_views", "reduce"])
def test_same_violations(machine: Any, device: Any, shader: str) -> None:
    """The reference machine's findings are the reports of the device's guards, equally often."""
    path = HERE / "cs_5_0" / f"{shader}.asm"
    ours, theirs = (d.kernel(path, guards="report") for d in (machine, device))
    total = 0
    for case in CASES[shader]():
        given = [{n: on_device(d, v) for n, v in case.arguments.items()} for d in (machine, device)]
        noticed = ours.dispatch(case.groups, **given[0]).violations
        violations = theirs.dispatch(case.groups, **given[1]).violations
        assert noticed.total == violations.total
        found, reported = (sorted(map(facts, records)) for records in (noticed, violations))
        assert found == reported
        total += len(found)
    assert total > 0


def facts(violation: Any) -> tuple[Any, ...]:
    names = "line instruction register thread group kind cause index byte_offset defined"
    return tuple(getattr(violation, name) for name in names.split())
