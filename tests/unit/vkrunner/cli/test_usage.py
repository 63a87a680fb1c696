"""Wrong options show the verb's usage, and shells complete right ones."""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

import vkrunner
from translate.options import GUARDS
from vkrunner.cli.parser import VERBS

from .conftest import SAXPY, SHADERS, Call, python

RUN = "run SHADERS/saxpy.dxbc --groups 1,1,1 --t0 arange:5:f4 --u0 ones:5:f4"
FULL = f"{RUN} --Params a=2,count=4"
TRACE = f"{FULL} --device reference --trace"
TARGET = "--target takes vulkan1.1, vulkan1.2, vulkan1.3, not 'zeros:8'; for a resource"
MANY = "translate SHADERS --output-dir out"
ONE = "translate SHADERS/saxpy.dxbc"
# A command -> the beginning of its error, below the verb's usage.
USAGE = {
    "translate SHADERS": "SHADERS is a folder, whose shaders go with --output-dir",
    "translate a.dxbc b.dxbc": "more than one shader goes with --output-dir",
    "test SHADERS/saxpy.shader_test --allow-path nowhere": "--allow-path nowhere: no such folder",
    "translate a.dxbc --json": "--json goes with --output-dir",
    "translate a.dxbc -j 2": "--jobs goes with --output-dir",
    "translate a.dxbc --interfaces": "--interfaces goes with --output-dir",
    f"{MANY} -o x": "-o and --output-dir",
    f"{MANY} --depfile x": "--depfile is for one shader, without --output-dir",
    f"{ONE} --depfile x": "--depfile goes with -o",
    f"{ONE} -o x --depfile y --from-ir": "--depfile is for shaders: an IR names no files",
    f"{ONE} -o x --depfile x": "--depfile needs a file of its own",
    f"{ONE} -o x --depfile y --interface y": "--depfile needs a file of its own",
    f"{MANY} --interface x": "--interface is for one shader; --interfaces writes them all",
    f"{MANY} --bind t0=0:1": "--bind is for one shader",
    f"{ONE} --fxc-flags -Zi": "argument --fxc-flags: expected one argument; a value that"
    " begins with - follows =: --fxc-flags=VALUE",
    f"{ONE} --define": "argument -D/--define: expected one argument; a value that begins with -"
    " follows =: --define=VALUE",
    f"{MANY} --format u0=r32_uint": "--format is for one shader",
    f"{MANY} --array-length t0=3": "--array-length is for one shader",
    f"{MANY} --constant-length cb0=16": "--constant-length is for one shader",
    f"{MANY} --window t0": "--window is for one shader",
    f"{MANY} --single-sample t0,t1": "--single-sample is for one shader",
    f"{MANY} --class-instance source=bytes": "--class-instance is for one shader",
    f"{MANY} -j 0": "-j takes a number of processes, not 0",
    f"{MANY} --dump-ir": "the IR is that of one shader, without --output-dir",
    f"{MANY} --guards x": "argument --guards: invalid choice: 'x'",
    f"{ONE} --dump-ir --interface a.json": "--dump-ir writes nothing but the IR of a shader",
    f"{ONE} --interface -": "the module and the interface cannot both go to the same place",
    f"{ONE} --for phones": "argument --for: invalid choice: 'phones'",
    f"{ONE} --for-profile none.json --for-device 0": "argument --for-device: not allowed with",
    f"{ONE} --bind t0=0": "--bind takes REG=SET:BINDING, for instance t0=0:3, not 't0=0'",
    f"{ONE} --bind t0=0:1 --bind t0=0:2": "--bind t0 is given twice",
    f"{ONE} --format u0": "--format takes REG=FORMAT, for instance u0=r32_uint, not 'u0'",
    f"{ONE} --array-length t0=x": "--array-length takes REG=N, for instance t0=16, not 't0=x'",
    f"{ONE} --class-instance op=": "--class-instance takes INTERFACE=INSTANCE",
    f"{ONE} --denormals x": "argument --denormals: invalid choice: 'x'",
    "run SHADERS/saxpy.dxbc --groups 1,2,3,4": "--groups takes X, X,Y or X,Y,Z",
    f"{FULL} --target zeros:8": f"{TARGET} of this name write its register",
    f"{FULL} --target=zeros:8": f"{TARGET} of this name write its register",
    f"{FULL} --t5": "--t5 needs a value",
    f"{RUN} --cb0 --time": "--cb0 needs a value",
    f"{FULL} --Params a=1,count=1": "--Params is given twice",
    f"{FULL} --save u0": "--save takes REG=",
    f"{FULL} --save u0=- --json": "--json and --save REG=- both write to standard output",
    f"{FULL} --format t0": "--format takes REG=",
    f"{FULL} extra": "unrecognized arguments: extra",
    f"{TRACE} 1,2": "--trace takes X,Y,Z",
    f"{TRACE} 0,0,0 --save u0=y.npy": "--trace shows what one thread does: leave out --save",
    f"{TRACE} 0,0,0 --report": "--trace shows what one thread does: leave out --report",
    f"{TRACE} 0,0,0 --time": "--trace shows what one thread does: leave out --time",
    "test SHADERS/tests -j 0": "-j takes a number from 1 on",
    "asm SHADERS/saxpy.asm --json": "--json prints on standard output",
    "disasm SHADERS/saxpy.dxbc --json -o -": "--json has the listing",
    f"{ONE} --for-device reference": "--for-device takes a Vulkan device",
    f"{FULL} --save u0=a.npy --save y=b.npy": "--save: each register once",
    f"{FULL} --save t0=a.npy": "--save: t0 (x) is not written",
}
OTHERS = {  # without the usage
    "test SHADERS/tests -k (a": "-k '(a' is not an expression",
    "test SHADERS/tests -k zebra": "-k 'zebra' chooses no test",
    "test nowhere": "nowhere: no such file or folder",
    "test SHADERS/saxpy.shader_test::b": "SHADERS/saxpy.shader_test::b: no such file or folder;"
    " SHADERS/saxpy.shader_test -k b runs one test",
    "translate none* --output-dir out": "nothing to translate",
    f"{ONE} --for-profile none.json": "none.json: No such file",
    f"{ONE} --bind t9=0:0": "t9",
    f"{ONE} --float-controls fast": "each of float_controls must be one of denorm_flush",
    f"{ONE} --window t7": "t7 is not a register of this shader: it cannot have a view range",
    f"{FULL} --save u0=no/y.npy": "no/y.npy: its folder does not exist",
    f"{FULL} --cb0 a=1,count=1": "cb0 is given twice",
    f"{FULL} --timeout 0": "a timeout is a positive number",
    f"{TRACE} 64,0,0": "no thread (64, 0, 0)",
}


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_option_shows_the_verbs_usage(call: Call, verb: str) -> None:
    words = {"run": [SAXPY, "--groups", "1", "--", "a", "b"], "completion": ["bash", "--nix"]}
    code, out, err = call(verb, *words.get(verb, [SAXPY, "--nix"]))
    assert (code, out) == (2, "")
    assert err.startswith(f"usage: sm5vk {verb} ")
    assert f"\nsm5vk {verb}: error: " in err


