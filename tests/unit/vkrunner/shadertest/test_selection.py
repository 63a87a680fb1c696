"""The files that paths name, and the tests that an expression selects."""

from pathlib import Path

import pytest

from vkrunner.errors import FileError, InvalidValueError
from vkrunner.shadertest.session import find_files, parse_expression

NAMES = ["a", "a.b", "c", "two words"]


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("a", NAMES[:2]),
        ("A.B", NAMES[1:2]),
        ("not a", NAMES[2:]),
        ("a and not b", NAMES[:1]),
        ("a or c", NAMES[:3]),
        ("not (a or b)", NAMES[2:]),
        ("c or a and b", NAMES[1:3]),
        ("two words", NAMES[3:]),
        ("not not c", NAMES[2:3]),
    ],
)
def test_expressions(expression: str, chosen: list[str]) -> None:
    assert list(filter(parse_expression(expression), NAMES)) == chosen


@pytest.mark.parametrize("expression", ["", "a and", "(a", "a)", "or b", "not", "a (b)"])
def test_no_expressions(expression: str) -> None:
    with pytest.raises(InvalidValueError):
        parse_expression(expression)


def test_files_folders_and_globs(folder: Path) -> None:
    for name in ("a.shader_test", "x/b.shader_test", "x/y/c.shader_test", "x/d.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("")

    def names(*paths: str) -> list[str]:
        return [path.as_posix() for path in find_files(paths)]

    assert names("x") == ["x/b.shader_test", "x/y/c.shader_test"]
    assert names("**/*", "a.shader_test") == ["a.shader_test", *names("x")]
    assert names("x/d.txt") == ["x/d.txt"]
    Path("x/venv/lib").mkdir(parents=True)
    Path("x/venv/lib/e.shader_test").write_text("")
    assert "x/venv/lib/e.shader_test" in names("x")
    Path("x/venv/pyvenv.cfg").write_text("")  # a virtual environment has tests of other packages
    assert names("x") == ["x/b.shader_test", "x/y/c.shader_test"]
    assert names("x/venv/lib") == ["x/venv/lib/e.shader_test"]
    Path("empty").mkdir()
    for nothing in ("empty", "*.txt", "z*"):
        with pytest.raises(FileError, match=r".shader_test"):
            find_files([nothing])
    for missing in ("nowhere", "x/e.shader_test"):
        with pytest.raises(FileError, match=f"^{missing}: no such file or folder"):
            find_files(["x", missing])
