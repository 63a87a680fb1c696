"""Buffers as D3D addresses them, in Python's unbounded integers. Source: out-of-bounds reference.

Where D3D leaves the result undefined, the guards' rules hold: loads give 0, stores are dropped, the
two low bits of a byte offset are ignored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .case import Array, words


@dataclass
class Memory:
    """A view's dwords; `stride` in bytes for structures, None for a raw view."""

    dwords: list[int]
    stride: int | None = None

    def place(self, address: Sequence[int], component: int) -> int | None:
        """The dword that is `component` dwords after an address; None outside."""
        *index, byte_offset = address
        within = (byte_offset & ~3) + 4 * component
        if self.stride is None:
            inside, at = within < 4 * len(self.dwords), within
        else:
            count = 4 * len(self.dwords) // self.stride
            inside = index[0] < count and within < self.stride
            at = index[0] * self.stride + within
        return at // 4 if inside else None

    def load(self, address: Sequence[int], component: int) -> int:
        at = self.place(address, component)
        return 0 if at is None else self.dwords[at]

    def store(self, address: Sequence[int], values: Sequence[int]) -> None:
        """Store dword by dword: only those outside are dropped."""
        for component, value in enumerate(values):
            at = self.place(address, component)
            if at is not None:
                self.dwords[at] = value

    def update(self, address: Sequence[int], operation: Callable[[int], int]) -> int:
        """An atomic: the old value, 0 outside."""
        at = self.place(address, 0)
        if at is None:
            return 0
        old = self.dwords[at]
        self.dwords[at] = operation(old)
        return old

    def array(self) -> Array:
        return words(*self.dwords)


RAW_DWORDS = 37
