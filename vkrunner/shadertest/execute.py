"""Runs one test on one device: makes resources, executes steps, compares expectations."""

from __future__ import annotations

import time
import warnings
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from traceback import format_exception
from typing import Any

from translate import HlslOptions, ListingWarning, ShaderInterface, TranslateError
from translate.dataclass import dataclass, field, replace
from vkrunner import (
    AbortError,
    Device,
    Kernel,
    Messages,
    Result,
    RunnerError,
    Violations,
    clear_validation_messages,
    validation_messages,
)
from vkrunner.shadertest.bound_resources import BoundResources
from vkrunner.shadertest.cases import (
    ALWAYS,
    BoundSection,
    Case,
    CompileCheck,
    Condition,
    CounterProbe,
    Dispatch,
    Probe,
    ShaderSection,
    Step,
    Uniform,
)
from vkrunner.shadertest.conditions import PLATFORM, heeds_todo, model_of, tags_of
from vkrunner.shadertest.cursor import ShaderTestError, Token
from vkrunner.shadertest.outcome import CHECK, DEVICE, Failure, Outcome, failure_of
from vkrunner.shadertest.probe_check import check, check_counter
from vkrunner.shadertest.shader_source import compile_error, make_kernel, or_refusal
from vkrunner.shadertest.violations import ANY, compare_violations, race_failures
from vkrunner.values.comparison import MOST_ROWS

_KEPT = "in this file resources keep their contents from test to test, by vkd3d's rules"


def run_case(device: Device, case: Case) -> Outcome:
    """Run a test. Errors of any kind are not raised: they become failures of its outcome."""
    start, line = time.perf_counter(), case.token.line
    reasons = [case.skip] if case.skip else _lacking(device, case)
    run = _Run(device, case, _StepRunner(device), case.token)
    warned: list[str] = []
    if not reasons:
        with _collected(warned, line.file):
            _attempt(run)
    seconds = time.perf_counter() - start
    head = (line.file, case.name, device.name, line.number)
    counts = (run.todos, tuple(run.runner.tolerated), tuple(warned), run.unchecked)
    more = ("; ".join(reasons), seconds, *counts, run.runner.messages)
    return Outcome(*head, tuple(_with_note(run.failures, case)), *more)


def _with_note(failures: list[Failure], case: Case) -> Iterator[Failure]:
    """The failures; the first failed check says that earlier tests left their results."""
    is_due = any(isinstance(step, Dispatch) for one in case.before for step in one.steps)
    for failure in failures:
        if is_due and failure.code == CHECK:
            is_due = False
            yield replace(failure, details=(*failure.details, _KEPT))
        else:
            yield failure


@contextmanager
def _collected(texts: list[str], file: str) -> Generator[None]:
    """Collect the warnings of sm5vk in a `with` block, each once; others are given again.

    They would name a line of this package, and each process would show them. Those of a listing in
    the test are at their lines of `file`.
    """
    with warnings.catch_warnings(record=True) as caught:
        yield
    for one in caught:
        message = one.message
        if isinstance(message, ListingWarning):
            where = message.where
            if where.line is not None and where.file is None:
                where = replace(where, file=file)
            texts.append(str(ListingWarning(message.message, where, message.source_line)))
        elif isinstance(message, RuntimeWarning):
            texts.append(str(message))
        else:
            warnings.warn_explicit(message, one.category, one.filename, one.lineno)
    texts[:] = dict.fromkeys(texts)


def _lacking(device: Device, test: Case) -> list[str]:
    return [reason for lacking in test.requirements if (reason := lacking(device.info))]


def _attempt(run: _Run) -> None:
    """Execute a test; an error becomes one of its failures."""
    clear_validation_messages()
    try:
        with closing(run.runner):
            run.execute()
    except (TranslateError, RunnerError, OSError, MemoryError, RuntimeWarning) as error:
        run.stopped(error)
    except Exception as error:  # a fault of sm5vk; the other tests still run
        details = [line for text in format_exception(error) for line in text.splitlines()]
        run.failed(run.at, f"internal error: {type(error).__name__}: {error}", details, DEVICE)
    else:
        if run.case.error is not None and not run.has_aborted:
            run.failed(run.case.error, "no error came, this one was expected")
    messages = validation_messages()
    clear_validation_messages()
    if messages:
        run.failed(run.case.token, "the validation layer has something to say", messages, DEVICE)


