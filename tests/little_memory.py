"""`python -m tests.little_memory WORD...`: sm5vk with at most `LIMIT_BYTES` of memory."""

import sys

import pytest

from .commands import Done, python

LIMIT_BYTES = 4 << 30


def run_with_little_memory(*words: object) -> Done:
    """Run `sm5vk WORD...`; skips the test where a process's memory cannot be limited."""
    if sys.platform != "linux":
        pytest.skip("only Linux limits the memory of a process")
    return python("-m", "tests.little_memory", *words)


def main() -> int:
    import resource

    from vkrunner.__main__ import main as sm5vk

    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    return sm5vk(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
