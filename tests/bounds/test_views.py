"""Raw and structured views: every access at every cell, wherever the view lies in its buffer."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..rows.memory_cases import SHAPES, Shape, declaration, memory
from ..rows.memory_model import Memory
from .accesses import Access, program, returned, table_of, tabled
from .cells import cells
from .places import PLACEMENTS, Placed

TABLE = [
    parameters
    for register in ("t0", "u0")
    for shape in SHAPES
    for parameters in tabled(register, shape)
]


def run(kernel: Any, register: str, shape: Shape, access: Access, placed: Placed) -> None:
    """One dispatch, compared with the model."""
    model = memory(shape)
    if placed.placement.shows_nothing:
        model = Memory([], model.stride)
    given = cells(shape, access.dwords)
    addresses, values = table_of(given, model)
    results = np.full((len(given), 4), 0xEE, np.uint32)
    arguments = {"t1": addresses, "t2": values, "u1": results, register: placed.argument}
    result = kernel.dispatch(1, **arguments)
    expected = [
        access.perform(model, cell.address, value)
        for cell, value in zip(given, values.tolist(), strict=True)
    ]
    returned(given, result.u1, expected)
    placed.check(model.array())


@pytest.mark.parametrize(("register", "shape", "access"), TABLE)
def test_every_cell(device: Any, register: str, shape: Shape, access: Access) -> None:
    threads = len(cells(shape, access.dwords))
    listing = program(access.lines(register, shape), [declaration(register, shape)], threads)
    stride = shape[0] if shape else 4
    with closing(device.kernel(listing)) as kernel:
        for placement in PLACEMENTS:
            placed = Placed(device, placement, memory(shape).array(), stride, stride=stride)
            run(kernel, register, shape, access, placed)
