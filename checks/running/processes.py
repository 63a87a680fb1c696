"""Processes: programs, forked children, and the memory of this one.

A program or child that hangs or crashes ends no other test.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from vkrunner import ArgumentError, Device

LONGEST_S = 600  # until a program counts as hanging; the tests measure no time

_HEAD = '''
import faulthandler, gc, itertools, random, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import vkrunner
from checks.driver import replaced
from checks.running.shaders import ADD, SPIN, TYPED, spun

faulthandler.dump_traceback_later(500, exit=True)
index, words = int(sys.argv[1]), sys.argv[2:]
zeros = np.zeros(4, "u4")

class Owner:  # only the collector finds it, and calls its function
    def __init__(self, call):
        self.me, self.call = self, call
    def __del__(self):
        self.call()

def collected(threshold, call, act):
    """Call `act`, during which the collector comes and calls `call`."""
    gc.collect()
    gc.freeze()  # the collector then looks at what is new, which takes a third of the time
    gc.disable()
    Owner(call)
    gc.set_threshold(threshold)
    gc.enable()
    result = act()
    gc.set_threshold(700)
    return result
'''


def run(device: Device, program: str, *words: str) -> None:
    """Run a program with this device's number and words; it must end without an error."""
    run_python("-c", _HEAD + program, str(device.info.index), *words)


def run_python(*words: str) -> str:
    """The output of Python with these words, which must end without an error."""
    command = [sys.executable, "-X", "faulthandler", *words]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=LONGEST_S)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def end_of_fork(act: Callable[[], int]) -> int:
    """The exit code of a forked child, which is what its act returns, or its signal."""
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # a lock that was held at the fork is never released
        code = 255
        try:
            code = act()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def refusals(calls: list[Callable[[], object]]) -> int:
    """The number of calls that did not raise the error about a fork."""
    missed = 0
    for call in calls:
        try:
            call()
            missed += 1
        except ArgumentError as error:
            missed += "cannot be used after a fork" not in str(error)
        except BaseException:
            missed += 1
    return missed


def resident_bytes() -> int:
    """The resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()
