"""Runs the probes of a device in a child process, so that the driver cannot harm this one.

The child (`vkrunner.api.probe_child`) opens the device and runs one probe after another. It is a
new interpreter, or a copy that `sm5vk` made of itself. A probe in which it crashes, hangs or loses
the device has the cautious answer; another child runs the rest. This process translates the child's
listings: it needs the translator anyway, and imports it while the child starts.
"""

from __future__ import annotations

import base64
import importlib
import json
import pickle
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from types import TracebackType
from typing import IO, Any, NamedTuple, Self, cast

from translate import Options
from translate.child import PIPE, Process, end, exit_code, python_command, start, start_copy
from translate.dataclass import dataclass, field
from vkrunner.dispatch.context import Backend
from vkrunner.errors import warn
from vkrunner.probes.trials import Probe
from vkrunner.shader.shader import Shader

_CHILD = "vkrunner.api.probe_child"
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # NumPy's other threads would spin, for nothing
READY = "ready"  # the child's first line
_LINE_TIMEOUT_S = 30.0  # for each answer, and for the child's start
_TIMEOUT_S = 90.0  # for all
_END_TIMEOUT_S = 5.0
FAILED = 2  # the child's exit code after an error of the driver
_KILLED = (-9, -15)  # SIGKILL and SIGTERM: not the driver's doing


@dataclass(slots=True)
class Answers:
    """Answers of probes by their names; `are_lasting` unless other children may have others."""

    found: dict[str, bool] = field(default_factory=dict[str, bool])
    are_lasting: bool = True


def ask(backend: Backend, probes: Sequence[Probe]) -> Answers:
    """The answers of probes on a backend's device.

    A RuntimeWarning tells that no child could open the device.
    """
    answers, end = Answers(), monotonic() + _TIMEOUT_S
    left = [*probes]
    while left and monotonic() < end:
        with _Child(backend, left) as child:
            reason = child.answer(left, answers, end)
        if reason:
            warn(
                f"{backend.context.info.name} cannot be probed, so kernels use every workaround:"
                f" {reason}"
            )
            answers.are_lasting = False
            break
    answers.found |= {probe.name: probe.cautious for probe in left}
    return answers


def translation_request(listing: bytes, options: Options) -> dict[str, str]:
    """A child's line that asks for a translation; the reply has its cache entry."""
    packed = base64.b64encode(pickle.dumps(options))
    return {"listing": listing.decode(), "options": packed.decode()}


def _translated(request: dict[str, str]) -> bytes:
    options = pickle.loads(base64.b64decode(request["options"]))
    return base64.b64encode(Shader(request["listing"]).translation(options).data)


class _Started(NamedTuple):
    """A process that waits for the request of a `_Child`, and the file of its errors."""

    process: Process
    errors: IO[bytes]


_ready: list[_Started] = []


def keep_ready() -> None:
    """Copy this process now, for the first child."""
    with suppress(OSError):
        _ready.append(_started(partial(start_copy, _serve)))


def _serve() -> int:
    """Run probes in a copy, and return its exit code."""
    return int(importlib.import_module(_CHILD).exit_code())


def _started(start: Callable[..., Process]) -> _Started:
    errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by _Child.__exit__)
    try:
        return _Started(start(stdin=PIPE, stdout=PIPE, stderr=errors), errors)
    except BaseException:
        errors.close()
        raise


class _Child:
    """A process that runs probes on the device of a backend."""

    def __init__(self, backend: Backend, probes: Sequence[Probe]):
        info = backend.context.info
        names = [probe.name for probe in probes]
        self._request = {"index": info.index, "build": backend.build.hex(), "probes": names}
        self._process: Process | None = None
        self._lines = SimpleQueue[bytes]()
        self._errors: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        process = self._process
        if process is not None:
            end(process)
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
        if self._errors is not None:
            self._errors.close()

    def answer(self, left: list[Probe], answers: Answers, end: float) -> str:
        """Note answers, and remove their probes from `left`, until the child ends or hangs.

        Returns the reason if the child did not even open the device, otherwise "".
        """
        try:
            self._start()
        except OSError as error:
            return str(error)
        for name in ("translate.asm", "translate.pipeline"):  # takes as long as the child's start
            importlib.import_module(name)
        if self._line(end) != READY:
            return self._reason()
        while left:
            row = self._line(end)
            if isinstance(row, dict):
                self._send(_translated(cast("dict[str, str]", row)))
                continue
            probe = left.pop(0)
            answers.found[probe.name] = probe.cautious if row is None else bool(row)
            if row is None:
                answers.are_lasting &= self._has_failed()
                return ""
        return ""

    def _start(self) -> None:
        """Start the process. Raises OSError."""
        if not _ready:
            begin = partial(start, python_command(_CHILD), variables=_ONE_THREAD)
            _ready.append(_started(begin))
        self._process, self._errors = process, _ = _ready.pop()
        assert process.stdout is not None
        self._send(json.dumps(self._request).encode())
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _send(self, line: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the child has ended, as its next line tells
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()

    def _read(self, lines: IO[bytes]) -> None:
        with lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(b"")

    def _line(self, end: float) -> Any:
        """The child's next line, decoded; None if it ends, or sends none in time."""
        try:
            return json.loads(self._lines.get(timeout=min(_LINE_TIMEOUT_S, end - monotonic())))
        except (Empty, ValueError):
            return None

    def _has_failed(self) -> bool:
        """Whether the driver crashed, hangs or returned an error."""
        assert self._process is not None
        code = exit_code(self._process, _END_TIMEOUT_S)
        return code is None or code == FAILED or (code < 0 and code not in _KILLED)

    def _reason(self) -> str:
        """Why the child did not start: the last line of its errors, or its exit code."""
        assert self._process is not None
        assert self._errors is not None
        exit_code(self._process, _END_TIMEOUT_S)
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return last or f"a process that tries it ends with the code {self._process.returncode}"
