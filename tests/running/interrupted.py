"""`python -m tests.running.interrupted DEVICE KIND SEED`: Ctrl-C at random moments.

KIND is a kind of memory: shared, staged or written, as in `tests.running.conftest`.

Each kind of call is repeated until SIGINT comes. After it the device has to work as before, and to
hold no more memory than before. The same is required where a signal's handler uses or closes what
the call works with. Ends with a failed assertion, else with exit code 0.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable
from threading import Event
from types import FrameType

import numpy as np

import vkrunner
from tests.running.conftest import discrete
from tests.running.resident import resident_bytes
from tests.running.shaders import ADD, NEXT, SPIN, spun
from vkrunner import Device, Future

ROUNDS, AT_ONCE = 10, 12  # the latter is more than a recording has in flight
WORDS = 1 << 18
LONGEST_S = 60  # until a callback counts as lost
SLACK_BYTES = 48 << 20  # a leak of an array in each round would be more

Act = Callable[[], object]


class Interrupts:
    """Sends SIGINT by a timer, as the terminal does for Ctrl-C."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        self.has_come = False
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.has_come = True
        signal.default_int_handler(number, frame)

    def _repeat(self, act: Act) -> None:
        """A separate function: Python 3.13 may raise at a loop's jump as if outside of its try."""
        while not self.has_come:
            act()

    def during(self, act: Act) -> None:
        """Repeat the act until it is interrupted, at most three times as long as it takes."""
        start = time.perf_counter()
        act()
        longest = 3 * (time.perf_counter() - start)
        self.has_come = False
        try:
            signal.setitimer(signal.ITIMER_REAL, self.chance.uniform(1e-5, longest))
            self._repeat(act)
        except KeyboardInterrupt:
            pass


class Subject:
    """The calls that are interrupted, and a check of the device after them."""

    def __init__(self, device: Device):
        self.device = device
        self.add, self.next = device.kernel(ADD), device.kernel(NEXT)
        self.spin = device.kernel(SPIN)
        self.x, self.zeros = np.arange(WORDS, dtype="u4"), np.zeros(WORDS, "u4")
        self.total = device.buffer(np.zeros(1, "u4"))
        self.large = device.buffer(self.x)
        self.texture = device.texture(np.zeros((256, 256), "u4"))
        with device.record() as self.recording:
            self.step = self.recording.dispatch(self.add, 4, u0=np.zeros(WORDS, "u4"), cb0=1)
        self.added = 0

    def acts(self) -> dict[str, Act]:
        return {
            "dispatch": self.dispatch,
            "dispatch of a buffer": self.count,
            "two in flight": self.in_flight,
            "a future that is dropped": lambda: self.start(5),
            "a callback": self.call_back,
            "a long wait": lambda: self.spin.dispatch(4, u0=np.zeros(1, "u4"), cb0=20000),
            "upload": lambda: self.large.write(self.x),
            "new buffer": lambda: self.device.buffer(self.x).close(),
            "read": self.large.read,
            "map": self.map,
            "dispatch of a new buffer": self.dispatch_new,
            "texture": self.write_texture,
            "new texture": lambda: self.device.texture(self.x.reshape(512, -1)).close(),
            "recording": lambda: self.recording.submit({self.step: {"cb0": 7}}).result(),
            "new recording": self.record,
            "new kernel": lambda: self.device.kernel(NEXT).close(),
        }

    def start(self, number: int) -> Future:
        return self.next.dispatch_async(4, t0=self.x + np.uint32(number), u0=self.zeros)

    def dispatch(self) -> None:
        self.next.dispatch(4, t0=self.x, u0=self.zeros)

    def dispatch_new(self) -> None:
        self.add.dispatch(4, u0=self.device.buffer(self.zeros), cb0=1)

    def count(self) -> None:
        self.add.dispatch(1, u0=self.total, cb0=1)
        self.added += 1

    def in_flight(self) -> None:
        first, second = self.start(1), self.start(2)
        second.wait()
        first.result()

    def call_back(self) -> None:
        called = Event()
        self.start(6).add_done_callback(lambda _: called.set())
        called.wait()

    def map(self) -> None:
        with self.large.map("rw") as view:
            view[:] = self.x

    def write_texture(self) -> None:
        self.texture.write(np.full((256, 256), 3, "u4"))
        self.texture.read()

    def record(self) -> None:
        with self.device.record() as work:
            work.dispatch(self.add, 4, u0=self.zeros, cb0=1)
        work.submit().wait()
        work.close()

    def check(self) -> None:
        """The next calls wait for the interrupted one, and give right results."""
        expected = np.concatenate((3 * self.x[:4] + 1, self.zeros[4:]))
        result = self.next.dispatch(4, t0=self.x, u0=self.zeros)
        assert np.array_equal(result.u0, expected)
        total = int(self.total.read()[0])
        assert total - self.added in (0, 1), f"{total} of {self.added}"
        self.added = total
        self.large.write(self.x)
        assert np.array_equal(self.large.read(), self.x)
        texels = np.arange(1 << 16, dtype="u4").reshape(256, 256)
        self.texture.write(texels)
        assert np.array_equal(self.texture.read(), texels)
        futures = [self.recording.submit({self.step: {"cb0": n}}) for n in range(AT_ONCE)]
        found = [int(future.result().u0[3]) for future in futures]
        assert found == [*range(AT_ONCE)], found
        assert int(self.recording.submit().result().u0[0]) == 1, "what was recorded"
        assert self.spin.dispatch(1, u0=np.zeros(1, "u4"), cb0=3).u0[0] == spun(3)


