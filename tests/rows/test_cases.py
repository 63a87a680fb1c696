"""Control flow, memory, atomics, counters, barriers and declarations: one listing a case."""

from __future__ import annotations

from typing import Any

import pytest

from .atomic_cases import ATOMIC_CASES
from .case import Case
from .flow_cases import FLOW_CASES
from .memory_cases import MEMORY_CASES
from .message_cases import MESSAGE_CASES
from .register_cases import REGISTER_CASES
from .sync_cases import SYNC_CASES

CASES = (
    *FLOW_CASES,
    *MEMORY_CASES,
    *ATOMIC_CASES,
    *REGISTER_CASES,
    *SYNC_CASES,
    *MESSAGE_CASES,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(device: Any, case: Case) -> None:
    case.run(device)
