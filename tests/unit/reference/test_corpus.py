"""fxc's code on the reference machine: every shader of the corpus, profile and form."""

from __future__ import annotations

from typing import Any

import pytest

from ...corpus.cases import CASES, HERE, PROFILES, check_results


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_results(machine: Any, shader: str, profile: str, form: str) -> None:
    check_results(machine, shader, HERE / profile / f"{shader}.{form}")
