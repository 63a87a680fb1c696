"""Raw and structured views: every access at every cell, wherever the view lies in its buffer."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..rows.memory_cases import SHAPES, Shape, declaration, memory, named
from ..rows.memory_model import Memory
from .accesses import Access, accesses, program, returned, table_of
from .cells import cells
from .places import PLACEMENTS, Placed

TABLE = [
    pytest.param(register, shape, access, id=f"{access.name} on {named(shape, register)}")
    for register in ("t0", "u0")
    for shape in SHAPES
    for access in accesses(register, shape)
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
    listing = program([access.line(register, shape)], [declaration(register, shape)], threads)
    stride = shape[0] if shape else 4
    with closing(device.kernel(listing)) as kernel:
        for placement in PLACEMENTS:
            placed = Placed(device, placement, memory(shape).array(), stride, stride=stride)
            run(kernel, register, shape, access, placed)
