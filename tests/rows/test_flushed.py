"""What takes results that may be denormals, and squares, which are flushed by what they are of."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float32]

THREADS = 64  # of a group, as in the listing
COLUMNS, MASKS = 16, 15  # of results; the first that is no number
LISTING = Path(__file__).parent / "data/flushed.asm"


def flushed(numbers: Floats) -> Floats:
    return np.where(np.abs(numbers) < 2.0**-126, np.copysign(np.float32(0), numbers), numbers)


def expected(x: Floats, y: Floats) -> Floats:
    """Each instruction by itself; of `mad` the product may be a denormal, but is none here."""
    one, half, two = np.float32([1, 0.5, 2])
    x, y = flushed(x), flushed(y)
    square, difference = flushed(x * x), flushed(x - y)
    square_of_difference = flushed(difference * difference)
    halved = flushed(difference * half)
    return np.stack(
        [
            *(square, flushed(x * -x), difference, square_of_difference),
            np.fmax(difference, one),
            *(flushed(difference - one), flushed(np.abs(difference) * y), np.trunc(-difference)),
            *(x, x, x, x),  # beside NaNs
            *(halved, flushed(halved * two + square)),
            flushed(square_of_difference * square_of_difference),
            np.where(-difference < 0, np.int32(-1), np.int32(0)).view(np.float32),
        ],
        axis=1,
    )


def edges() -> tuple[Floats, Floats]:
    """All exponents and signs, beside equal numbers, neighbours, negatives, ones and others.

    Random fractions, and those around the powers of two and of which a square is one.
    """
    random = np.random.default_rng(63)
    fractions = np.uint32([0, 1, 0x7FFFFF, 0x3504F3, *random.integers(0, 1 << 23, 4)])
    x = (np.arange(512, dtype=np.uint32)[:, None] << 23 | fractions).reshape(-1)
    others = np.ones_like(x) * np.float32(1).view(np.uint32)
    beside = [x, x + np.uint32(1), x ^ np.uint32(1 << 31), others, random.permutation(x)]
    return np.tile(x, len(beside)).view(np.float32), np.concatenate(beside).view(np.float32)


@pytest.mark.parametrize("portable", [False, True])
def test_results_and_what_takes_them(device: Any, portable: bool) -> None:
    x, y = edges()
    options: dict[str, Any] = {"float_controls": frozenset()} if portable else {}
    kernel = device.kernel(LISTING, **options)
    output = np.zeros((len(x), COLUMNS), np.uint32)
    result = kernel.dispatch(len(x) // THREADS, t0=np.stack([x, y], axis=1), u0=output)
    kernel.close()
    found = result.u0.reshape(output.shape)
    with np.errstate(all="ignore"):
        right = expected(x, y)
    numbers = found.view(np.float32)
    same = found == right.view(np.uint32)
    same[:, :MASKS] |= (np.isnan(right) & np.isnan(numbers))[:, :MASKS]
    # A device may flush what is rounded to the least normal number
    same |= (np.abs(right) == 2.0**-126) & (found == right.view(np.uint32) & 0x80000000)
    wrong = [(x[i], y[i], column, right[i, column]) for i, column in np.argwhere(~same)[:8]]
    assert not wrong
