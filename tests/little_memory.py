"""`python -m tests.little_memory WORD...`: sm5vk with at most `LIMIT_BYTES` of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LIMIT_BYTES = 4 << 30


def run_with_little_memory(*words: object) -> subprocess.CompletedProcess[str]:
    """Run `sm5vk WORD...`; skips the test where a process's memory cannot be limited."""
    if sys.platform != "linux":
        pytest.skip("only Linux limits the memory of a process")
    command = [sys.executable, "-m", "tests.little_memory", *map(str, words)]
    root = Path(__file__).parents[1]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def main() -> int:
    import resource

    from vkrunner.__main__ import main as sm5vk

    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    return sm5vk(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
