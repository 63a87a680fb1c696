"""Places and messages of errors."""

import pytest

from translate import errors


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (errors.Where("noise.asm", line=14, column=19), "noise.asm:14:19"),
        (errors.Where("noise.asm", line=14), "noise.asm:14"),
        (errors.Where(line=2, column=3), "<listing>:2:3"),
        (errors.Where("a.dxbc", offset=0x1C), "a.dxbc at byte 0x1c"),
        (errors.Where(offset=52, instruction=7), "<container> at byte 0x34 (instruction 7)"),
        (errors.Where(line=2, instruction=7), "<listing>:2"),
        (errors.NOWHERE, "<container>"),
    ],
)
def test_places(where: errors.Where, text: str) -> None:
    assert str(where) == text


def test_a_message_points_into_its_line() -> None:
    error = errors.AssemblyError(
        "swizzle needs one or four letters, got 'xyz'",
        errors.Where("noise.asm", line=14, column=19, length=3),
        "  iadd r0.xyz, r1.xyz, l(1)",
    )
    assert str(error).splitlines() == [
        "noise.asm:14:19: error: swizzle needs one or four letters, got 'xyz'",
        "  14 |   iadd r0.xyz, r1.xyz, l(1)",
        "     |                   ^^^",
    ]


def test_a_message_without_place_stands_alone() -> None:
    assert str(errors.TranslateError("no")) == "no"
    assert (
        str(errors.TranslateError("no", errors.Where(offset=4)))
        == "<container> at byte 0x4: error: no"
    )


def caret_line(where: errors.Where, line: str) -> str:
    return errors.render_caret(where, line).splitlines()[1]


def test_control_characters_do_not_reach_a_terminal() -> None:
    where = errors.Where("a\x1b]0;\x07\nb.asm", line=3, column=3, length=5)
    text = str(errors.TranslateError("no", where, "\ta\x1b[2J\x9bz\u202e"))
    assert text.splitlines() == [
        r"a\x1b]0;\x07\nb.asm:3:3: error: no",
        "   3 | \ta\ufffd[2J\ufffdz\ufffd",
        "     | \t ^^^^^",
    ]


def test_tabs_are_kept_below_tabs() -> None:
    assert caret_line(errors.Where(line=1, column=3), "\tx y") == "     | \t ^"


def test_carets_end_with_the_line() -> None:
    assert caret_line(errors.Where(line=1, column=3, length=99), "mov r0") == "     |   ^^^^"
    assert caret_line(errors.Where(line=1, column=7, length=0), "mov r0") == "     |       ^"


def test_long_line_numbers_stay_above_their_carets() -> None:
    text, carets = errors.render_caret(errors.Where(line=123456, column=1), "mov").splitlines()
    assert text.index("mov") == carets.index("^")


@pytest.mark.parametrize("where", [errors.Where(line=1), errors.Where(offset=3), errors.NOWHERE])
def test_no_caret_without_a_column(where: errors.Where) -> None:
    assert errors.render_caret(where, "mov") == ""
    assert errors.render_caret(errors.Where(line=1, column=1), None) == ""


@pytest.mark.parametrize(
    "kind", [errors.DecodeError, errors.AssemblyError, errors.UnsupportedError, errors.VerifyError]
)
def test_one_base_for_all(kind: type[errors.TranslateError]) -> None:
    error = kind("message", errors.Where("a", line=1))
    assert isinstance(error, errors.TranslateError)
    assert (error.message, error.where.file, error.source_line) == ("message", "a", None)
