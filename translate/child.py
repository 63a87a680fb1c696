"""Child processes of this project: Python interpreters that do not search the working folder.

By default a new interpreter looks for modules in the working folder first, where a file `pickle.py`
would replace the standard library's. All children are started here, without that folder (`-P`).
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any

_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv[2]); sys.path += sys.argv[3:];"
    " runpy.run_module(sys.argv[1], run_name='__main__', alter_sys=True)"
)
_VARIABLE = "PYTHONSAFEPATH"
_starting = threading.RLock()


def python_command(module: str) -> list[str]:
    """The words of a command that runs a module, such as `vkrunner.vulkan.machine_code`.

    The child imports this project from the folder from which this process imported it, and all else
    from where a new interpreter finds it; the other folders of this process's import path come
    last.
    """
    own = str(Path(__file__).parents[1])
    others = [path for path in sys.path if path and path != own]
    return [sys.executable, "-P", "-W", "ignore", "-c", _START, module, own, *others]


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _safe_path():
            start: Any = SpawnProcess._Popen  # pyright: ignore
            return start(process_obj)


class SafeSpawnContext(SpawnContext):
    """A context for pools of processes: they share no driver's state, as after a fork."""

    Process = _Process  # pyright: ignore

    def __init__(self) -> None:
        super().__init__()
        if os.name == "posix":
            from multiprocessing import resource_tracker

            with _safe_path():  # a process that a pool's locks start
                resource_tracker.ensure_running()


@contextmanager
def _safe_path() -> Generator[None]:
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
