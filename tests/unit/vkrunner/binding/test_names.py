"""HLSL names that look like registers: a text with two meanings is refused."""

import shlex
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from vkrunner.__main__ import main

NAMES = Path(__file__).parents[1] / "data" / "names.dxbc"


def number(value: int) -> Any:
    return np.array([value], np.uint32)


ONE_MEANING = {"t9": number(3), "t3": number(4), "cb0": {"physics::scale": 5}, "cb1": bytes(6400)}
GIVEN = {"t0_space0": number(1), "t1_space0": number(2), **ONE_MEANING}
UAVS = {"u0_space0": number(0), "u1_space0": number(0)}


def test_registers_with_their_space(device: Any) -> None:
    result = device.kernel(NAMES).dispatch(1, **GIVEN, **UAVS)
    assert [result["u0_space0"].item(), result["u1_space0"].item()] == [4321, 5]
    assert [one.item() for one in dict(result).values()] == [4321, 5]
    tuples = {("t", 0, 0): number(1), ("t", 0, 1): number(2), ("u", 0, 0): number(0),
              ("u", 0, 1): number(0)}  # fmt: skip
    result = device.kernel(NAMES).dispatch(1, bindings={**tuples, **ONE_MEANING})
    assert result["u0", 0, 0].item() == 4321


@pytest.mark.parametrize("doubtful", ["t0", "t1", "u0", "u1"])
def test_a_register_that_is_another_name(device: Any, doubtful: str) -> None:
    given = {**GIVEN, **UAVS}
    given[doubtful] = given.pop(f"{doubtful}_space0")
    with pytest.raises(vkrunner.ArgumentError) as raised:
        device.kernel(NAMES).dispatch(1, **given)
    other = doubtful[0] + str(1 - int(doubtful[1]))
    assert f"{doubtful} is a register of {other}, and the name of {other}" in str(raised.value)
    assert f"write {doubtful}_space0 or {other}_space0" in str(raised.value)


@pytest.mark.parametrize("doubtful", ["u0", "u1"])
def test_a_result_with_two_meanings(device: Any, doubtful: str) -> None:
    result = device.kernel(NAMES).dispatch(1, **GIVEN, **UAVS)
    with pytest.raises(KeyError, match=f"{doubtful} is a register"):
        result[doubtful]
    with pytest.raises(AttributeError, match="write"):
        getattr(result, doubtful)


def test_the_command_that_inspect_prints(device: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(NAMES)]) == 0
    command = shlex.split(capsys.readouterr().out.splitlines()[-1])
    assert command[command.index("--cb0") + 1] == command[command.index("--Large") + 1] == "zeros"
    assert main([*command[1:], "--device", device.name]) == 0


@pytest.mark.parametrize("zeros", ["zeros", "zeros:400:f4", "zeros:3:u4"])
def test_zeros_for_constants_with_names(
    device: Any, capsys: pytest.CaptureFixture[str], zeros: str
) -> None:
    words = ["--t0_space0", "ones:1", "--t1_space0", "ones:1", "--t9", "ones:1", "--t3", "ones:1"]
    words += ["--u0_space0", "zeros:1", "--u1_space0", "zeros:1", "--cb0", "7", "--Large", zeros]
    assert main(["run", str(NAMES), "--groups", "1", "--device", device.name, *words]) == 0
    assert "u1 (u0): uint32[1] 7" in capsys.readouterr().out


SHADER_TEST = (Path(__file__).parent / "data/names.txt").read_text("utf-8")


def test_numbers_in_a_shader_test(
    device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`[srv 0]` is a register; `[srv t0]` is either."""
    shutil.copy(NAMES, tmp_path)
    path = tmp_path / "names.shader_test"
    path.write_text(SHADER_TEST)
    assert main(["test", str(path), "--device", device.name]) == 0, capsys.readouterr().out
    path.write_text(SHADER_TEST.replace("[srv 0]", "[srv t0]"))
    assert main(["test", str(path), "--device", device.name]) == 2
    assert "t0 is a register of t1" in capsys.readouterr().err


LOOP = (Path(__file__).parent / "data/names.asm").read_text("utf-8")


@pytest.mark.parametrize("guards", ["d3d", "report"])
def test_a_kernel_has_the_bindings_of_its_caller(device: Any, machine: Any, guards: Any) -> None:
    """Not those that the runner fills: reports, sizes, the loops that a driver ends."""
    given = {"size_tables": "dynamic"} if device.features.storage_buffer_dynamic_indexing else {}
    for kernel in (device.kernel(LOOP, guards=guards, **given), machine.kernel(LOOP)):
        assert [binding.register for binding in kernel.interface] == ["t0", "u0"]
        assert "tables" not in kernel.interface