@pytest.mark.parametrize("command", [*USAGE, *OTHERS])
def test_wrong_values(call: Call, folder: Path, command: str) -> None:
    """Nothing is written."""
    code, out, err = call(*command.replace("SHADERS", str(SHADERS)).split())
    assert (code, out, list(folder.iterdir())) == (2, "", [])
    usage, _, error = err.rpartition("error: ")
    assert usage.startswith(f"usage: sm5vk {command.split()[0]} ") == (command in USAGE)
    assert error.startswith((USAGE | OTHERS)[command].replace("SHADERS", str(SHADERS)))
    assert usage.count("error: ") == 0


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        (f"{FULL} --reprot", "--report"),
        ("run --reprot SHADERS/saxpy.dxbc --groups 1", "--report for --reprot"),
        ("run SHADERS/saxpy.dxbc --grops 1", "--groups for --grops"),
        ("diff SHADERS/saxpy.dxbc SHADERS/saxpy.asm --grops 1", "--groups for --grops"),
        ("run SHADERS/saxpy.dxbc --groups 1 --devise reference", "--device for --devise"),
        (f"{ONE} --fro desktop", "--for"),
    ],
)
def test_misspelt_options(call: Call, command: str, meant: str) -> None:
    """Verbs that take resources as options cannot tell these from the others."""
    code, out, err = call(*command.replace("SHADERS", str(SHADERS)).split())
    assert (code, out) == (2, "")
    assert err.endswith(f"; did you mean {meant}?\n")


