"""Tests and checks use public names: none uses a private member, none patches this project.

The text of the files is searched, so programs in strings count. Ruff's rules (SLF001, PLC2701) find
neither these nor patches. In the packages themselves pyright finds private names.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests", ROOT / "checks")
PROGRAMS = (ROOT / "tests/plugin/data/sessions.txt", ROOT / "tests/tools/data/gpu_tests.txt")
FILES = sorted(  # this one has the names that it finds
    {*PROGRAMS, *(path for folder in FOLDERS for path in folder.rglob("*.py"))} - {Path(__file__)}
)

# Each with the reason. Other packages may drop their private names at any time.
EXCEPTIONS = {
    "os._exit": "how the library spells it",
    "from re import _compiler, _constants, _parser": "the tree of a pattern is nowhere else",
    "import _thread": "a documented module, whose name begins with an underscore",
    "m._m12": "a member of a matrix in HLSL",
    'mock.patch.object(binding, "lib", driver)': "the place of the loader's functions: a driver",
}
OURS = r"(?:translate|vkrunner|checks|tests|\.)"
NAME = r"_\w+\b(?<!__)"  # that is private
# Public by its documentation: in a named tuple the underscore keeps a name apart from the fields
OF_NAMED_TUPLES = "(?!(?:_asdict|_fields|_make|_replace)\\b)"
FAULTS = (
    rf"(?<!\bself)(?<!\bcls)\.{OF_NAMED_TUPLES}{NAME}",
    rf"\bfrom [\w.]*\b{NAME}[\w.]* import",
    rf"\bimport (?:\([^)]*|[\w., ]*)\b{NAME}",
    # `monkeypatch.setattr`, `mock.patch`, `mock.patch.object`: a test may simulate another system
    r"(?:\.(?:setattr|delattr|object)|\bpatch)\(\s*[\"']?(?!(?:sys|os|pwd|grp|hashlib|tempfile|Path)\b)\w+",
)


def findings(source: str) -> Iterator[str]:
    """The texts with a fault."""
    for exception in EXCEPTIONS:
        source = source.replace(exception, "")
    imports = re.findall(rf"\bfrom {OURS}[\w.]* import (\([^)]*|.*)", source)
    ours = {"translate", "vkrunner", *re.findall(r"\w+", " ".join(imports))}
    member = rf"(?:{'|'.join(sorted(ours))})(?:\.\w+)+"
    for fault in (*FAULTS, rf"^ *(?:{member} [-+*/|&]?= |del {member})"):
        yield from (found[0] for found in re.finditer(fault, source, re.MULTILINE))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_keeps_to_public_names(path: Path) -> None:
    assert [*findings(path.read_text(encoding="utf-8"))] == []


def test_every_exception_is_needed() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    assert [name for name in EXCEPTIONS if name not in text] == []


WRONG = [
    "kernel._backend",
    "kernel._plan.idle",
    "from vkrunner.shader.cache.entries import _digest",
    "from vkrunner.shader.cache.entries import (\n    _digest,\n)",
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
    "row._replace(name='B')",
    "import sys\nmonkeypatch.setattr(sys, 'platform', 'win32')",
    "monkeypatch.setattr('os.path.expanduser', None)",
    "monkeypatch.setenv('SM5VK_CACHE', '0')",
    "from translate.reference import buffer\nbuffers.counter = 3",
]


@pytest.mark.parametrize("source", WRONG)
def test_faults_are_found(source: str) -> None:
    assert [*findings(source)]


@pytest.mark.parametrize("source", RIGHT)
def test_valid_code_has_no_faults(source: str) -> None:
    assert [*findings(source)] == []
