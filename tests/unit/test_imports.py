"""Imports point one way: the arrows of ARCHITECTURE.md, checked on the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import translate
import vkrunner

ROOT = Path(__file__).parents[2]
FRONT_END = {"errors", "isa", "linkage", "program", "reflection"}

# A part of `translate` -> the parts that it may import, besides itself.
ARROWS: dict[str, set[str]] = {
    "choices": set(),
    "gc_pause": set(),
    "errors": set(),
    "files": set(),
    "interface": {"choices", "errors"},
    "linkage": set(),
    "reflection": {"interface"},
    "hlsl": {"choices", "errors", "files"},
    "version": set(),
    "options": {"choices", "errors", "linkage"},
    "ir": {"errors"},
    "target_device": {"ir", "options"},
    "isa": {"errors", "ir"},
    "program": {"errors", "isa", "linkage", "reflection"},
    "dxbc": FRONT_END,
    "asm": FRONT_END,
    "lower": {"errors", "ir", "isa", "linkage", "program", "reflection"},
    "reference": FRONT_END | {"interface", "options"},
    "interpret": {"errors", "ir", "isa", "reference"},
    "passes": {"errors", "ir", "options", "target_device"},
    "spirv": {"errors", "interface", "ir", "target_device"},
    "bindings": {
        "choices",
        "errors",
        "interface",
        "ir",
        "options",
        "passes",
        "reflection",
        "spirv",
    },
    "guard_texts": {"ir", "passes"},
    "sources": {"asm", "errors", "interface", "ir", "program", "spirv", "version"},
    "bulk": {"api", "dxbc", "errors", "files", "hlsl", "options", "version"},
}
# A room of `vkrunner`, a folder or a module -> the rooms that it may import. "__init__" has the
# public names.
BELOW_WORK = {"errors", "info", "resources", "shader", "values"}
BACKEND_SEES = BELOW_WORK | {"binding", "work"}
ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "info": {"errors"},
    "values": {"errors"},
    "resources": {"errors", "info", "values"},
    "shader": {"errors", "info"},
    "binding": {"errors", "resources", "values"},
    "testing": {"__init__", "values"},
    "work": BELOW_WORK | {"binding", "pages"},
    "probes": BELOW_WORK | {"work"},
    "reference": BACKEND_SEES,
    "vulkan": BACKEND_SEES,
    "api": BACKEND_SEES | {"probes", "reference", "vulkan"},
    "__init__": BELOW_WORK | {"api", "vulkan", "work"},
    "shadertest": {"__init__", "binding", "info", "values"},
    "pages": set(),
    "cli": {*BACKEND_SEES - {"resources"}, "__init__", "api", "pages", "shadertest"},
    "pytest_plugin": {"__init__", "shadertest"},
    "__main__": {"cli", "errors"},
}
VULKAN_ROOMS: dict[str, set[str]] = {
    "__init__": set(),
    "loader": set(),
    "device": {"loader"},
    "objects": {"device", "loader"},
    "encode": {"device", "loader", "objects"},
    "backend": {"device", "encode", "objects"},
    "machine_code": {"loader"},
}
# The folders of `translate.passes`, and the modules beside them.
PASSES_ROOMS: dict[str, set[str]] = {
    "__init__": set(),
    "fold": set(),
    "findings": set(),
    "merges": set(),
    "rewrite": set(),
    "dead": {"merges"},
    "registers": {"findings", "merges", "rewrite"},
    "guards": {"findings", "merges", "rewrite"},
    "drivers": {"findings", "guards", "merges", "rewrite"},
    "floats": {"guards", "merges", "rewrite"},
    "simplify": {"drivers", "findings", "floats", "fold", "guards", "merges", "rewrite"},
    "hoist": {"simplify"},
    "pipeline": {
        *("dead", "drivers", "findings", "floats", "guards", "hoist", "registers", "simplify"),
    },
}
# What shader tests may use of `vkrunner`, besides its public names: nothing with a device.
SHADERTEST_SEES = (
    *("vkrunner.binding.registers", "vkrunner.info.faults", "vkrunner.shadertest"),
    "vkrunner.values",
)
# Where the parts are put together.
ASSEMBLY = {"__init__", "__main__", "api", "dump", "explanation", "pipeline"}
RUNNER_SEES = {
    f"translate.{part}"
    for part in (
        *("bulk", "dump", "errors", "files", "hlsl.compiling", "hlsl.d3dcompiler", "hlsl.find"),
        *("hlsl.includes", "hlsl.options", "hlsl.source", "interface", "options", "reference"),
        "version",
    )
}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(source: str, package: str) -> Iterator[str]:
    """Every module that the source imports, at the top or within a function, dotted.

    `from x import y` gives `x.y` as well, as y may be a module. `package` is the dotted name of
    the package that holds the source, for relative imports.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join((*above, base)).rstrip(".")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def part(dotted: str) -> str | None:
    """`translate.ir.types` -> `ir`; None for other packages."""
    names = dotted.split(".")
    return names[1] if len(names) > 1 and names[0] == "translate" and known(names[1]) else None