def test_a_resource_is_no_misspelt_option_without_need(call: Call) -> None:
    """Only --groups is missing."""
    err = call("run", SHADERS / "saxpy.dxbc", "--source", "zeros:4")[2]
    assert err.endswith("run takes one of --groups X[,Y[,Z]] and --threads X[,Y[,Z]]\n")


@pytest.mark.parametrize(
    "command",
    [
        "translate FOLDER/saxpy.dxbc -o FOLDER/saxpy.dxbc",
        "translate FOLDER/saxpy.dxbc -o x --interface FOLDER/./saxpy.dxbc",
        "translate FOLDER/saxpy.dxbc -o x --depfile FOLDER/saxpy.dxbc",
        "asm FOLDER/saxpy.asm --into FOLDER/saxpy.dxbc -o FOLDER/saxpy.asm",
        "disasm FOLDER/saxpy.dxbc -o FOLDER/saxpy.dxbc",
        "explain FOLDER/saxpy.dxbc -o FOLDER/saxpy.dxbc",
        f"{FULL} --report -o FOLDER/saxpy.dxbc",
        f"{FULL} --save u0=FOLDER/saxpy.dxbc",
        "diff FOLDER/saxpy.dxbc --groups 1 -o u0=FOLDER/saxpy.dxbc",
        "diff SHADERS/saxpy.asm FOLDER/saxpy.dxbc --groups 1 -o FOLDER/saxpy.dxbc",
    ],
)
def test_the_shader_is_not_replaced(call: Call, tmp_path: Path, command: str) -> None:
    for name in ("saxpy.dxbc", "saxpy.asm"):
        shutil.copy(SHADERS / name, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    text = command.replace("SHADERS", str(tmp_path)).replace("FOLDER", str(tmp_path))
    code, out, err = call(*text.split())
    assert (code, out) == (2, "")
    assert f"{text.split()[-1].removeprefix('u0=')} is the input" in err
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_a_file_with_the_name_of_standard_output(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(SHADERS / "saxpy.asm", tmp_path)
    (tmp_path / "-").symlink_to("saxpy.asm")
    code, out, _ = call("translate", "saxpy.asm", "--text")
    assert (code, out.split()[-1]) == (0, "OpFunctionEnd")


SOBEL = "run SHADERS/sobel.dxbc --groups 1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("diff SHADERS/saxpy.dxbc --groups 1 --u0 zeros:8", "options of the second run\n"),
        (f"{SOBEL} --image zeros:4x4:r32_flaot --gradient zeros:4x4 --edges linear", "r32_float"),
        (f"{SOBEL} --image zeros:4x4 --gradient zeros:4x4 --edges nearest", "nearest"),
    ],
)
def test_no_hint_at_options_beside_resources(call: Call, words: str, said: str) -> None:
    """`--u0` is like `--ulp`, and `--image` like `--time`."""
    code, _, err = call(*words.replace("SHADERS", str(SHADERS)).split())
    assert (code, said in err, "did you mean --" in err) == (2, True, False)


def test_no_hint_beside_another_mistake(call: Call) -> None:
    """`--samples` is a buffer, and like `--sampling` and `--exact-samples`."""
    words = ("--groups", "1", "--samples", "arange:8", "--every-violation")
    code, _, err = call("run", SHADERS / "moving_average.dxbc", *words)
    assert (code, "did you mean" in err) == (2, False)


def test_groups_of_one_number(call: Call, device: vkrunner.Device) -> None:
    words = ("run", SAXPY, "--x", "ones:200:f4", "--y", "zeros:200:f4", "--Params", "a=3,count=200")
    for groups in ("4", "4,1", "4,1,1"):
        code, out, _ = call(*words, "--groups", groups)
        assert (code, out) == (0, "u0 (y): float32[200] 3.0 3.0 3.0 3.0 3.0 3.0 3.0 3.0 ...\n")


