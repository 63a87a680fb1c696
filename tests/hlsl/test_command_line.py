"""HLSL on the command line, and in kernels."""

import json
import os
import shutil
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from tests.commands import ROOT

from ..unit.vkrunner.cli.conftest import Call
from .conftest import DATA, STAND_IN, edit

CONTAINER = (DATA / "scale-3-4.dxbc").read_bytes()
LISTING = f"// made by hand\n\n{translate.disassemble(translate.load(CONTAINER))}"
OPTIONS = ("-D", "N=4", "-I", "include")
RUN = ("--groups", "1,1,1", "--device", "reference", "--values", "arange:8:u4")
VALUES = np.arange(8, dtype=np.uint32)
COMPILED = f"sm5vk: compiled by {STAND_IN}\n"


def shown(factor: int, addend: int) -> str:
    numbers = " ".join(str(value) for value in VALUES * factor + addend)
    return f"u0 (values): uint32[8] {numbers}\n"


def test_run(call: Call, stand_in: str, project: Path) -> None:
    options = ("--entry", "main", "--profile", "cs_5_0", "-DN=4", "-Iinclude", "-O3")
    assert call("run", "scale.hlsl", *options, *RUN) == (0, shown(3, 4), COMPILED)


def test_flags_come_together(call: Call, log: Path, project: Path) -> None:
    flags = ("--fxc-flags=-Gis", "-O3", "--fxc-flags=-Zi -WX")
    code, out, _ = call("inspect", "scale.hlsl", *flags, *OPTIONS)
    assert code == 0
    assert "'-O3', '-Gis', '-Zi', '-WX'" in log.read_text()
    assert " --fxc-flags=-Gis '--fxc-flags=-Zi -WX' -O3 " in out


def test_run_by_the_real_compiler(call: Call, compiler: str, project: Path) -> None:
    options = ("-D", "N=5", "-I", "include", "-Od", "--fxc-flags=-Gis -WX")
    code, out, err = call("run", "scale.hlsl", *options, *RUN)
    assert (code, out, err) == (0, shown(3, 5), f"sm5vk: compiled by {compiler}\n")


@pytest.mark.parametrize(
    "words",
    [
        "translate scale.hlsl -o include/factor.h",
        "translate scale.hlsl -o x.spv --depfile include/factor.h",
        "explain scale.hlsl -o include/factor.h",
        f"run scale.hlsl {' '.join(RUN)} --save u0=include/factor.h",
    ],
)
def test_an_included_file_is_not_replaced(
    call: Call, stand_in: str, project: Path, words: str
) -> None:
    code, out, err = call(*words.split(), *OPTIONS)
    assert (code, out) == (2, "")
    assert "include/factor.h is included: name another file" in err
    assert (project / "include/factor.h").read_text() == "#define FACTOR 3\n"
    assert not (project / "x.spv").exists()


def test_an_included_file_is_not_replaced_by_a_picture(
    call: Call, stand_in: str, project: Path
) -> None:
    (project / "out.png").symlink_to("include/factor.h")
    words = ("scale.hlsl", *OPTIONS, *RUN, "-o", "out.png", "--against", "--guards", "off")
    code, out, err = call("diff", *words)
    assert (code, out) == (2, "")
    assert "out.png is included: name another file" in err
    assert (project / "include/factor.h").read_text() == "#define FACTOR 3\n"


def test_a_depfile(call: Call, stand_in: str, project: Path) -> None:
    """make reads it: a changed header makes the module out of date."""
    (project / "in $1").mkdir()
    (project / "include/factor.h").rename(project / "in $1/f#1.h")
    edit(project / "scale.hlsl", "factor.h", "f#1.h")
    words = ("scale.hlsl", "-D", "N=4", "-I", "in $1", "-o", "x.spv", "--depfile", "x.d")
    for _ in range(2):  # compiled, then from the cache
        assert call("translate", *words) == (0, "", "")
        assert (project / "x.d").read_text() == "x.spv: scale.hlsl in\\ $$1/f\\#1.h\n"
    assert call("translate", str(DATA / "scale-3-4.dxbc"), *words[-4:])[0] == 0
    assert (project / "x.d").read_text() == f"x.spv: {DATA / 'scale-3-4.dxbc'}\n"
    more = "#define FACTOR 3\n#if 0\n#include NAME\n#endif"
    edit(project / "scale.hlsl", '#include "f#1.h"', more)
    assert "x.d may lack files, since an #include has no name" in call("translate", *words)[2]


