"""The modules that `setup.py` compiles have nothing that mypyc cannot compile."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def setting(name: str) -> set[str]:
    """A constant of setup.py, which no test can import."""
    for node in ast.parse((ROOT / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return set(eval(ast.unparse(node.value)))
    raise KeyError(name)


def compiled() -> Iterator[Path]:
    left_out = setting("INTERPRETED")
    for part in sorted(setting("COMPILED")):
        for path in sorted((ROOT / "translate" / part).rglob("*.py")):
            if path.relative_to(ROOT / "translate").as_posix() not in left_out:
                yield path


def names(nodes: list[ast.expr]) -> set[str]:
    """The names in expressions, also of attributes."""
    found = [inner for node in nodes for inner in ast.walk(node)]
    return {getattr(node, "id", getattr(node, "attr", "")) for node in found}


def obstacle(node: ast.AST) -> str:
    """The reason that mypyc refuses a piece of source, or changes its meaning; "" for none."""
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
        return "import *"
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        starred = (ast.Tuple, ast.List, ast.Set)
        last = node.comparators[-1]
        if isinstance(last, starred) and any(isinstance(one, ast.Starred) for one in last.elts):
            return "a starred operand after `in`"
    if isinstance(node, ast.ClassDef):
        bases = names(node.bases)
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        if bases & {"Enum", "IntEnum", "Flag", "IntFlag"} and "__init__" in methods:
            return "an enumeration with __init__"
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        if bases & {"Generic", "GenericOver"} and "slots" in decorators:
            return "a generic dataclass with slots"
    return ""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from a import *", "import *"),
        ("x in (y, *z)", "a starred operand after `in`"),
        ("x in (y, z)", ""),
        ("class A(Enum):\n def __init__(self): ...", "an enumeration with __init__"),
        ("@dataclass(slots=True)\nclass A(Generic[T]): ...", "a generic dataclass with slots"),
    ],
)
def test_obstacle(source: str, expected: str) -> None:
    found = [obstacle(node) for node in ast.walk(ast.parse(source))]
    assert "".join(found) == expected


def test_modules_can_be_compiled() -> None:
    paths = list(compiled())
    assert ROOT / "translate/passes/simplify.py" in paths
    assert ROOT / "translate/passes/drivers/hidden.py" in paths
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not obstacle(node), f"{path}:{getattr(node, 'lineno', 0)}: {obstacle(node)}"


def test_excluded_modules_exist() -> None:
    for name in setting("INTERPRETED"):
        assert (ROOT / "translate" / name).is_file(), name


def test_nothing_is_compiled_in_the_clone() -> None:
    command = [sys.executable, "-m", "vkrunner", "--version"]
    assert b"(compiled)" not in subprocess.check_output(command, cwd=ROOT, timeout=60)
