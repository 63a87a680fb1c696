"""The ways to run a shader, each as a turn that checks its result against NumPy."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from threading import Semaphore
from typing import Any

import numpy as np
from numpy.testing import assert_array_equal  # which a handler must not be the first to import

import vkrunner
from checks.running.shaders import ADD, APPEND, NEXT, NEXT_TEXEL, SPIN, spun

Array = np.ndarray[Any, np.dtype[np.uint32]]
SIZES = (1, 7, 64, 1000, 5000, 100_000)
RECORDED = 4  # dispatches in the recording
PERIOD = 200  # dispatches, after which every path has used every size


class Paths:
    """Every path on one device; `turns` are called with a number, and return their dispatches.

    Two objects share nothing, so that each thread can have its own.
    """

    def __init__(self, device: vkrunner.Device):
        self.device = device
        self._add, self._next = device.kernel(ADD), device.kernel(NEXT)
        self._append, self._texel = device.kernel(APPEND), device.kernel(NEXT_TEXEL)
        self._spin, self._large = device.kernel(SPIN), device.buffer(zeros(1 << 18))
        self._total = device.buffer(zeros(4))
        self._expected = self._adding = 0
        self._source = device.buffer(zeros(64))
        self._target = device.buffer(zeros(64))
        self._groups = device.buffer(np.array([2, 1, 1], np.uint32))
        self._texture = device.texture(np.zeros((4, 4), np.uint32))
        self._recording = device.record()
        self._upload = self._recording.copy(zeros(64), self._source)
        self._recording.clear(self._target, 5)
        for _ in range(RECORDED // 2):
            self._recording.dispatch(self._next, 64, t0=self._source, u0=self._target)
            ends = {"t0": self._target, "u0": zeros(64)}
            self._last = self._recording.dispatch(self._next, 64, **ends)
        self.turns: tuple[Callable[[int], int], ...] = (
            *(self.arrays, self.resident, self.asynchronous, self.recorded, self.indirect),
            *(self.mapped, self.counted, self.texels, self.short_lived, self.forgotten),
            *(self.awaited, self.waited, self.large, self.profiled, self.made),
        )

    def arrays(self, number: int) -> int:
        size = SIZES[number // len(self.turns) % len(SIZES)]
        x = self._numbers(number, size)
        count = min(size, 64)
        result = self._next.dispatch(count, t0=x, u0=zeros(size)).u0
        expected = zeros(size)
        expected[:count] = 3 * x[:count] + 1
        check(result, expected)
        return 1

    def resident(self, number: int) -> int:
        self._adding = (self._expected + number) % 2**32
        self._add.dispatch(4, u0=self._total, cb0=number)
        self._expected = self._adding
        if number % 5 == 0:
            check(self._total.read(), np.full(4, self._expected, np.uint32))
        return 1

    def asynchronous(self, number: int) -> int:
        arrays = [self._numbers(number + n, 8) for n in range(3)]
        futures = [self._next.dispatch_async(8, t0=x, u0=zeros(8)) for x in arrays]
        for x, future in zip(arrays, futures, strict=True):
            check(future.result().u0, 3 * x + 1)
        return len(futures)

    def recorded(self, number: int) -> int:
        x = self._numbers(number, 64)
        first = self._recording.submit({self._upload: {"source": x}})
        second = self._recording.submit()
        check(first.result(self._last).u0, 3 * (3 * x + 1) + 1)
        check(second.result(self._last).u0, np.full(64, 4, np.uint32))
        return 2 * RECORDED

    def indirect(self, number: int) -> int:
        groups = number % 4
        self._groups.write(np.array([groups, 1, 1], np.uint32))
        result = self._add.dispatch_indirect(self._groups, u0=zeros(4), cb0=7)
        check(result.u0, np.where(np.arange(4) < groups, 7, 0))
        return 1

    def mapped(self, number: int) -> int:
        x = self._numbers(number, 64)
        with self._source.map("w") as view:
            view[:] = x
        self._next.dispatch(64, t0=self._source, u0=self._target)
        with self._target.map("r") as view:
            check(view, 3 * x + 1)
        return 1

    def counted(self, number: int) -> int:
        count = number % 7
        result = self._append.dispatch(count, u0=zeros(8))
        assert result.counters["u0"] == count
        check(np.sort(result.u0[:count]), np.arange(count))
        return 1

    def texels(self, number: int) -> int:
        texels = self._numbers(number, 16).reshape(4, 4)
        result = self._texel.dispatch((4, 4), t0=texels, u0=self._texture)
        check(result.u0, texels + 1)
        return 1

    def short_lived(self, number: int) -> int:
        """Resources that are made for each turn."""
        x = self._numbers(number, 32)
        device = self.device
        with device.buffer(x) as source, device.buffer(zeros(32)) as target:
            with device.record() as work:
                work.dispatch(self._next, 32, t0=source, u0=target)
            future = work.submit()
            if number % 3:
                future.wait()
            check(target.read(), 3 * x + 1)
        return 1

    def forgotten(self, number: int) -> int:
        """Resources that are never closed, and work without a wait."""
        device, x = self.device, self._numbers(number, 16)
        target = device.buffer(zeros(16))
        self._next.dispatch_async(16, t0=device.buffer(x), u0=target)
        device.record().submit()
        check(target.read(), 3 * x + 1)
        return 1

    def awaited(self, number: int) -> int:
        arrays = [self._numbers(number + n, 8) for n in range(3)]
        called = Semaphore(0)

        async def work() -> None:
            futures = [self._next.dispatch_async(8, t0=x, u0=zeros(8)) for x in arrays]
            for future in futures:
                future.add_done_callback(lambda _: called.release())
            for x, result in zip(arrays, await asyncio.gather(*futures), strict=True):
                check(result.u0, 3 * x + 1)

        asyncio.run(work())
        assert all(called.acquire(timeout=60) for _ in arrays)
        return len(arrays)

    def waited(self, number: int) -> int:
        """A long wait."""
        check(self._spin.dispatch(2, u0=zeros(1), cb0=2000).u0, spun(2000))
        return 1

    def large(self, number: int) -> int:
        x = self._numbers(number, 1 << 18)
        self._large.write(x)
        self._add.dispatch(1, u0=self._large, cb0=1)
        x[0] += 1
        check(self._large.read(), x)
        return 1

    def profiled(self, number: int) -> int:
        """The first turns; the profile counts the dispatches of all threads."""
        with self.device.profile(io.StringIO()) as profile:
            done = sum(turn(number) for turn in self.turns[:10])
            profile.table()
        return done

    def made(self, number: int) -> int:
        texels = self._numbers(number, 1 << 14).reshape(64, -1)
        with self.device.kernel(ADD) as kernel, self.device.texture(texels) as texture:
            check(texture.read(), texels)
            check(kernel.dispatch(4, u0=zeros(4), cb0=number).u0, number)
        return 1

    def resume(self) -> None:
        """Go on after a turn that was interrupted before or after it added its number."""
        total = int(self._total.read()[0])
        assert total in (self._expected, self._adding)
        self._expected = total

    def _numbers(self, number: int, count: int) -> Array:
        return np.arange(number, number + count, dtype=np.uint32)


def zeros(count: int) -> Array:
    return np.zeros(count, np.uint32)


def check(found: Array, expected: Any) -> None:
    assert_array_equal(found, expected)
