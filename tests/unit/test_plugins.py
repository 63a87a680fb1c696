"""The plugins of this test suite: the tests that are left out, and the seconds of each folder."""

import re
from pathlib import Path

import pytest

from tests.shares import shares
from tests.slow import share
from tests.vulkan_only import VULKAN_ONLY, reason

FOLDER = Path(__file__).parents[1]
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


@pytest.mark.parametrize("place", VULKAN_ONLY)
def test_an_entry_is_there(place: str) -> None:
    path, _, function = place.partition("[")[0].partition("::")
    assert f"def {function}" in (FOLDER / path).read_text(encoding="utf-8")


def test_a_test_is_found_by_its_id() -> None:
    assert reason("tests/host/test_host.py::test_saxpy[x]") == VULKAN_ONLY["host/test_host.py"]
    assert reason("tests/textures/test_uavs.py::test_numbers_of_every_format[r8_unorm-device]")
    assert reason("tests/textures/test_uavs.py::test_another") is None


SLOW_FIXTURE = """
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
    pytester.makepyfile(**{"one/test_a": SLOW_FIXTURE, "two/test_b": SLOW_FIXTURE})
    result = pytester.runpytest("-p", "tests.shares", *workers)
    lines = [line for line in result.outlines if re.search(r"\d%  ", line)]
    assert sorted(line.split()[-1] for line in lines) == ["one", "two"]
    assert all(float(line.split()[0]) >= 0.2 for line in lines)  # with the fixture's
    assert "seconds of each" not in pytester.runpytest("-p", "tests.shares", "one").stdout.str()
