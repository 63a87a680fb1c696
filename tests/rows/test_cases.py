"""Flow, memory, atomics, counters, barriers and declarations: one listing a case."""

from __future__ import annotations

from typing import Any

import pytest

from .case import Case
from .flow_cases import CASES_LIST as FLOW

@pytest.mark.parametrize("case", FLOW, ids=lambda case: case.name)
def test_flow(device: Any, case: Case) -> None:
    case.run(device)