def known(name: str) -> bool:
    return name in ARROWS or name in ASSEMBLY


def wrong_arrows(owner: str, source: str, package: str) -> list[str]:
    """The imports in a module of the part `owner` of `translate` that point the wrong way."""
    bad = [
        name for name in imported(source, package) if name.split(".")[0] in ("vulkan", "vkrunner")
    ]
    if owner in ASSEMBLY:
        return bad
    allowed = ARROWS[owner] | {owner}
    parts = {name: part(name) for name in imported(source, package)}
    bad += [name for name, target in parts.items() if target and target not in allowed]
    # The package itself is the public face: its own parts do not go through it.
    bad += [name for name in imported(source, package) if name == "translate"]
    return bad


def room_of(path: Path, house: Path) -> str:
    return path.relative_to(house).parts[0].removesuffix(".py")


def rooms_that(source: str, package: str, house: str) -> set[str]:
    """The rooms of a house, `vkrunner` or a folder of it, that a source imports."""
    folder = ROOT.joinpath(*house.split("."))
    found = set[str]()
    for name in imported(source, package):
        if name == house:
            found.add("__init__")
        elif name.startswith(f"{house}."):
            room = name.removeprefix(f"{house}.").partition(".")[0]
            is_room = (folder / room).is_dir() or (folder / f"{room}.py").is_file()
            found.add(room if is_room else "__init__")
    return found


def arrows(house: str) -> dict[str, set[str]]:
    """The rooms of a house, with the rooms that each imports."""
    folder = ROOT.joinpath(*house.split("."))
    found: dict[str, set[str]] = {}
    for path in modules(str(folder)):
        room, source = room_of(path, folder), path.read_text(encoding="utf-8")
        seen = rooms_that(source, dotted_package(path), house)
        found.setdefault(room, set()).update(seen - {room})
    return found


def floors(rooms: Mapping[str, set[str]]) -> int:
    """How many floors rooms need if all arrows point down. Raises CycleError for a circle."""
    floor: dict[str, int] = {}
    for room in TopologicalSorter(rooms).static_order():
        floor[room] = 1 + max((floor[below] for below in rooms[room]), default=0)
    return max(floor.values())


def beyond_the_public_face(source: str) -> list[str]:
    """The imports in a part of `shadertest` that it may not have from `vkrunner`."""
    public = {"vkrunner", *(f"vkrunner.{name}" for name in vkrunner.__all__)}
    names = [name for name in imported(source, "vkrunner.shadertest") if name not in public]
    mine = [name for name in names if name.split(".")[0] == "vkrunner"]
    return [name for name in mine if not name.startswith(SHADERTEST_SEES)]


def dotted_package(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parent.parts)


@pytest.mark.parametrize("path", modules("translate"), ids=lambda p: str(p.relative_to(ROOT)))
def test_translate_imports_point_one_way(path: Path) -> None:
    owner = path.relative_to(ROOT / "translate").parts[0].removesuffix(".py")
    assert known(owner), f"say in ARROWS what {owner} may import"
    assert not wrong_arrows(owner, path.read_text(encoding="utf-8"), dotted_package(path))


@pytest.mark.parametrize("path", modules("vkrunner"), ids=lambda p: str(p.relative_to(ROOT)))
def test_runner_sees_only_the_public_face(path: Path) -> None:
    public = RUNNER_SEES | {"translate"} | {f"translate.{name}" for name in translate.__all__}
    names = imported(path.read_text(encoding="utf-8"), dotted_package(path))
    seen = {name for name in names if name.split(".")[0] == "translate"}
    bad = {name for name in seen if name not in public and name.rpartition(".")[0] not in public}
    assert not bad


@pytest.mark.parametrize(
    ("house", "rooms", "most"),
    [
        ("vkrunner", ROOMS, (18, 11, 75)),
        ("vkrunner.vulkan", VULKAN_ROOMS, (7, 7, 20)),
        ("translate.passes", PASSES_ROOMS, (13, 6, 30)),
    ],
)
def test_arrows_between_rooms_point_down(
    house: str, rooms: dict[str, set[str]], most: tuple[int, int, int]
) -> None:
    """The rooms, floors and arrows are at most as many as ARCHITECTURE.md says."""
    assert arrows(house) == rooms
    counts = (len(rooms), floors(rooms), sum(map(len, rooms.values())))
    assert all(count <= limit for count, limit in zip(counts, most, strict=True)), counts