def test_one_set_for_several_shaders(call: Call, device: vkrunner.Device) -> None:
    """A file for a resource that the shader lacks need not exist."""
    words = ("run", SAXPY, "--groups", "1", "--x", "zeros:4", "--y", "ones:4", "--Params", "a=2")
    unused = ("--t7", "nothing.npy", "--lights=zeros:4")
    code, out, err = call(*words, *unused)
    assert (code, out) == (2, "")
    assert "no resource 't7'; the shader has" in err
    assert call(*words, *unused, "--ignore-unused") == call(*words)
    code, _, err = call(*words[:-2], *unused, "--ignore-unused")
    message = f"missing: cb0 (Params), a constant buffer; `sm5vk inspect {SAXPY}` prints"
    assert (code, err) == (2, f"sm5vk: error: {message} a command with all resources\n")


@pytest.fixture
def script(call: Call) -> str:
    """The script for bash. Without shtab the tests are skipped, but in CI they fail."""
    if find_spec("shtab") is None and not os.environ.get("CI"):
        pytest.skip("the package shtab is not installed")
    code, out, err = call("completion", "bash")
    assert (code, err) == (0, "")
    return out


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("tra", ["translate"]),
        ("translate --guards ", [*GUARDS]),
        ("translate --size", ["--size-tables"]),
        ("run --dev", ["--device"]),
    ],
)
def test_bash_completes(script: str, line: str, wanted: list[str], tmp_path: Path) -> None:
    words = ["sm5vk", *line.split(" ")]
    (tmp_path / "complete").write_text(script)
    quoted = " ".join(f"'{word}'" for word in words)
    commands = (
        f"source {tmp_path}/complete; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1};"
        ' $(complete -p sm5vk | sed "s/.*-F \\([^ ]*\\).*/\\1/"); printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, check=True)
    assert done.stdout.split() == wanted


def test_completion_names_what_it_takes(tmp_path: Path) -> None:
    """The error in an environment without shtab."""
    code = "import sys; sys.modules['shtab'] = None; from vkrunner.__main__ import main; "
    done = python("-c", code + "sys.exit(main(['completion', 'bash']))")
    assert done.returncode == 2
    assert done.stderr.startswith("sm5vk: error: completion needs the Python package shtab: pip")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--verison"], "--verison; did you mean --version?"),
        (["-x"], "-x"),
        (["--nix=1", "run"], "--nix"),
        (["--nix", "run", SAXPY, "--groups", "1"], "--nix"),
    ],
)
def test_an_unknown_option_before_the_verb(call: Call, words: list[str], told: str) -> None:
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert err.startswith("usage: sm5vk [-h] ")
    assert err.endswith(f"\nsm5vk: error: unrecognized arguments: {told}\n")


def test_a_misspelt_verb(call: Call) -> None:
    assert call("transalte", SAXPY) == (
        2,
        "",
        "sm5vk: error: no verb 'transalte'; did you mean translate?\n",
    )
    assert call("xyz")[2] == "sm5vk: error: no verb 'xyz'; sm5vk --help lists them\n"


@pytest.mark.parametrize(
    ("format", "meant"),
    [
        ("u0=r32_sfloat", "r32_float"),
        ("u0=VK_FORMAT_R32_SFLOAT", "r32_float"),
        ("t0=bgra8_unorm", "b8g8r8a8_unorm"),
        ("t0=rgba8", "r8g8b8a8_unorm"),
    ],
)
def test_names_of_formats_elsewhere(call: Call, tmp_path: Path, format: str, meant: str) -> None:
    sobel = SHADERS / "sobel.dxbc"
    code, out, err = call("translate", sobel, "-o", tmp_path / "a.spv", "--format", format)
    assert (code, out) == (2, "")
    assert f"; did you mean {meant}?" in err


def test_the_files_that_save_writes(call: Call, tmp_path: Path) -> None:
    """The help and the error name the same kinds, and each is written."""
    told = ".npy, .raw, .bin, .buf, .png and .csv"
    assert told in " ".join(call("run", "--help")[1].split())
    words = ("run", SAXPY, "--groups", 1, "--x", "ones:8", "--y", "ones:8")
    words = (*words, "--Params", "a=1,count=8", "--device", "reference", "--save")
    assert f"--save writes {told} files, not .txt" in call(*words, f"u0={tmp_path}/a.txt")[2]
    for suffix in (".npy", ".raw", ".bin", ".buf", ".csv"):
        assert call(*words, f"u0={tmp_path}/a{suffix}")[0] == 0
        assert (tmp_path / f"a{suffix}").stat().st_size
