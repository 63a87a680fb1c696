"""Bad input: one clear error on stderr, exit code 2, no traceback, no incomplete file."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner.__main__ import main

from ..commands import ROOT, sm5vk

DATA = Path(__file__).parent / "data"
SAXPY = ROOT / "shaders" / "saxpy.dxbc"
LISTING = ROOT / "shaders" / "saxpy.asm"
RET = (0x0100003E).to_bytes(4, "little")
OLD_OUTPUT = b"what was here before"


Outcome = subprocess.CompletedProcess[str]
Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """HLSL is refused here, also where this machine has a compiler."""
    monkeypatch.setenv("SM5VK_FXC", "/there/is/no/fxc")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line within this process."""

    def call(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse ends so
            code = stop.code if isinstance(stop.code, int) else 1
        out, err = capsys.readouterr()
        return Outcome([], code, out, err)

    return call


def assert_refused(outcome: Outcome, *mentions: str) -> None:
    assert (outcome.returncode, outcome.stdout) == (2, ""), outcome
    assert "Traceback" not in outcome.stderr
    assert outcome.stderr.count("error: ") == 1, outcome.stderr
    for text in mentions:
        assert text in outcome.stderr, outcome.stderr


FOREIGN = {
    "empty": b"",
    "one byte": b"D",
    "only the magic": b"DXBC",
    "half a header": SAXPY.read_bytes()[:20],
    "only a header": SAXPY.read_bytes()[:32],
    "half": SAXPY.read_bytes()[:500],
    "the last byte cut off": SAXPY.read_bytes()[:-1],
    "unknown opcode": SAXPY.read_bytes().replace(RET, b"\xfe\x07\0\1"),
    "a chunk past the end": re.sub(
        b"SHEX....", b"SHEX\xff\xff\xff\x7f", SAXPY.read_bytes(), flags=re.DOTALL
    ),
    "zeros": bytes(1000),
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\2\0\0\0",
    "elf": b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0\1\0\0\0",
    "text": b"This is no shader.\nNot at all.\n",
    "utf-16 without a byte order mark": "cs_5_0\nret\n".encode("utf-16-le"),
    "hlsl": (ROOT / "shaders" / "saxpy.hlsl").read_bytes(),
    "pixel shader": (DATA / "tint.dxbc").read_bytes(),
    "pixel shader's listing": (DATA / "tint.asm").read_bytes(),
}
MENTIONS = {
    "unknown opcode": ("opcode",),
    "pixel shader": ("pixel",),
    "pixel shader's listing": ("ps_5_0",),
    "text": ("cs_5_0",),
    "hlsl": ("HLSL", "SM5VK_FXC"),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("verb", ["translate", "disasm", "inspect", "run"])
def test_files_that_are_no_compute_shader(run: Run, tmp_path: Path, name: str, verb: str) -> None:
    source, output = tmp_path / "input", tmp_path / "output"
    source.write_bytes(FOREIGN[name])
    output.write_bytes(OLD_OUTPUT)
    arguments = {
        "translate": ("-o", output),
        "disasm": ("-o", output),
        "inspect": (),
        "run": ("--groups", "1,1,1", "--u0", "zeros:4:f4", "--save", f"u0={output}"),
    }
    assert_refused(run(verb, source, *arguments[verb]), *MENTIONS.get(name, ()))
    assert output.read_bytes() == OLD_OUTPUT
    assert sorted(tmp_path.iterdir()) == [source, output]


def edited(old: str, new: str) -> str:
    text = LISTING.read_text()
    assert old in text
    return text.replace(old, new)


STORE = "store_structured u0.x, vThreadID.x, l(0x00000000), r0.x"
# The text that is replaced, the new text, and the words that the carets should mark.
LISTING_FAULTS = {
    "unknown mnemonic": ("mad r0.x", "madd r0.x", "madd"),
    "mask .xz": (STORE, STORE.replace("u0.x", "u0.xz").replace("r0.x", "r0.xxxx"), "u0.xz"),
    "mask .y": (STORE, STORE.replace("u0.x", "u0.y").replace("r0.x", "r0.xxxx"), "u0.y"),
    "an undeclared register": ("mad r0.x", "mad r9.x", "r9"),
    "an unknown register": ("mad r0.x", "mad q0.x", "q0"),
}


@pytest.mark.parametrize("name", LISTING_FAULTS)
def test_listings_with_a_fault(run: Run, tmp_path: Path, name: str) -> None:
    old, new, pointed = LISTING_FAULTS[name]
    source, output = tmp_path / "edited.asm", tmp_path / "out.spv"
    text = edited(old, new)
    source.write_text(text)
    outcome = run("translate", source, "-o", output)
    assert_refused(outcome)
    assert not output.exists()
    assert_points_at(outcome.stderr, text, new, pointed)


def assert_points_at(err: str, text: str, line_holds: str, pointed: str) -> None:
    """The error names file and line, prints the line, and has carets under the fault."""
    number = next(n for n, line in enumerate(text.splitlines(), 1) if line_holds in line)
    assert f"edited.asm:{number}:" in err
    lines = err.splitlines()
    at = next(n for n, line in enumerate(lines) if line_holds in line)
    column = lines[at].index(line_holds) + line_holds.index(pointed)
    carets = lines[at + 1]
    assert carets.strip(" |").strip("^") == ""
    assert carets.index("^") == column


RUN = ("run", SAXPY, "--groups", "1,1,1")
X, Y, PARAMS = ("--t0", "ones:64:f4"), ("--u0", "ones:64:f4"), ("--cb0", "a=2,count=64")


@pytest.mark.parametrize(
    ("arguments", "mentions"),
    [
        ((*RUN, *X, *PARAMS), ("u0",)),
        ((*RUN, *X, *Y), ("cb0",)),
        ((*RUN, *X, *Y, "--cb0", "a=2"), ("count",)),
        ((*RUN, *X, *Y, "--cb0", "a=2,count=64,b=3"), ("'b'",)),
        ((*RUN, *X, *Y, *PARAMS, "--t7", "ones:4:f4"), ("t7",)),
        ((*RUN, *X, *PARAMS, "--u0", "ones:64:f8"), ("u0", "float64")),
        ((*RUN, *X, *PARAMS, "--u0", "ones:many:f4"), ("many",)),
        (("run", SAXPY, "--groups", "65536,1,1", *X, *Y, *PARAMS), ("65536", "65535")),
        (("run", SAXPY, "--groups", "1,1,1,1", *X, *Y, *PARAMS), ("groups",)),
        (("run", SAXPY, "--groups", "-1,1,1", *X, *Y, *PARAMS), ("groups",)),
        (("run", SAXPY, *X, *Y, *PARAMS), ("--groups", "--threads")),
        ((*RUN, "--threads", "8", *X, *Y, *PARAMS), ("--groups", "--threads")),
        (("run", SAXPY, "--threads", "8,-1", *X, *Y, *PARAMS), ("--threads",)),
        ((*RUN, *X, *Y, *PARAMS, "--guards", "some"), ("some",)),
    ],
)
def test_runs_that_do_not_fit(
    run: Run, device: Any, tmp_path: Path, arguments: tuple[object, ...], mentions: tuple[str, ...]
) -> None:
    output = tmp_path / "out.npy"
    output.write_bytes(OLD_OUTPUT)
    assert_refused(run(*arguments, "--save", f"u0={output}"), *mentions)
    assert output.read_bytes() == OLD_OUTPUT
    assert list(tmp_path.iterdir()) == [output]


def test_a_save_of_a_read_only_resource(run: Run, device: Any, tmp_path: Path) -> None:
    output = tmp_path / "out.npy"
    assert_refused(run(*RUN, *X, *Y, *PARAMS, "--save", f"u5={output}"), "u5")
    assert not output.exists()


@pytest.mark.parametrize("verb", ["translate", "disasm", "inspect"])
def test_files_that_cannot_be_read(run: Run, tmp_path: Path, verb: str) -> None:
    assert_refused(run(verb, tmp_path / "missing.dxbc"), "missing.dxbc")
    assert_refused(run(verb, tmp_path), str(tmp_path))


def test_arrays_that_cannot_be_read(run: Run, device: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.npy"
    np.save(broken, np.ones(64, np.float32))
    broken.write_bytes(broken.read_bytes()[:-100])
    pickled = tmp_path / "pickled.npy"
    np.save(pickled, np.array([{}], object), allow_pickle=True)
    for path in (broken, pickled, tmp_path / "missing.npy", tmp_path, SAXPY):
        assert_refused(run(*RUN, "--t0", path, *Y, *PARAMS), path.name)


def test_an_output_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "no" / "such" / "folder.spv"
    assert_refused(run("translate", SAXPY, "-o", output), "folder.spv")
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("arguments", "mentions"),
    [
        (("translate", SAXPY, "--bind", "t0"), ("--bind",)),
        (("translate", SAXPY, "--bind", "t9=0:3"), ("t9",)),
        (("translate", SAXPY, "--bind", "t0=0:3", "--bind", "u0=0:3"), ("t0", "u0")),
        (("translate", SAXPY, "--guards", "some"), ("some",)),
        (("translate", SAXPY, "--target", "vulkan9"), ("vulkan9",)),
        (("translate",), ()),
        (("fold", SAXPY), ("fold",)),
    ],
)
def test_bad_usage(
    run: Run, tmp_path: Path, arguments: tuple[object, ...], mentions: tuple[str, ...]
) -> None:
    output = tmp_path / "out.spv"
    extra = ("-o", output) if arguments[:1] == ("translate",) else ()
    assert_refused(run(*arguments, *extra), *mentions)
    assert not output.exists()


@pytest.mark.parametrize("form", ["dxbc", "asm"])
def test_an_interface_without_a_class_is_named(run: Run, tmp_path: Path, form: str) -> None:
    output = tmp_path / "out.spv"
    assert_refused(run("translate", DATA / f"interface.{form}", "-o", output), "interface weight")
    assert not output.exists()


def test_as_a_process_of_its_own(tmp_path: Path) -> None:
    """The same in a process: exit status, streams, no traceback."""
    (tmp_path / "edited.asm").write_text(edited("mad r0.x", "madd r0.x"))
    for name in ("edited.asm", "missing.dxbc"):
        assert_refused(sm5vk(f"translate {name} -o out.spv", tmp_path), name)
        assert not (tmp_path / "out.spv").exists()
