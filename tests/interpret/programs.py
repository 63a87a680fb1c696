"""Small modules written as text: four threads, a raw u0, a g0 of 32 bytes, an x0 of five dwords."""

from __future__ import annotations

from typing import Any

import numpy as np

from translate.interpret import KEPT, Denormals, interpret
from translate.ir.parser import parse_module
from translate.ir.row import Stage
from translate.reference.resources import Buffer

Array = np.ndarray[Any, Any]

_HEAD = """module cs_5_0 after simplify
thread_group 4 1 1
resource u0 raw 0 is_uav
resource g0 shared_raw 0 length=32
resource x0 indexable_temp 0 length=5 components=1
function main {"""


def run(
    body: str,
    words: Array | None = None,
    *,
    stage: Stage = Stage.WINDOWED,
    denormals: Denormals = KEPT,
    rounds: int = 100,
    places: int = 0,
) -> Array:
    """The final u0 of a body, eight dwords by default; `@0` is in line `places`."""
    table = f"@0 line={places} column=1\n" if places else ""
    module = parse_module(f"{_HEAD}{body}}}\n{table}")
    data = np.zeros(8, np.uint32) if words is None else words
    resources = {"u0": Buffer(data.view(np.uint8))}
    outcome = interpret(module, stage, resources, (1, 1, 1), denormals=denormals, rounds=rounds)
    return outcome.written.buffers["u0"].view(np.uint32)
