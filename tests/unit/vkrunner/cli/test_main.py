"""The verbs, from command lines to streams, files and exit codes."""

import json
import os
import shlex
import shutil
import signal
import struct
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.heavy.listings import calls
from checks.running.shaders import ONE_TEST, slow
from tests.little_memory import LIMIT_BYTES, run_with_little_memory
from vkrunner.__main__ import main
from vkrunner.cli.parser import VERBS

from .conftest import ROOT, SHADERS, Call, sm5vk, without_a_reader

DATA = Path(__file__).parents[1] / "data"
SAXPY = str(DATA / "saxpy.dxbc")
FILES = {"x": "x.raw", "y": "y.BIN", "Params": "params.buf"}
RUN = ["run", SAXPY, "--groups", "1,1,1", "--t0", "arange:5:f4", "--u0", "ones:5:f4"]
PARAMS = ["--Params", "a=2,count=4"]
Y = np.array([1, 3, 5, 7, 1], np.float32)  # 2 * x + 1 for the first four


def test_translate_to_files(call: Call, tmp_path: Path) -> None:
    module, interface = tmp_path / "a.spv", tmp_path / "a.json"
    words = ("translate", SAXPY, "--bind", "t0=2:7")
    assert call(*words, "-o", module, "--interface", interface) == (0, "", "")
    expected = translate.to_spirv(translate.load(SAXPY), translate.Options(bindings={"t0": (2, 7)}))
    assert module.read_bytes() == expected.to_bytes()
    assert json.loads(interface.read_text()) == expected.interface.to_dict()
    assert call(*words, "-S") == (0, expected.text(), "")


def test_translate_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["translate", SAXPY]) == 0
    out, err = capfdbinary.readouterr()
    assert out[:4] == b"\x03\x02\x23\x07"
    assert err == b""


@pytest.mark.parametrize("verb", [["translate"], ["run", "--groups", "1,1,1"]])
@pytest.mark.parametrize("option", ["max_instructions", "max_words"])
def test_limits_of_a_shader(call: Call, verb: list[str], option: str) -> None:
    flag = f"--{option.replace('_', '-')}"
    code, out, err = call(*verb, SAXPY, flag, 7)
    assert (code, out) == (2, "")
    assert f"more than Options.{option}=7 ({flag}) allows" in err
    code, _, err = call(*verb, SAXPY, flag, -1)
    assert code == 2
    assert f"{option} must not be negative, not -1" in err


