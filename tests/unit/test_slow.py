"""Which tests marked slow run."""

from __future__ import annotations

import pytest

TESTS = """
    import pytest

    def test_quick():
        pass

    @pytest.mark.slow(reason="it waits")
    @pytest.mark.parametrize("name", ["a", "b::c"])
    def test_slow(name):
        pass
"""


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\nmarkers = slow(reason)\naddopts = -p tests.slow --strict-markers\n")
    pytester.mkdir("parts")
    pytester.makepyfile(**{"parts/test_it": TESTS, "parts/test_other": TESTS})
    return pytester


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        ((), 2),
        (("parts",), 2),
        (("--slow",), 6),
        (("--slow", "-k", "slow"), 4),
        (("parts/test_it.py",), 3),
        (("parts/test_it.py::test_slow[b::c]",), 1),
        (("parts/test_it.py", "parts"), 4),
    ],
    ids=str,
)
def test_selection(folder: pytest.Pytester, arguments: tuple[str, ...], passed: int) -> None:
    folder.runpytest_inprocess(*arguments).assert_outcomes(passed=passed)


def test_a_name_of_slow_tests_alone_reports_them(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess("-k", "test_slow")
    result.stdout.fnmatch_lines(["*--slow runs them*", "*6 deselected*"])
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
