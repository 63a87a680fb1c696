"""The cost of a listing in the translator, measured in a separate process with limits."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from dataclasses import asdict, dataclass

import translate

SECONDS = 5.0  # of CPU time that a listing of LARGEST bytes may take
MEGABYTES = 512
LARGEST = 100_000
_OPTIONS = translate.Options(validate=False)


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU time, memory beyond that of a fresh process, and `words`, 0 if it was refused.

    `fault` says what went wrong: an exception other than TranslateError, or a limit.
    """

    bytes: int
    seconds: float = 0.0
    megabytes: float = 0.0
    words: int = 0
    fault: str = ""

    @property
    def finding(self) -> str:
        """The problem with it; '' if there is none."""
        if self.fault:
            return self.fault
        if self.seconds > SECONDS:
            return f"took {self.seconds:.1f} s"
        return f"took {self.megabytes:.0f} MB" if self.megabytes > MEGABYTES else ""


def measure(text: str) -> Cost:
    """Translate in a child process, which ends at twice the limits."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _measure_here(text, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        written = file.read()
    _, status = os.waitpid(child, 0)
    if written:
        return Cost(**json.loads(written))
    number = os.waitstatus_to_exitcode(status)
    if number == -signal.SIGXCPU:
        return Cost(len(text), 2 * SECONDS, fault=f"took more than {2 * SECONDS:.0f} s")
    return Cost(len(text), fault=f"ended with {number}")


def _measure_here(text: str, writer: int) -> None:
    """The child: it writes its cost, and ends without closing what the parent has open."""
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    seconds = round(2 * SECONDS + time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    most = now + (2 * MEGABYTES << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    words, fault = 0, ""
    try:
        words = len(translate.to_spirv(translate.load(text), _OPTIONS).words)
    except translate.TranslateError:
        pass
    except MemoryError:
        fault = f"took more than {2 * MEGABYTES} MB"
    except BaseException as error:
        fault = f"{type(error).__name__}: {error}"[:200]
    taken = time.process_time() - started
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    cost = Cost(len(text), round(taken, 3), round(grown, 1), words, fault)
    os.write(writer, json.dumps(asdict(cost)).encode())
    os._exit(0)
