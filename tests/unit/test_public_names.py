"""Tests use public names: none uses a private member, none patches this project.

Ruff's rules (SLF001, PLC2701) find private names, but no patches, and no names in the text of a
program that a test runs; in the packages themselves pyright finds private names.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted({*TESTS.rglob("*.py")} - {Path(__file__)})  # it has the names that it finds
OURS = {"translate", "vkrunner", "tests"}
PATCHES = {"setattr", "delattr", "patch", "object"}  # of monkeypatch, and of unittest.mock

# Names in a file, each with the reason. Other packages may drop their private names at any time.
EXCEPTIONS = {
    "os._exit": "how the library spells it",
    "from re import _compiler, _constants, _parser": "the tree of a pattern is nowhere else",
    "import _thread": "a documented module, whose name begins with an underscore",
    "mock.patch.object(binding, 'lib', driver)": "the place of the loader's functions: a driver",
}


# Public by its documentation: the underscore keeps them apart from the fields
OF_NAMED_TUPLES = ("_asdict", "_fields", "_make", "_replace")


def is_private(name: str) -> bool:
    if name in OF_NAMED_TUPLES:
        return False
    return name.startswith("_") and name.strip("_") != "" and not name.endswith("__")


def findings(source: str) -> Iterator[tuple[int, str]]:
    """Lines and their faults; code in strings is checked too."""
    tree = ast.parse(source)
    imported = dict(modules_of_names(tree))
    for node in ast.walk(tree):
        if is_wrong(node, imported) and (text := ast.unparse(node)) not in EXCEPTIONS:
            yield node.lineno, text
        for code in embedded(node):
            yield from ((node.lineno + line - 1, text) for line, text in findings(code))


def is_wrong(node: ast.AST, imported: dict[str, str]) -> TypeGuard[ast.expr | ast.stmt]:
    if isinstance(node, ast.Attribute):
        return is_private(node.attr) and not is_name(node.value, "self", "cls")
    if isinstance(node, ast.ImportFrom):
        names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        return any(is_private(name) for name in names)
    if isinstance(node, ast.Import):
        return any(is_private(name) for alias in node.names for name in alias.name.split("."))
    if isinstance(node, ast.Call):
        return is_patch(node.func) and not is_of_library(node.args[0], imported)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)):
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        return any(isinstance(t, ast.Attribute) and root(t, imported) in OURS for t in targets)
    return False


def is_name(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def is_patch(function: ast.expr) -> bool:
    """`monkeypatch.setattr`, `mock.patch`, `mock.patch.object`, `setattr` of a module, ..."""
    if isinstance(function, ast.Attribute):
        return function.attr in PATCHES
    return is_name(function, "patch")


def is_of_library(target: ast.expr, imported: dict[str, str]) -> bool:
    """Whether the patched object is of Python's library: a test may simulate another system."""
    return root(target, imported) in sys.stdlib_module_names


def root(node: ast.expr, imported: dict[str, str]) -> str:
    """The package of a dotted name, or of a text with one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.partition(".")[0]
    return imported.get(node.id, "") if isinstance(node, ast.Name) else ""


def modules_of_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that imports bind, each with its package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.partition(".")[0]
                yield alias.asname or package, package
        elif isinstance(node, ast.ImportFrom):
            package = "tests" if node.level else (node.module or "").partition(".")[0]
            yield from ((alias.asname or alias.name, package) for alias in node.names)


def embedded(node: ast.AST) -> Iterator[str]:
    """A string that is a program; values of an f-string count as names."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(
            str(part.value) if isinstance(part, ast.Constant) else "something"
            for part in node.values
        )
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return
    if "import" not in text:
        return
    code = textwrap.dedent(text)
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return
    yield code


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(TESTS)))
def test_a_file_keeps_to_public_names(path: Path) -> None:
    assert [*findings(path.read_text(encoding="utf-8"))] == []


def test_every_exception_is_needed() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    unquoted = text.replace('"', "'")
    assert [name for name in EXCEPTIONS if name not in unquoted] == []


WRONG = [
    "kernel._backend",
    "kernel._plan.idle",
    "from vkrunner.shader.cache.keys import _digest",
    "from translate._parts import Part",
    "import vkrunner._parts",
    'monkeypatch.setattr("vkrunner.shader.shader.digest", None)',
    'import translate\nmonkeypatch.setattr(translate, "load", None)',
    'from vkrunner.shadertest import execute\nmonkeypatch.setattr(execute, "check", None)',
    'monkeypatch.setattr(device, "info", None)',
    'mock.patch("translate.load")',
    'mock.patch.object(device, "info", None)',
    "from unittest.mock import patch\npatch('translate.load')",
    "import translate\ntranslate.IMPORTED_NS = 0",
    "from vkrunner import shader\ndel shader.digest",
    'CODE = """\nimport vkrunner\nvkrunner.session._devices\n"""',
    'CODE = f"""\nimport vkrunner\n{name}._devices\n"""',
]
RIGHT = [
    "self._count = 1",
    "kernel.__class__",
    "import sys\nmonkeypatch.setattr(sys, 'platform', 'win32')",
    "monkeypatch.setattr('os.path.expanduser', None)",
    "monkeypatch.setenv('SM5VK_CACHE', '0')",
    "buffer.counter = 3",
    "x = '''\nthat is important: a._b\n'''",
]


@pytest.mark.parametrize("source", WRONG)
def test_faults_are_found(source: str) -> None:
    assert len([*findings(source)]) == 1


@pytest.mark.parametrize("source", RIGHT)
def test_valid_code_has_no_faults(source: str) -> None:
    assert [*findings(source)] == []