@dataclass(slots=True)
class _Run:
    """A running test. `at` is the section or step that it has reached.

    `todos` counts the failed checks that are marked as known failures, `unchecked` the violations
    of a test without a line about them. `has_aborted`: the expected error was the shader's `abort`.
    """

    device: Device
    case: Case
    runner: _StepRunner
    at: Token
    failures: list[Failure] = field(default_factory=list[Failure])
    todos: int = 0
    unchecked: int = 0
    has_aborted: bool = False

    def execute(self) -> None:
        for compilation in self.case.compiles:
            self._check_compilation(compilation)
        if self.case.compiles:
            return
        for earlier in self.case.before:
            if not _lacking(self.device, earlier):
                self._replay(earlier)
        self._run_steps()

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

    def _run_steps(self) -> None:
        case, runner = self.case, self.runner
        may_fail = any(isinstance(s, Dispatch) and s.qualifiers != ALWAYS for s in case.steps)
        self._begin(case, may_fail=may_fail)
        for step in case.steps:
            self.at = step.token
            try:
                self._run(step)
            except AbortError as error:  # the dispatch has run: later steps see its outputs
                if case.error is None:
                    raise
                self.stopped(error)
                self.has_aborted = True
        if case.violations is not None:
            self.failures += compare_violations(case.violations, runner.reports, case.shader)
        else:
            self.unchecked = sum(report.harmful().total for report in runner.reports)

    def _begin(self, case: Case, *, may_fail: bool) -> None:
        self.at = case.shader.token
        self.runner.use(case, may_fail=may_fail)
        for record in case.bound:
            self.at = record.token
            self.runner.make(record)

    def _run(self, step: Step) -> None:
        """Run a step, if its conditions hold; after a failed dispatch, probes are not run.

        A dispatch or probe with `todo` must fail.
        """
        is_probe = isinstance(step, (Probe, CounterProbe))
        if (is_probe and self.runner.has_failed) or not self.runner.includes(step):
            return
        todo, bug = self.runner.marks(step)
        if not (todo or bug):
            self.failures += self.runner.run(step)
            return
        found = or_refusal(partial(self.runner.run, step))
        if todo and not bug and not isinstance(step, Uniform):
            self._todo(step.token, succeeded=not found)

    def _todo(self, token: Token, *, succeeded: bool) -> None:
        """Count a failed check with `todo`. A success is a failure: `todo` must be removed."""
        if not succeeded:
            self.todos += 1
            return
        hint = f"take the word away; {PLATFORM}=windows has todo and bug ignored"
        self.failed(token, "todo succeeded", [hint])

    # -- earlier tests, and compilations -----------------------------------------------------------

    def _replay(self, earlier: Case) -> None:
        """Repeat the dispatches and constants of an earlier test, for their effect on resources.

        A refused dispatch ends that test as when it ran by itself; other errors end this test.
        """
        self._begin(earlier, may_fail=True)
        for step in earlier.steps:
            if not (isinstance(step, (Dispatch, Uniform)) and self.runner.includes(step)):
                continue
            self.at = step.token
            try:
                refused = isinstance(or_refusal(partial(self.runner.run, step)), Exception)
            except AbortError:
                refused = earlier.error is None
            if refused and not any(self.runner.marks(step)):
                return

    def _check_compilation(self, expected: CompileCheck) -> None:
        shader = self.case.shader
        error = compile_error(shader, expected.profile)
        as_expected = (error is not None) is expected.fails
        if expected.todo and heeds_todo():
            self._todo(shader.token, succeeded=as_expected)
        elif not as_expected and error is not None:
            self.failures.append(failure_of(error, shader.token))
        elif not as_expected:
            text = f"the compiler takes it as {expected.profile}, and is to refuse it"
            self.failed(shader.token, text)


