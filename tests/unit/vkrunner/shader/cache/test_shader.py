"""Shaders in the cache: the module is the same as without, translated once, and never stale."""

import dataclasses
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import translate
from tests.commands import output
from translate import ClassInstance, Options, SpirvModule
from vkrunner import ArgumentError
from vkrunner.__main__ import main
from vkrunner.shader import shader
from vkrunner.shader.cache.entries import text_of
from vkrunner.shader.shader import Shader

ROOT = Path(__file__).parents[5]
DATA = Path(__file__).parents[2] / "data"
CORPUS = sorted((ROOT / "tests" / "corpus").rglob("*.dxbc"))
SAXPY = DATA / "saxpy.dxbc"
LISTING = translate.disassemble(translate.load(SAXPY))


Calls = list[str]


@pytest.fixture
def translations() -> Iterator[Calls]:
    """The translations that are made, found by Python's profiler."""
    made, before = Calls(), sys.getprofile()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is translate.to_spirv.__code__:
            made.append(event)

    sys.setprofile(note)
    yield made
    sys.setprofile(before)


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
def test_every_kind_of_source(folder: Path, translations: Calls, source: Any) -> None:
    expected = translate.to_spirv(translate.load(source))
    translations.clear()
    assert same(Shader(source).module(Options()), expected)
    assert same(Shader(source).module(Options()), expected)
    shader.forget()
    assert same(Shader(source).module(Options()), expected)
    assert len(translations) == 1, "only the first time"


def test_programs_and_modules_are_not_looked_up(folder: Path, translations: Calls) -> None:
    program = translate.load(SAXPY)
    module = Shader(program).module(Options())
    Shader(program).module(Options())
    assert len(translations) == 2
    assert Shader(module).module(Options()) is module
    assert not folder.exists()


def test_off(folder: Path, monkeypatch: pytest.MonkeyPatch, translations: Calls) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "0")
    for _ in range(2):
        Shader(SAXPY).module(Options())
    assert len(translations) == 2
    assert not folder.exists()


VARIANTS: list[dict[str, Any]] = [
    *({"guards": "off"}, {"target": "vulkan1.2"}, {"optimize": False}, {"validate": False}),
    *({"bindings": {"t0": (1, 2)}}, {"bindings": {"t0": (2, 1)}}, {"layout": {"t": (1, 2)}}),
    *({"push_constants": {"cb0": 16}}, {"push_constants": {"cb1": 16}}),
    *({"windows": frozenset({"t0"})}, {"windows": frozenset({"t0", "u0"})}),
    {"float_controls": frozenset({"rounding_mode_rte_32"})},
    {"robust_access": frozenset({"robust_buffer_access"})},
    {"exact_samples": frozenset({"coordinates"})},
    {"exact_functions": frozenset({"sines"})},
    {"missing_indexing": frozenset({"storage_buffer_dynamic_indexing"})},
    {"workarounds": frozenset({"loop_limit"})},
    *({"denormals": "device"}, {"denormal_test": "bits"}, {"sampling": "device"}),
    *({"size_tables": "dynamic"}, {"constant_lengths": {"cb0": 16}}),
    *({"debug_lines": True}, {"debug_info": True}, {"strict": True}, {"specialize": True}),
    *({"max_inlined": 0}, {"max_instructions": 1 << 18}, {"max_words": 1 << 20}),
]


def test_every_option_counts(folder: Path, translations: Calls) -> None:
    expected = [translate.to_spirv(translate.load(SAXPY), Options(**row)) for row in VARIANTS]
    translations.clear()
    for _ in range(2):
        found = [Shader(SAXPY).module(Options(**row)) for row in VARIANTS]
        assert all(same(*pair) for pair in zip(found, expected, strict=True))
    assert len(translations) == len(VARIANTS)
    names = {name for change in VARIANTS for name in change}
    untried = {field.name for field in dataclasses.fields(Options)} - names
    assert untried == {"formats", "array_lengths", "single_sample", "class_instances"}


def test_equal_options_are_one_key() -> None:
    one = Options(bindings={"t0": (0, 1), "u0": (0, 2)}, windows=frozenset({"t0", "u0"}))
    other = Options(bindings={"u0": (0, 2), "t0": (0, 1)}, windows=frozenset({"u0", "t0"}))
    assert text_of(one) == text_of(other)
    chosen = [Options(class_instances={"a": i}) for i in ("b", ClassInstance("b"), ["b"])]
    assert len({text_of(options) for options in chosen}) == 3


