"""Input and Output: an argument's bytes in memory that the host sees, before and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from translate.interface import COUNTER, Binding
from vkrunner.binding.arguments import ArrayArgument
from vkrunner.bound import Bound
from vkrunner.values.arrays import Array, as_array, bytes_of
from vkrunner.vulkan.pool import Bytes


class Input:
    """Where an argument's bytes go before a submission.

    `is_spent`: the shader writes there, so that a further submission has to bring them anew.
    """

    def __init__(self, argument: ArrayArgument, bound: Bound):
        self.binding: Binding = argument.binding
        self.place = argument.place
        self.is_spent = bound.is_returned
        # Where a hidden counter starts, which need not be passed
        self.initial = argument.contents if argument.binding.kind == COUNTER else None
        assert bound.moved is not None
        self.target = bound.moved.incoming
        array = argument.array
        self._typed: Array = self.target[: array.nbytes].view(array.dtype).reshape(array.shape)

    def write(self, data: Bytes) -> None:
        """Put all of the bytes there."""
        self.target[:] = data

    def writer(self) -> Callable[[Array], None]:
        """What puts an array of the argument's dtype and shape there, in any order of axes."""
        typed, rest = self._typed, self.target[self._typed.nbytes :]
        if typed.dtype.names is None and not rest.nbytes:
            return lambda array: np.copyto(typed, array)  # as fast as it goes, whatever its strides
        target = self.target[: typed.nbytes]

        def write(array: Array) -> None:
            target[:] = bytes_of(as_array(array, ""))  # structures are not copied field by field
            rest[:] = 0

        return write


class Output:
    """Where an argument's bytes are after a submission."""

    def __init__(self, argument: ArrayArgument, bound: Bound):
        array = argument.array
        assert bound.moved is not None
        self._bytes = bound.moved.outgoing[: array.nbytes]
        self._dtype: np.dtype[Any] = array.dtype
        self._shape = array.shape

    def read(self) -> Array:
        """A new array of the argument's dtype and shape."""
        return self._bytes.copy().view(self._dtype).reshape(self._shape)
