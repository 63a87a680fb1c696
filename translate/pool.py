"""The processes of pools, by `multiprocessing`, which only they need."""

from __future__ import annotations

import os
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from translate.child import safe_path


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
