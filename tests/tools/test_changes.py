"""The report of a change, in a small repository; what this one's translator makes for it."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

import translate
from tools.changes.__main__ import main
from tools.changes.modules import MODES, translated

ROOT = Path(__file__).parents[2]
EVERY = ", ".join(MODES)
TRANSLATOR = """
MADE = {made}

class Options:
    def __init__(self, validate, guards="d3d"):
        self.guards = guards

class Module:
    def __init__(self, data):
        self.data = data

    def to_bytes(self):
        return self.data

def load(path):
    return path.read_text()

def to_spirv(name, options):
    return Module(MADE[name].get(options.guards, MADE[name]["d3d"]))
"""
BEFORE = {name: {"d3d": b"once"} for name in ("same", "longer", "other", "lost")}
AFTER = {
    "same": {"d3d": b"once"},
    "longer": {"d3d": b"once", "report": b"oncemore"},
    "other": {"d3d": b"1234"},
    "found": {"d3d": b"once"},
}
LINES = """
| checks | 1 | 0 | -1 | 1 | 0 | -1 |
| tests | 0 | 1 | +1 | 0 | 2 | +2 |
| translate/passes | 1 | 1 | +0 | 1 | 3 | +2 |
| vkrunner/*.py | 1 | 1 | +0 | 1 | 2 | +1 |
| **translate and vkrunner** | 3 | 3 | +0 | 21 | 24 | +3 |

"""
MODULES = f"""\
Modules of 6 shaders in the guard modes {EVERY}: \
5 newly refused, 5 newly translated, 6 changed, 5 refused by both, 9 the same.

Newly refused, words of SPIR-V before → after:

- `shaders/lost.dxbc`: {EVERY} 1 → KeyError: 'lost'

Newly translated, words of SPIR-V before → after:

- `shaders/found.dxbc`: {EVERY} KeyError: 'found' → 1

Changed, words of SPIR-V before → after:

- `shaders/longer.dxbc`: report 1 → 2
- `tests/corpus/cs_5_0/other.dxbc`: {EVERY} 1 → 1
"""


def git(folder: Path, *words: str) -> str:
    own = "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "core.hooksPath=none"
    return subprocess.check_output(["git", *own, *words], cwd=folder, encoding="utf-8")


def write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A repository with a commit, and with changes in the working tree."""
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    shaders = "shaders/longer", "shaders/lost", "shaders/found", "shaders/never"
    shaders += "tests/corpus/cs_5_0/same", "tests/elsewhere"
    code = {"translate/__init__.py": TRANSLATOR.format(made=BEFORE), "vkrunner/api.py": "1\n"}
    code |= {"checks/a.py": "1\n", "translate/passes/guards/a.py": "1\n", ".gitignore": "made\n"}
    write(tmp_path, code | {f"{name}.dxbc": Path(name).name for name in shaders})
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "before")
    (tmp_path / "checks/a.py").unlink()
    code = {"translate/__init__.py": TRANSLATOR.format(made=AFTER), "tests/new.py": "1\n2\n"}
    code |= {"translate/passes/guards/a.py": "1\n2\n3\n", "made/a.py": "1\n"}
    code |= {"vkrunner/api.py": "1\n2\n", "tests/corpus/cs_5_0/other.dxbc": "other"}
    write(tmp_path, code)
    return tmp_path


def test_report(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the working tree, and of the same files as a commit."""
    assert main(["HEAD"], changed) == 0
    tree = capsys.readouterr().out
    assert LINES + MODULES in tree
    git(changed, "add", ".")
    git(changed, "commit", "--quiet", "--message", "after")
    (changed / "shaders/lost.dxbc").unlink()
    assert main(["HEAD^", "HEAD"], changed) == 0
    assert capsys.readouterr().out == tree.replace("HEAD to the working tree", "HEAD^ to HEAD")
    assert git(changed, "worktree", "list").count("\n") == 1


def test_nothing_is_left_after_an_error(changed: Path) -> None:
    (changed / "translate/__init__.py").write_text("raise SystemExit(1)")
    with pytest.raises(subprocess.CalledProcessError):
        main(["HEAD"], changed)
    assert git(changed, "worktree", "list").count("\n") == 1


@pytest.mark.parametrize("revisions", [["nothing"], ["HEAD", "nothing"], ["HEAD:shaders"]])
def test_unknown(revisions: list[str], changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(revisions, changed) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert repr(revisions[-1]) in printed.err
    assert printed.err.count("\n") == 1


def test_modes_of_this_translator() -> None:
    name = "tests/corpus/cs_5_0/saxpy.dxbc"
    ((_, found),) = translated(ROOT, [name], ROOT).items()
    program = translate.load(ROOT / name)
    options = [translate.Options(), *(translate.Options(guards=mode) for mode in MODES[1:])]
    words = [str(len(translate.to_spirv(program, one).words)) for one in options]
    assert [found[mode][0] for mode in MODES] == words
    assert found["default"] == found["d3d"]
