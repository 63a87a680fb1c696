"""Races and divergent barriers of the reference machine, by instructions."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from vkrunner.__main__ import main

from .test_report import HEAD

# 64 threads store 4 words each, then load those of the next thread
RACING = HEAD + (
    "dcl_uav_raw u0\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 1\n"
    "dcl_tgsm_structured g0, 16, 65\ndcl_thread_group 64, 1, 1\n"
    'iadd r0.x, vThreadIDInGroupFlattened.x, l(1)\n#line 9 "C:\\shaders\\sums.hlsl"\n'
    "store_structured g0.xyzw, r0.x, l(0), r0.xxxx\n"
    "#line 11\nif_nz vThreadIDInGroupFlattened.x\n#line 12\nsync_g\nsync_t\nendif\n"
    "#line 14\nld_structured r0.xyzw, vThreadIDInGroupFlattened.x, l(0), g0.xyzw\n"
    "atomic_or u0, l(0), r0.x\nret \n"
)


def test_a_row_per_pair_of_instructions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sums.asm").write_text(RACING)
    words = ["run", str(tmp_path / "sums.asm"), "--report", "--device", "reference"]
    assert main([*words, "--groups", "100", "--u0", "zeros:1:u4"]) == 1  # thread 0 reads g0[0]
    out = capsys.readouterr().out.splitlines()
    at = next(n for n, line in enumerate(out) if line.startswith("races:"))
    assert [" ".join(line.split()) for line in out[at:] if "^" not in line] == [
        "races: 25,200",  # 4 words of 63 threads in 100 groups
        "count register first then for example",
        "25,200 g0 store at sums.hlsl:9, line 10 (instruction 1) load at sums.hlsl:14, line 18"
        " (instruction 6) byte 0x10, threads 0,0,0 and 1,0,0",
        "10 | store_structured g0.xyzw, r0.x, l(0), r0.xxxx",
        "18 | ld_structured r0.xyzw, vThreadIDInGroupFlattened.x, l(0), g0.xyzw",
        "divergent barriers: 100",
        "count threads wait at others left at for example",
        "100 sums.hlsl:12, line 15 (instruction 4) sums.hlsl:11, line 12 (instruction 2)"
        " thread 1,0,0 waits, thread 0,0,0 does not come",
        "15 | sync_t",
        "12 | if_nz vThreadIDInGroupFlattened.x",
        "put a GroupMemoryBarrierWithGroupSync() between the two, where every thread of the group"
        " reaches it; or, if several threads change one element, use an atomic operation",
    ]


def test_races_told_without_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sums.asm").write_text(RACING)
    words = ["run", str(tmp_path / "sums.asm"), "--device", "reference", "--groups"]
    assert main([*words, "100", "--u0", "zeros:1:u4"]) == 0
    found = "25,200 races and 100 divergent barriers"
    told = f"sm5vk: warning: {found}: see sm5vk run --device reference --report\n"
    assert capsys.readouterr().err == told
    assert main([*words, "0", "--u0", "zeros:1:u4"]) == 0
    assert capsys.readouterr().err == ""


def test_each_pair_has_a_record(machine: Any) -> None:
    """Also a pair that comes when the list of races is full."""
    late = "store_structured g0.x, l(0), l(4), vThreadIDInGroupFlattened.x\nret \n"
    kernel = machine.kernel(RACING.replace("ret \n", late))
    result = kernel.dispatch(100, u0=np.zeros(1, np.uint32))
    assert isinstance(result, vkrunner.ReferenceResult)
    assert len(result.races) > 4096
    pairs = {(one.first.instruction, one.second.instruction) for one in result.races}
    assert pairs == {key[1:] for key in result.findings.races_of}
    assert (8, 8) in pairs
    assert sum(result.findings.races_of.values()) == result.findings.race_count
    assert {one.second.hlsl_line for one in result.races} == {14}
    assert {one.first.hlsl_file for one in result.races} == {"C:\\shaders\\sums.hlsl"}
    assert sum(result.findings.barriers_of.values()) == 100
