"""A device with one object of each kind, which one thread uses while another closes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from checks.running.shaders import NEXT
from vkrunner import ArgumentError, Device

CLOSERS = ["kernel", "buffer", "texture", "recording", "device"]
CALLS = ["dispatch", "recorded", "fetched", "read", "written", "mapped", "texel"]
CALLS += ["resident", "made", "indirect"]


class Setting:
    """A device with one object of each kind, and calls that use them."""

    def __init__(self, own: Device):
        self.device = own
        self.kernel = own.kernel(NEXT)
        self.buffer = own.buffer(np.arange(4, dtype=np.uint32))
        self.target = own.buffer(np.zeros(4, np.uint32))
        self.groups = own.buffer(np.array([2, 1, 1], np.uint32))
        self.texels = np.arange(16, dtype=np.float32).reshape(4, 4)
        self.texture = own.texture(self.texels)
        with own.record() as self.recording:
            ends = {"t0": self.buffer, "u0": np.zeros(4, "u4")}
            self.recording.dispatch(self.kernel, 4, t0=self.buffer, u0=self.target)
            self.step = self.recording.dispatch(self.kernel, 4, **ends)

    def dispatch(self) -> None:
        result = self.kernel.dispatch(4, t0=self.buffer, u0=np.zeros(4, "u4"))
        assert result.u0.tolist() == [1, 4, 7, 10]

    def recorded(self) -> None:
        futures = [self.recording.submit() for _ in range(3)]
        for future in futures:
            assert future.result(self.step).u0.tolist() == [1, 4, 7, 10]

    def fetched(self) -> None:
        """Three results, and three that nothing asks for."""
        arrays = [np.full(4, n, np.uint32) for n in range(3)] * 2
        zeros = np.zeros(4, "u4")
        futures = [self.kernel.dispatch_async(4, t0=x, u0=zeros) for x in arrays]
        for x, future in zip(arrays[:3], futures[:3], strict=True):
            assert (future.result().u0 == 3 * x + 1).all()

    def resident(self) -> None:
        future = self.kernel.dispatch_async(4, t0=self.buffer, u0=self.target)
        assert self.target.read().tolist() == [1, 4, 7, 10]
        future.result()

    def read(self) -> None:
        assert self.buffer.read().tolist() == [0, 1, 2, 3]

    def written(self) -> None:
        self.buffer.write(np.arange(4, dtype="u4"))

    def mapped(self) -> None:
        with self.buffer.map("r") as view:
            assert view.tolist() == [0, 1, 2, 3]

    def made(self) -> None:
        with self.device.buffer(np.arange(9)) as new, new.map("r") as view:
            assert view.tolist() == list(range(9))

    def indirect(self) -> None:
        result = self.kernel.dispatch_indirect(self.groups, t0=self.buffer, u0=np.zeros(4, "u4"))
        assert result.u0.tolist() == [1, 4, 0, 0]

    def texel(self) -> None:
        self.texture.write(self.texels)
        assert (self.texture.read() == self.texels).all()


@contextmanager
def refused(match: str = "is closed|the buffer is mapped") -> Iterator[None]:
    """The block may be refused for this reason, and for no other."""
    try:
        yield
    except ArgumentError as error:
        if not re.search(match, str(error)):
            raise
