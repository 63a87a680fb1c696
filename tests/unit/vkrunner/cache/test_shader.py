"""Shaders through the cache: the same module as without, translated once, and never a wrong one."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate import ClassInstance, Options, SpirvModule
from vkrunner import shader
from vkrunner.cache import keys
from vkrunner.cache.keys import text_of
from vkrunner.cache.store import open_store
from vkrunner.shader import Shader

ROOT = Path(__file__).parents[4]
DATA = Path(__file__).parents[1] / "data"
CORPUS = sorted((ROOT / "tests" / "corpus").rglob("*.dxbc"))
SAXPY = DATA / "saxpy.dxbc"
LISTING = translate.disassemble(translate.load(SAXPY))


@pytest.fixture
def translations(monkeypatch: pytest.MonkeyPatch) -> list[Options]:
    """The options of each translation that is really made."""
    made: list[Options] = []
    original = translate.to_spirv

    def counted(program: Any, options: Options | None = None) -> SpirvModule:
        made.append(options or Options())
        return original(program, options)

    monkeypatch.setattr(translate, "to_spirv", counted)
    return made


def same(found: SpirvModule, expected: SpirvModule) -> bool:
    return np.array_equal(found.words, expected.words) and found.interface == expected.interface


@pytest.mark.parametrize("path", CORPUS[::4], ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_module_from_the_disk_is_the_one_that_was_made(folder: Path, path: Path) -> None:
    for options in (Options(), Options(guards="report")):
        expected = translate.to_spirv(translate.load(path), options)
        Shader(path).module(options)
        shader.forget()
        found = Shader(path).module(options)
        assert same(found, expected)
        assert not found.words.flags.writeable, "it came from a cache"
        assert found.interface.to_json() == expected.interface.to_json()
        kinds = [type(value) for value in dataclasses.astuple(found.interface)]
        assert kinds == [type(value) for value in dataclasses.astuple(expected.interface)]


@pytest.mark.parametrize(
    "source", [SAXPY, str(SAXPY), SAXPY.read_bytes(), LISTING, LISTING.encode()]
)
def test_every_kind_of_source(folder: Path, translations: list[Options], source: Any) -> None:
    expected = translate.to_spirv(translate.load(source))
    translations.clear()
    assert same(Shader(source).module(Options()), expected)
    assert same(Shader(source).module(Options()), expected)
    shader.forget()
    assert same(Shader(source).module(Options()), expected)
    assert len(translations) == 1, "only the first time"


def test_programs_and_modules_are_not_looked_up(folder: Path, translations: list[Options]) -> None:
    program = translate.load(SAXPY)
    module = Shader(program).module(Options())
    Shader(program).module(Options())
    assert len(translations) == 2
    assert Shader(module).module(Options()) is module
    assert not folder.exists()


def test_off(folder: Path, monkeypatch: pytest.MonkeyPatch, translations: list[Options]) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "0")
    Shader(SAXPY).module(Options())
    Shader(SAXPY).module(Options())
    assert len(translations) == 2
    assert not folder.exists()


VARIANTS: list[dict[str, Any]] = [
    {"guards": "off"},
    {"target": "vulkan1.2"},
    {"bindings": {"t0": (1, 2)}},
    {"bindings": {"t0": (2, 1)}},
    {"float_controls": frozenset({"rounding_mode_rte_32"})},
    {"windows": frozenset({"t0"})},
    {"windows": frozenset({"t0", "u0"})},
    {"denormals": "device"},
    {"sampling": "device"},
    {"size_tables": "dynamic"},
    {"optimize": False},
    {"validate": False},
    {"debug_lines": True},
    {"max_inlined": 0},
    {"max_instructions": 1 << 18},
    {"max_words": 1 << 20},
]


def test_every_option_counts(folder: Path, translations: list[Options]) -> None:
    expected = [translate.to_spirv(translate.load(SAXPY), Options(**row)) for row in VARIANTS]
    translations.clear()
    for _ in range(2):
        found = [Shader(SAXPY).module(Options(**row)) for row in VARIANTS]
        assert all(same(*pair) for pair in zip(found, expected, strict=True))
    assert len(translations) == len(VARIANTS)
    names = {name for change in VARIANTS for name in change}
    untried = {field.name for field in dataclasses.fields(Options)} - names
    assert untried == {"formats", "array_lengths", "class_instances"}


def test_equal_options_are_one_key() -> None:
    one = Options(bindings={"t0": (0, 1), "u0": (0, 2)}, windows=frozenset({"t0", "u0"}))
    other = Options(bindings={"u0": (0, 2), "t0": (0, 1)}, windows=frozenset({"u0", "t0"}))
    assert text_of(one) == text_of(other)
    chosen = [Options(class_instances={"a": i}) for i in ("b", ClassInstance("b"), ["b"])]
    assert len({text_of(options) for options in chosen}) == 3


def test_what_cannot_be_compared_is_not_cached(folder: Path) -> None:
    options = Options(class_instances={"a": object()})  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="no plain data"):
        text_of(options)
    store = open_store()
    assert store is not None
    assert Shader(SAXPY)._key(store, options) is None  # pyright: ignore[reportPrivateUsage]


def test_a_listing_that_names_its_file(folder: Path, tmp_path: Path) -> None:
    """Only with `debug_lines` does the file's name get into the module."""
    options = Options(debug_lines=True)
    for name in ("one.asm", "two.asm"):
        path = tmp_path / name
        path.write_text(LISTING)
        assert same(Shader(path).module(options), translate.to_spirv(translate.load(path), options))