class _StepRunner:
    """Runs the steps of one test after another on resources that may outlast the test.

    `reports` has the violations of each dispatch, `messages` the first of their messages.
    `has_failed` is set after a failed dispatch: its results cannot be probed.
    """

    def __init__(self, device: Device):
        self._device = device
        self._resources = BoundResources(device)
        self._kernels: list[tuple[ShaderSection, Kernel]] = []
        self._kernel: Kernel | None = None
        self._case: Case | None = None
        self._error: TranslateError | RunnerError | None = None
        self.has_failed = False
        self.reports: list[Violations] = []
        self.messages = Messages()
        self.tolerated: list[str] = []  # a line for each tolerated probe

    def use(self, case: Case, *, may_fail: bool) -> None:
        """Continue with another test's shader, and forget violations and messages.

        Raises the errors of `make_kernel`; with `may_fail`, the next dispatch raises them.
        """
        self._case, self._kernel, self._error = case, None, None
        self.has_failed = False
        self.reports.clear()
        self.messages = Messages()
        self.tolerated.clear()
        kernel_of = partial(self._kernel_of, case.shader)
        made = or_refusal(kernel_of) if may_fail else kernel_of()
        if isinstance(made, (TranslateError, RunnerError)):
            self._error = made
        else:
            self._kernel = made

    def _kernel_of(self, shader: ShaderSection) -> Kernel:
        for other, kernel in self._kernels:
            if other == shader:
                return kernel
        made = make_kernel(self._device, shader)
        self._kernels.append((shader, made))
        return made

    def make(self, record: BoundSection) -> None:
        """Make the resource of a section for the shader. Raises ShaderTestError."""
        self._resources.make(record, self.interface)

    def close(self) -> None:
        """Free resources and kernels."""
        self._resources.close()
        for _, kernel in self._kernels:
            kernel.close()

    @property
    def interface(self) -> ShaderInterface | None:
        """The shader's interface; None until it has a kernel."""
        return self._kernel.interface if self._kernel is not None else None

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true for the shader's model and the device."""
        if self._kernel is not None:
            profile = self._kernel.interface.profile
        else:
            hlsl = self._case.shader.hlsl if self._case is not None else None
            profile = (hlsl or {}).get("profile", HlslOptions.profile)
        return condition(model_of(profile), tags_of(self._device.info))

    def includes(self, step: Step) -> bool:
        """Whether a step is to run: the conditions of each `if` before it are true."""
        return all(map(self.holds, step.qualifiers.only_if))

    def marks(self, step: Step) -> tuple[bool, bool]:
        """Whether the step has a `todo`, and a `bug`, that applies."""
        words, heeds = step.qualifiers, heeds_todo()
        return heeds and any(map(self.holds, words.todo)), heeds and any(map(self.holds, words.bug))

    def run(self, step: Step) -> list[Failure]:
        """Execute a step. Raises the errors of a dispatch, and ShaderTestError."""
        if isinstance(step, Dispatch):
            return self._dispatch(step)
        if isinstance(step, Uniform):
            self._resources.set_uniform(step, self.interface)
            return []
        assert isinstance(step, (Probe, CounterProbe))
        resource = self._resources.probed(step, self.interface)
        if isinstance(step, CounterProbe):
            return check_counter(step, resource)
        differences, tolerated = check(step, resource)
        if tolerated is not None:
            line = step.token.line.number
            self.tolerated.append(f"line {line}: {resource.label}: {tolerated}")
        if differences is None:
            return []
        text = f"{resource.label}: {differences.summary()}"
        return [Failure.at(step.token, text, differences.table())]

    def _dispatch(self, step: Dispatch) -> list[Failure]:
        self.has_failed = True
        if self._error is not None:
            raise self._error
        case, kernel = self._case, self._kernel
        assert case is not None
        assert kernel is not None
        bindings = self._resources.arguments(kernel.interface)
        timeout: dict[str, Any] = {"timeout": case.timeout_s} if case.timeout_s else {}
        try:
            result = kernel.dispatch(step.groups, bindings=bindings, **timeout)
        except AbortError as error:
            self._keep(error.result)
            raise
        self._keep(result)
        found = [] if case.races == ANY else race_failures(result, case.shader, step.token)
        for made, details in self._resources.damaged():
            text = f"{made.label}: the guard region around the view was written to"
            found.append(Failure.at(made.record.token, text, details))
        return found

    def _keep(self, result: Result) -> None:
        """Keep what a dispatch reports; its outputs can be probed."""
        self.has_failed = False
        self.reports.append(result.violations)
        self.messages += result.messages[: MOST_ROWS - len(self.messages)]
        self.messages.total += result.messages.total
