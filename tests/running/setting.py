"""A device with one object of each kind, which one thread uses while another closes them."""

from __future__ import annotations

import numpy as np

from tests.running.shaders import NEXT
from vkrunner import Buffer, Device, Kernel, Texture

CLOSERS = ["kernel", "buffer", "texture", "recording", "device"]
CALLS = ["dispatch", "recorded", "fetched", "read", "written", "mapped", "texel"]


class Setting:
    """A device with one object of each kind, and calls that use them."""

    def __init__(self, own: Device):
        self.device = own
        self.kernel: Kernel = own.kernel(NEXT)
        self.buffer: Buffer = own.buffer(np.arange(4, dtype=np.uint32))
        self.texture: Texture = own.texture(np.arange(16, dtype=np.float32).reshape(4, 4))
        with own.record() as self.recording:
            ends = {"t0": self.buffer, "u0": np.zeros(4, "u4")}
            self.step = self.recording.dispatch(self.kernel, 4, **ends)

    def dispatch(self) -> None:
        result = self.kernel.dispatch(4, t0=self.buffer, u0=np.zeros(4, "u4"))
        assert result.u0.tolist() == [1, 4, 7, 10]

    def recorded(self) -> None:
        futures = [self.recording.submit() for _ in range(3)]
        for future in futures:
            assert future.result(self.step).u0.tolist() == [1, 4, 7, 10]

    def fetched(self) -> None:
        arrays = [np.full(4, n, np.uint32) for n in range(3)]
        zeros = np.zeros(4, "u4")
        futures = [self.kernel.dispatch_async(4, t0=x, u0=zeros) for x in arrays]
        for x, future in zip(arrays, futures, strict=True):
            assert (future.result().u0 == 3 * x + 1).all()

    def read(self) -> None:
        assert self.buffer.read().tolist() == [0, 1, 2, 3]

    def written(self) -> None:
        self.buffer.write(np.arange(4, dtype="u4"))

    def mapped(self) -> None:
        with self.buffer.map("r") as view:
            assert view.tolist() == [0, 1, 2, 3]

    def texel(self) -> None:
        assert self.texture.read().reshape(-1).tolist() == list(range(16))
