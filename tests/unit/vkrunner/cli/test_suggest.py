"""The command that `sm5vk inspect` prints last runs as printed."""

import shlex
from pathlib import Path

import pytest

import translate
from translate.interface import Binding, Constant, ShaderInterface
from vkrunner.cli.inspect import command_for

from .conftest import ROOT, SHADERS, Call

# Interfaces need a choice of classes, which this test does not make; messages go to stderr.
COMPILED = sorted(
    path
    for path in (ROOT / "tests" / "coverage" / "compiled").glob("*.O3.dxbc")
    if not path.name.startswith(("class_", "interfaces", "messages"))
)


@pytest.mark.parametrize(
    "path", [*sorted(SHADERS.glob("*.dxbc")), *COMPILED], ids=lambda path: path.stem
)
def test_command_runs(call: Call, path: Path) -> None:
    """On the reference machine, which has every feature."""
    interface = translate.to_spirv(translate.load(path)).interface
    command = command_for(str(path), interface)
    assert command.startswith(f"sm5vk run {path} --groups 1,1,1")
    code, _, err = call(*shlex.split(command)[1:], "--device", "reference")
    assert (code, err) == (0, "")


RANGES = {
    "s": "dcl_sampler S0[0:{}], mode_default, space=0",
    "t": "dcl_resource_texture2d (float,float,float,float) T0[0:{}], space=0",
    "u": "dcl_uav_raw U0[0:{}], space=0",
    "cb": "dcl_constantbuffer CB0[0:{}][4], immediateIndexed, space=0",
}


@pytest.mark.parametrize("declaration", RANGES.values(), ids=RANGES)
def test_long_ranges(call: Call, tmp_path: Path, declaration: str) -> None:
    """Neither the command nor its run takes memory for each register."""
    path = tmp_path / "long.asm"
    text = f"cs_5_1\n{declaration.format(100_000_000)}\ndcl_thread_group 1, 1, 1\nret\n"
    path.write_text(text)
    code, out, _ = call("inspect", path)
    assert code == 0
    assert len(out) < 1000
    command = shlex.split(out.splitlines()[-1])
    assert call(*command[1:], "--device", "reference")[0] == 0


def test_values() -> None:
    inner = (Constant("v", 0, "float", (2,)), Constant("n", 8, "uint"))
    params = (
        Constant("a", 0, "float"),
        Constant("s", 16, "struct", members=inner),
        Constant("rows", 32, "float", (4,), elements=3),
    )
    interface = ShaderInterface(
        (1, 1, 1),
        (
            Binding("cb0", "constant_buffer", 0, 0, "uniform_buffer", "Params", constants=params),
            Binding("s0", "sampler", 0, 16, "sampler", "points"),
            Binding("u0", "texture", 0, 160, "storage_image", "target", dimension="texture2darray"),
            Binding("u1", "raw_buffer", 0, 161, "storage_buffer", count=2),
            Binding("t0", "texture", 0, 32, "sampled_image", components=1, dimension="texture2d"),
            Binding("t1", "texture", 0, 33, "sampled_image", components=2, dimension="texture2d"),
            Binding("u2", "typed_buffer", 0, 34, "storage_texel_buffer", components=4),
            Binding("u3", "typed_buffer", 0, 35, "storage_texel_buffer", components=1),
        ),
    )
    zeros = ":".join("0" * 12)
    assert command_for("a b.dxbc", interface) == (
        f"sm5vk run 'a b.dxbc' --groups 1,1,1 --Params a=0,s=0:0:0,rows={zeros}"
        " --u0 zeros:6x64x64x4 --u1 'zeros:1024;zeros:1024'"
        " --t0 zeros:64x64 --t1 zeros:64x64x2 --u2 zeros:1024x4 --u3 zeros:1024"
    )
