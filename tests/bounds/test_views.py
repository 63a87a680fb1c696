"""Raw and structured views: every access at every cell, wherever the view lies in its buffer."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..rows.memory_cases import SHAPES, Shape, declaration, memory
from ..rows.memory_model import Memory
from .accesses import Access, performed, program, returned, table_of, tabled
from .cells import cells
from .places import PLACEMENTS, Placed

TABLE = [
    parameters
    for register in ("t0", "u0")
    for shape in SHAPES
    for parameters in tabled(register, shape)
]


@pytest.mark.parametrize(("register", "shape", "access"), TABLE)
def test_every_cell(device: Any, register: str, shape: Shape, access: Access) -> None:
    """Dispatches of one kernel, compared with the model."""
    given = cells(shape, access.dwords)
    listing = program(access.lines(register, shape), [declaration(register, shape)], len(given))
    stride = shape[0] if shape else 4
    contents = memory(shape).array()
    with closing(device.kernel(listing)) as kernel:
        for placement in PLACEMENTS:
            placed = Placed(device, placement, contents, stride, stride=stride)
            model = Memory([], memory(shape).stride) if placement.shows_nothing else memory(shape)
            addresses, values = table_of(given, model)
            results = np.full((len(given), 4), 0xEE, np.uint32)
            arguments = {"t1": addresses, "t2": values, "u1": results, register: placed.argument}
            result = kernel.dispatch(1, **arguments)
            returned(given, result.u1, performed(access, given, model, values))
            placed.check(model.array())
