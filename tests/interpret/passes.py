"""Modules are run before and after each pass, with the same resources."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from checks.interpret import (
    ALWAYS_ZERO,
    D3D,
    KEPT,
    RESULTS_ZERO,
    Denormals,
    EndlessError,
    InterpretError,
    Outcome,
    interpret,
)
from translate.ir.memory import SHARED, VIEWS, MemoryKind
from translate.ir.row import Stage
from translate.ir.values import Module
from translate.options import Options
from translate.passes.pipeline import Pass, passes
from translate.reference.resources import Resource
from translate.target_device import device_of

from ..ir.state import state_of
from .compare import difference, messages_differ, reports_differ
from .subjects import Subject

Change = Callable[[Module, Pass], None]

_FLUSH, _MARKS, _SAMPLES = "flush_denormals", "mark_shared_writes", "limit_sample_operands"
_WRITES = ("write_reports", "write_messages")
_MEANING = (_FLUSH, "guard_bounds", *_WRITES, "apply_windows")  # define more behaviour
_FILTERED = 2.0**-12  # the error of a weight by rounding of a coordinate
_BY_DEVICE = {
    "off": frozenset(MemoryKind),
    "robustness2": frozenset((*VIEWS, MemoryKind.TYPED, MemoryKind.CONSTANTS)),
}
_FLUSHES = "denorm_flush_to_zero_32"


class PassError(AssertionError):
    """A pass changed what a module does."""


def _denormals(options: Options, is_flushed: bool) -> Denormals:
    """The treatment of denormals before and after `flush_denormals`.

    After it the strictest device is assumed, which keeps every denormal unless a float control
    flushes it. Where denormals are left to the device, they are kept.
    """
    if options.denormals == "device":
        return KEPT
    if _FLUSHES in options.float_controls:
        return RESULTS_ZERO if is_flushed else ALWAYS_ZERO
    return KEPT if is_flushed else D3D


def check_passes(subject: Subject, change: Change = lambda module, after: None) -> int:
    """Run every pass, and the module after each that changed it; returns the number of passes.

    `change` may damage the result of a pass. The check ends before the guards if the shader has
    out-of-bounds accesses that its options leave to the device. Raises PassError for a pass that
    changes the module's behaviour.
    """
    module, options = subject.module(), subject.options
    check = Check(module, options, subject.resources, subject.groups)
    listed = passes(options)
    for number, one in enumerate(listed):
        one.run(module)
        change(module, one)
        by_device = _BY_DEVICE.get(options.guards, frozenset())
        if one.stage >= Stage.GUARDED and check.outcome.outside & by_device:
            return number
        problem = check.problem_after(one)
        if problem is not None:
            raise PassError(f"after {one.name}: {problem}")
    return len(listed)


class Check:
    """A module, its state, and its outcome after the last of the passes that are `done`."""

    def __init__(
        self,
        module: Module,
        options: Options,
        resources: dict[str, Resource],
        groups: tuple[int, int, int],
        stage: Stage = Stage.LOWERED,
        done: Sequence[str] = (),
        rounds: int = 3000,
    ):
        self._module, self._options = module, options
        self._resources, self._groups, self._rounds = resources, groups, rounds
        self._done = [*done]
        self._state = state_of(module)
        self.outcome = self._run(stage)

    def problem_after(self, one: Pass) -> str | None:
        """The change of the module's behaviour by a pass, or None."""
        self._done.append(one.name)
        state = state_of(self._module)
        if state == self._state and one.name not in _MEANING:
            return None
        before, self._state = self.outcome, state
        try:
            after = self._run(one.stage)
        except (EndlessError, InterpretError) as error:
            return str(error)
        outside = before.outside | after.outside
        self.outcome = replace(after, outside=outside)
        marked = bool(self._module.written_marks) or _MARKS not in self._done
        places = _FILTERED if one.name == _SAMPLES else 0.0
        problem = difference(self._resources, before.written, after.written, places)
        problem = problem or reports_differ(before, after, marked)
        problem = problem or messages_differ(before, after)
        if after.races and not before.races and not outside & {*SHARED}:
            problem = problem or "threads race in group-shared memory"
        return problem

    def _run(self, stage: Stage) -> Outcome:
        return interpret(
            self._module,
            stage,
            self._resources,
            self._groups,
            denormals=_denormals(self._options, _FLUSH in self._done),
            robustness=device_of(self._options).robustness,
            rounds=self._rounds,
        )
