"""The processes of pools, by `multiprocessing`, which only they need."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from translate.child import safe_path

_END_TIMEOUT_S = 5.0


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with safe_path():
            start: Any = SpawnProcess._Popen  # pyright: ignore
            return start(process_obj)


class SafeSpawnContext(SpawnContext):
    """A context for pools of processes: they share no driver's state, as after a fork."""

    Process = _Process  # pyright: ignore

    def __init__(self) -> None:
        super().__init__()
        if os.name == "posix":
            from multiprocessing import resource_tracker

            with safe_path():  # a process that a pool's locks start
                resource_tracker.ensure_running()


def start_worker() -> None:
    """Initialise a worker: ignore interrupts, which the parent handles, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # which ends a compiler first
        time.sleep(_END_TIMEOUT_S)
        os._exit(1)
