"""Without POSIX every module can be imported, and commands that need no Vulkan work."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import translate

ROOT = Path(__file__).parents[2]
SAXPY = ROOT / "shaders" / "saxpy.dxbc"
LISTING = """cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
ishl r0.x, vThreadID.x, l(2)
imul null, r0.y, vThreadID.x, vThreadID.x
store_raw u0.x, r0.x, r0.y
ret
"""
MAGIC = b"\x03\x02\x23\x07"  # 0x07230203, little-endian: SPIR-V specification §2.3


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    path = tmp_path / "squares.asm"
    path.write_text(LISTING, encoding="utf-8")
    return path


def lacking(*words: str | Path) -> tuple[bytes, str]:
    """Standard output and error of sm5vk without POSIX."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.portable.lacking", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode()
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
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.strip().endswith("ModuleNotFoundError: No module named 'fcntl'")


@pytest.mark.parametrize("tools", [[], ["--no-tools"]], ids=["tools", "no tools"])
def test_translate(listing: Path, tmp_path: Path, tools: list[str]) -> None:
    module, interface = tmp_path / "squares.spv", tmp_path / "squares.json"
    lacking(*tools, "translate", listing, "-o", module, "--interface", interface)
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
