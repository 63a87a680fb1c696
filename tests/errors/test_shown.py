"""Names and lines of an input as they are shown: no escapes, no great length."""

from pathlib import Path

import pytest

import translate
from tests.commands import ROOT
from translate.errors import AssemblyError, Where
from vkrunner.__main__ import main

ESCAPED = "\x1b]0;X\x07\ncs_5_0\x9b"


def with_name(name: str) -> bytes:
    """A container whose first resource has another name."""
    container = (ROOT / "shaders" / "moving_average.dxbc").read_bytes()
    program = translate.load(container)
    assert program.reflection is not None
    text = translate.disassemble(program, header=True)
    mark = "m" * len(name.encode())
    made = translate.assemble(text.replace("samples", mark))
    return made.replace(mark.encode(), name.encode())


@pytest.mark.filterwarnings("ignore::translate.ListingWarning")
def test_names_print_no_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "named.dxbc").write_bytes(with_name(ESCAPED))
    for verb in ("disasm --header", "inspect", "inspect --json", "translate -S"):
        assert main([*verb.split(), str(tmp_path / "named.dxbc")]) == 0
        out, err = capsys.readouterr()
        assert not {"\x1b", "\x07", "\x9b"} & set(out + err)
        assert "\ncs_5_0\\x9b" not in out


@pytest.mark.filterwarnings("ignore::translate.ListingWarning")
def test_a_name_adds_no_line_to_a_listing() -> None:
    program = translate.load(with_name("x\ncs_5_0\nret"))
    code = translate.disassemble(program).splitlines()
    listing = translate.disassemble(program, header=True).splitlines()
    assert [line for line in listing if not line.startswith("//")] == code


@pytest.mark.parametrize("column", [1, 60, 30_000, 60_000])
def test_a_message_quotes_a_window_of_a_line(column: int) -> None:
    line = "".join(chr(ord("a") + number % 26) for number in range(60_000))
    text = str(AssemblyError("wrong", Where("f", 1, column, 5), line))
    _, shown, caret = text.splitlines()
    assert len(text) < 600
    assert shown[caret.index("^")] == line[column - 1]


def test_a_message_of_great_length_is_cut() -> None:
    text = str(AssemblyError("begin" + "x" * 60_000 + "end", Where("f", 1, 1), "line"))
    assert len(text) < 3000
    assert "begin" in text
    assert "end" in text