@pytest.mark.parametrize(
    "name", [";a.h", "A=b/a.h", "a|b.h", "a\tb.h", "a`b`(x)", "a&b.h", "[a].h", "$(a).h"]
)
def test_a_depfile_has_no_commands(call: Call, stand_in: str, project: Path, name: str) -> None:
    """make would run what stands after a semicolon, and set variables."""
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text("#define FACTOR 3\n")
    edit(project / "scale.hlsl", "factor.h", name)
    words = ("scale.hlsl", "-D", "N=4", "-o", "x.spv", "--depfile", "x.d")
    code, out, err = call("translate", *words)
    assert (code, out) == (2, "")
    assert "a depfile cannot name " in err
    assert not (project / "x.d").exists()
    assert not (project / "x.spv").exists()


@pytest.mark.parametrize(
    ("source", "output"),
    [
        *(("a.dxbc", name) for name in ("a%b.spv", "%", "~root/x.spv", "~", ".PHONY", ".DEFAULT")),
        *((name, "x.spv") for name in ("~root/a.dxbc", "~a.dxbc", ".WAIT")),
    ],
)
def test_a_depfile_has_no_patterns(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, output: str
) -> None:
    """make would build nothing, or take the homes of users for the files' folders."""
    monkeypatch.chdir(tmp_path)
    for name in (source, output):
        Path(name).parent.mkdir(exist_ok=True)
    shutil.copy(ROOT / "shaders/saxpy.dxbc", source)
    words = ("translate", source, "-o", output, "--depfile", "x.d")
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert "a depfile cannot name " in err
    assert not Path("x.d").exists()


@pytest.mark.parametrize(
    "name", ["a%b.dxbc", "a~b.dxbc", "a~", "in/~a.dxbc", ".a", ".A.dxbc", "a,b@c+!"]
)
def test_make_reads_other_names(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A changed source makes the module out of date, and nothing else does."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    shutil.copy(ROOT / "shaders/saxpy.dxbc", name)
    output = f"{name.replace('%', '')}.spv"
    assert call("translate", name, "-o", output, "--depfile", "x.d") == (0, "", "")
    with open("x.d", "a") as file:
        file.write("\techo made\n")
    newer = os.stat(output).st_mtime + 9
    for is_newer in (False, True):
        done = subprocess.run(
            ["make", "-f", "x.d", output], capture_output=True, text=True, check=True
        )
        assert (done.stdout.splitlines()[-1] == "made") == is_newer
        os.utime(name, (newer, newer))


def test_stdin(call: Call, stand_in: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (project / "scale.hlsl").read_bytes()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text)))
    assert call("run", "-", *OPTIONS, *RUN) == (0, shown(3, 4), COMPILED)
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text)))
    code, out, err = call("run", "-", "-I", "include", *RUN)
    assert (code, out) == (2, "")
    assert err.startswith("shader.hlsl:9:44: error: X3004: undeclared identifier 'N'\n")


def test_the_other_verbs(call: Call, stand_in: str, project: Path) -> None:
    assert call("asm", "scale.hlsl", *OPTIONS, "-o", "scale.dxbc") == (0, "", COMPILED)
    assert (project / "scale.dxbc").read_bytes() == CONTAINER
    assert call("translate", "scale.hlsl", *OPTIONS, "-o", "a.spv") == (0, "", COMPILED)
    program = translate.load(CONTAINER)
    assert (project / "a.spv").read_bytes() == translate.to_spirv(program).to_bytes()
    listing = translate.disassemble(program, exact=True)
    assert call("disasm", "scale.hlsl", *OPTIONS) == (0, listing, COMPILED)
    code, out, _ = call("translate", "scale.hlsl", *OPTIONS, "--dump-ir")
    assert (code, out.splitlines()[0][:13]) == (0, "module cs_5_0")


def test_inspect(call: Call, stand_in: str, project: Path) -> None:
    code, out, err = call("inspect", "scale.hlsl", *OPTIONS, "-O3")
    assert (code, err) == (0, COMPILED)
    lines = [line.strip() for line in out.splitlines()]
    assert lines[0] == "scale.hlsl"
    assert f"compiled by   {STAND_IN}" in lines
    command = "sm5vk run scale.hlsl -O3 -D N=4 -I include --groups 1,1,1 --values zeros:1024"
    assert lines[-1] == command
    code, out, _ = call("inspect", "scale.hlsl", *OPTIONS, "--json")
    assert json.loads(out)["compiler"] == STAND_IN
    assert json.loads(out)["bytes"] == len(CONTAINER)


