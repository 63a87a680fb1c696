"""Any text gives a program or an error that points into it: no other exception, no hang."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.asm import parse_listing, print_listing
from translate.dxbc.contents import encode_container
from translate.errors import AssemblyError, TranslateError, UnsupportedError

from .listings import held_listing

SEEDS = [
    held_listing(name)
    for name in ("flow", "operands_5_0", "operands_5_1", "declarations_5_1", "icb", "layouts")
]
FRAGMENTS = st.one_of(
    st.text(alphabet="{}[]()|,.;:-+*/ \t\n#0123456789xyzwrtucblg_", max_size=6),
    st.sampled_from(
        ["l(", "[r0.x + ", "0x", "1.#", "_indexable", "dcl_", "// ", "\r\n", "x0[", "{"]
    ),
    st.text(max_size=3),
)
EDITS = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 12), FRAGMENTS),
    min_size=1,
    max_size=6,
)
BOUNDED = settings(max_examples=250, deadline=None, derandomize=True)


def check(text: str) -> None:
    """A parsed program can be printed and, unless a value is too large, encoded."""
    try:
        program = parse_listing(text, None)
    except (AssemblyError, UnsupportedError) as error:
        check_place(error)
        return
    parse_listing(print_listing(program), None)
    with contextlib.suppress(TranslateError):
        encode_container(program)


def check_place(error: TranslateError) -> None:
    """The error points into a line of the text, and shows the line of a listing."""
    where = error.where
    assert where.line is not None
    assert where.column is not None
    assert where.length >= 1
    if error.source_line is None:
        assert error.message.startswith("the first line of a listing should be a profile")
    else:
        assert where.column <= len(error.source_line) + 1
    assert str(error)


@given(st.text())
@BOUNDED
def test_any_text(text: str) -> None:
    check(text)


@given(st.binary())
@BOUNDED
def test_any_bytes_after_a_profile(data: bytes) -> None:
    check("cs_5_0\n" + data.decode("latin-1"))


@given(st.sampled_from(SEEDS), EDITS)
@BOUNDED
def test_edited_listings(listing: str, edits: list[tuple[float, int, str]]) -> None:
    for place, removed, fragment in edits:
        at = int(place * len(listing))
        listing = listing[:at] + fragment + listing[at + removed :]
    check(listing)


@given(st.sampled_from(SEEDS), st.floats(0, 1))
@BOUNDED
def test_truncated_listings(listing: str, share: float) -> None:
    check(listing[: int(share * len(listing))])


LONG = 50_000


@pytest.mark.parametrize(
    "line",
    [
        "mov r0.x, " + "[" * LONG,
        "mov r0.x, x0" + "[" * LONG + "]" * LONG,
        "mov r0.x, x0" + "[x0[0 + " * LONG,
        "mov r0.x, l(" + "(" * LONG,
        "mov r0.x, l(" + "1," * LONG + ")",
        "mov r0.x, l(" + "1" * LONG + ")",
        "mov r0.x, l(0." + "1" * LONG + ")",
        "mov r0.x, -" + " " * LONG + "5",
        "mov r0.x, r0.x" + " " * LONG + "j",
        "mov r0.x, r0.x" + "{ a }" * LONG,
        "mov" + "_sat" * LONG,
        "mov" + "(a)" * LONG,
        "ld_indexable" + "()" * LONG + " r0.x",
        "a" * LONG,
        "1" * LONG,
        "," * LONG,
        "dcl_globalFlags " + "|" * LONG,
        "dcl_function_table ft0 = {" + "a" * LONG + "}",
        "dcl_immediateConstantBuffer " + "{" * LONG,
        "dcl_immediateConstantBuffer {" + "{1,2,3,4}," * LONG,
    ],
    ids=lambda line: line[:40],
)
def test_long_lines(line: str) -> None:
    check(f"cs_5_0\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        "// struct",
        "// float a; // Offset: 0 Size: 4",
        "// float a; // Offset: 0 Size: 4000000000\n//  = 0x00000000 0x00000000",
        "// a texture float 2d t0 1",
        "// cbuffer A",
        "// Resource Bindings:",
    ],
)
def test_long_headers(line: str) -> None:
    header = "// Buffer Definitions: \n// cbuffer A\n// {\n"
    check(header + f"{line}\n" * 10_000 + "cs_5_0\nret \n")
    check(header + line + " " * LONG + ";\ncs_5_0\nret \n")
