"""The order of imports is the one that ARCHITECTURE.md shows; little is imported before its use.

`.importlinter` has the order and further contracts, which `sh ci/lint.sh` checks.
"""

import ast
import re
from configparser import ConfigParser
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import sm5vk
import translate
import vkrunner
from tests.commands import output, python

ROOT = Path(__file__).parents[2]


def layers() -> list[list[set[str]]]:
    """The layers of each contract that has some, the top one first."""
    settings = ConfigParser()
    settings.read(ROOT / ".importlinter", encoding="utf-8")
    texts = [section["layers"] for section in settings.values() if "layers" in section]
    return [[{*re.findall(r"\w+", line)} for line in text.split("\n") if line] for text in texts]


def pictures() -> list[list[set[str]]]:
    """The lines of each picture of ARCHITECTURE.md: names before two spaces."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text[text.index("## The order of imports") : text.index("## Where to find")]
    blocks = re.findall(r"(?:^    .+\n)+", section, re.MULTILINE)
    lines = [[line.strip().partition("  ")[0] for line in block.splitlines()] for block in blocks]
    return [[{*re.findall(r"\w+", names)} for names in picture] for picture in lines]


def test_the_architecture_shows_the_layers() -> None:
    assert len(layers()) == 4
    assert pictures() == layers()


def imports() -> dict[str, set[str]]:
    """The files of both packages by their modules, and the modules that each imports anywhere."""
    files = [*(ROOT / "translate").rglob("*.py"), *(ROOT / "vkrunner").rglob("*.py")]
    names = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in files}
    names = {name.removesuffix(".__init__"): file for name, file in names.items()}
    found: dict[str, set[str]] = {}
    for name, file in names.items():
        wanted: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file}: relative"
                parts = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= {part if part in names else str(node.module) for part in parts}
        found[name] = wanted & names.keys()
    return found


def test_no_circles() -> None:
    """No files import each other, not even in functions or for types alone."""
    graph = imports()
    assert len(graph) > 300
    try:
        [*TopologicalSorter(graph).static_order()]
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def loaded_after(code: str) -> set[str]:
    """The modules that a new process imports to run some code, which prints nothing."""
    listing = "import sys; print(*sys.modules, file=sys.stderr)"
    done = python("-c", f"{code}\n{listing}")
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


HELP = "from vkrunner.__main__ import main\nmain(['--help'])"
# The code, a module that it imports, and modules that it does not need
IMPORTS = [
    ("import translate", "translate", "vulkan vkrunner cffi"),
    ("import sm5vk\nsm5vk.Options", "sm5vk", "translate.program vkrunner.api.device numpy vulkan"),
    (HELP, "vkrunner.__main__", "numpy vulkan translate.program vkrunner.api.device"),
    # Cached translations need no instruction set.
    ("import vkrunner\nvkrunner.Device", "vkrunner.api.device",
     "translate.program translate.reference vkrunner.api.reference_device vulkan"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "needed", "others"), IMPORTS)
def test_a_module_is_imported_when_it_is_used(code: str, needed: str, others: str) -> None:
    loaded = loaded_after(code)
    assert needed in loaded
    assert not loaded.intersection(others.split())


@pytest.mark.parametrize("shader", ["saxpy", "particles_emit"])
def test_translating_a_container_needs_little(
    shader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build system starts a process for each shader; imports are most of its time."""
    monkeypatch.setenv("SM5VK_CACHE", "0")
    words = ["translate", f"shaders/{shader}.dxbc", "-o", str(tmp_path / "out.spv")]
    loaded = loaded_after(f"from vkrunner.__main__ import main\nassert main({words}) == 0")
    assert "translate.pipeline" in loaded
    assert not loaded & {"numpy", "translate.asm", "translate.dxbc.pdb", "translate.hlsl.source"}
    assert not loaded & {"html", "logging", "tempfile", "vkrunner.api.device", "vulkan"}


# Verbs whose translations are cached: how many of the project's modules they import, at most
MODULES = {
    "--help": 10,
    "cache": 16,
    "translate shaders/saxpy.dxbc -o {}/out.spv": 34,
    "translate shaders/saxpy.dxbc -o {}/out.spv --for desktop": 90,
    "disasm shaders/saxpy.dxbc": 94,
    "extract shaders/saxpy.dxbc --output-dir {}/out": 82,
    "run shaders/saxpy.dxbc --groups 1 --x arange:64:f4 --y zeros:64:f4 --Params a=2,count=64": 124,
    "diff shaders/saxpy.dxbc --groups 1 --x arange:64:f4 --y zeros:64:f4 --Params a=2,count=64"
    " --against --guards off": 124,
    "test shaders/saxpy.shader_test": 146,
    "devices": 182,
}
TRANSLATOR = {"translate.isa", "translate.pipeline", "translate.explanation"}


@pytest.mark.parametrize("words", MODULES)
def test_a_verb_imports_little(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SM5VK_CACHE", raising=False)
    monkeypatch.setenv("SM5VK_CACHE_DIR", str(tmp_path / "cache"))
    code = "import contextlib, io, sys\nfrom vkrunner.__main__ import main\n"
    code += f"with contextlib.redirect_stdout(io.StringIO()):\n    main({words.split()!r})"
    for number in range(2):
        loaded = loaded_after(code.replace("{}", f"{tmp_path}/{number}"))
    own = {name for name in loaded if name.split(".")[0] in ("translate", "vkrunner")}
    assert len(own) <= MODULES[words]
    if words.split()[0] in ("run", "diff", "test", "translate"):
        assert not own & TRANSLATOR
        assert not loaded & {"logging", "html"}
        assert "hashlib" not in loaded or words.startswith("test"), "it has OpenSSL"
        assert not [name for name in loaded if name.endswith("_vulkan")], "it has all wrappers"


def test_one_package_has_the_names_of_both() -> None:
    """`Profile`, which both have, is that of vkrunner; modules are in it too."""
    assert {*sm5vk.__all__} == {*translate.__all__, *vkrunner.__all__, "reference", "testing"}
    assert {*translate.__all__} & {*vkrunner.__all__} == {"Profile"}
    for name in sm5vk.__all__:
        owner = vkrunner if name in (*vkrunner.__all__, "testing") else translate
        assert getattr(sm5vk, name) is getattr(owner, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sm5vk.nothing


def test_the_package_is_a_command_too() -> None:
    assert python("-m", "sm5vk", "--version").stdout == output("-m", "vkrunner", "--version")


def test_public_names_have_a_home() -> None:
    for name in (*vkrunner.__all__, *translate.__all__):
        owner = vkrunner if name in vkrunner.__all__ else translate
        assert getattr(owner, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = vkrunner.nothing
