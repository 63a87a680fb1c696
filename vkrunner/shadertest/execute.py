"""Runs one test on one device: makes resources, executes steps, compares expectations."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from traceback import format_exception

from translate import TranslateError
from vkrunner import Device, RunnerError, clear_validation_messages, validation_messages
from vkrunner.shadertest.cases import (
    ALWAYS,
    BoundSection,
    Case,
    CompileCheck,
    CounterProbe,
    Dispatch,
    Probe,
    Step,
    Uniform,
)
from vkrunner.shadertest.conditions import tags_of
from vkrunner.shadertest.cursor import ShaderTestError, Token
from vkrunner.shadertest.outcome import CHECK, DEVICE, Failure, Outcome, failure_of
from vkrunner.shadertest.shader_source import compile_error
from vkrunner.shadertest.step_runner import StepRunner, is_refusal
from vkrunner.shadertest.violations import ANY, compare_violations

PLATFORM = "VKD3D_TEST_PLATFORM"  # on "windows", vkd3d's runner ignores `todo` and `bug`


def run_case(device: Device, case: Case) -> Outcome:
    """Run a test. Errors of any kind are not raised: they become failures of its outcome."""
    start = time.perf_counter()
    reasons = [case.skip] if case.skip else _lacking(device, case)
    run = _Run(device, case, case.token)
    warned: list[str] = []
    if not reasons:
        with _collected(warned):
            _attempt(run)
    seconds = time.perf_counter() - start
    line = case.token.line
    head = (line.file, case.name, device.name, line.number)
    counts = (run.todos, tuple(run.tolerated), tuple(warned), run.unchecked)
    more = ("; ".join(reasons), seconds, *counts)
    return Outcome(*head, tuple(run.failures), *more)


@contextmanager
def _collected(texts: list[str]) -> Generator[None]:
    """Collect the RuntimeWarnings in a `with` block, each once; others are given again.

    They would name a line of this package, and each process would show them.
    """
    with warnings.catch_warnings(record=True) as caught:
        yield
    for one in caught:
        if issubclass(one.category, RuntimeWarning):
            texts.append(str(one.message))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    texts[:] = dict.fromkeys(texts)


def _lacking(device: Device, test: Case) -> list[str]:
    return [reason for lacking in test.requirements if (reason := lacking(device.info))]


def _attempt(run: _Run) -> None:
    """Execute a test; an error becomes one of its failures."""
    clear_validation_messages()
    try:
        with run.stack:
            run.execute()
    except (TranslateError, RunnerError, OSError, MemoryError, RuntimeWarning) as error:
        run.stopped(error)
    except Exception as error:  # a fault of sm5vk; the other tests still run
        details = [line for text in format_exception(error) for line in text.splitlines()]
        run.failed(run.at, f"internal error: {type(error).__name__}: {error}", details, DEVICE)
    else:
        if run.case.error is not None:
            run.failed(run.case.error, "no error came, this one was expected")
    messages = validation_messages()
    clear_validation_messages()
    if messages:
        run.failed(run.case.token, "the validation layer has something to say", messages, DEVICE)


@dataclass(slots=True)
class _Run:
    """A running test. `at` is the section or step that it has reached.

    `todos` counts the failed checks that are marked as known failures, `unchecked` the violations
    of a test without a line about them.
    """

    device: Device
    case: Case
    at: Token
    failures: list[Failure] = field(default_factory=list[Failure])
    tolerated: list[str] = field(default_factory=list[str])
    todos: int = 0
    unchecked: int = 0
    stack: ExitStack = field(default_factory=ExitStack)

    def execute(self) -> None:
        for compilation in self.case.compiles:
            self._check_compilation(compilation)
        if self.case.compiles:
            return
        runner = StepRunner(self.device)
        self.stack.callback(runner.close)
        for earlier in self.case.before:
            self._replay(earlier, runner)
        self._run_steps(runner)

    def stopped(self, error: Exception) -> None:
        """Handle an error that ended the test: the expected error, or a failure."""
        expected = self.case.error
        found = failure_of(error, self.at)
        if expected is None or isinstance(
            error, (ShaderTestError, OSError, MemoryError, RuntimeWarning)
        ):
            self.failures.append(found)
        elif expected.text not in f"{found.where}: error: {found.message}":
            self.failed(expected, "it is refused with another error", found.text().splitlines())

    def failed(
        self, token: Token, message: str, details: Iterable[str] = (), code: int = CHECK
    ) -> None:
        self.failures.append(Failure.at(token, message, details, code))

    # -- the test itself ---------------------------------------------------------------------------

    def _run_steps(self, runner: StepRunner) -> None:
        case = self.case
        self.at = case.shader.token
        qualified = [step for step in case.steps if step.qualifiers != ALWAYS]
        runner.use(case.shader, may_fail=any(isinstance(step, Dispatch) for step in qualified))
        runner.timeout_s, self.tolerated = case.timeout_s, runner.tolerated
        runner.allows_races = case.races == ANY
        self._make(case.bound, runner)
        for step in case.steps:
            self.at = step.token
            self._run(step, runner)
        if case.violations is not None:
            self.failures += compare_violations(case.violations, runner.reports, case.shader)
        else:
            self.unchecked = sum(report.harmful().total for report in runner.reports)

    def _make(self, bound: Iterable[BoundSection], runner: StepRunner) -> None:
        for record in bound:
            self.at = record.token
            runner.make(record)

    def _run(self, step: Step, runner: StepRunner) -> None:
        """Run a step, if its conditions hold; after a failed dispatch, probes are not run.

        A dispatch or probe with `todo` must fail.
        """
        words, now = step.qualifiers, (runner.model, tags_of(self.device.info))
        is_probe = isinstance(step, (Probe, CounterProbe))
        if (is_probe and runner.has_failed) or not all(c(*now) for c in words.only_if):
            return
        todo = _heeds_todo() and any(c(*now) for c in words.todo)
        bug = _heeds_todo() and any(c(*now) for c in words.bug)
        try:
            found = runner.run(step)
        except (TranslateError, RunnerError) as error:
            if not (todo or bug) or not is_refusal(error):
                raise
            found = [failure_of(error, self.at)]
        if not (todo or bug):
            self.failures.extend(found)
        elif todo and not bug and not isinstance(step, Uniform):
            self._todo(step.token, succeeded=not found)

    def _todo(self, token: Token, *, succeeded: bool) -> None:
        """Count a failed check with `todo`. A success is a failure: `todo` must be removed."""
        if not succeeded:
            self.todos += 1
            return
        hint = f"take the word away; {PLATFORM}=windows has todo and bug ignored"
        self.failed(token, "todo succeeded", [hint])

    # -- earlier tests, and compilations -----------------------------------------------------------

    def _replay(self, earlier: Case, runner: StepRunner) -> None:
        """Repeat the dispatches and constants of an earlier test, for their effect on resources.

        Refused dispatches are ignored; other errors end this test.
        """
        if _lacking(self.device, earlier):
            return
        runner.use(earlier.shader, may_fail=True)
        self._make(earlier.bound, runner)
        now = (runner.model, tags_of(self.device.info))
        for step in earlier.steps:
            is_done = isinstance(step, (Dispatch, Uniform))
            if not is_done or not all(c(*now) for c in step.qualifiers.only_if):
                continue
            try:
                runner.run(step)
            except (TranslateError, RunnerError) as error:
                if not is_refusal(error):
                    raise

    def _check_compilation(self, expected: CompileCheck) -> None:
        shader = self.case.shader
        error = compile_error(shader, expected.profile)
        as_expected = (error is not None) is expected.fails
        if expected.todo and _heeds_todo():
            self._todo(shader.token, succeeded=as_expected)
        elif not as_expected and error is not None:
            self.failures.append(failure_of(error, shader.token))
        elif not as_expected:
            text = f"the compiler takes it as {expected.profile}, and is to refuse it"
            self.failed(shader.token, text)


def _heeds_todo() -> bool:
    return os.environ.get(PLATFORM) != "windows"
