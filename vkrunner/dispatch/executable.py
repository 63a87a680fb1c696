"""Executable, WorkQueue: encoded steps that can be submitted, and a device's submissions."""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from typing import Any, Protocol

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.result import Outcome

Input = Any  # names an array that an executable takes; hashable


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

    def outcomes(self) -> Mapping[Any, Outcome]:
        """Copy the results of the submission, which has ended; one Outcome for each dispatch."""
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
