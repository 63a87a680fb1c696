"""A script: translates the containers that it reads on stdin, and prints the CPU time of each.

It is run by its path, so that the `translate` that PYTHONPATH names is imported.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import translate

_OPTIONS = translate.Options(validate=False)


def seconds(path: str) -> float:
    """The CPU time from a container's bytes to SPIR-V without validation."""
    data = Path(path).read_bytes()
    start = time.process_time()
    translate.to_spirv(translate.load(data), _OPTIONS)
    return time.process_time() - start


if __name__ == "__main__":
    paths = json.load(sys.stdin)
    seconds(paths[0])  # makes tables on first use
    print(json.dumps({path: seconds(path) for path in paths}))
