"""The processes of pools, by `multiprocessing`, which only they need."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from translate.child import safe_path
from translate.files import signals_held

_END_TIMEOUT_S = 5.0


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with safe_path(), _interrupts_blocked():
            start: Any = SpawnProcess._Popen  # pyright: ignore
            return start(process_obj)


class _SafeSpawnContext(SpawnContext):
    """A context for pools of processes: they share no driver's state, as after a fork."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[_Process] = []
        if os.name == "posix":
            from multiprocessing import resource_tracker

            with safe_path():  # a process that a pool's locks start
                resource_tracker.ensure_running()

    def Process(self, *arguments: Any, **options: Any) -> _Process:  # pyright: ignore
        process = _Process(*arguments, **options)
        self._started.append(process)
        return process

    def end_processes(self) -> None:
        """End the processes, which may have long jobs, or wait for ones that never come."""
        for process in self._started:
            if process.is_alive():
                process.terminate()


@contextmanager
def _interrupts_blocked() -> Generator[None]:
    """Children that start in the block get no SIGINT, which would end them with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Initialise a worker: ignore interrupts, which the parent handles, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


@contextmanager
def worker_pool(count: int) -> Generator[ProcessPoolExecutor]:
    """A pool of `count` processes.

    An exception that leaves the block, such as Ctrl-C's, ends them at once.
    """
    is_done = False
    with signals_held():
        context = _SafeSpawnContext()
        pool = _Pool(count, context, _start_worker)
    try:
        yield pool
        is_done = True
    finally:
        with signals_held():  # another Ctrl-C
            if not is_done:
                context.end_processes()
            pool.shutdown(cancel_futures=True)


class _Pool(ProcessPoolExecutor):
    """A pool of which no start of a process or thread is left half done by Ctrl-C.

    The mask of `_interrupts_blocked` is that of one thread: another may get the signal.
    """

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        with signals_held():
            return super().submit(fn, *args, **kwargs)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # which ends a compiler first
        time.sleep(_END_TIMEOUT_S)
        os._exit(1)
