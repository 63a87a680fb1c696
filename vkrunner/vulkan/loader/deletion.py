"""DeletionQueue, and the rules for lifetimes: the times at which Vulkan objects are destroyed.

References. A Vulkan object belongs to an owner, a Python object: `Storage`, `Image`,
`SamplerObject`, `Pipeline`, `CommandBuffer`, `Clock`. The owner's constructor gets a stack of
Deletions from `LogicalDevice.own(self)`, and puts the destruction of each Vulkan object on it. Code
that uses a Vulkan object holds a Python reference to the owner: a call in its local variables, a
command list in its commands, a NumPy view in its base. A stack never refers to its owner or to the
device.

Deletion. When the last reference to an owner is gone, the callback of a weak reference notes this.
It does nothing else, because it may run anywhere. `LogicalDevice.collect` then gives the stack the
serial of the latest submission, and closes it when all submissions up to that one have ended. It is
called when an object is made or closed, and when a submission is seen to have ended.

Closing. `close()` of a buffer, texture, kernel or recording drops its references, and the idle
command lists that use it (`PlanCache.forget`). Calls of other threads and work in flight keep their
references, so the order of these events does not matter.

The lock. All devices of a process share `LogicalDevice.lock`. It is held to record, to submit, to
hand out memory and to destroy; never while waiting or joining a thread. A signal handler or
finalizer that comes while its thread holds the lock gets a ReentryError from calls of devices
(`Context.in_use`), and what it closes is only noted, so that nothing changes under the thread's
code. Stacks return memory by appending to lists, in C, and `Pool.take_back` reads these lists. A
fence is not reset while a thread waits for it: its command buffer takes another fence.

The device. A public call holds the device's `DeviceUse` during a `with`; a mapped view holds it
during its life. `Context.close` waits for work in flight, fetches results, and drops its own
reference to the `DeviceUse`. The end of the last reference destroys the remaining stacks and the
VkDevice. If that comes within the lock, the next `LogicalDevice.collect` of any device does it.

Ctrl-C. Submitted work is known by its serial, so nothing has to be undone: an interrupted call
drops its references, and its work goes on. Owners are noted and stacks are closed in C, where no
signal handler runs; the end of a device can be interrupted and begun again. A forked process may
note owners, but destroys nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, starmap
from typing import Any, Protocol

from vkrunner.resources.device_objects import Collected


class Owner(Protocol):
    """An object that several command lists may refer to; `token` names it."""

    token: int


class Deletions:
    """A stack of calls that destroy Vulkan objects. `close` makes each call once, the latest first.

    Calls are stored and made in C, so that no signal handler runs in between. After a call that
    raised, the next `close` makes the remaining calls.
    """

    __slots__ = ("_calls", "_results")

    def __init__(self) -> None:
        self._calls: list[Iterator[Any] | None] = [None]  # advancing an iterator makes its call
        self._results = chain.from_iterable(iter(self._calls.pop, None))

    def callback(self, function: Callable[..., object], *arguments: object) -> None:
        """Add a call of the function with these arguments."""
        self._calls.append(starmap(function, (arguments,)))

    def callback_later(
        self, function: Callable[..., object], call: Iterable[Iterable[Any]]
    ) -> None:
        """Add a call of the function, with arguments that are read from `call` only on `close`."""
        self._calls.append(starmap(function, call))

    def add(self, stack: Deletions) -> None:
        """Close another stack with this one, in its place among the calls, or earlier."""
        self._calls.append(stack._results)

    def close(self) -> None:
        deque(self._results, maxlen=0)


class DeletionQueue:
    """The stacks of one device. All methods except `destroy_after` need the device's lock.

    `latest` is the serial of the latest submission; `in_flight` has those in flight.
    """

    def __init__(self) -> None:
        self.latest = 0
        self.in_flight: Mapping[int, object] = {}  # by serial, oldest first
        self._open: dict[Deletions, None] = {}  # oldest first
        self._owned = Collected[Deletions]()
        self._waiting: deque[tuple[int, Deletions]] = deque()

    @property
    def ended(self) -> int:
        """The latest serial up to which all submissions have ended."""
        return next(iter(self.in_flight), self.latest + 1) - 1

    def own(self, owner: object | None) -> Deletions:
        """A stack for the Vulkan objects of `owner`.

        It is closed once the owner is garbage and the submissions up to then have ended; without
        owner, `destroy_after` has it closed.
        """
        stack = Deletions()
        self._open[stack] = None
        if owner is not None:
            self._owned.watch(owner, stack)
        return stack

    def destroy_after(self, stack: Deletions) -> None:
        """Close a stack after the end of all submissions so far."""
        self._waiting.append((self.latest, stack))

    def collect(self) -> None:
        """Close the stacks whose submissions have ended."""
        if not (self._owned.gone or self._waiting):
            return
        self._owned.move(self._waiting, self.latest)
        waiting = self._waiting
        while waiting and waiting[0][0] <= self.ended:
            self._destroy(waiting[0][1])
            waiting.popleft()

    def destroy_all(self) -> None:
        """Close every stack, the newest first."""
        for stack in reversed(list(self._open)):
            self._destroy(stack)

    def _destroy(self, stack: Deletions) -> None:
        stack.close()
        self._open.pop(stack, None)
