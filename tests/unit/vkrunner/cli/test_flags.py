"""Every field of `translate.Options` has a flag on every verb that translates."""

import argparse
import dataclasses
import shlex
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import pytest

import translate
import vkrunner
from translate.errors import row_of
from vkrunner.__main__ import main
from vkrunner.cli.translation_flags import FLAGS, flags_of, translation_options

from ....complete import check_complete
from ....coverage.builds import CHOICES
from .conftest import ROOT, SAXPY, TYPED, Call

COMPILED = ROOT / "tests/coverage/compiled"
RESAMPLE = ROOT / "tests/corpus/cs_5_0/resample.dxbc"
HALVES = ROOT / "tools/benchmarks/kernels/blur_halves.dxbc"
RANGES = COMPILED / "ranges_non_uniform.cs_5_1.O3.dxbc"
CLASSES = COMPILED / "class_buffers.cs_5_0.O3.dxbc"

UNBOUNDED = (Path(__file__).parent / "data/flags.asm").read_text("utf-8")
Case = tuple[list[str], Any, Path | str | None]


def several(flag: str, words: str, shader: Path | None) -> Case:
    """The case of a flag that takes several words."""
    return [flag, words], frozenset(words.split(",")), shader


OF_FLAGS = "CASES of tests/unit/vkrunner/cli/test_flags.py"
# Field -> its words, its value, and a shader whose module they change; None where they decide
# whether there is a module.
CASES: dict[str, Case] = {
    "guards": (["--guards", "off"], "off", SAXPY),
    "target": (["--target", "vulkan1.3"], "vulkan1.3", SAXPY),
    "bindings": (["--bind", "t0=2:7", "--bind=u0=1:0"], {"t0": (2, 7), "u0": (1, 0)}, SAXPY),
    "layout": (
        ["--layout", "cb=1:0,t=2:4", "--layout=u=3:0"],
        {"cb": (1, 0), "t": (2, 4), "u": (3, 0)},
        SAXPY,
    ),
    "push_constants": (
        ["--push-constants", "cb0=128,cb7=16", "--push-constants=Params=64"],
        {"cb0": 128, "cb7": 16, "Params": 64},
        None,
    ),
    "formats": (["--format", "u0=r32_uint"], {"u0": "r32_uint"}, TYPED),
    "float_controls": several(
        "--float-controls", "denorm_flush_to_zero_32,rounding_mode_rte_32", SAXPY
    ),
    "robust_access": several("--robust-access", "robust_buffer_access", SAXPY),
    "exact_samples": several("--exact-samples", "slices,gradients", RESAMPLE),
    "exact_functions": several("--exact-functions", "halves,sines", HALVES),
    "specialize": (["--specialize"], True, SAXPY),
    "missing_indexing": several(
        "--missing-indexing", "storage_buffer_non_uniform_indexing", RANGES
    ),
    "array_lengths": (["--array-length", "t0=3"], {"t0": 3}, UNBOUNDED),
    "constant_lengths": (["--constant-length", "cb0=16"], {"cb0": 16}, SAXPY),
    "size_tables": (["--size-tables", "non_uniform"], "non_uniform", RANGES),
    "workarounds": several("--workaround", "loop_values", None),
    "windows": several("--window", "t0", SAXPY),
    "single_sample": several("--single-sample", "t0,t1", ROOT / "tests/textures/data/samples.dxbc"),
    "class_instances": (
        ["--class-instance", "source=bytes", "--class-instance", "sources=many[1],constant"],
        CHOICES["class_buffers"],
        CLASSES,
    ),
    "denormals": (["--denormals", "device"], "device", SAXPY),
    "denormal_test": (["--denormal-test", "bits"], "bits", SAXPY),
    "sampling": (["--sampling", "device"], "device", RESAMPLE),
    "max_inlined": (["--max-inlined", "9"], 9, None),
    "max_instructions": (["--max-instructions", "900000"], 900000, None),
    "max_words": (["--max-words", "900000"], 900000, None),
    "optimize": (["--no-optimize"], False, RESAMPLE),
    "validate": (["--no-validate"], False, None),
    "debug_lines": (["--debug-lines"], True, ROOT / "shaders/saxpy.asm"),
    "debug_info": (["--debug-info"], True, SAXPY),
    "strict": (["--strict"], True, None),
}
CHANGING = {name: row for name, row in CASES.items() if row[2] is not None}
OPTIONS = dataclasses.fields(translate.Options)
FIELDS = [field.name for field in OPTIONS]
PLACES = {
    "translate": ["translate", "in.dxbc"],
    "inspect": ["inspect", "in.dxbc"],
    "run": ["run", "in.dxbc", "--groups", "1"],
}


