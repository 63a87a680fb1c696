"""Executable, WorkQueue: encoded steps that can be submitted, and the order in which they end."""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from typing import Any, Protocol

from vkrunner.binding.arguments import Place
from vkrunner.work.result import Outcome

Input = Any  # where an executable takes an array of a submission; hashable


class Executable(Protocol):
    """Encoded steps with memory for their arrays: submitted repeatedly, once at a time.

    `inputs` are by step and place; `nbytes` is what they take; `tokens` name the objects that it
    refers to. `has_outputs`: whether a submission leaves anything that has to be copied.
    `is_timed`: whether the device times its dispatches, if it can. `serial` is the number of its
    latest submission. It is freed some time after it is collected, when the work in flight has
    ended.
    """

    inputs: Mapping[Any, Mapping[Place, Input]]
    nbytes: int
    tokens: frozenset[int]
    has_outputs: bool
    is_timed: bool
    serial: int

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        """Write the inputs and submit.

        Inputs that `values` leaves out get the arrays that they were encoded with. Raises
        DispatchTimeout where the work ends in this call, and has not after `timeout_ns`.
        """
        ...

    def outcomes(self) -> Mapping[Any, Outcome]:
        """Copy the results of the submission that has ended, by dispatch."""
        ...


class WorkQueue(Protocol):
    """A device's submissions, which end in their order; many threads may ask.

    `lock` is that of all devices: held to record, to submit and to free, never while waiting.
    """

    lock: RLock

    @property
    def latest(self) -> int:
        """The serial of the latest submission."""
        ...

    @property
    def is_compiling(self) -> bool:
        """Whether work waits for the driver to compile."""
        ...

    def has_ended(self, serial: int) -> bool:
        """Whether a submission is not in flight; true of one that was lost with its device."""
        ...

    def ends_within(self, serial: int, timeout_ns: int, *, polls: bool = True) -> bool:
        """Whether a submission ends in time; it is asked often at first if `polls`.

        Raises DeviceLostError for one that was lost.
        """
        ...

    def check_usable(self) -> None:
        """Raises DeviceLostError ever after a loss."""
        ...

    def close(self) -> None:
        """Nothing is submitted any more."""
        ...
