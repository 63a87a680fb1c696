"""Which tests marked slow run."""

from __future__ import annotations

import pytest

from tests.slow import share

TESTS = """
    import pytest

    def test_quick():
        pass

    @pytest.mark.slow(reason="it waits")
    @pytest.mark.parametrize("name", ["a", "b::c"])
    def test_slow(name):
        pass

    @pytest.mark.thorough(reason="it repeats")
    def test_thorough():
        pass
"""


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini(
        "[pytest]\nmarkers =\n  slow(reason)\n  thorough(reason)\n"
        "addopts = -p tests.slow --strict-markers\n"
    )
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
        (("--thorough",), 8),
        (("--thorough", "-k", "thorough"), 2),
        (("parts/test_it.py",), 4),
        (("parts/test_it.py::test_slow[b::c]",), 1),
        (("parts/test_it.py", "parts"), 5),
    ],
    ids=str,
)
def test_selection(folder: pytest.Pytester, arguments: tuple[str, ...], passed: int) -> None:
    folder.runpytest_inprocess(*arguments).assert_outcomes(passed=passed)


def test_a_name_of_slow_tests_alone_reports_them(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess("-k", "test_slow")
    result.stdout.fnmatch_lines(["*left out: --slow or --thorough*", "*8 deselected*"])
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_share_of_each_kind() -> None:
    """The quick cases are at equal distances; a quarter of the others is slow, of each kind."""
    cases = [f"{number}-{kind}" for number in range(200) for kind in ("a", "b", "c")]
    made = share(cases, str, 10, "many")
    assert [one.id for one in made] == cases
    quick = [one.id for one in made if not one.marks]
    assert quick == cases[::10]
    for kind in "abc":
        marks = [one.marks[0].name for one in made if one.marks and one.id.endswith(kind)]
        assert set(marks) == {"slow", "thorough"}
        assert 0.17 < marks.count("slow") / len(marks) < 0.33
