"""Microsoft's compiler's output on the reference machine: every shader, profile and form."""

from __future__ import annotations

import pytest

from ...corpus.test_corpus import CASES, HERE, PROFILES, failure
from .device import ReferenceDevice


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_results(shader: str, profile: str, form: str) -> None:
    device = ReferenceDevice()
    kernel = device.kernel(HERE / profile / f"{shader}.{form}")
    failed = [text for case in CASES[shader]() if (text := failure(case, device, kernel))]
    assert not failed, "\n\n".join(failed)