def test_limit_of_copies_of_subroutines(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "calls.asm"
    path.write_text(calls(3), "utf-8")
    code, out, _ = call("translate", path, "-S", "--max-inlined", 0)
    assert code == 0
    assert "OpLoopMerge" in out
    assert "OpLoopMerge" not in call("translate", path, "-S")[1]


def test_translate_shows_the_ir(call: Call) -> None:
    code, out, err = call("translate", SAXPY, "--dump-ir")
    assert (code, err) == (0, "")
    assert out.startswith("module cs_5_0 after choose_in_bits\n")
    assert "store_element" in out
    code, out, _ = call("translate", SAXPY, "--dump-ir=lowering")
    assert code == 0
    assert "write_register" in out


def test_translate_continues_from_the_ir(call: Call, tmp_path: Path) -> None:
    text, module, interface = (tmp_path / name for name in ("a.ir", "a.spv", "a.json"))
    words = ("translate", SAXPY, "--guards", "report", "--dump-ir=guard_bounds", "-o", text)
    assert call(*words) == (0, "", "")
    words = ("translate", text, "--from-ir", "--guards", "report", "-o", module)
    assert call(*words, "--interface", interface) == (0, "", "")
    expected = translate.to_spirv(translate.load(SAXPY), translate.Options(guards="report"))
    assert module.read_bytes() == expected.to_bytes()
    assert json.loads(interface.read_text("utf-8"))["thread_group"] == [64, 1, 1]


def test_translate_shows_where_the_ir_is_wrong(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.ir"
    path.write_text("module cs_5_0\nfunction main {\n  frobnicate 1\n}\n", "utf-8")
    code, out, err = call("translate", path, "--from-ir")
    assert (code, out) == (2, "")
    assert f"{path}:3:3: error: frobnicate is no operation" in err
    assert "  ^^^^^^^^^^" in err


def test_disasm_and_asm(call: Call, tmp_path: Path) -> None:
    listing, container = tmp_path / "a.asm", tmp_path / "a.dxbc"
    assert call("disasm", SAXPY, "-o", listing) == (0, "", "")
    assert call("disasm", SAXPY)[1] == listing.read_text()
    assert "store_structured u0.x, vThreadID.x" in listing.read_text()
    assert call("asm", listing, "-o", container) == (0, "", "")
    assert container.read_bytes()[:4] == b"DXBC"
    assert call("disasm", container)[1] == listing.read_text()


def test_asm_names_the_file(call: Call, tmp_path: Path) -> None:
    listing = tmp_path / "a.asm"
    listing.write_text("cs_5_0\ndcl_thread_group 1, 1, 1\nfold r0.x\nret\n")
    code, out, err = call("asm", listing, "-o", tmp_path / "b.dxbc")
    assert (code, out) == (2, "")
    assert err.startswith(f"{listing}:3:")
    assert not (tmp_path / "b.dxbc").exists()
    assert "is a container: disasm" in call("asm", SAXPY)[2]


@pytest.mark.parametrize(
    "words", [("asm",), ("disasm",), ("translate",), ("translate", "--from-ir")]
)
@pytest.mark.parametrize("data", [b"root:x:0:0\n", b"\xffroot"])
def test_files_that_are_not_shaders_are_not_shown(
    call: Call, tmp_path: Path, words: tuple[str, ...], data: bytes
) -> None:
    path = tmp_path / "passwd"
    path.write_bytes(data)
    code, out, err = call(*words, path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert f"{path}" in err
    assert "root" not in err.replace(str(path), "")


@pytest.fixture
def rounded(tmp_path: Path) -> Path:
    listing = tmp_path / "a.asm"
    listing.write_text(
        "cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nmov r0.x, l(0.000000)\nret\n"
    )
    return listing


@pytest.mark.parametrize("verb", ["asm", "translate", "run"])
def test_rounded_numbers_warn_and_are_refused(
    call: Call, rounded: Path, tmp_path: Path, device: Any, verb: str
) -> None:
    made = tmp_path / "made"
    words = (verb, rounded, *(("--groups", "1") if verb == "run" else ("-o", made)))
    for _ in range(2):  # the second translation comes from a cache
        code, out, err = call(*words)
        assert (code, out, made.exists()) == (0, "", verb != "run")
        assert err.startswith(f"{rounded}:4:13: warning: '0.000000' may be rounded")
        assert err.endswith("   4 | mov r0.x, l(0.000000)\n     |             ^^^^^^^^\n")
        assert err.count("warning: ") == 1
    made.unlink(missing_ok=True)
    code, out, err = call(*words, "--strict")
    assert (code, out, made.exists()) == (2, "", False)
    assert err.startswith(f"{rounded}:4:13: error: '0.000000' may be rounded")


def test_facts_have_the_warnings(call: Call, rounded: Path, tmp_path: Path) -> None:
    container = tmp_path / "a.dxbc"
    for words in (("inspect", rounded, "--json"), ("asm", rounded, "-o", container, "--json")):
        code, out, err = call(*words)
        assert (code, err.count("warning: ")) == (0, 1)
        assert err.startswith(f"{rounded}:4:13: warning: ")
        facts = json.loads(out)
        (warning,) = facts["warnings"]
        assert warning.startswith(f"{rounded}:4:13: '0.000000' may be")
    assert facts["output"] == str(container)
    assert facts["bytes"] == len(container.read_bytes())
    assert (facts["profile"], facts["checksum"]) == ("cs_5_0", "right")
    assert (facts["instructions"], facts["declarations"]) == (2, 2)


def test_inspect(call: Call) -> None:
    code, out, err = call("inspect", SAXPY)
    assert (code, err) == (0, "")
    for text in (
        "saxpy.dxbc\nprofile       cs_5_0\nthread group  64 x 1 x 1\n",
        "checksum: right",
        "      1 mad\n",
        "cb0 Params constant buffer 16 bytes {a: float32, count: uint32} (set 0, binding 0",
        "t0 x structured buffer stride 4 float32 (set 0, binding 32, storage_buffer)",
        "--groups 1,1,1 --Params a=0,count=0 --x zeros:1024 --y zeros:1024\n",
    ):
        assert text in out


def test_names_do_not_command_a_terminal(call: Call, tmp_path: Path) -> None:
    """Names in a container or of a file are escaped, and left out of the command."""
    path = tmp_path / "a\x1b]0;title\x07\n.dxbc"
    data = Path(SAXPY).read_bytes()
    path.write_bytes(
        data.replace(b"Params\0", b"\x1b[2J\r\n\0").replace(b"count\0", b"c\x07\x9b$(\0")
    )
    code, out, err = call("inspect", str(path))
    assert code == 0
    assert r"cb0 \x1b[2J\r\n constant buffer" in out
    assert r"a\x1b]0;title\x07\n.dxbc" in out
    assert "--cb0 zeros" in out
    missing = call("run", str(path), "--groups", "1,1,1")[2]
    assert r"cb0 (\x1b[2J\r\n)" in missing
    nowhere = call("inspect", str(tmp_path / "\x1b[1m"))[2]
    assert all(c.isprintable() or c == "\n" for c in out + err + missing + nowhere)


def test_inspect_of_a_shader_with_interfaces(call: Call) -> None:
    path = ROOT / "tests" / "coverage" / "compiled" / "class_buffers.cs_5_0.O3.dxbc"
    code, out, err = call("inspect", str(path))
    assert (code, err) == (0, "")
    assert "not translated: interface source has no class instance" in out
    assert "to run" not in out


@pytest.mark.parametrize(
    ("change", "state", "warns"),
    [(b"", "right", False), (b"\1" * 16, "wrong", True), (bytes(16), "none", False)],
)
def test_inspect_as_json(
    call: Call, tmp_path: Path, change: bytes, state: str, warns: bool
) -> None:
    path = tmp_path / "a.dxbc"
    data = Path(SAXPY).read_bytes()
    path.write_bytes(data[:4] + change + data[4 + len(change) :])
    code, out, err = call("inspect", path, "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["checksum"], bool(facts["warnings"]), bool(err)) == (state, warns, warns)
    assert facts["thread_group"] == [64, 1, 1]
    assert [r["register"] for r in facts["resources"]] == ["cb0", "t0", "u0"]
    assert {"name": "SHEX", "bytes": data[data.index(b"SHEX") + 4]} in [
        {**chunk, "bytes": chunk["bytes"] & 255} for chunk in facts["chunks"]
    ]
    assert facts["mnemonics"]["ld_structured"] == 2


def test_inspect_of_standard_input(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path(SAXPY).read_bytes()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data)))
    assert "standard input\nprofile       cs_5_0\n" in call("inspect", "-")[1]


@pytest.mark.parametrize(
    "words",
    [
        [*RUN[1:], *PARAMS],
        ["--t0", "arange:5", SAXPY, "--u0", "ones:5", "--groups", "1,1,1", "--cb0", "a=2,count=4"],
        ["--groups=1,1,1", "--x=arange:5", "--y=ones:5", "--Params=a=2,count=4", SAXPY],
        ["--x=arange:5", "--y=ones:5", "--Params=a=2,count=4", "--groups", "1,1,1", "--", SAXPY],
    ],
)
def test_run_takes_its_words_in_any_order(call: Call, device: Any, words: list[str]) -> None:
    assert call("run", *words) == (0, "u0 (y): float32[5] 1.0 3.0 5.0 7.0 1.0\n", "")


def test_run_saves(call: Call, device: Any, tmp_path: Path) -> None:
    path = tmp_path / "y.npy"
    assert call(*RUN, *PARAMS, "--save", f"y={path}") == (0, "", "")
    np.testing.assert_array_equal(np.load(path), Y)


def test_run_reads_and_writes_bytes(call: Call, device: Any, tmp_path: Path) -> None:
    np.arange(5, dtype=np.float32).tofile(tmp_path / "x.raw")
    np.ones(5, np.float32).tofile(tmp_path / "y.BIN")
    (tmp_path / "params.buf").write_bytes(struct.pack("<fI", 2, 4))
    files = [f"--{name}={tmp_path / f}" for name, f in FILES.items()]
    words = ("run", SAXPY, "--threads", "5", *files, "--save", f"y={tmp_path / 'out.raw'}")
    assert call(*words) == (0, "", "")
    np.testing.assert_array_equal(np.fromfile(tmp_path / "out.raw", np.float32), Y)


@pytest.mark.parametrize("name", ["x.csv", "x", "x.dat"])
def test_other_kinds_of_files_are_refused(call: Call, tmp_path: Path, name: str) -> None:
    """The error lists those that are read. NumPy's files may have any name."""
    path = tmp_path / name
    path.write_bytes(b"1,2,3\n")
    words = ("run", SAXPY, "--groups", "1", "--y", "ones:8", *PARAMS[-2:], "--device", "reference")
    code, out, err = call(*words, "--x", path)
    assert (code, out) == (2, "")
    read = ".npy, bytes (.raw, .bin, .buf) and pictures (.png, .jpg, "
    assert f"{path} is not a .npy file, which np.save writes; files are read by" in err
    assert read in err
    with path.open("wb") as file:
        np.save(file, np.ones(8, np.float32))
    assert call(*words, "--x", path)[0] == 0


def test_run_saves_to_stdout(capfdbinary: pytest.CaptureFixture[bytes], device: Any) -> None:
    assert main([*RUN, *PARAMS, "--save", "u0=-", "--time"]) == 0
    out, err = capfdbinary.readouterr()
    np.testing.assert_array_equal(np.load(BytesIO(out)), Y)
    assert err.startswith(b"time on the device: ")


def test_a_counter(call: Call, device: Any, tmp_path: Path) -> None:
    path = tmp_path / "count.raw"
    arrays = ("--numbers", "arange:3", "--u0", "ones:9", "--u0.counter", "4")
    words = ("run", DATA / "append.dxbc", "--groups", "3,1,1", *arrays)
    code, out, _ = call(*words, "--json")
    named = call(*words[:-2], "--even.counter", "4", "--json")[1]
    assert json.loads(named)["counters"] == {"u0": 6}
    facts = json.loads(out)
    assert (code, facts["counters"]) == (0, {"u0": 6})
    assert facts["results"]["u0"]["shape"] == [9]
    assert sorted(facts["results"]["u0"]["first"]) == [0, 1, 1, 1, 1, 1, 1, 2]
    assert call(*words, "--save", f"u0.counter={path}")[:2] == (0, "")
    assert np.fromfile(path, np.uint32).tolist() == [6]
    assert call(*words, "--save", f"u0={path}")[:2] == (0, "u0's counter: 6\n")


def test_a_counter_beside_a_result_on_stdout(
    capfdbinary: pytest.CaptureFixture[bytes], device: Any
) -> None:
    words = ("--groups", "1", "--numbers", "arange:3", "--u0", "ones:9", "--save", "u0=-")
    assert main(["run", str(DATA / "append.dxbc"), *words]) == 0
    out, err = capfdbinary.readouterr()
    assert np.load(BytesIO(out)).shape == (9,)
    assert b"u0's counter: " in err


def test_run_formats_typed_buffers(call: Call, device: Any) -> None:
    words = ("--groups", "1,1,1", "--t0", "ones:4:u1", "--u0", "zeros:1:u2", "--u1", "zeros:1")
    code, out, _ = call("run", DATA / "typed.dxbc", *words, "--format", "t0=r8g8b8a8_unorm")
    assert code == 0
    assert "u0 (target): uint16[1] 1\n" in out
    assert "u1 (seen): float32[1, 4] 0.0039215" in out


def test_a_null_result_is_named_and_not_saved(call: Call, device: Any, tmp_path: Path) -> None:
    words = ["null" if w == "ones:5:f4" else w for w in RUN]
    assert call(*words, *PARAMS)[:2] == (0, "u0 (y): null\n")
    code, _, err = call(*words, *PARAMS, "--save", f"u0={tmp_path / 'y.npy'}")
    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "u0 (y) is null" in err


def test_textures_and_samplers(call: Call, device: Any, tmp_path: Path) -> None:
    """A checkerboard at its own size: all samples at a texel's centre give that texel."""
    image = np.kron([[0, 1], [1, 0]], np.ones((2, 2))).astype(np.uint8) * 255
    np.save(tmp_path / "image.npy", np.repeat(image[..., None], 4, axis=2))
    shader = ROOT / "tests" / "corpus" / "cs_5_1" / "resample.dxbc"
    code, _, err = call(
        *("run", shader, "--groups", "1,1,1", "--s0", "point,clamp", "--layers", "ones:1x2x2:f4"),
        *("--source", f"{tmp_path / 'image.npy'}:r8g8b8a8_unorm"),
        *("--save", f"u0={tmp_path / 'o.npy'}"),
        *("--u0", "zeros:4x4:r16g16b16a16_float"),
    )
    assert (code, err) == (0, "")
    found = np.load(tmp_path / "o.npy")
    assert (found.dtype, found.shape) == (np.float16, (4, 4, 4))
    np.testing.assert_array_equal(found[..., 0], image / 255 * 1.625)


def test_ranges_of_resources(call: Call, device: vkrunner.Device) -> None:
    shader = ROOT / "tests" / "textures" / "data" / "targets_constant.dxbc"
    words = ("run", shader, "--groups", "1,1,1")
    code, out, err = call(*words, "--targets", "zeros:1x4;zeros:1x4;zeros:1x4")
    assert (code, err) == (0, "")
    assert "u1_space2 (targets)[2]: uint32[1, 4] 100 101 102 103" in out
    code, out, err = call(*words, "--u3_space2", "zeros:1x4", "--json")
    if not device.features.null_descriptor:
        assert (code, "null_descriptor" in err) == (3, True)
        return
    assert list(json.loads(out)["results"]) == ["u1_space2[2]"]
    code, _, err = call(*words, "--u3_space2", "zeros:1x4", "--save", "targets=-")
    assert (code, "is an array of resources" in err) == (2, True)


def test_no_such_device_is_exit_code_3(call: Call, device: Any) -> None:
    run = (*RUN, *PARAMS, "--device")
    for words in (
        run,
        ("diff", *run[1:-1], "--against", run[-1]),
        ("translate", SAXPY, "--for-device"),
    ):
        code, out, err = call(*words, "no such device")
        assert (code, out) == (3, "")
        assert err.startswith("sm5vk: error: no device 'no such device'; there are 0: ")


def test_a_timeout_is_exit_code_3(device: vkrunner.Device) -> None:
    """In a separate process, which has to end although the device still works."""
    words = ["--u0", "zeros:1", "--cb0", str(slow(device, 60000)), "--groups", "300,1,1"]
    done = sm5vk("run", DATA / "spin.dxbc", *words, "--timeout", "0.001")
    assert done.returncode == 3
    assert "did not end its work" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.rstrip().endswith(" s: allow more with --timeout SECONDS")


def test_a_timeout_on_the_reference_machine(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--groups", "1", "--cb0", "1000000", "--u0", "zeros:1", "--device", "reference")
    assert main(["run", str(DATA / "spin.dxbc"), *words, "--timeout", "0.05"]) == 3
    assert capsys.readouterr().err.rstrip().endswith("; or allow more with --timeout SECONDS")


@pytest.mark.parametrize("verb", VERBS)
def test_help_ends_with_an_example(call: Call, verb: str, folder: Path) -> None:
    """The example runs, in a folder with the shaders."""
    code, out, _ = call(verb, "--help")
    assert code == 0
    assert ("zeros:SHAPE[:DTYPE]" in out) == (verb == "run")
    heading, command = out.splitlines()[-2:]
    assert heading == "example:"
    words = shlex.split(command.partition(">")[0])
    assert words[:2] == ["sm5vk", verb]
    shutil.copytree(SHADERS, folder / "shaders", ignore=shutil.ignore_patterns("examples", "frame"))
    code, _, err = call(*words[1:])
    assert code == 0, err


def test_without_words_it_shows_the_verbs(call: Call) -> None:
    code, out, err = call()
    assert (code, out) == (2, "")
    shown = [line.split() for line in err.splitlines()]
    for verb in VERBS:
        assert any(words[:1] == [verb] for words in shown)
        assert any(words[:2] == ["sm5vk", verb] for words in shown)


def test_the_help_of_run_begins_with_values(call: Call) -> None:
    """Then come options of runs; those of the translation are the last."""
    _, out, _ = call("run", "--help")
    marks = ["zeros:SHAPE", "--groups X", "--device D", "--report", "--guards MODE"]
    places = [out.index(f"\n  {mark}") for mark in marks]
    assert places == sorted(places)


def test_a_missing_file_names_a_similar_one(call: Call, tmp_path: Path) -> None:
    (tmp_path / "blur.dxbc").write_bytes(b"")
    code, _, err = call("inspect", str(tmp_path / "blurr.dxbc"))
    message = f"No such file or directory; did you mean {tmp_path}/blur.dxbc?\n"
    assert (code, err) == (2, f"sm5vk: error: {tmp_path}/blurr.dxbc: {message}")
    code, _, err = call("inspect", str(tmp_path / "particles.dxbc"))
    assert err == f"sm5vk: error: {tmp_path}/particles.dxbc: No such file or directory\n"


def test_an_interrupt_is_no_traceback(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while the input is read."""

    class Input(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            signal.raise_signal(signal.SIGINT)
            return b""

    monkeypatch.setattr(sys, "stdin", TextIOWrapper(Input()))
    assert call("disasm", "-") == (130, "", "")


def test_the_folder_for_cmake(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")  # it is not wrapped
    assert call("--cmake-dir") == (0, f"{ROOT / 'vkrunner/cmake'}\n", "")


def test_the_working_folder_is_left_out(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages start programs: Dask's workers run `uname`. The loader would load libraries of
    the working folder, though XDG ignores such entries, and Mesa run the code of its cache there.
    """
    set_to = {
        "PATH": ([".", "/usr/bin", "", "bin", "/bin"], ["/usr/bin", "/bin"]),
        "XDG_DATA_HOME": (["."], []),
        "XDG_DATA_DIRS": (["share", "/usr/share"], ["/usr/share"]),
        "XDG_CONFIG_DIRS": (["/etc/xdg"], ["/etc/xdg"]),
    }
    for name, (given, _) in set_to.items():
        monkeypatch.setenv(name, os.pathsep.join(given))
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "here")
    assert call("cache")[0] == 0
    for name, (_, left) in set_to.items():
        assert os.environ[name] == os.pathsep.join(left)
    assert "HOME" not in os.environ
    assert "XDG_CACHE_HOME" not in os.environ


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has it")
def test_messages_that_cannot_be_written_change_no_result(folder: Path) -> None:
    words = [sys.executable, "-m", "vkrunner", *map(str, RUN), *PARAMS, "--time"]
    words += ["--device", "reference"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=full)
    assert (done.returncode, b": float32[5] 1.0 " in done.stdout) == (0, True), done


@pytest.mark.parametrize(
    "words",
    [
        ("inspect", "nofile"),
        ("translate", "nofile"),
        ("test", "nofile"),
        ("test", "a.shader_test"),
        ("frobnicate",),
        ("inspect", "--frob"),
    ],
    ids=str,
)
def test_an_error_that_nobody_reads_has_its_exit_code(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "a.shader_test").write_text("[test]\n")
    assert without_a_reader("stderr", tmp_path, *words) == 2


def test_names_that_standard_output_cannot_show(tmp_path: Path) -> None:
    (tmp_path / "a.shader_test").write_text(
        ONE_TEST.replace("[test]", "[test \u65e5]"), encoding="utf-8"
    )
    words = ("test", "a.shader_test", "-v", "--device", "reference")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "vkrunner", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="latin-1",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert r"PASSED a.shader_test::\u65e5 on " in done.stdout


def test_a_line_break_in_a_name(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "h\nsm5vk: error: spoof"
    folder.mkdir()
    code, _, err = call("inspect", folder)
    assert (code, err.count("\n")) == (2, 1)
    assert r"h\nsm5vk: error: spoof: Is a directory" in err


@pytest.mark.parametrize(("page", "saved"), [("q.npy", "./q.npy"), ("-", "q.npy")])
def test_a_page_and_a_result_in_one_place(call: Call, page: str, saved: str) -> None:
    words = ("--groups", 1, "--x", "zeros:64:f4", "--y", "zeros:64:f4", "--Params", "a=2,count=64")
    places = ("--report", "-o", page, "--save", f"y={saved}", "--device", "reference")
    code, out, err = call("run", SAXPY, *words, *places)
    assert (code, out) == (2, "")
    assert "-o" in err


def test_no_memory_is_no_traceback() -> None:
    """An array that is larger than all memory that the process may have."""
    values = ("--x", f"zeros:{LIMIT_BYTES // 4}:f4")
    done = run_with_little_memory("run", SAXPY, "--groups", 1, "--device", "reference", *values)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sm5vk: error: Unable to allocate 4.00 GiB")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    assert without_a_reader("stdout", tmp_path, "translate", SAXPY, "-S") == 141
