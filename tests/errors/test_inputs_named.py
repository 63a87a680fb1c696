"""Errors and warnings about an input begin with its file, as logs of builds need."""

import os
from pathlib import Path

import pytest

import translate
from tests.commands import ROOT

from ..unit.vkrunner.cli.conftest import SAXPY, Call
from ..unit.vkrunner.cli.conftest import call as call  # a fixture

LISTING = SAXPY.with_suffix(".asm").read_text()
WRONG_CHECKSUM = "the container's checksum does not match its contents"
DOUBLES = ROOT / "tests/corpus/cs_5_0/double_precision.dxbc"
INPUTS = {
    "empty.dxbc": b"",
    "cut.dxbc": SAXPY.read_bytes()[:300],
    "damaged.dxbc": SAXPY.read_bytes().replace(b"SHEX", b"XXXX"),
    "other.bin": b"\xff\xfd\x00\x01",
    "syntax.asm": LISTING.replace("ret", "frob r0.x\nret").encode(),
    "no_group.asm": LISTING.replace("dcl_thread_group", "//").encode(),
    "pixel.asm": b"ps_5_0\nret\n",
    "missing.dxbc": None,
}
VERBS = (
    "translate {} -o out.spv",
    "translate {} --dump-ir",
    "translate {} --output-dir out",
    "asm {} -o out.dxbc",
    "explain {} -o out.html",
    "run {} --groups 1 --device reference",
    "diff {} saxpy.dxbc --groups 1 --device reference",
    "test {} --device reference",
)
READERS = ("disasm {} -o out.asm", "inspect {}")  # which do not check a program
OPTIONS = (
    "translate {} -o out.spv --bind t9=0:3",
    "translate {} -o out.spv --bind t0=0:160",
    "translate {} -o out.spv --layout t=0:160",
    "translate {} --output-dir out --layout t=0:160",
    "translate {} -o out.spv --format y=r32_uint",
    "translate {} -o out.spv --array-length t0=2",
    "translate {} -o out.spv --constant-length cb9=2",
    "translate {} -o out.spv --window t9",
    "translate {} -o out.spv --single-sample t0",
    "translate {} -o out.spv --class-instance a=b",
    "translate {} -o out.spv --max-words 3",
    "translate {} -o out.spv --entry main",
    "translate {} --dump-ir none",
    "disasm {} -o out.asm --entry main",
    "explain {} -o out.html --bind t9=0:3",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("saxpy.dxbc").write_bytes(SAXPY.read_bytes())
    for name, data in INPUTS.items():
        if data is not None:
            Path(name).write_bytes(data)


def check_named(call: Call, words: str, name: str) -> None:
    """A command fails, and a line of its error begins with the input, or with its whole path."""
    code, out, err = call(*words.format(name).split())
    assert code in (1, 2, 3), out + err
    before = ("", "sm5vk: error: ", "sm5vk: error: nothing to translate: ", "ERROR ")
    begins = tuple(f"{text}{path}" for text in before for path in (name, os.path.abspath(name)))
    assert any(line.startswith(begins) for line in (out + err).splitlines()), out + err


@pytest.mark.parametrize("verb", [*VERBS, *READERS])
@pytest.mark.parametrize("name", INPUTS)
def test_a_wrong_input(call: Call, name: str, verb: str) -> None:
    if verb in READERS and name == "no_group.asm":
        assert call(*verb.format(name).split())[0] == 0
        return
    check_named(call, verb, name)


@pytest.mark.parametrize("verb", OPTIONS)
def test_options_that_do_not_fit(call: Call, verb: str) -> None:
    check_named(call, verb, "saxpy.dxbc")


def test_a_device_that_cannot_run_it(call: Call) -> None:
    check_named(call, "translate {} -o out.spv --for desktop", f"{DOUBLES}")


@pytest.mark.parametrize("verb", [*VERBS[:2], *READERS])
def test_a_warning(call: Call, verb: str) -> None:
    data = SAXPY.read_bytes()
    Path("wrong.dxbc").write_bytes(data[:4] + bytes([data[4] ^ 1]) + data[5:])
    code, _, err = call(*verb.format("wrong.dxbc").split())
    assert code == 0
    assert err == f"sm5vk: warning: wrong.dxbc: {WRONG_CHECKSUM}\n"


def test_errors_of_python_have_the_file() -> None:
    program = translate.load("saxpy.dxbc")
    with pytest.raises(translate.OptionError) as error:
        translate.to_spirv(program, translate.Options(bindings={"t9": (0, 1)}))
    assert error.value.where == translate.Where("saxpy.dxbc")
