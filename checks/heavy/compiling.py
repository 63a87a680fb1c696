"""The cost of a listing in the driver's compiler, measured in a separate process.

`python -m checks.heavy.compiling` takes a listing on standard input and writes the cost as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import translate
import vkrunner
from translate.interface import COUNTER, MESSAGES, SAMPLER, TEXTURE
from translate.options import WORKAROUNDS
from vkrunner.binding.registers import Key

SECONDS = 15.0  # of CPU time that a driver on the CPU may take
_GIVEN_UP = 2 * SECONDS
_RUNNING = 0.05  # seconds of the device's own work, which may never end and is not part of the cost


@dataclass(frozen=True, slots=True)
class Compiled:
    """CPU time of a driver's compiler for so many words.

    `refused` says why there is none, `crash` how it ended.
    """

    seconds: float = 0.0
    refused: str = ""
    crash: str = ""
    words: int = 0

    @property
    def problem(self) -> str:
        """The limit that the driver exceeds; '' if it exceeds none."""
        return self.crash or ("takes long" if self.seconds > SECONDS else "")


def compile_apart(text: str) -> Compiled:
    """Compile a listing on the device of `SM5VK_DEVICE`, with no cache on disk."""
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"},
    )
    if done.stdout:
        return Compiled(**json.loads(done.stdout))
    if done.returncode == -signal.SIGXCPU:
        return Compiled(_GIVEN_UP)
    return Compiled(crash=f"ended with {done.returncode}: {done.stderr[-200:]}".rstrip(": "))


def _compile(text: str) -> Compiled:
    """Compile by a dispatch: drivers compile when a pipeline is made, or first dispatched.

    Timeouts do not count the compilation, so that work after the timeout is not measured. Textures
    are 2D; resources that no code depends on are not bound.
    """
    try:
        device = vkrunner.open_device()  # not closed, which would wait for its work
        options = translate.Options(
            float_controls=device.info.float_controls,
            robust_access=device.info.features.robust_access,
            workarounds=WORKAROUNDS.intersection(device.faults),
            validate=False,
        )
        module = translate.to_spirv(translate.load(text), options)
        texture = device.texture(np.zeros((4, 4, 4), np.float32))
        bound: dict[Key, Any] = {
            binding.register: texture if binding.kind == TEXTURE else None
            for binding in module.interface.bindings
            if binding.kind not in (SAMPLER, COUNTER, MESSAGES)
        }
        before = time.process_time()
        with suppress(vkrunner.DispatchTimeout, vkrunner.LoopLimitError):
            device.kernel(module).dispatch((1, 1, 1), bindings=bound, timeout=_RUNNING)
        seconds = round(time.process_time() - before, 2)
        return Compiled(seconds, words=len(module.words))
    except (translate.TranslateError, vkrunner.RunnerError) as error:
        return Compiled(refused=str(error).splitlines()[0])


def main() -> None:
    seconds = round(_GIVEN_UP + 10)  # translation and Python's start take time too
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    print(json.dumps(asdict(_compile(sys.stdin.read()))), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