def test_another_translator_is_another_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch, translations: list[Options]
) -> None:
    Shader(SAXPY).module(Options())
    monkeypatch.setattr("vkrunner.shader.translator_digest", lambda store: "another")
    Shader(SAXPY).module(Options())
    assert len(translations) == 2


def test_an_unknown_translator_is_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, translations: list[Options]
) -> None:
    monkeypatch.setattr("vkrunner.shader.translator_digest", lambda store: None)
    Shader(SAXPY).module(Options())
    Shader(SAXPY).module(Options())
    assert len(translations) == 2


def test_warnings_are_told_each_time(folder: Path) -> None:
    signed = bytearray(SAXPY.read_bytes())
    signed[4] ^= 1  # of the checksum
    expected = translate.load(bytes(signed)).warnings
    assert len(expected) == 1
    for _ in range(2):
        found = Shader(bytes(signed))
        found.module(Options())
        assert found.warnings == expected
        shader.forget()


def test_errors_come_each_time(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(translate.TranslateError, match="DXBC"):
            Shader(b"\xff\xfe").module(Options())


def test_a_damaged_entry_is_made_anew(folder: Path, translations: list[Options]) -> None:
    first = Shader(SAXPY).module(Options())
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1])
    shader.forget()
    assert same(Shader(SAXPY).module(Options()), first)
    assert len(translations) == 2
    shader.forget()
    assert same(Shader(SAXPY).module(Options()), first)
    assert len(translations) == 2


# --- the translator's source --------------------------------------------------------------------


@pytest.fixture
def package(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another package in the translator's place."""
    made = tmp_path / "translate"
    (made / "passes").mkdir(parents=True)
    (made / "__init__.py").write_text("first = 1\n")
    (made / "passes" / "fold.py").write_text("second = 2\n")
    monkeypatch.setattr(translate, "__file__", str(made / "__init__.py"))
    monkeypatch.setattr(translate, "IMPORTED_NS", 2**63)
    return made


def source_digest() -> str | None:
    """As a new process would have it."""
    keys._translator_digest.cache_clear()  # pyright: ignore[reportPrivateUsage]
    store = open_store()
    assert store is not None
    return keys.translator_digest(store)


@pytest.fixture(autouse=True)
def of_this_process() -> Any:
    yield
    keys._translator_digest.cache_clear()  # pyright: ignore[reportPrivateUsage]


def test_a_change_of_the_source_is_seen(package: Path) -> None:
    first = source_digest()
    assert first == source_digest()
    (package / "passes" / "fold.py").write_text("second = 3\n")
    changed = source_digest()
    assert changed not in (first, None)
    (package / "passes" / "fold.py").write_text("second = 2\n")
    assert source_digest() == first
    (package / "passes" / "new.py").write_text("")
    assert source_digest() not in (first, changed, None)


def test_where_the_source_lies_does_not_count(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that another machine made of the same source can be used here."""
    first = source_digest()
    package.rename(tmp_path / "elsewhere")
    monkeypatch.setattr(translate, "__file__", str(tmp_path / "elsewhere" / "__init__.py"))
    assert source_digest() == first


def test_a_source_that_changed_after_the_import_is_not_trusted(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = max(path.stat().st_ctime_ns for path in package.rglob("*.py"))
    monkeypatch.setattr(translate, "IMPORTED_NS", newest)
    assert source_digest() is not None
    monkeypatch.setattr(translate, "IMPORTED_NS", newest - 1)
    assert source_digest() is None


def test_no_source_no_cache(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translate, "__file__", "/nowhere.zip/translate/__init__.py")
    assert source_digest() is None


# --- processes ----------------------------------------------------------------------------------


def run(code: str, *arguments: object) -> str:
    words = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


MODULES_AFTER = """
import sys
from translate import Options
from vkrunner.shader import Shader
Shader(sys.argv[1]).module(Options())
print(*sys.modules)
"""
COMMAND = """
import sys
from vkrunner.__main__ import main
code = main(["translate", sys.argv[1], "-o", sys.argv[2]])
print(code, *sys.modules)
"""


@pytest.mark.parametrize(("code", "without"), [(MODULES_AFTER, "isa"), (COMMAND, "numpy")])
def test_a_second_process_imports_no_translator(
    folder: Path, tmp_path: Path, code: str, without: str
) -> None:
    outcomes = [run(code, SAXPY, tmp_path / f"{n}.spv").split() for n in range(2)]
    heavy = {"translate.pipeline", "translate.isa", "translate.program"}
    assert heavy < set(outcomes[0])
    assert not heavy & set(outcomes[1])
    assert ("numpy" in outcomes[1]) == (without == "isa")


def test_the_command_gives_the_same_file(
    folder: Path, tmp_path: Path, run_verb: Callable[..., None]
) -> None:
    paths = [tmp_path / f"{n}.spv" for n in range(2)]
    for path in paths:
        run_verb("translate", SAXPY, "-o", path, "--interface", f"{path}.json")
        shader.forget()
    expected = translate.to_spirv(translate.load(SAXPY))
    assert [path.read_bytes() for path in paths] == [expected.to_bytes()] * 2
    texts = [Path(f"{path}.json").read_text() for path in paths]
    assert texts == [f"{expected.interface.to_json()}\n"] * 2


@pytest.fixture
def run_verb() -> Callable[..., None]:
    from vkrunner.__main__ import main

    def run(*words: object) -> None:
        assert main([str(word) for word in words]) == 0

    return run