def test_errors_and_warnings(call: Call, stand_in: str, project: Path) -> None:
    code, out, err = call("translate", "scale.hlsl", "-I", "include")
    assert (code, out) == (2, "")
    assert err == (
        "scale.hlsl:9:44: error: X3004: undeclared identifier 'N'\n"
        "   9 |     values[id.x] = values[id.x] * FACTOR + N;\n"
        "     |                                            ^\n"
    )
    edit(project / "scale.hlsl", "{", "{\n  values[id.x] = uint2(1, 2);")
    code, out, err = call("run", "scale.hlsl", *OPTIONS, *RUN)
    assert (code, out) == (0, shown(3, 4))
    assert err == COMPILED + (
        "scale.hlsl:9:3: warning: X3206: implicit truncation of vector type\n"
        "   9 |   values[id.x] = uint2(1, 2);\n"
        "     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("run", "scale.dxbc", "--entry", "main", *RUN), "do not apply to a compiled shader"),
        (("run", "scale.asm", "-D", "N=4", *RUN), "do not apply to a compiled shader"),
        (("inspect", "scale.hlsl", "--profile", "cs_6_0"), "profile must be one of cs_4_0"),
        (("translate", "scale.hlsl", *OPTIONS, "--output-dir", "out"), "without --output-dir"),
    ],
)
def test_options_that_do_not_fit(
    call: Call, stand_in: str, project: Path, words: tuple[str, ...], expected: str
) -> None:
    (project / "scale.dxbc").write_bytes(CONTAINER)
    (project / "scale.asm").write_text(LISTING)
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert expected in err


def test_include_folders_beside_compiled_shaders(call: Call, stand_in: str, project: Path) -> None:
    """One rule of a build has them for all shaders."""
    (project / "scale.dxbc").write_bytes(CONTAINER)
    (project / "scale.asm").write_text(LISTING)
    for name in ("scale.dxbc", "scale.asm"):
        code, _, err = call("translate", name, "-I", "include", "-o", "x.spv")
        assert (code, err) == (0, "")


def test_many_shaders_are_no_hlsl(call: Call, stand_in: str, project: Path) -> None:
    (project / "scale.dxbc").write_bytes(CONTAINER)
    code, out, _ = call("translate", "scale.hlsl", "scale.dxbc", "--output-dir", "out", "--json")
    assert code == 1
    assert "HLSL is not translated in bulk: translate this file alone, with -o" in out
    assert (project / "out" / "scale.dxbc.spv").is_file()


def test_a_kernel(device: vkrunner.Device, compiler: str, project: Path) -> None:
    kernel = device.kernel(
        "scale.hlsl", entry="main", profile="cs_5_0", defines={"N": 4}, include=["include"]
    )
    assert kernel.name == "scale"
    assert kernel.interface["values"].register == "u0"
    assert kernel.dispatch(1, values=VALUES).values.tolist() == (VALUES * 3 + 4).tolist()
    text = (project / "scale.hlsl").read_text()
    other = device.kernel(text, defines=["N=5"], include="include", guards="off")
    assert other.dispatch(1, values=VALUES).values.tolist() == (VALUES * 3 + 5).tolist()


def test_warnings_of_a_kernel(machine: Any, stand_in: str, project: Path) -> None:
    text = (project / "scale.hlsl").read_text().replace("{", "{\n  values[id.x] = uint2(1, 2);")
    with pytest.warns(RuntimeWarning, match=r"x\.hlsl:9:3: warning: X3206: implicit") as caught:
        machine.kernel(text, file="x.hlsl", defines={"N": 4}, include="include")
    assert [Path(warning.filename) for warning in caught] == [Path(__file__)]


def test_options_of_a_kernel_that_is_no_hlsl(machine: Any) -> None:
    for source in (CONTAINER, translate.load(CONTAINER)):
        with pytest.raises(vkrunner.ArgumentError, match="compiled shader"):
            machine.kernel(source, defines={"N": 4})
    with pytest.raises(vkrunner.UnknownNameError, match="'define'"):
        machine.kernel(CONTAINER, define={"N": 4})
