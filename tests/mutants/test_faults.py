"""The list of faults is true: each is where it says, makes a difference, and has tests."""

from __future__ import annotations

import ast
import shlex
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from .fault import Fault
from .faults import FAULTS

ROOT = Path(__file__).parents[2]


@cache
def tree(text: str) -> str:
    """The syntax tree of a text; a file has many faults and is parsed once."""
    return ast.dump(ast.parse(text))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.what}")
def test_fault_can_be_made(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    assert text.count(fault.before) == 1, f"its text occurs {text.count(fault.before)} times"
    changed = text.replace(fault.before, fault.after)
    assert ast.dump(ast.parse(changed)) != tree(text)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.what}")
def test_its_tests_are_there(fault: Fault) -> None:
    paths = [word for word in shlex.split(fault.tests) if word.startswith("tests/")]
    assert paths
    assert all((ROOT / path).exists() for path in paths)


def test_no_fault_is_listed_twice() -> None:
    assert max(Counter((f.file, f.before, f.after) for f in FAULTS).values()) == 1
    assert max(Counter((f.file, f.what) for f in FAULTS).values()) == 1