def interrupt_calls(device: Device, interrupts: Interrupts) -> None:
    subject = Subject(device)
    subject.check()
    for name, act in subject.acts().items():
        print(name, flush=True)
        for number in range(ROUNDS):
            if number == 2:
                before = resident_bytes()
            interrupts.during(act)
            subject.check()
        grown = resident_bytes() - before
        assert grown < SLACK_BYTES, f"{grown >> 20} MiB more"


def interrupt_closing(open_one: Callable[[], Device], interrupts: Interrupts) -> None:
    """A device whose closing was interrupted is closed; closing it again completes that."""
    print("closing", flush=True)
    opened: list[tuple[Device, Future]] = []

    def open_and_close() -> None:
        device = open_one()
        future = device.kernel(SPIN).dispatch_async(2, u0=np.zeros(1, "u4"), cb0=20000)
        opened.append((device, future))
        device.close()

    for _ in range(4):
        interrupts.during(open_and_close)
        for device, future in opened:
            device.close()
            assert future.result().u0[0] == spun(20000)
        opened.clear()


def handle_signals(device: Device, interrupts: Interrupts) -> None:
    """A handler submits the work that its thread waits for, reads it, and waits."""
    print("handler", flush=True)
    subject, done, called = Subject(device), list[int](), list[Future]()
    with device.record() as work:
        step = work.dispatch(subject.add, 1, u0=subject.total, cb0=1)

    def handle(*_: object) -> None:
        done.append(1)
        future = work.submit()
        future.add_done_callback(called.append)  # its thread may have to wait for this one
        future.result(step)
        subject.total.read()

    signal.signal(signal.SIGINT, handle)

    def submit() -> None:
        work.submit().wait()
        subject.added += 1

    for act in (subject.total.read, submit, subject.dispatch, subject.count, subject.call_back):
        for _ in range(ROUNDS):
            seen = len(done)
            signal.setitimer(signal.ITIMER_REAL, interrupts.chance.uniform(1e-5, 3e-3))
            while len(done) == seen:
                act()
    assert int(subject.total.read()[0]) == len(done) + subject.added
    end = time.monotonic() + LONGEST_S
    while len(called) < len(done) and time.monotonic() < end:  # a thread of the device's calls
        time.sleep(0.001)
    assert len(called) == len(done)


def close_by_handlers(open_one: Callable[[], Device], interrupts: Interrupts) -> None:
    """A handler closes the device during a call of its thread; the call is refused or right."""
    print("closing handler", flush=True)
    for name in ("kernel", "buffer", "device") * 3:
        device = open_one()
        kernel, buffer = device.kernel(NEXT), device.buffer(np.arange(4, dtype="u4"))
        closed = {"kernel": kernel, "buffer": buffer, "device": device}[name]
        signal.signal(signal.SIGINT, lambda *_, closed=closed: closed.close())
        signal.setitimer(signal.ITIMER_REAL, interrupts.chance.uniform(1e-3, 2e-2))
        try:
            while True:
                result = kernel.dispatch(4, t0=buffer, u0=np.zeros(4, "u4"))
                assert result.u0.tolist() == [1, 4, 7, 10]
                assert buffer.read().tolist() == [0, 1, 2, 3]
        except vkrunner.ArgumentError as error:
            if "is closed" not in str(error):
                raise
        device.close()


def main() -> None:
    index, kind, seed = sys.argv[1:]

    def open_one() -> Device:
        if kind == "written":
            return discrete(int(index), validation="sync")
        return vkrunner.open_device(int(index), validation="sync", staged=kind == "staged")

    interrupts = Interrupts(int(seed))
    with open_one() as device:
        interrupt_calls(device, interrupts)
    interrupt_closing(open_one, interrupts)
    with open_one() as device:
        handle_signals(device, interrupts)
    close_by_handlers(open_one, interrupts)
    said = vkrunner.validation_messages()
    assert not said, said


if __name__ == "__main__":
    main()
