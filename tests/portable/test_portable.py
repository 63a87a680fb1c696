"""Without POSIX or SPIRV-Tools modules are imported, and commands that need no Vulkan work."""

import io
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

import translate

ROOT = Path(__file__).parents[2]
SAXPY = ROOT / "shaders" / "saxpy.dxbc"
LISTING = (Path(__file__).parent / "data/portable.asm").read_text("utf-8")
MAGIC = b"\x03\x02\x23\x07"  # 0x07230203, little-endian: SPIR-V specification §2.3


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    path = tmp_path / "squares.asm"
    path.write_text(LISTING, encoding="utf-8")
    return path


def python(*words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True)


def lacking(*words: str | Path, code: int = 0) -> tuple[bytes, str]:
    """Standard output and error of sm5vk without POSIX."""
    done = python("-m", "tests.portable.lacking", *map(str, words))
    assert done.returncode == code, done.stderr.decode()
    return done.stdout, done.stderr.decode()


def test_every_module_is_imported() -> None:
    imported = set(lacking("import")[0].decode().split())
    files = [p for package in ("translate", "vkrunner") for p in (ROOT / package).rglob("*.py")]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files}
    assert imported == {n.removesuffix(".__init__") for n in names} - {"translate", "vkrunner"}


def test_the_process_lacks_posix_modules() -> None:
    code = (
        "from tests.portable import lacking; lacking.take_away()\n"
        "import os, signal, importlib.util\n"
        "assert not hasattr(os, 'fork') and not hasattr(signal, 'SIGKILL')\n"
        "import fcntl"
    )
    missing = b"ModuleNotFoundError: No module named 'fcntl'"
    assert python("-c", code).stderr.strip().endswith(missing)


@pytest.mark.parametrize("tools", [[], ["--no-tools"]], ids=["tools", "no tools"])
def test_translate(listing: Path, tmp_path: Path, tools: list[str]) -> None:
    module, interface = tmp_path / "squares.spv", tmp_path / "squares.json"
    words = ("translate", listing, "-o", module, "--interface", interface)
    errors = lacking(*tools, *words)[1].splitlines()
    assert len(errors) == len(tools)
    assert all(line.startswith("sm5vk: warning: modules are not validated") for line in errors)
    assert module.read_bytes()[:4] == MAGIC
    assert module.read_bytes() == translate.to_spirv(translate.load(listing)).to_bytes()
    assert json.loads(interface.read_text("utf-8"))["thread_group"] == [4, 1, 1]


def test_translate_many(listing: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    _, errors = lacking("--no-tools", "translate", listing, SAXPY, "--output-dir", folder, "-j2")
    assert errors.count("SPIRV-Tools") == 1
    assert {path.read_bytes()[:4] for path in folder.rglob("*.spv")} == {MAGIC}


def test_disasm_and_asm(listing: Path, tmp_path: Path) -> None:
    container = tmp_path / "squares.dxbc"
    lacking("asm", listing, "-o", container)
    assert container.read_bytes()[:4] == b"DXBC"
    assert "imul null, r0.y, vThreadID.x, vThreadID.x" in lacking("disasm", container)[0].decode()


def test_inspect(listing: Path) -> None:
    facts = json.loads(lacking("inspect", listing, "--json")[0])
    assert (facts["profile"], facts["thread_group"]) == ("cs_5_0", [4, 1, 1])


def test_run_on_the_reference_machine(listing: Path) -> None:
    words = ("--groups", "2,1,1", "--u0", "zeros:8:u4", "--save", "u0=-", "--device", "reference")
    out, errors = lacking("--no-tools", "run", listing, *words)
    np.testing.assert_array_equal(np.load(io.BytesIO(out)), np.arange(8, dtype=np.uint32) ** 2)
    assert errors == ""


# --- SPIRV-Tools --------------------------------------------------------------------------------

NAMED = "libSPIRV-Tools-shared.so"
# Import all that a translation needs, so that the search path can be emptied afterwards
PREPARED = f"""
import sys, translate, translate.dxbc, translate.pipeline
program = translate.load({str(SAXPY)!r})
"""
HIDDEN = f"{PREPARED}\nsys.path.clear()"
ABSENT = f"from tests.portable.lacking import take_tools_away\ntake_tools_away()\n{PREPARED}"


def test_default_validation_is_left_out_with_one_warning() -> None:
    done = python("-c", f"{ABSENT}\nfor _ in range(3): translate.to_spirv(program)")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(b"RuntimeWarning: modules are not validated") == 1
    assert b"install the Vulkan SDK" in done.stderr


def test_requested_validation_is_an_error() -> None:
    code = f"{ABSENT}\ntranslate.to_spirv(program, translate.Options(validate=True))"
    errors = python("-c", code).stderr
    assert b"MissingToolsError: " in errors
    assert b"validation needs SPIRV-Tools" in errors


def test_no_validation_needs_no_tools() -> None:
    code = f"{ABSENT}\ntranslate.to_spirv(program, translate.Options(validate=False))"
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("where", [["-o", "-"], ["--output-dir", "out"]], ids=["one", "many"])
def test_text_needs_the_tools(tmp_path: Path, where: list[str]) -> None:
    where = [word if word != "out" else str(tmp_path / "out") for word in where]
    _, errors = lacking("--no-tools", "translate", "-S", SAXPY, *where, code=2)
    message = "sm5vk: error: SPIR-V assembly needs SPIRV-Tools, which were not found"
    assert errors.splitlines()[-1].startswith(message)


def installed_library() -> Path:
    """The library in this environment's package of SPIRV-Tools."""
    places = (Path(place) / "cmeel.prefix" / "lib" / NAMED for place in sys.path)
    return next(place for place in places if place.exists())


@pytest.mark.skipif(sys.platform != "linux", reason="the file has another name elsewhere")
@pytest.mark.parametrize("place", ["SDK/lib", "SDK/bin", "system"])
def test_the_vulkan_sdk_or_the_system_has_them(tmp_path: Path, place: str) -> None:
    linked = tmp_path / place / NAMED
    linked.parent.mkdir(parents=True)
    linked.symlink_to(installed_library())
    paths = {"VULKAN_SDK": tmp_path / "SDK", "LD_LIBRARY_PATH": tmp_path / "system"}
    code = f"{HIDDEN}\nprint(translate.to_spirv(program).text())"
    done = python("-c", code, **{name: str(path) for name, path in paths.items()})
    assert b"OpEntryPoint GLCompute" in done.stdout


@pytest.mark.parametrize("value", ["yes", None, 2])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(translate.OptionError):
        translate.Options(validate=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("platform", "machine", "wanted"),
    [
        ("linux", "x86_64", True),
        ("linux", "aarch64", True),
        ("darwin", "arm64", True),
        ("darwin", "x86_64", False),
        ("linux", "riscv64", False),
        ("win32", "AMD64", False),
        ("win32", "ARM64", False),
    ],
)
def test_required_where_it_has_wheels(platform: str, machine: str, wanted: bool) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (found,) = (r for r in map(Requirement, project["dependencies"]) if "spirv" in r.name)
    assert found.marker is not None
    environment = {"sys_platform": platform, "platform_machine": machine}
    assert found.marker.evaluate(environment) is wanted