def parsed(words: list[str]) -> dict[str, Any]:
    """The options that a verb makes of its words."""
    parser = argparse.ArgumentParser()
    import_module(f"vkrunner.cli.{words[0]}").configure(parser)
    return translation_options(parser.parse_args(words[1:]))


@dataclasses.dataclass(frozen=True)
class More(translate.Options):
    """Options with a new field of each type."""

    speed_of: Literal["slow", "fast"] = "slow"
    heights: Mapping[str, int] = dataclasses.field(default_factory=dict[str, int])
    colours: frozenset[str] = frozenset()
    is_brief: bool = False
    most: int = 7


def test_a_new_field_is_a_flag() -> None:
    parser = argparse.ArgumentParser()
    made = flags_of(More)[len(FLAGS) :]
    for flag in made:
        parser.add_argument(flag.spelling, dest=flag.name, **flag.keywords)
    words = ["--speed-of=fast", "--heights=t0=3", "--colours=red,blue", "--is-brief", "--most=9"]
    given = vars(parser.parse_args(words))
    expected = ["fast", {"t0": 3}, frozenset({"red", "blue"}), True, 9]
    assert [flag.read(given[flag.name]) for flag in made] == expected
    with pytest.raises(SystemExit):
        parser.parse_args(["--speed-of=none"])


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag.name)
def test_the_help_of_a_flag(flag: Any) -> None:
    """It has a meaning, and all choices and the default of a mode."""
    text, (field,) = flag.keywords["help"], [f for f in OPTIONS if f.name == flag.name]
    assert text.partition("for instance")[0]
    if "choices" in flag.keywords:
        assert [choice for choice in flag.keywords["choices"] if choice not in text] == []
        assert f"(default: {field.default})" in text
    assert text.endswith("repeatable") == flag.for_one


def test_every_field_has_a_case() -> None:
    check_complete(CASES, FIELDS, OF_FLAGS)


@pytest.mark.parametrize("verb", PLACES)
@pytest.mark.parametrize("field", FIELDS)
def test_every_field_has_a_flag(verb: str, field: str) -> None:
    words, value, _ = row_of(CASES, field, OF_FLAGS)
    assert parsed(PLACES[verb]) == {}
    given = parsed([*PLACES[verb], *words])
    assert list(given) == [field]
    made = translate.Options(**given)
    assert made == translate.Options(**{field: value})
    assert made != translate.Options()


@pytest.mark.parametrize("field", CHANGING)
def test_flags_change_the_module(field: str, tmp_path: Path) -> None:
    words, value, shader = CHANGING[field]
    path, out = shader, tmp_path / "out.spv"
    if isinstance(path, str):
        path = tmp_path / "a.asm"
        path.write_text(str(shader))
    assert path is not None
    assert main(["translate", str(path), *words, "-o", str(out)]) == 0
    program = translate.load(path)
    made = translate.to_spirv(program, translate.Options(**{field: value})).to_bytes()
    assert out.read_bytes() == made
    if field != "class_instances":  # it is required
        assert made != translate.to_spirv(program).to_bytes()


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["--float-controls", "none"], {"float_controls": frozenset()}),
        (["--validate"], {"validate": True}),
        (["--format", "u0=r32_uint,r32_float"], {"formats": {"u0": ["r32_uint", "r32_float"]}}),
    ],
)
def test_other_forms(words: list[str], value: dict[str, Any]) -> None:
    assert parsed(["translate", "in.dxbc", *words]) == value


def test_run_takes_them(call: Call, device: vkrunner.Device, tmp_path: Path) -> None:
    """A given length is used together with formats, which come from the arguments."""
    path = tmp_path / "a.asm"
    path.write_text(UNBOUNDED)
    words = ("run", path, "--groups", "1", "--t0", "zeros:1:u4;arange:2:u4;ones:1:u4")
    bound = ("--u0", "zeros:1:u4:r32_uint", "--array-length", "t0=3")
    assert call(*words, *bound)[:2] == (0, "u0: uint32[1] 1\n")


def test_inspect_shows_what_the_flags_make(call: Call) -> None:
    """The command that it prints last has them too, and runs."""
    code, out, _ = call("inspect", CLASSES, *CASES["class_instances"][0], "--bind", "u0=3:9")
    assert code == 0
    assert "(set 3, binding 9, storage_buffer)" in out
    command = next(line for line in out.splitlines() if line.startswith("  sm5vk run"))
    assert call(*shlex.split(command)[1:], "--device", "reference")[0] == 0
