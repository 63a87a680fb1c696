"""The table of the seconds that each folder's tests took."""

from __future__ import annotations

import re

import pytest

from tests.shares import shares

TEST = """
    import time
    import pytest

    @pytest.fixture
    def slow_to_make():
        time.sleep(0.2)

    def test_it(slow_to_make):
        pass
"""


def test_setup_call_and_teardown_count() -> None:
    phases = [
        ("tests/unit/ir/test_row.py::test_a", 0.5),
        ("tests/unit/ir/deeper/test_row.py::test_b[x/y::z]", 0.25),
        ("tests/unit/test_slow.py::test_c", 1.0),
        ("tests/rows/test_alu.py::test_d", 2.0),
        ("tests/rows/data/test_alu.py::test_e", 4.0),
    ]
    expected = {"tests/unit/ir": 0.75, "tests/unit": 1.0, "tests/rows": 6.0}
    assert dict(shares(phases)) == expected


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_table(pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    for folder in ("one", "two"):
        pytester.mkdir(folder)
    pytester.makepyfile(**{"one/test_a": TEST, "two/test_b": TEST})
    result = pytester.runpytest("-p", "tests.shares", *workers)
    lines = [line for line in result.outlines if re.search(r"\d%  ", line)]
    assert sorted(line.split()[-1] for line in lines) == ["one", "two"]
    assert all(float(line.split()[0]) >= 0.2 for line in lines)  # with the fixture's
    assert "seconds of each" not in pytester.runpytest("-p", "tests.shares", "one").stdout.str()
