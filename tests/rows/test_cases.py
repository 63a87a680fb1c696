"""Control flow, contended atomics, and registers: one listing a case."""

from typing import Any

import pytest

from .atomic_cases import ATOMIC_CASES
from .case import Case
from .flow_cases import FLOW_CASES
from .register_cases import REGISTER_CASES

CASES = (*FLOW_CASES, *ATOMIC_CASES, *REGISTER_CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(device: Any, case: Case) -> None:
    case.run(device)
