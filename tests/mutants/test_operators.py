"""The mutants of small sources, and the mutants that a seed draws."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from checks.mutants.operators import OPERATORS, draw, mutants

ROOT = Path(__file__).parents[2]
MODULES = ("translate/passes/fold.py", "translate/isa/move.py", "vkrunner/values/formats.py")


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("comparison", "x = a < b", ["x = (a <= b)", "x = (a >= b)"]),
        ("comparison", "x = a is b", ["x = (a is not b)"]),
        ("comparison", "x = a not in b", ["x = (a in b)"]),
        ("arithmetic", "x = (a + b) - c", ["x = ((a + b) + c)", "x = (a + b)", "x = (c)"]),
        ("arithmetic", "x -= y", ["x += y"]),
        ("arithmetic", "x = not y", ["x = y"]),
        ("logic", "x = a and b", ["x = (a or b)", "x = (a)", "x = (b)"]),
        ("condition", "if a: b", ["if False: b", "if True: b", "if (not a): b"]),
        ("condition", "while a: b", ["while False: b", "while (not a): b"]),
        ("constant", "x = 8", ["x = 9", "x = 7", "x = 4"]),
        ("constant", "x = True", ["x = False"]),
        ("call", "x = f(a + 1, b)", ["x = (a + 1)", "x = b"]),
        ("call", "x = a.b.c()", ["x = a.b"]),
        ("order", "x = f(a, b)", ["x = f(b, a)"]),
        ("order", "x = f(a=1, b=2)", ["x = f(a=2, b=1)"]),
        ("order", "x = {a: 1, b: 2}", ["x = {a: 2, b: 1}"]),
        ("order", "x = a if b else c", ["x = c if b else a"]),
        ("left out", "x = f(a, *b, c=d)", ["x = f(a, *b)", "x = f(a, c=d)"]),
        ("left out", "x = {a: b, **c}", ["x = {a: b}", "x = {**c}"]),
        ("left out", "for x in (a, b): y", ["for x in (a,): y", "for x in (b,): y"]),
        ("field", "x = {1: a, 2: b}", ["x = {1: b, 2: b}", "x = {1: a, 2: a}"]),
        ("field", "row('x', a)\nrow('y', b)", ["row('y', a)\nrow('y', b)"]),
        ("name", "x = o.a(1)\ny = o.b(2)\nz = o.c", ["x = o.b(1)\ny = o.b(2)\nz = o.c"]),
        ("variable", "def f(a, b):\n return a", ["def f(a, b):\n return b"]),
        ("variable", "def f(a):\n b = 1\n return a", ["def f(a):\n b = 1\n return b"]),
        ("statement", "f()", ["pass"]),
        ("statement", "a.b = 1", ["pass"]),
        ("statement", "a = a + 1", ["pass"]),
        ("statement", "def f():\n return 1", ["def f():\n return None"]),
        ("statement", "if a: raise b", ["if a: pass"]),
        ("statement", "for a in b: pass", ["for a in (): pass"]),
    ],
)
def test_operator(kind: str, before: str, after: list[str]) -> None:
    made = {ast.dump(ast.parse(m.apply(before))) for m in mutants("m", before) if m.kind == kind}
    assert {ast.dump(ast.parse(text)) for text in after} <= made


@pytest.mark.parametrize(
    "text",
    [
        '"""What it does, 1 or 2."""',
        "import a.b",
        "x: int | None",
        "def f(a: int | None) -> int | None: ...",
        "@cached(size=1)\ndef f(): ...",
        "x = f'{a + 1}'",
    ],
)
def test_unchanged_sources(text: str) -> None:
    assert mutants("m", text) == []


def test_error_messages_are_unchanged() -> None:
    assert [m.after for m in mutants("m", "raise Error(1 + 1)")] == ["pass"]


def test_a_mutant_reports_its_line_and_change() -> None:
    found = mutants("m.py", "x = 1\ny = é(a <\n      b)  # the rest\n")
    (mutant,) = [m for m in found if m.after == "(a <= b)"]
    assert str(mutant) == "m.py:2: comparison: a < b -> (a <= b)"
    assert mutant.apply("x = 1\ny = é(a <\n      b)  # the rest\n").endswith(
        "é((a <= b))  # the rest\n"
    )


@pytest.mark.parametrize("module", MODULES)
def test_mutants_are_other_programs(module: str) -> None:
    text = (ROOT / module).read_text(encoding="utf-8")
    drawn = draw(mutants(module, text), 120, 7)
    assert len(drawn) == 120
    same = ast.dump(ast.parse(text))
    assert all(ast.dump(ast.parse(mutant.apply(text))) != same for mutant in drawn)


def test_a_seed_draws_the_same_mutants() -> None:
    text = (ROOT / MODULES[0]).read_text(encoding="utf-8")
    first, again = (draw(mutants("m", text), 50, 3) for _ in range(2))
    assert first == again
    assert first != draw(mutants("m", text), 50, 4)
    assert first[:20] == draw(mutants("m", text), 20, 3), "a larger sample begins with a smaller"


def test_kinds_take_turns() -> None:
    text = (ROOT / MODULES[0]).read_text(encoding="utf-8")
    found = mutants("m", text)
    drawn = draw(found, 2 * len({m.kind for m in found}), 0)
    assert {m.kind for m in found} == set(OPERATORS)
    assert set(Counter(m.kind for m in drawn).values()) == {2}
