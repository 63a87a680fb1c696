"""A missing row is named with its table, and the tables are in the files that messages name."""

import re
from pathlib import Path

import pytest

from translate.errors import row_of

from ..complete import check_complete

ROOT = Path(__file__).parents[2]
FILES = [path for name in ("translate", "tests") for path in (ROOT / name).rglob("*.py")]
PLACE = re.compile(r'"(\w+) of ((?:translate|vkrunner|tests)/[\w/]+\.py)')


def test_a_missing_row_is_named() -> None:
    assert row_of({"iadd": 30}, "iadd", "OPCODES of isa.py") == 30
    with pytest.raises(LookupError, match=r"^isub has no row in OPCODES of isa\.py$"):
        row_of({"iadd": 30}, "isub", "OPCODES of isa.py")


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ("ac", "b has no row in OPCODES of isa.py"),
        ("abcd", "d does not exist, and has a row in OPCODES of isa.py"),
    ],
)
def test_an_incomplete_table_fails(found: str, message: str) -> None:
    check_complete("abc", "cab", "OPCODES of isa.py")
    with pytest.raises(pytest.fail.Exception, match=f"^{re.escape(message)}$"):
        check_complete(found, "abc", "OPCODES of isa.py")


def test_named_tables_are_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES if path != Path(__file__)]
    places = {found for text in texts for found in PLACE.findall(text)}
    assert len(places) > 10
    for name, path in places:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^(def )?{name}\b", text, re.MULTILINE), name
