"""Start processes: all that this project starts begin here.

A process has no terminal, and a session of its own, so that it can be ended with those that it
started. By default a new Python interpreter looks for modules in the working folder first, where a
file `pickle.py` would replace the standard library's: those of this project do not (`-P`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv[2]); sys.path += sys.argv[3:];"
    " runpy.run_module(sys.argv[1], run_name='__main__', alter_sys=True)"
)
_VARIABLE = "PYTHONSAFEPATH"
_LIBRARIES = "LD_LIBRARY_PATH"
_SLICE_S = 0.2  # between two questions whether to stop
_END_TIMEOUT_S = 5.0  # a driver may hang in the kernel
_starting = threading.RLock()

PIPE = subprocess.PIPE
TO_STDOUT = subprocess.STDOUT
Process = subprocess.Popen[bytes]
Finished = subprocess.CompletedProcess[bytes]


def python_command(module: str) -> list[str]:
    """The words of a command that runs a module, such as `vkrunner.vulkan.machine_code`.

    The child imports this project from the folder from which this process imported it, and all else
    from where a new interpreter finds it; the other folders of this process's import path come
    last.
    """
    own = str(Path(__file__).parents[1])
    others = [path for path in sys.path if path and path != own]
    return [sys.executable, "-P", "-W", "ignore", "-c", _START, module, own, *others]


def path_folders() -> list[str]:
    """PATH's absolute folders."""
    return absolute_folders(os.environ.get("PATH", os.defpath))


def absolute_folders(folders: str) -> list[str]:
    """The absolute ones of the folders in a variable such as PATH."""
    return [*filter(os.path.isabs, folders.split(os.pathsep))]


def start(
    words: Sequence[str],
    *,
    folder: str | None = None,
    variables: Mapping[str, str] | None = None,
    stdin: Any = subprocess.DEVNULL,
    stdout: Any = subprocess.DEVNULL,
    stderr: Any = subprocess.DEVNULL,
) -> Process:
    """Start a program, given by its path, with these variables beside those of this process.

    PATH and LD_LIBRARY_PATH have only absolute folders: others may be below `folder`. Raises
    OSError.
    """
    folders = path_folders() or absolute_folders(os.defpath)  # an empty PATH would mean `folder`
    own = {"PATH": os.pathsep.join(folders)}
    if (libraries := os.environ.get(_LIBRARIES)) is not None:
        own[_LIBRARIES] = os.pathsep.join(absolute_folders(libraries))
    return subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, **own, **(variables or {})},
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def can_copy() -> bool:
    """Whether a copy of this process would have all its threads: only this one is running."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not on Linux
        return False


def start_copy(act: Callable[[], int], *, stdin: Any, stdout: Any, stderr: Any) -> Process:
    """Start a copy of this process that calls a function, and ends with the code that it returns.

    This saves the start of an interpreter and its imports. `can_copy` has to be true, and no driver
    loaded. The copy has no files of this process but its own three. Raises OSError.
    """

    def run() -> None:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # `Popen` waits for the end of one of them
        files = (os.fdopen(number, "rww"[number], closefd=False) for number in range(3))
        sys.stdin, sys.stdout, sys.stderr = files
        os._exit(act())

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return subprocess.Popen(
        [sys.executable],  # never runs
        preexec_fn=run,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )


def exit_code(
    process: Process, timeout_s: float, is_stopped: Callable[[], bool] | None = None
) -> int | None:
    """The exit code of a process that ends in time, unless `is_stopped` before, else None."""
    end = time.monotonic() + timeout_s
    while (left := end - time.monotonic()) > 0 and not (is_stopped and is_stopped()):
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, _SLICE_S) if is_stopped else left)
    return None


def end(process: Process) -> None:
    """End a process with those that it started, unless it has ended itself."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        exit_code(process, _END_TIMEOUT_S)


def finish(
    words: Sequence[str],
    timeout_s: float,
    data: bytes = b"",
    variables: Mapping[str, str] | None = None,
) -> Finished | None:
    """Run a program with `data` as its input until it ends; None if it does not in time.

    Raises OSError.
    """
    process = start(words, variables=variables, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    with process:
        try:
            output, errors = process.communicate(data, timeout_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end(process)
    return Finished(words, process.returncode, output, errors)


@contextmanager
def safe_path() -> Generator[None]:
    """Children that start in the block have no working folder in their path, nor have theirs."""
    with _starting:
        before = os.environ.get(_VARIABLE)
        os.environ[_VARIABLE] = "1"
        try:
            yield
        finally:
            if before is None:
                os.environ.pop(_VARIABLE, None)
            else:
                os.environ[_VARIABLE] = before
