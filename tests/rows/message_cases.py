"""`printf`, `errorf` and `abort`; tests/messages tests them in detail."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Case
from .listing import listing

_THREADS = 8
_LINES = (
    "if_nz vThreadID.x",
    'printf "%u squared is %u, %g", vThreadID.x, r0.x, l(0.5)',
    "else",
    'errorf "nothing"',
    "endif",
    "ieq r0.y, vThreadID.x, l(99)",
    "if_nz r0.y",
    "abort",
    "endif",
    "store_structured u0.x, vThreadID.x, l(0), r0.x",
)


def _check(result: Any) -> None:
    texts = [f"{n} squared is {n * n}, 0.5" for n in range(1, _THREADS)]
    assert [m.text for m in result.messages] == ["nothing", *texts]
    assert [m.name for m in result.messages] == ["errorf"] + ["printf"] * (_THREADS - 1)


MESSAGE_CASES = (
    Case(
        "messages",
        listing(
            ("imul null, r0.x, vThreadID.x, vThreadID.x", *_LINES),
            ("dcl_uav_structured u0, 4",),
            group=(_THREADS, 1, 1),
        ),
        {"u0": np.zeros(_THREADS, np.uint32)},
        {"u0": np.arange(_THREADS, dtype=np.uint32) ** 2},
        check=_check,
    ),
)