@pytest.mark.parametrize("path", modules("vkrunner/shadertest"), ids=lambda p: p.name)
def test_shader_tests_see_only_the_public_face(path: Path) -> None:
    assert not beyond_the_public_face(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("source", "bad"),
    [
        ("from vkrunner import Device, open_device", []),
        ("from vkrunner.values.formats import FORMATS", []),
        (
            "from vkrunner.api.device import Device",
            ["vkrunner.api.device", "vkrunner.api.device.Device"],
        ),
        ("def f():\n    import vkrunner.api.kernel", ["vkrunner.api.kernel"]),
        ("from vkrunner import shader", ["vkrunner.shader"]),
    ],
)
def test_private_imports_are_found(source: str, bad: list[str]) -> None:
    assert beyond_the_public_face(source) == bad


@pytest.mark.parametrize(
    ("source", "rooms"),
    [
        ("from vkrunner.vulkan.loader import vk", {"vulkan"}),
        ("def f():\n    from vkrunner.reference.backend import ReferenceBackend", {"reference"}),
        ("import vkrunner.cli.run", {"cli"}),
        ("from vkrunner import shadertest", {"__init__", "shadertest"}),
        ("from vkrunner import Device", {"__init__"}),
        ("from ..values.arrays import Array", {"values"}),
    ],
)
def test_an_arrow_is_seen(source: str, rooms: set[str]) -> None:
    assert rooms_that(source, "vkrunner.work", "vkrunner") == rooms


def pictures() -> list[dict[str, int]]:
    """The floors of ARCHITECTURE.md's pictures, the top one first: part to line, from the top."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text[text.index("## The order of imports") : text.index("## Where to find")]
    blocks = re.findall(r"(?:^    .+\n)+", section, re.MULTILINE)
    return [floors_in(block.splitlines()) for block in blocks]


def floors_in(lines: list[str]) -> dict[str, int]:
    """Names stand before two spaces, or after a number; __init__ in parentheses."""
    found: dict[str, int] = {}
    for number, line in enumerate(lines):
        names = line.strip()
        if names[0].isdigit():
            names = names.partition(" ")[2].replace("the public names (__init__)", "__init__")
        else:
            names = names.partition("  ")[0].replace(",", " ")
        found.update(dict.fromkeys(names.split(), number))
    return found


def test_the_architecture_shows_the_order_of_imports() -> None:
    rooms = [ARROWS, PASSES_ROOMS, ROOMS, VULKAN_ROOMS]
    for picture, seen in zip(pictures(), rooms, strict=True):
        shown = seen.keys() - ({"__init__"} if seen is not ROOMS else set[str]())
        assert shown <= picture.keys() <= seen.keys() | ASSEMBLY
        for room, below in seen.items():
            assert all(picture[room] < picture[one] for one in below), room


def test_circles_are_no_floors() -> None:
    with pytest.raises(CycleError):
        floors({"a": {"b"}, "b": {"a"}})


@pytest.mark.parametrize(
    ("owner", "source"),
    [
        ("ir", "from translate.isa import INSTRUCTIONS"),
        ("reference", "def f():\n    from translate.passes.guards.bounds import guard_bounds"),
        ("reference", "import translate.lower.flow"),
        ("passes", "from translate import spirv"),
        ("spirv", "from ..lower import program"),
        ("lower", "import vulkan"),
        ("api", "from vkrunner import open_device"),
        ("dxbc", "from translate import load"),
    ],
)
def test_a_wrong_arrow_is_seen(owner: str, source: str) -> None:
    assert wrong_arrows(owner, source, f"translate.{owner}")


def test_importing_translate_needs_no_device() -> None:
    code = "import sys, translate; print(*sorted(m.split('.')[0] for m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "translate" in loaded
    assert not loaded & {"vulkan", "vkrunner", "cffi"}


def loaded_after(code: str) -> set[str]:
    """The modules that a new process imports to run some code, which prints nothing."""
    listing = "import sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{listing}"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_help_needs_next_to_nothing() -> None:
    loaded = loaded_after("from vkrunner.__main__ import main\nmain(['--help'])")
    assert "vkrunner.__main__" in loaded
    assert not loaded & {"numpy", "vulkan", "translate.program", "vkrunner.api.device"}


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


def test_the_reference_machine_is_imported_when_it_is_used() -> None:
    loaded = loaded_after("import vkrunner\nvkrunner.Device")
    assert "vkrunner.api.device" in loaded
    assert not loaded & {"translate.reference", "vkrunner.api.reference_device", "vulkan"}
    assert "translate.program" not in loaded, "cached translations need no instruction set"


def test_public_names_have_a_home() -> None:
    for name in (*vkrunner.__all__, *translate.__all__):
        owner = vkrunner if name in vkrunner.__all__ else translate
        assert getattr(owner, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = vkrunner.nothing
