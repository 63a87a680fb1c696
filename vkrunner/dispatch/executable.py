"""Executable, WorkQueue: encoded steps that can be submitted; PlanCache: those to submit again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import count
from operator import attrgetter
from threading import RLock
from typing import Any, Protocol

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.result import Outcome
from vkrunner.resources.device_objects import Alive, Collected, Reference

Input = Any  # names an array that an executable takes; hashable
MOST_PLANS = 256
MOST_BYTES = 512 << 20  # of the arrays of all idle executables of dispatches
PlanKey = tuple[Any, ...]


class Executable(Protocol):
    """Encoded steps with memory for their arrays, for one submission at a time.

    `inputs` maps each step and place (register, element) to the input that takes the array there;
    the arrays take `nbytes`. `tokens` name the device objects that the steps use.
    `has_outputs`: a submission leaves results to be copied. `is_timed`: the device times the
    dispatches, if it can. `serial` is the number of the latest submission. The memory is freed
    after the Executable is garbage-collected and the work in flight has ended.
    """

    inputs: Mapping[Any, Mapping[Place, Input]]
    nbytes: int
    tokens: frozenset[int]
    has_outputs: bool
    is_timed: bool
    serial: int

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        """Write the inputs and submit.

        Inputs without an entry in `values` get the arrays that they were encoded with. Raises
        DispatchTimeout if the backend runs the work within this call, and it takes longer than
        `timeout_ns`.
        """
        ...

    def outcomes(self, *, copied: bool = True) -> Mapping[Any, Outcome]:
        """The results of the submission, which has ended; one Outcome for each dispatch.

        Without `copied`, their arrays may be memory that the next submission overwrites.
        """
        ...


class WorkQueue(Protocol):
    """A device's submissions, which end in the order of their serials. Many threads may use it.

    All devices share `lock`. It is held to record, to submit and to free, never while waiting.
    """

    lock: RLock

    @property
    def latest(self) -> int:
        """The serial of the latest submission."""
        ...

    @property
    def is_compiling(self) -> bool:
        """Whether submitted work waits for the driver's compiler."""
        ...

    def has_ended(self, serial: int) -> bool:
        """Whether a submission is no longer in flight; also if it was lost with its device."""
        ...

    def ends_within(self, serial: int, timeout_ns: int, *, polls: bool = True) -> bool:
        """Whether a submission ends within a time; waits for it.

        With `polls`, it polls for a short while before it sleeps. Raises DeviceLostError if the
        submission was lost.
        """
        ...

    def check_usable(self) -> None:
        """Raise DeviceLostError once the device was lost."""
        ...

    def close(self) -> None:
        """Refuse further submissions."""
        ...


class Submitted(Protocol):
    """A submission whose results a future may still ask for."""

    def settle(self) -> None:
        """Wait, and copy the results."""
        ...


class Plan:
    """Steps that are submitted repeatedly, with their executables (encoded steps and memory).

    Each executable serves one submission at a time. `idle` has the executables without a
    submission. `lent` has those whose submission belongs to a future: the keys are weak references
    to the submissions, oldest first. `left` has the references to submissions that were
    garbage-collected before their results were copied. `tokens` name the objects that the steps
    use; when one of them is closed, `is_kept` becomes False.

    The plan of a dispatch is found by its `key`. If a submission is garbage-collected, the plan of
    a dispatch loses its executable; a recording, which is a plan without a key, takes it back.
    """

    def __init__(self, cache: PlanCache, key: PlanKey | None = None):
        self.key = key
        self.is_kept = False  # if False, `give_back` drops executables
        self.tokens: frozenset[int] = frozenset()
        self.idle: list[Executable] = []
        self.most_idle = 0  # the most idle executables so far
        self.nbytes = 0  # of the arrays of `most_idle` executables
        self.last_use = 0
        self.lent: dict[Reference, Executable | None] = {}  # None in the plan of a dispatch
        self.left: deque[Reference] = deque()
        cache.watch(self)

    def settle(self) -> None:
        """Fetch the results that futures may still ask for, before the memory is freed."""
        for ticket in list(self.lent):
            submission: Submitted | None = ticket()
            if submission is not None:
                submission.settle()


