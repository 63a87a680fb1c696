"""`Any` turns the type checker off: only files named here have it, each with a reason."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2] / "translate"

ALLOWED = {
    "bulk/jobs.py": "a library that may be absent, and an executor's arguments and results",
    "child.py": "what `subprocess.Popen` takes for standard input and output",
    "pool.py": "a process of multiprocessing, whose method has no type",
    "bulk/run.py": "what JSON holds, for callers to index",
    "dataclass.py": "records of any class, and the values of their fields",
    "files.py": "a stream of texts or of bytes",
    "hlsl/d3dcompiler.py": "functions and pointers of a DLL, which ctypes has without types",
    "interface/plain.py": "what JSON holds, for callers to index",
    "interface/shader.py": "what JSON holds, for callers to index",
    "ir/row.py": "one lane or many: Python's numbers or NumPy arrays",
    "isa/instruction.py": "lanes: the dtype is the operand's, at run time",
    "passes/guards/facts.py": "former entries of tables with values of two types",
    "passes/fold.py": "one lane: Python's numbers or fractions",
}


def files_with_any() -> set[str]:
    found: set[str] = set()
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text())
        if any(isinstance(node, ast.alias) and node.name == "Any" for node in ast.walk(tree)):
            found.add(path.relative_to(ROOT).as_posix())
    return found


def test_any_stands_where_a_reason_is_given() -> None:
    assert files_with_any() == ALLOWED.keys()