def test_options_without_json_are_not_cached(folder: Path, translations: Calls) -> None:
    """NumPy's bool has no JSON."""
    options = Options(optimize=np.False_)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="cannot be part of a cache key"):
        text_of(options)
    expected = translate.to_spirv(translate.load(SAXPY), Options(optimize=False))
    translations.clear()
    for _ in range(2):
        assert same(Shader(SAXPY).module(options), expected)
        shader.forget()
    assert len(translations) == 2


@pytest.mark.parametrize("options", [Options(debug_lines=True), Options(debug_info=True)])
def test_a_listing_that_names_its_file(folder: Path, tmp_path: Path, options: Options) -> None:
    """Only with one of these options the module contains the file's name."""
    for name in ("one.asm", "two.asm"):
        path = tmp_path / name
        path.write_text(LISTING)
        assert same(Shader(path).module(options), translate.to_spirv(translate.load(path), options))


def test_warnings_are_repeated_each_time(folder: Path) -> None:
    signed = bytearray(SAXPY.read_bytes())
    signed[4] ^= 1  # of the checksum
    expected = translate.load(bytes(signed)).warnings
    assert len(expected) == 1
    for _ in range(2):
        found = Shader(bytes(signed))
        found.module(Options())
        assert found.warnings == expected
        shader.forget()


def test_a_listing_warns_once_a_shader(folder: Path, tmp_path: Path) -> None:
    """Also from a cache, with the file's current name."""
    text = "cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nmov r0.x, l(0.000000)\nret\n"
    for name in ("a.asm", "b.asm"):
        listing = tmp_path / name
        listing.write_text(text)
        found = Shader(listing)
        with pytest.warns(translate.ListingWarning) as caught:
            found.module(Options())
        (warning,) = (one.message for one in caught)
        assert isinstance(warning, translate.ListingWarning)
        assert str(warning).startswith(f"{listing}:4:13: warning: '0.000000' may be rounded")
        assert warning.lines == (4,)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found.module(Options(guards="off"))
        shader.forget()


def test_errors_come_each_time(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(translate.TranslateError, match="DXBC"):
            Shader(b"\xff\xff").module(Options())


def test_a_damaged_entry_is_rewritten(folder: Path, translations: Calls) -> None:
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


# --- processes ----------------------------------------------------------------------------------


MODULES_AFTER = """
import sys
from translate import Options
from vkrunner.shader.shader import Shader
Shader(sys.argv[1]).module(Options())
print(*sys.modules)
"""
COMMAND = """
import sys
from vkrunner import ArgumentError
from vkrunner.__main__ import main
code = main(["translate", sys.argv[1], "-o", sys.argv[2]])
print(code, *sys.modules)
"""


@pytest.mark.parametrize("code", [MODULES_AFTER, COMMAND])
def test_a_second_process_imports_no_translator(folder: Path, tmp_path: Path, code: str) -> None:
    outcomes = [output("-c", code, SAXPY, tmp_path / f"{n}.spv").split() for n in range(2)]
    heavy = {"translate.pipeline", "translate.isa", "translate.program"}
    assert heavy < set(outcomes[0])
    assert not heavy & set(outcomes[1])
    assert "numpy" not in {*outcomes[0], *outcomes[1]}  # its import takes longer than the rest


def test_the_command_gives_the_same_file(folder: Path, tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.spv" for n in range(2)]
    for path in paths:
        words = ["translate", str(SAXPY), "-o", str(path), "--interface", f"{path}.json"]
        assert main(words) == 0
        shader.forget()
    expected = translate.to_spirv(translate.load(SAXPY))
    assert [path.read_bytes() for path in paths] == [expected.to_bytes()] * 2
    texts = [Path(f"{path}.json").read_text() for path in paths]
    assert texts == [f"{expected.interface.to_json()}\n"] * 2


@pytest.mark.parametrize("source", [3, None, ["saxpy.dxbc"], memoryview])
def test_other_objects_are_no_shaders(source: Any) -> None:
    with pytest.raises(ArgumentError, match="a shader is a path, text, bytes, a Program or"):
        Shader(source)