class PlanCache:
    """The plans of one device. When full, it drops the least recently used plan of a dispatch.

    Threads take an executable by `pop` and give it back by `append`, without the device's lock.
    Plans are added and dropped under the lock. Without `is_on`, plans of dispatches are not kept.
    """

    def __init__(self, queue: WorkQueue, *, is_on: bool):
        self._queue = queue
        self._is_on = is_on
        self.by_key: dict[PlanKey, Plan] = {}
        self._plans = Alive[Plan]()
        self._uses = count(1)
        self._nbytes = 0  # of plans in `by_key`
        self.closings = 0  # the number of closed objects
        self._owned = Collected[int]()
        self._forgotten: deque[tuple[None, int]] = deque()

    # --- executables -----------------------------------------------------------------------------

    def take(self, plan: Plan) -> Executable | None:
        """Take an idle executable for the caller alone; None if no executable is idle."""
        plan.last_use = next(self._uses)
        if not plan.idle and plan.left:
            self._take_left(plan)
        try:
            return plan.idle.pop()
        except IndexError:
            return None

    def lend(self, plan: Plan, executable: Executable, submission: object) -> Reference:
        """Note that a submission, which a future refers to, uses an executable of the plan.

        Returns a ticket for `give_back`.
        """
        ticket = Reference(submission, plan.left.append)
        plan.lent[ticket] = executable if plan.key is None else None
        return ticket

    def give_back(self, plan: Plan, executable: Executable, ticket: Reference | None) -> None:
        """Take back an executable after its results were copied.

        `ticket` is the one from `lend`, or None if it was not lent. An executable that was taken
        back by this ticket already is left alone.
        """
        if ticket is not None and plan.lent.pop(ticket, ticket) is ticket:
            return
        plan.idle.append(executable)
        if not plan.is_kept:  # another thread may just have dropped it
            plan.idle.clear()
        elif len(plan.idle) > plan.most_idle:
            self._make_room(plan, executable.nbytes)

    def _take_left(self, plan: Plan) -> None:
        """Take executables back from submissions that were garbage-collected."""
        with self._queue.lock:
            for ticket in list(plan.left):
                executable = plan.lent.get(ticket)
                if executable is None or not plan.is_kept:
                    plan.lent.pop(ticket, None)
                elif self._queue.has_ended(executable.serial):
                    self.give_back(plan, executable, ticket)
                if ticket not in plan.lent:
                    plan.left.remove(ticket)

    def _make_room(self, plan: Plan, nbytes: int) -> None:
        """Count the memory of one more idle executable; drop plans if it is too much in total."""
        if plan.key is None:
            return
        with self._queue.lock:
            plan.most_idle += 1
            plan.nbytes += nbytes
            self._nbytes += nbytes
            while self._nbytes > MOST_BYTES and self.by_key:
                self._drop_oldest()

    # --- plans -----------------------------------------------------------------------------------

    def watch(self, plan: Plan) -> None:
        """Remember a plan while something refers to it."""
        with self._queue.lock:
            self._plans.add(plan)

    def settle(self) -> None:
        """Fetch all results that futures may still ask for."""
        for plan in self._plans.items():
            plan.settle()

    def keep(self, plan: Plan, made: Executable, closings: int) -> Plan:
        """Keep a new plan for its key, and return the plan that is kept for that key.

        That is an earlier plan if another thread was faster. A plan is not kept if any object was
        closed since the cache counted `closings`, because the plan might use that object.
        """
        with self._queue.lock:
            if not self._is_on or plan.key is None or closings != self.closings:
                return plan
            if plan.key not in self.by_key:
                while len(self.by_key) >= MOST_PLANS:
                    self._drop_oldest()
                plan.is_kept, plan.tokens = True, made.tokens
            return self.by_key.setdefault(plan.key, plan)

    def drop(self, plan: Plan) -> None:
        """Drop a plan and its idle executables."""
        with self._queue.lock:
            plan.is_kept = False
            plan.idle.clear()
            if plan.key is not None and self.by_key.pop(plan.key, None) is not None:
                self._nbytes -= plan.nbytes

    def clear(self) -> None:
        """Drop all plans of dispatches."""
        with self._queue.lock:
            while self.by_key:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        self.drop(min(self.by_key.values(), key=attrgetter("last_use")))

    # --- objects that plans use ------------------------------------------------------------------

    def forget_with(self, owner: object, token: int) -> None:
        """When `owner` is garbage-collected, drop the plans that use its token."""
        self._owned.watch(owner, token)

    def forget(self, token: int) -> None:
        """Note that an object was closed: `drop_forgotten` drops the plans that use its token."""
        self.closings += 1
        self._forgotten.append((None, token))

    def drop_forgotten(self) -> None:
        """Drop the plans that use closed or collected objects. The caller holds the lock."""
        self._owned.move(self._forgotten, None)
        if not self._forgotten:
            return
        entries = list(self._forgotten)  # other threads may add to it
        forgotten = {token for _, token in entries}
        for plan in self._plans.items():
            if not forgotten.isdisjoint(plan.tokens):
                self.drop(plan)
        for _ in entries:
            self._forgotten.popleft()
