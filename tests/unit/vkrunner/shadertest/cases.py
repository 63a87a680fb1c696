"""Small shader tests, run on the reference machine without a file."""

from pathlib import Path

import pytest

import vkrunner
from vkrunner.shadertest.cases import ShaderTest
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.execute import run_case
from vkrunner.shadertest.file_reader import read_text
from vkrunner.shadertest.outcome import Outcome

# One thread copies t0 to u0, dword by dword.
COPY = (Path(__file__).parent / "data/cases.txt").read_text("utf-8")
# Threads 2 and 3 of 4 load and store outside of two dwords.
VIOLATES = (
    COPY.replace("[shader]", "[shader]\nguards report").replace("group 1", "group 4")
    + "[srv 0]\n1 2\n[uav 0]\n0 0\n[test]\ndispatch 1 1 1\n"
)
# A structure with names, as in the compiler's comment.
STRUCTURED = (Path(__file__).parent / "data/structured.txt").read_text("utf-8")


def read(text: str, name: str = "a.shader_test") -> ShaderTest:
    return read_text(text, Path(name), name)


def error_of(text: str) -> ShaderTestError:
    with pytest.raises(ShaderTestError) as caught:
        read(text)
    return caught.value


def check_error(text: str, message: str, place: str) -> None:
    """The error of a text has this part of a message, and carets below this text."""
    error = error_of(text)
    assert message in error.message, error
    assert error.source_line is not None
    assert error.where.column is not None
    start = error.where.column - 1
    assert error.source_line[start : start + error.where.length] == place, error


def faulty_texts(path: Path) -> list[str]:
    """The texts of a file for `check_carets`, with empty lines between them."""
    return path.read_text("utf-8").rstrip("\n").split("\n\n")


def check_carets(front: str, text: str) -> None:
    """The error of a text below `front` is the one that its line of carets has.

    The carets are below the fault, a part of the message behind them.
    """
    rows = text.split("\n")
    (at,) = (n for n, row in enumerate(rows) if row.lstrip().startswith("^"))
    carets, _, message = rows.pop(at).partition("^ ")
    error = error_of(front + "\n".join([*rows, ""]))
    assert message in error.message, error
    assert error.where.line == front.count("\n") + at, error
    assert " " * ((error.where.column or 0) - 1) + "^" * error.where.length == f"{carets}^", error


def outcomes(device: vkrunner.Device, text: str) -> list[Outcome]:
    return [run_case(device, case) for case in read(text).cases]


def outcome(device: vkrunner.Device, text: str) -> Outcome:
    (only,) = outcomes(device, text)
    return only
