"""Tests that cannot run where the reference machine is the device, each with the reason.

`vulkan_only.txt` has files, functions in them, and single tests of these, below the subject of each
group. Only this table skips them there. With any other device all of them run.
"""

from pathlib import Path


def _table() -> dict[str, str]:
    """A file, a function in it, or one test of that -> its subject."""
    found: dict[str, str] = {}
    for group in Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n\n"):
        subject, *tests = group.splitlines()
        found |= dict.fromkeys(tests, subject.removeprefix("# "))
    return found


VULKAN_ONLY = _table()


def reason(nodeid: str) -> str | None:
    """Why a test cannot run on the reference machine; None for one that can."""
    test = nodeid.removeprefix("tests/")
    function = test.partition("[")[0]
    file = test.partition("::")[0]
    return VULKAN_ONLY.get(test) or VULKAN_ONLY.get(function) or VULKAN_ONLY.get(file)
