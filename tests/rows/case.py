"""One listing with its arguments and expected results, and how it is run on a device."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import translate
from translate.isa.instruction import Instruction

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """`arguments` and the exact contents `expected` afterwards, by register.

    `check` takes the result where more than one result is right.
    """

    name: str
    listing: str = field(repr=False)
    arguments: Mapping[str, Any] = field(repr=False)
    expected: Mapping[str, Array] = field(default_factory=dict[str, Array], repr=False)
    groups: tuple[int, int, int] = (1, 1, 1)
    check: Callable[[Any], None] | None = field(default=None, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def rows(self) -> set[Instruction]:
        """The rows of the instruction table that the listing uses."""
        return {statement.row for statement in translate.load(self.listing).statements}

    def run(self, device: Any) -> None:
        """Dispatch, and compare bit for bit with what is expected."""
        with closing(device.kernel(self.listing, **self.options)) as kernel:
            result = kernel.dispatch(self.groups, **self.arguments)
            for name, wanted in self.expected.items():
                assert (result[name].dtype, result[name].shape) == (wanted.dtype, wanted.shape)
                np.testing.assert_array_equal(bits(result[name]), bits(wanted), err_msg=name)
            if self.check is not None:
                self.check(result)


def bits(array: Array) -> Array:
    """An array's dwords, so that NaNs and signed zeros are compared by their bits."""
    return np.ascontiguousarray(array).view(np.uint8)


def words(*values: int) -> Array:
    """u32[n], each modulo 2^32."""
    return np.array([value & 0xFFFFFFFF for value in values], np.uint32)
